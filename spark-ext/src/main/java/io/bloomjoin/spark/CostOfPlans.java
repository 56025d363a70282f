package io.bloomjoin.spark;

import io.bloomjoin.spark.rule.ShuffleCost;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Makes AQE compare plans by {@link ShuffleCost}, unless the user chose an evaluator. The choice is
 * a setting of the session, read when a query is first planned, and Spark has no other way in; so a
 * rule that changes no plan sets it when the session's first query is analysed.
 */
final class CostOfPlans extends Rule<LogicalPlan> {
  private static final String EVALUATOR = SQLConf.ADAPTIVE_CUSTOM_COST_EVALUATOR_CLASS().key();

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    SQLConf conf = SQLConf.get();
    if (!conf.contains(EVALUATOR)) {
      conf.setConfString(EVALUATOR, ShuffleCost.class.getName());
    }
    return plan;
  }
}
