package io.bloomjoin.spark.rule;

/** What a pruning saves and costs, in nanoseconds of one core. */
final class Cost {
  /** A row that is not shuffled: serialised, written, read, sorted or hashed. */
  private static final double SHUFFLED_ROW = 400;

  /** A probe, most of it one cache miss. */
  private static final double PROBED_ROW = 15;

  /** A row of the build side, read from its shuffle once more, and added. */
  private static final double BUILT_ROW = 60;

  private Cost() {}

  /**
   * The gain of pruning {@code large} by the keys of {@code small}; not positive where it does not
   * pay or the settings rule it out.
   */
  static double gain(Estimate large, Estimate small, PruneSettings settings) {
    double prunedRows = large.rows() * (1 - small.kept());
    if (prunedRows < settings.minPrunedRows() || small.kept() > settings.maxSelectivity()) {
      return 0;
    }
    return prunedRows * SHUFFLED_ROW - large.rows() * PROBED_ROW - small.rows() * BUILT_ROW;
  }
}
