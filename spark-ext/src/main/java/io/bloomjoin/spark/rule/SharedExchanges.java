package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.ExchangeQueryStageExec;
import org.apache.spark.sql.execution.exchange.Exchange;

/**
 * The exchanges that several places of a query read. Spark runs such an exchange once; a pruning
 * below it for one reader would starve the others, or cost a second run.
 */
final class SharedExchanges {
  private final SparkPlan root;
  private Map<SparkPlan, Integer> readers;

  SharedExchanges(SparkPlan root) {
    this.root = root;
  }

  boolean isShared(Exchange exchange) {
    if (readers == null) {
      readers = new HashMap<>();
      count(root);
    }
    return readers.getOrDefault(exchange.canonicalized(), 0) > 1;
  }

  private void count(SparkPlan plan) {
    if (plan instanceof Exchange || plan instanceof ExchangeQueryStageExec) {
      readers.merge(plan.canonicalized(), 1, Integer::sum);
    }
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      count(adaptive.executedPlan());
      return;
    }
    Scala.<SparkPlan>list(plan.children()).forEach(this::count);
    Scala.<SparkPlan>list(plan.subqueries()).forEach(this::count);
  }
}
