package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.OptionalDouble;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.FilterExec;

/**
 * What Spark's cost-based optimizer thinks of a predicate on a table: with {@code
 * spark.sql.cbo.enabled} and {@code ANALYZE TABLE … FOR COLUMNS} it knows the values' bounds,
 * distinct counts and histograms.
 */
final class ColumnStatistics {
  private ColumnStatistics() {}

  /** The share of its table's rows that the predicates keep; empty where it is not known. */
  static OptionalDouble kept(FilterExec node) {
    scala.Option<LogicalPlan> logical = node.logicalLink();
    if (!node.conf().cboEnabled() || logical.isEmpty()) {
      return OptionalDouble.empty();
    }
    LogicalPlan plan = logical.get();
    while (plan instanceof Project project) {
      plan = project.child();
    }
    return plan instanceof Filter filter ? kept(filter) : OptionalDouble.empty();
  }

  private static OptionalDouble kept(Filter filter) {
    Statistics table = filter.child().stats();
    Statistics left = filter.stats();
    boolean known =
        filter.child().children().isEmpty()
            && table.rowCount().isDefined()
            && left.rowCount().isDefined()
            && filter.references().forall(Scala.function(table.attributeStats()::contains));
    if (!known) {
      return OptionalDouble.empty();
    }
    double rows = table.rowCount().get().toDouble();
    return OptionalDouble.of(rows == 0 ? 0 : left.rowCount().get().toDouble() / rows);
  }
}
