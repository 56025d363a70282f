package io.bloomjoin.benchmarks;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Option;

/** The options that shape the Spark session. What they leave alone stays at Spark's defaults. */
final class SessionOptions {
  @Option(
      names = "--cores",
      paramLabel = "<n>",
      defaultValue = "2",
      description = "Task threads, * for all cores (default: ${DEFAULT-VALUE}).")
  String cores;

  @Option(
      names = "--aqe",
      paramLabel = "on|off",
      defaultValue = "on",
      description = "Adaptive query execution (default: ${DEFAULT-VALUE}).")
  Switch aqe;

  @Option(
      names = "--conf",
      paramLabel = "<key=value>",
      description = "A setting for all modes; may be repeated.")
  Map<String, String> conf = new LinkedHashMap<>();

  /** Spelt as on the command line. */
  enum Switch {
    on,
    off
  }

  /** A local session with Bloomjoin installed, its scratch files below the folder. */
  SparkSession open(Path data) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .appName("bloomjoin-benchmarks")
            .master(master())
            .config("spark.sql.extensions", "io.bloomjoin.spark.BloomJoinExtensions")
            .config("spark.sql.adaptive.enabled", aqe == Switch.on)
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.ui.enabled", false)
            .config("spark.local.dir", data.resolve("spark-local").toString())
            .config("spark.sql.warehouse.dir", data.resolve("warehouse").toString());
    conf.forEach(builder::config);
    return builder.getOrCreate();
  }

  /** What a reader of the figures has to know. */
  String description() {
    String extra =
        conf.entrySet().stream()
            .map(entry -> ", " + entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining());
    return String.format(
        "Spark %s, %s, heap %d MiB, AQE %s%s",
        org.apache.spark.package$.MODULE$.SPARK_VERSION(),
        master(),
        Runtime.getRuntime().maxMemory() >> 20,
        aqe,
        extra);
  }

  private String master() {
    return "local[" + cores + "]";
  }
}
