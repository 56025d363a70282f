package io.bloomjoin.benchmarks;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.sql.execution.ExplainUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** The physical plan of a query that has run: what Bloomjoin did in it. */
final class ExecutedPlan {
  private static final String PRUNE_NODE = "BloomPrune";

  private final SparkPlan root;
  private final Map<Long, SQLMetric> pruneMetrics = new HashMap<>();
  private boolean prunes;

  ExecutedPlan(SparkPlan root) {
    this.root = root instanceof AdaptiveSparkPlanExec adaptive ? adaptive.executedPlan() : root;
    visit(
        this.root,
        node -> {
          if (node.nodeName().startsWith(PRUNE_NODE)) {
            prunes = true;
            values(node.metrics()).forEach(metric -> pruneMetrics.put(metric.id(), metric));
          }
        });
  }

  /** Whether the plan holds a {@code BloomPrune}. */
  boolean prunes() {
    return prunes;
  }

  /** The sum of a metric over all {@code BloomPrune} nodes; nodes that share one count once. */
  long pruneMetric(String displayName) {
    return pruneMetrics.values().stream()
        .filter(metric -> metric.name().contains(displayName))
        .mapToLong(SQLMetric::value)
        .filter(value -> value > 0)
        .sum();
  }

  /** The plan as {@code EXPLAIN FORMATTED} shows it, without the initial plan of AQE. */
  String formatted() {
    StringBuilder text = new StringBuilder();
    ExplainUtils.processPlan(
        root,
        part -> {
          text.append(part);
          return BoxedUnit.UNIT;
        });
    return text.toString();
  }

  private static void visit(SparkPlan node, Consumer<SparkPlan> visitor) {
    visitor.accept(node);
    if (node instanceof AdaptiveSparkPlanExec adaptive) {
      visit(adaptive.executedPlan(), visitor);
    } else if (node instanceof QueryStageExec stage) {
      visit(stage.plan(), visitor);
    } else if (node instanceof ReusedExchangeExec reused) {
      visit(reused.child(), visitor);
    }
    CollectionConverters.asJava(node.children()).forEach(child -> visit(child, visitor));
    CollectionConverters.asJava(node.subqueries()).forEach(query -> visit(query, visitor));
  }

  private static Collection<SQLMetric> values(
      scala.collection.immutable.Map<String, SQLMetric> metrics) {
    return CollectionConverters.asJava(metrics).values();
  }
}
