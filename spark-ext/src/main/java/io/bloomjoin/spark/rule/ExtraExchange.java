package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.window.WindowExecBase;

/**
 * An exchange above a predicate on an aggregate or a window, such as {@code HAVING}. The predicate
 * may leave few keys, but the last exchange before it holds all of them. One more shuffle of what
 * is left makes those few keys known before the other side starts, and lets AQE turn the join into
 * a broadcast join.
 */
final class ExtraExchange {
  /** How selective the predicate must be; a mild one does not pay for a shuffle. */
  private static final double MAX_KEPT = 0.5;

  /** The groups of an aggregate, guessed as a share of its rows. */
  private static final double GROUPS_PER_ROW = 0.25;

  private static final TreeNodeTag<Boolean> IS_EXTRA = new TreeNodeTag<>("bloomjoin.extra");

  private ExtraExchange() {}

  static boolean is(SparkPlan plan) {
    return plan.getTagValue(IS_EXTRA).isDefined();
  }

  /**
   * The exchange to put above the rows of {@code side}, partitioned as they are; null where it
   * would not make a better build side.
   */
  static KeyExchange above(
      SparkPlan side, List<Expression> keys, Estimator estimator, IdleCores idleCores) {
    SparkPlan rows = rows(side);
    SparkPlan grouped = grouped(rows);
    if (grouped == null
        || !(rows.outputPartitioning() instanceof HashPartitioning partitioning)
        || !partitioning.references().subsetOf(rows.outputSet())) {
      return null;
    }
    Estimate before = estimator.of(grouped);
    Estimate after = estimator.of(rows);
    if (after.kept() > before.kept() * MAX_KEPT) {
      return null;
    }
    ShuffleExchangeExec exchange =
        new ShuffleExchangeExec(
            partitioning, rows, ENSURE_REQUIREMENTS$.MODULE$, scala.Option.empty());
    exchange.setTagValue(IS_EXTRA, true);
    boolean aggregated = grouped instanceof BaseAggregateExec;
    Estimate estimate = aggregated ? after.regrouped(after.rows() * GROUPS_PER_ROW) : after;
    boolean unique = KeyExchangeFinder.isUnique(rows, keys);
    return new KeyExchange(exchange, keys, estimate, unique, true, idleCores.whileRunning(rows));
  }

  /** {@code side} with {@code exchange} above its rows. */
  static SparkPlan insert(SparkPlan side, SparkPlan exchange) {
    return side instanceof SortExec sort ? sort.withNewChildren(Scala.seq(exchange)) : exchange;
  }

  private static SparkPlan rows(SparkPlan side) {
    return side instanceof SortExec sort && !sort.global() ? sort.child() : side;
  }

  /** The aggregate or window right below a predicate on it, or null. */
  private static SparkPlan grouped(SparkPlan rows) {
    boolean filtered = false;
    SparkPlan plan = rows;
    while (plan instanceof FilterExec || plan instanceof ProjectExec) {
      filtered |= plan instanceof FilterExec;
      plan = plan.children().head();
    }
    boolean grouped = plan instanceof BaseAggregateExec || plan instanceof WindowExecBase;
    return filtered && grouped ? plan : null;
  }
}
