package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.plan.BloomPruneExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.Cost;
import org.apache.spark.sql.execution.adaptive.CostEvaluator;
import org.apache.spark.sql.execution.adaptive.SimpleCost;
import org.apache.spark.sql.execution.adaptive.SimpleCostEvaluator;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike;
import org.apache.spark.sql.internal.SQLConf;

/**
 * By what AQE compares a new plan with the running one: Spark's own count of shuffles, without
 * those that are there for a filter. The copy of a build side runs as one with the original, and an
 * {@link ExtraExchange} is meant; if they counted, AQE would reject better plans, such as a
 * broadcast join, for a pruning elsewhere in them.
 */
public final class ShuffleCost implements CostEvaluator {
  @Override
  public Cost evaluateCost(SparkPlan plan) {
    boolean forceSkewJoins =
        (Boolean) SQLConf.get().getConf(SQLConf.ADAPTIVE_FORCE_OPTIMIZE_SKEWED_JOIN());
    SimpleCost cost = (SimpleCost) new SimpleCostEvaluator(forceSkewJoins).evaluateCost(plan);
    return new SimpleCost(cost.value() - shufflesForFilters(plan, false));
  }

  private static long shufflesForFilters(SparkPlan plan, boolean inCopy) {
    long shuffles =
        plan instanceof ShuffleExchangeLike && (inCopy || ExtraExchange.is(plan)) ? 1 : 0;
    for (SparkPlan child : Scala.<SparkPlan>list(plan.children())) {
      boolean isCopy = plan instanceof BloomPruneExec prune && child == prune.right();
      shuffles += shufflesForFilters(child, inCopy || isCopy);
    }
    return shuffles;
  }
}
