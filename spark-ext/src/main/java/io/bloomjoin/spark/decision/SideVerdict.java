package io.bloomjoin.spark.decision;

/**
 * What the rule thinks of pruning one side of a join.
 *
 * @param pruned whether it is pruned
 * @param reason why, or why not
 * @param rows how many rows the side is thought to have
 */
public record SideVerdict(boolean pruned, Reason reason, double rows) {
  public SideVerdict because(Reason other) {
    return new SideVerdict(false, other, rows);
  }
}
