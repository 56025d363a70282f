package io.bloomjoin.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Comparisons as CSV, one row per query and mode, below comment lines that tell their origin. */
final class ResultFile {
  static final String COLUMNS =
      "query,mode,median_ms,min_ms,max_ms,shuffle_bytes,rows_tested,rows_pruned,planning_ms,"
          + "answers_equal";

  private final Path path;
  private final List<String> comments;

  ResultFile(Path path, List<String> comments) {
    this.path = path;
    this.comments = List.copyOf(comments);
  }

  /** Replaces the file. */
  void write(List<Comparison> comparisons) {
    List<String> lines = new ArrayList<>();
    comments.forEach(comment -> lines.add("# " + comment));
    lines.add(COLUMNS);
    for (Comparison comparison : comparisons) {
      for (Mode mode : Mode.values()) {
        if (comparison.has(mode)) {
          lines.add(line(comparison.query().name(), mode, comparison.in(mode)));
        }
      }
    }
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      Files.write(path, lines);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write the results: " + e.getMessage(), e);
    }
  }

  private static String line(String query, Mode mode, Outcome outcome) {
    return Stream.of(
            query,
            mode.id(),
            outcome.medianMillis(),
            outcome.minMillis(),
            outcome.maxMillis(),
            outcome.last().shuffleBytes(),
            outcome.last().rowsTested(),
            outcome.last().rowsPruned(),
            outcome.median(Run::planningMillis),
            outcome.answersEqual())
        .map(String::valueOf)
        .collect(Collectors.joining(","));
  }
}
