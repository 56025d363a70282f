package io.bloomjoin.spark.decision;

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.command.ExplainCommand;

/**
 * Lets {@code EXPLAIN} end with a section on what was decided about each join. Spark's join
 * operators have no room for a reason, so it cannot stand beside them.
 */
public final class ExplainDecisions extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan instanceof ExplainCommand explain ? new ExplainJoinsCommand(explain) : plan;
  }
}
