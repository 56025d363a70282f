package io.bloomjoin.spark.rule;

/**
 * What is thought of the output of a plan.
 *
 * @param rows the number of rows, at least 0
 * @param kept the share of its join keys that predicates, joins and limits have left, 0 to 1: a
 *     filter from a side that keeps 0.1 prunes about nine tenths of the other side
 * @param counted whether {@code rows / kept} is a counted number, not a guess from bytes
 */
record Estimate(double rows, double kept, boolean counted) {
  /** What is assumed of a source that tells nothing about its size. */
  static final double UNKNOWN_ROWS = 1e6;

  Estimate {
    rows = Math.max(0, rows);
    kept = Math.min(1, Math.max(0, kept));
  }

  /** The rows before any were dropped. */
  double base() {
    return kept == 0 ? 0 : rows / kept;
  }

  static Estimate unknown() {
    return new Estimate(UNKNOWN_ROWS, 1, false);
  }

  /** With a part of the rows, and of their keys, gone. */
  Estimate reducedTo(double share) {
    return new Estimate(rows * share, kept * share, counted);
  }

  /** With as many rows as counted after the work was done. */
  Estimate measured(double exactRows) {
    if (exactRows == 0) {
      return new Estimate(0, 0, true);
    }
    return counted && base() > 0
        ? new Estimate(exactRows, exactRows / base(), true)
        : new Estimate(exactRows, kept, false);
  }

  /** With rows that no longer stand for one row of the source each. */
  Estimate regrouped(double newRows) {
    return new Estimate(newRows, kept, false);
  }
}
