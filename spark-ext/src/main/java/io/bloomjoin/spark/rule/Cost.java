package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.decision.Reason;

/** What a pruning saves and costs, in nanoseconds of one core. */
final class Cost {
  /** A row that is not shuffled: serialised, written, read, sorted or hashed. */
  static final double SHUFFLED_ROW = 400;

  /** A row that a broadcast join does not put together, and nothing above it handles. */
  static final double JOINED_ROW = 50;

  /** A probe, most of it one cache miss. */
  private static final double PROBED_ROW = 15;

  /** A row of the build side, read from its shuffle once more, and added. */
  private static final double BUILT_ROW = 60;

  private Cost() {}

  /**
   * The gain of pruning {@code large} below its shuffle by the keys of {@code small}; not positive
   * where it does not pay or the settings rule it out.
   */
  static double gain(Estimate large, KeyExchange small, PruneSettings settings) {
    double prunedRows = prunedRows(large, small, settings);
    return prunedRows == 0
        ? 0
        : prunedRows * SHUFFLED_ROW - large.rows() * PROBED_ROW - buildCost(small);
  }

  /** What speaks against pruning {@code large}, or null if it pays. */
  static Reason against(Estimate large, KeyExchange small, PruneSettings settings) {
    double kept = small.keptKeys(large);
    if (kept == 1 || kept > settings.maxSelectivity()) {
      return Reason.NOT_SELECTIVE;
    }
    if (large.rows() * (1 - kept) < settings.minPrunedRows()) {
      return Reason.FEW_ROWS;
    }
    return gain(large, small, settings) > 0 ? null : Reason.COSTS_MORE;
  }

  /** The gain of pruning {@code build} for the rows of its partner that find no match then. */
  static double gainThrough(
      Partner partner, Estimate build, KeyExchange small, PruneSettings settings) {
    double kept = small.keptKeys(build);
    double prunedRows = allowed(partner.rows().rows() * (1 - kept), kept, settings);
    return prunedRows == 0
        ? 0
        : prunedRows * partner.savedPerRow() - build.rows() * PROBED_ROW - buildCost(small);
  }

  private static double prunedRows(Estimate large, KeyExchange small, PruneSettings settings) {
    double kept = small.keptKeys(large);
    return allowed(large.rows() * (1 - kept), kept, settings);
  }

  private static double allowed(double prunedRows, double kept, PruneSettings settings) {
    boolean enough = prunedRows >= settings.minPrunedRows() && kept <= settings.maxSelectivity();
    return enough ? prunedRows : 0;
  }

  private static double buildCost(KeyExchange small) {
    double extraShuffle = small.extra() ? SHUFFLED_ROW * small.estimate().rows() : 0;
    return small.estimate().rows() * BUILT_ROW + extraShuffle;
  }
}
