package io.bloomjoin.spark.decision;

/**
 * What the rule thinks of pruning one side of a join.
 *
 * @param pruned whether it is pruned
 * @param reason why, or why not
 * @param rows how many rows the side is thought to have
 * @param keptKeys the share of the side's keys that the other side is thought to have, 0 to 1; NaN
 *     if it was not asked
 */
public record SideVerdict(boolean pruned, Reason reason, double rows, double keptKeys) {
  public SideVerdict because(Reason other) {
    return new SideVerdict(false, other, rows, keptKeys);
  }
}
