package io.bloomjoin.benchmarks;

import io.bloomjoin.spark.BloomJoin;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What Bloomjoin decided on each join of queries that it ran, in words. */
final class QueryDecisions {
  private final SparkSession spark;
  private final PrintStream progress;

  QueryDecisions(SparkSession spark, PrintStream progress) {
    this.spark = spark;
    this.progress = progress;
  }

  /**
   * Runs each query once and writes what {@code BloomJoin.explain} says then.
   *
   * @param origin lines that tell where the figures are from
   */
  void write(List<Query> queries, Path file, List<String> origin) throws IOException {
    StringBuilder text = new StringBuilder();
    origin.forEach(line -> text.append("# ").append(line).append('\n'));
    for (Query query : queries) {
      progress.println(query.name());
      text.append('\n').append(query.name()).append('\n').append(decisions(query));
    }
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }

  /** What was decided, with the rows counted. */
  String decisions(Query query) {
    Dataset<Row> rows = spark.sql(query.sql());
    rows.collectAsList();
    return BloomJoin.explain(rows);
  }
}
