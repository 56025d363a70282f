package io.bloomjoin.benchmarks;

import java.util.Map;

/** One of the contestants: the same session and tables, other settings. */
enum Mode {
  /** Spark as it comes, its own runtime filter at its defaults. */
  STOCK("stock", Map.of("spark.bloomjoin.enabled", "false")),

  /** Spark's own runtime filter with the thresholds that usually keep it shut forced open. */
  FORCED_OPEN(
      "forced open",
      Map.of(
          "spark.bloomjoin.enabled", "false",
          "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold", "0",
          "spark.sql.optimizer.runtime.bloomFilter.creationSideThreshold", "1g")),

  /** Bloomjoin at its defaults, Spark's own runtime filter left at its defaults too. */
  BLOOMJOIN("bloomjoin", Map.of("spark.bloomjoin.enabled", "true"));

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // Map.of cannot be changed.
  private final Map<String, String> settings;

  Mode(String label, Map<String, String> settings) {
    this.label = label;
    this.settings = settings;
  }

  String label() {
    return label;
  }

  Map<String, String> settings() {
    return settings;
  }
}
