package io.bloomjoin.benchmarks;

import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.hadoop.job.BloomCounter;
import io.bloomjoin.hadoop.job.FilterBuildJob;
import io.bloomjoin.hadoop.job.InputFormatKind;
import io.bloomjoin.hadoop.job.JoinJob;
import io.bloomjoin.hadoop.job.JoinJob.JoinType;
import io.bloomjoin.hadoop.job.KeyedInput;
import io.bloomjoin.hadoop.job.TextLayout;
import io.bloomjoin.key.KeyHash;
import io.bloomjoin.key.KeyType;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskCounter;

/** MapReduce's join of {@link JoinFiles} by Hadoop's local runner. */
final class MapReduceJoin {
  private static final double FPP = 0.01;

  private final Configuration configuration = new Configuration();
  private final KeyedInput large;
  private final KeyedInput small;
  private final java.nio.file.Path scratch;
  private final Path kept;

  /**
   * Builds the filter to be kept.
   *
   * @param files what {@link JoinFiles#write} wrote
   * @param scratch for filters, temporary files and the output of jobs, which is deleted after each
   *     run
   * @param cores tasks at a time, and reduce tasks of the join
   */
  MapReduceJoin(java.nio.file.Path files, java.nio.file.Path scratch, int cores)
      throws IOException {
    this.scratch = scratch;
    configuration.set("hadoop.tmp.dir", scratch.resolve("hadoop").toString());
    configuration.setInt("mapreduce.local.map.tasks.maximum", cores);
    configuration.setInt("mapreduce.local.reduce.tasks.maximum", cores);
    configuration.setInt("mapreduce.job.reduces", cores);
    // Milliseconds; five seconds otherwise, which would be in the figures.
    configuration.setInt("mapreduce.client.completion.pollinterval", 10);
    large = lines(JoinFiles.large(files), "2");
    small = lines(JoinFiles.small(files), "1");
    kept = path("kept.bloom");
    build(kept);
  }

  MapReduceRun run(MapReduceMode mode) throws IOException {
    Path output = path("joined");
    Path built = path("built.bloom");
    FileSystem disk = output.getFileSystem(configuration);
    try {
      Stopwatch watch = Stopwatch.start();
      long shuffledByBuild = mode == MapReduceMode.BUILT_FILTER ? build(built) : 0;
      Optional<Path> filter =
          switch (mode) {
            case PLAIN -> Optional.empty();
            case KEPT_FILTER -> Optional.of(kept);
            case BUILT_FILTER -> Optional.of(built);
          };
      Counters counters =
          new JoinJob(configuration, large, small, JoinType.INNER, filter).run(output);
      long millis = watch.millis();
      return new MapReduceRun(
          millis,
          shuffledByBuild + counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).getValue(),
          count(counters, BloomCounter.TESTED),
          count(counters, BloomCounter.PRUNED),
          count(counters, BloomCounter.SHUFFLED_LARGE)
              + count(counters, BloomCounter.SHUFFLED_SMALL),
          count(counters, BloomCounter.JOINED),
          answer());
    } finally {
      disk.delete(output, true);
      disk.delete(built, false);
    }
  }

  /** Returns the bytes that were shuffled. */
  private long build(Path to) throws IOException {
    FilterBuildJob job = new FilterBuildJob(configuration, small, FilterGoal.ofFpp(FPP));
    job.run(to);
    return job.shuffledBytes();
  }

  private long answer() throws IOException {
    long sum = 0;
    try (var parts = Files.newDirectoryStream(scratch.resolve("joined"), "part-*")) {
      for (java.nio.file.Path part : parts) {
        try (BufferedReader reader = Files.newBufferedReader(part)) {
          for (String row = reader.readLine(); row != null; row = reader.readLine()) {
            sum += KeyHash.ofString(row);
          }
        }
      }
    }
    return sum;
  }

  private static long count(Counters counters, BloomCounter counter) {
    return counters.findCounter(counter).getValue();
  }

  private static KeyedInput lines(java.nio.file.Path folder, String key) {
    return new KeyedInput(
        InputFormatKind.TEXT,
        List.of(new Path(folder.toUri())),
        List.of(key),
        List.of(KeyType.parse("bigint")),
        TextLayout.TABS);
  }

  private Path path(String name) {
    return new Path(scratch.resolve(name).toUri());
  }
}
