package io.bloomjoin.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.sql.execution.ExplainUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.util.MetricUtils;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** The physical plan of a query that has run, with the metrics of the nodes of one kind. */
final class ExecutedPlan {
  private static final long[] NO_TASK = {};

  private final SparkPlan root;
  private final Map<Long, SQLMetric> metricsById = new HashMap<>();

  /**
   * @param nodeName the kind of node that is looked for, as in {@code BloomPrune}
   */
  ExecutedPlan(SparkPlan root, String nodeName) {
    this.root = root instanceof AdaptiveSparkPlanExec adaptive ? adaptive.executedPlan() : root;
    visit(
        this.root,
        node -> {
          if (node.nodeName().equals(nodeName)) {
            CollectionConverters.asJava(node.metrics())
                .values()
                .forEach(metric -> metricsById.put(metric.id(), metric));
          }
        });
  }

  /** Whether the plan holds such a node. */
  boolean holdsNode() {
    return !metricsById.isEmpty();
  }

  /** The sum of a metric over these nodes; a node that is met twice counts once. */
  long total(String metricName) {
    return metricsById.values().stream()
        .filter(metric -> metric.name().contains(metricName))
        .mapToLong(SQLMetric::value)
        .filter(value -> value > 0)
        .sum();
  }

  /** The plan as {@code EXPLAIN FORMATTED} shows it, without AQE's initial plan, and metrics. */
  String formatted() {
    StringBuilder text = new StringBuilder();
    ExplainUtils.processPlan(
        root,
        part -> {
          text.append(part);
          return BoxedUnit.UNIT;
        });
    metrics().forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private List<String> metrics() {
    return metricsById.values().stream()
        .filter(metric -> metric.value() > 0)
        .map(metric -> metric.name().get() + ": " + valueWithUnit(metric))
        .sorted()
        .toList();
  }

  private static String valueWithUnit(SQLMetric metric) {
    return MetricUtils.stringValue(metric.metricType(), new long[] {metric.value()}, NO_TASK);
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
}
