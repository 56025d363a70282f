package io.bloomjoin.benchmarks;

import java.util.Locale;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Option;

/**
 * What TPC-H and TPC-DS share: how much data, and up to which size a side of a join is broadcast.
 * With a small threshold the joins of a small scale factor are planned as those of a large one.
 */
final class TpcOptions {
  @Option(
      names = "--sf",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Scale factor: 1 is about 1 GB of text (default: ${DEFAULT-VALUE}).")
  double scaleFactor;

  @Option(
      names = "--broadcast-threshold",
      paramLabel = "<size>",
      description =
          "spark.sql.autoBroadcastJoinThreshold for all modes, as in 100KB; -1 for no broadcast"
              + " join (default: Spark's).")
  String size;

  void set(SparkSession spark) {
    if (size != null) {
      spark.conf().set("spark.sql.autoBroadcastJoinThreshold", size);
    }
  }

  /** What to add to the name of a results file; empty for Spark's default. */
  String suffix() {
    return size == null ? "" : "-" + size.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }
}
