package io.bloomjoin.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code bin/bench mapreduce}: MapReduce's join in each {@link MapReduceMode}, a warm-up and then
 * the repetitions, taking turns within each.
 */
final class MapReduceJoins {
  static final String COLUMNS =
      "large_rows,small_rows,mode,median_ms,min_ms,max_ms,shuffle_bytes,rows_tested,rows_pruned,"
          + "rows_shuffled,rows_joined,answers_equal";

  private final JoinFiles files;
  private final MapReduceJoin join;
  private final int repetitions;
  private final PrintStream progress;

  /**
   * @param files those that {@code join} reads
   * @param repetitions measured runs per mode, at least 1
   */
  MapReduceJoins(JoinFiles files, MapReduceJoin join, int repetitions, PrintStream progress) {
    if (repetitions < 1) {
      throw new IllegalArgumentException(
          "There must be at least 1 repetition, but got " + repetitions + ".");
    }
    this.files = files;
    this.join = join;
    this.repetitions = repetitions;
    this.progress = progress;
  }

  /**
   * Measures all and replaces the file.
   *
   * @return whether all runs gave the rows of the plain join
   */
  boolean run(Path csv, List<String> comments) throws IOException {
    Map<MapReduceMode, List<MapReduceRun>> runs = new EnumMap<>(MapReduceMode.class);
    for (int repetition = 0; repetition <= repetitions; repetition++) {
      progress.printf("%-9s", repetition == 0 ? "warm-up" : "run " + repetition);
      for (MapReduceMode mode : MapReduceMode.values()) {
        System.gc();
        MapReduceRun run = join.run(mode);
        if (repetition > 0) {
          runs.computeIfAbsent(mode, m -> new ArrayList<>()).add(run);
        }
        progress.printf(
            "%s %,d ms, %.1f MB   ", mode.label(), run.millis(), run.shuffleBytes() / 1e6);
        progress.flush();
      }
      progress.println();
    }
    List<String> lines = new ArrayList<>();
    comments.forEach(comment -> lines.add("# " + comment));
    lines.add(COLUMNS);
    MapReduceRun plain = runs.get(MapReduceMode.PLAIN).get(0);
    runs.forEach((mode, own) -> lines.add(line(mode, own, plain)));
    Files.createDirectories(csv.toAbsolutePath().getParent());
    Files.write(csv, lines);
    return runs.values().stream().flatMap(List::stream).allMatch(plain::hasAnswerOf);
  }

  private String line(MapReduceMode mode, List<MapReduceRun> runs, MapReduceRun plain) {
    long[] millis = runs.stream().mapToLong(MapReduceRun::millis).sorted().toArray();
    MapReduceRun last = runs.get(runs.size() - 1);
    return Stream.of(
            files.largeRows(),
            files.smallRows(),
            mode.label(),
            Outcome.median(millis),
            millis[0],
            millis[millis.length - 1],
            last.shuffleBytes(),
            last.rowsTested(),
            last.rowsPruned(),
            last.rowsShuffled(),
            last.rowsJoined(),
            runs.stream().allMatch(plain::hasAnswerOf))
        .map(String::valueOf)
        .collect(Collectors.joining(","));
  }
}
