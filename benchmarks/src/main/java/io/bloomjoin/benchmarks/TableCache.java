package io.bloomjoin.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A folder of generated tables, one Parquet folder each, that later runs find again.
 *
 * <p>A table is written beside its place and moved there when Spark has committed it, so what
 * stands in its place is whole. A folder without Spark's {@code _SUCCESS} marker is written anew.
 */
final class TableCache {
  private final SparkSession spark;
  private final Path folder;
  private final PrintStream progress;

  TableCache(SparkSession spark, Path folder, PrintStream progress) {
    this.spark = spark;
    this.folder = folder;
    this.progress = progress;
  }

  /** Registers the table as a temporary view, writing the rows first unless they are there. */
  void register(String table, Supplier<Dataset<Row>> rows) {
    Path place = folder.resolve(table);
    if (!isComplete(place)) {
      write(place, rows.get());
    }
    spark.read().parquet(place.toString()).createOrReplaceTempView(table);
  }

  private void write(Path place, Dataset<Row> rows) {
    progress.printf("  writing %s ...%n", place.getFileName());
    Stopwatch watch = Stopwatch.start();
    Path draft =
        place.resolveSibling("." + place.getFileName() + "-" + ProcessHandle.current().pid());
    rows.write().mode("overwrite").option("compression", "snappy").parquet(draft.toString());
    try {
      delete(place);
      Files.move(draft, place);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot put the generated table in place: " + e.getMessage(), e);
    }
    progress.printf("  %s is written: %.1f s%n", place.getFileName(), watch.millis() / 1000.0);
  }

  private static boolean isComplete(Path table) {
    return Files.exists(table.resolve("_SUCCESS"));
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> paths = Files.walk(folder)) {
      deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.delete(path);
    }
  }
}
