package io.bloomjoin.spark.decision;

import java.util.Optional;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * What the rule thinks of a join. It hangs on the join's physical node and goes where that goes.
 *
 * @param label the join's keys with their ids: the same for a join in every plan of a query
 * @param keys the keys as a user reads them, {@code a = x AND b = y}
 */
public record JoinVerdict(String label, String keys, SideVerdict left, SideVerdict right) {
  private static final TreeNodeTag<JoinVerdict> VERDICT = new TreeNodeTag<>("bloomjoin.verdict");

  /** On a pruning: the label of the join that asked for it. */
  private static final TreeNodeTag<String> ASKED_BY = new TreeNodeTag<>("bloomjoin.askedBy");

  public boolean isPruned() {
    return left.pruned() || right.pruned();
  }

  static Optional<JoinVerdict> of(SparkPlan plan) {
    scala.Option<JoinVerdict> verdict = plan.getTagValue(VERDICT);
    return verdict.isDefined() ? Optional.of(verdict.get()) : Optional.empty();
  }

  /** Hangs on {@code join}, unless a verdict does: the first one is of a whole plan. */
  public void hangOn(SparkPlan join) {
    if (join.getTagValue(VERDICT).isEmpty()) {
      join.setTagValue(VERDICT, this);
    }
  }

  public static boolean isAskedBy(SparkPlan pruning, String label) {
    return pruning.getTagValue(ASKED_BY).contains(label);
  }

  public static void markAskedBy(SparkPlan pruning, String label) {
    pruning.setTagValue(ASKED_BY, label);
  }
}
