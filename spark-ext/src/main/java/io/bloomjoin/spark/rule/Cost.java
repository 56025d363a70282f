package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.decision.Reason;

/** What a pruning saves and costs, in nanoseconds of one core. */
final class Cost {
  /** A row that is not shuffled: serialised, written, read, sorted or hashed. */
  static final double SHUFFLED_ROW = 400;

  /** A row that is read from a source, with the predicates on it. */
  static final double SCANNED_ROW = 100;

  /** The part of a shuffled row's cost that is paid before the join's stage. */
  private static final double WRITTEN_SHARE = 0.5;

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
    return gain(large.rows(), SHUFFLED_ROW, large, small, settings);
  }

  /** The gain of pruning {@code build} for the rows of its partner that find no match then. */
  static double gainThrough(
      Partner partner, Estimate build, KeyExchange small, PruneSettings settings) {
    return gain(partner.rows().rows(), partner.savedPerRow(), build, small, settings);
  }

  /** What speaks against pruning {@code large}, or null if it pays. */
  static Reason against(Estimate large, KeyExchange small, PruneSettings settings) {
    Reason limit = limit(large.rows(), small.keptKeys(large), settings);
    if (limit != null || gain(large, small, settings) > 0) {
      return limit;
    }
    return gain(large, small, settings) + waitCost(large, small) > 0
        ? Reason.WAITS_TOO_LONG
        : Reason.COSTS_MORE;
  }

  /**
   * @param rows those that are saved where their key is gone
   * @param probed those that are asked for their key
   */
  private static double gain(
      double rows, double savedPerRow, Estimate probed, KeyExchange small, PruneSettings settings) {
    double kept = small.keptKeys(probed);
    return limit(rows, kept, settings) != null
        ? 0
        : rows * (1 - kept) * savedPerRow
            - probed.rows() * PROBED_ROW
            - buildCost(small)
            - waitCost(probed, small);
  }

  /**
   * What idle cores would have done of the probe side's work meanwhile. They can do no more than
   * all of it up to its shuffle.
   */
  private static double waitCost(Estimate probed, KeyExchange small) {
    double startable = probed.base() * SCANNED_ROW + probed.rows() * SHUFFLED_ROW * WRITTEN_SHARE;
    return Math.min(small.idle(), startable);
  }

  /** Which setting rules out pruning all but the share {@code kept} of the rows, or null. */
  private static Reason limit(double rows, double kept, PruneSettings settings) {
    if (kept == 1 || kept > settings.maxSelectivity()) {
      return Reason.NOT_SELECTIVE;
    }
    return rows * (1 - kept) < settings.minPrunedRows() ? Reason.FEW_ROWS : null;
  }

  private static double buildCost(KeyExchange small) {
    double extraShuffle = small.extra() ? SHUFFLED_ROW * small.estimate().rows() : 0;
    return small.estimate().rows() * BUILT_ROW + extraShuffle;
  }
}
