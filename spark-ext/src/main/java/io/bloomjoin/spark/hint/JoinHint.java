package io.bloomjoin.spark.hint;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.Locale;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.joins.BaseJoinExec;

/**
 * What a user says of the join of a relation. It hangs on the relation's logical node and is asked
 * for by the physical join: the first one above the relation.
 */
public enum JoinHint {
  /** {@code BLOOM_JOIN}: prune whether it pays or not, where it is right to prune. */
  FORCE("BLOOM_JOIN"),

  /** {@code NO_BLOOM_JOIN}: do not prune. */
  FORBID("NO_BLOOM_JOIN");

  private static final TreeNodeTag<JoinHint> HINT = new TreeNodeTag<>("bloomjoin.hint");

  private final String text;

  JoinHint(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** The hint of this name in any case, or null. */
  static JoinHint named(String name) {
    for (JoinHint hint : values()) {
      if (hint.text.equals(name.toUpperCase(Locale.ROOT))) {
        return hint;
      }
    }
    return null;
  }

  public void hangOn(LogicalPlan relation) {
    relation.setTagValue(HINT, this);
  }

  static JoinHint on(LogicalPlan relation) {
    scala.Option<JoinHint> hint = relation.getTagValue(HINT);
    return hint.isDefined() ? hint.get() : null;
  }

  /** What hints say of the join of two plans, or null; one that forbids goes first. */
  public static JoinHint of(SparkPlan left, SparkPlan right) {
    JoinHint ofLeft = below(left);
    JoinHint ofRight = below(right);
    if (ofLeft == FORBID || ofRight == FORBID) {
      return FORBID;
    }
    return ofLeft == null ? ofRight : ofLeft;
  }

  /** The hint on a relation below {@code plan} with no join between. */
  private static JoinHint below(SparkPlan plan) {
    if (plan instanceof QueryStageExec stage) {
      return below(stage.plan());
    }
    if (plan instanceof ReusedExchangeExec reused) {
      return below(reused.child());
    }
    scala.Option<LogicalPlan> link = plan.logicalLink();
    JoinHint here = link.isDefined() ? below(link.get()) : null;
    if (here != null || plan instanceof BaseJoinExec) {
      return here;
    }
    for (SparkPlan child : Scala.<SparkPlan>list(plan.children())) {
      JoinHint hint = below(child);
      if (hint != null) {
        return hint;
      }
    }
    return null;
  }

  /** The hint on a relation below {@code plan} with no join between, or null. */
  public static JoinHint below(LogicalPlan plan) {
    JoinHint here = on(plan);
    if (here != null || plan instanceof Join || plan instanceof LogicalQueryStage) {
      return here;
    }
    for (LogicalPlan child : Scala.<LogicalPlan>list(plan.children())) {
      JoinHint hint = below(child);
      if (hint != null) {
        return hint;
      }
    }
    return null;
  }
}
