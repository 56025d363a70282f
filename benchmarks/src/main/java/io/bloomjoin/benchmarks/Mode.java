package io.bloomjoin.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A way to run a query: the same session and tables, other settings. */
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
  BLOOMJOIN("bloomjoin", Map.of("spark.bloomjoin.enabled", "true")),

  /** Stock Spark once more: how far two measurements of the same are apart. */
  STOCK_AGAIN("stock again", STOCK.settings);

  /** The modes that a suite compares unless it is told others. */
  static final List<Mode> USUAL = List.of(STOCK, FORCED_OPEN, BLOOMJOIN);

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // Map.of cannot be changed.
  private final Map<String, String> settings;

  Mode(String label, Map<String, String> settings) {
    this.label = label;
    this.settings = settings;
  }

  /**
   * @throws IllegalArgumentException if no mode has this id
   */
  static Mode of(String id) {
    return Arrays.stream(values())
        .filter(mode -> mode.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no mode " + id + "."));
  }

  String label() {
    return label;
  }

  /** As in results files and on the command line: {@code forced_open}. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  Map<String, String> settings() {
    return settings;
  }
}
