package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.plan.BloomPruneExec;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.BaseLimitExec;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SampleExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;

/**
 * Estimates how many rows a physical plan yields, and how selective it is. Spark's own statistics
 * multiply the inputs of joins and ignore predicates, so only the leaves' are used; above them, a
 * predicate keeps the share that its form suggests, and a join with a side that keeps few of its
 * keys keeps as few of the other side's rows. Finished stages are exact.
 */
final class Estimator {
  private final IdentityHashMap<SparkPlan, Estimate> known = new IdentityHashMap<>();

  Estimate of(SparkPlan plan) {
    Estimate estimate = known.get(plan);
    if (estimate == null) {
      estimate = compute(plan);
      known.put(plan, estimate);
    }
    return estimate;
  }

  private Estimate compute(SparkPlan plan) {
    if (plan instanceof QueryStageExec stage) {
      return ofStage(stage);
    }
    if (plan instanceof ReusedExchangeExec reused) {
      return of(reused.child());
    }
    JoinShape join = JoinShape.of(plan);
    if (join != null) {
      return ofJoin(join);
    }
    if (plan instanceof BloomPruneExec prune) {
      return of(prune.left()).reducedTo(of(prune.right()).kept());
    }
    if (plan instanceof FileSourceScanExec scan) {
      return LeafRows.of(scan).reducedTo(Selectivity.ofAll(scan.partitionFilters()));
    }
    if (plan instanceof InMemoryTableScanExec scan) {
      return ofCache(scan);
    }
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return of(adaptive.executedPlan());
    }
    List<SparkPlan> children = Scala.list(plan.children());
    if (children.isEmpty()) {
      return LeafRows.of(plan);
    }
    Estimate child = of(children.get(0));
    if (plan instanceof FilterExec filter) {
      return filtered(filter, child);
    }
    if (plan instanceof BaseAggregateExec aggregate) {
      return aggregate.groupingExpressions().isEmpty()
          ? new Estimate(1, child.kept(), false)
          : child.regrouped(child.rows());
    }
    if (plan instanceof BaseLimitExec limit) {
      return limited(child, limit.limit());
    }
    if (plan instanceof TakeOrderedAndProjectExec top) {
      return limited(child, top.limit());
    }
    if (plan instanceof SampleExec sample) {
      return child.reducedTo(sample.upperBound() - sample.lowerBound());
    }
    if (plan instanceof ExpandExec expand) {
      return child.regrouped(child.rows() * expand.projections().size());
    }
    if (plan instanceof UnionExec) {
      return union(children);
    }
    return children.size() == 1 ? child : largest(children);
  }

  private static Estimate filtered(FilterExec filter, Estimate child) {
    OptionalDouble kept =
        filter.child().children().isEmpty()
            ? ColumnStatistics.kept(filter)
            : OptionalDouble.empty();
    return kept.isPresent()
        ? LeafRows.of(filter.child()).reducedTo(kept.getAsDouble())
        : child.reducedTo(Selectivity.of(filter.condition()));
  }

  private Estimate ofStage(QueryStageExec stage) {
    Estimate planned = of(stage.plan());
    scala.Option<Statistics> statistics = stage.computeStats();
    if (statistics.isDefined() && statistics.get().rowCount().isDefined()) {
      return planned.measured(statistics.get().rowCount().get().toDouble());
    }
    return planned;
  }

  private Estimate ofCache(InMemoryTableScanExec scan) {
    Estimate planned = of(scan.relation().cachedPlan());
    return scan.isMaterialized() ? planned.measured(LeafRows.of(scan).rows()) : planned;
  }

  private Estimate ofJoin(JoinShape join) {
    Estimate left = of(join.plan(JoinSide.LEFT));
    Estimate right = of(join.plan(JoinSide.RIGHT));
    if (join.type() == LeftOuter$.MODULE$ || join.type() == LeftAnti$.MODULE$) {
      return left;
    }
    if (join.type() == RightOuter$.MODULE$) {
      return right;
    }
    if (join.type() == LeftSemi$.MODULE$) {
      return left.reducedTo(right.kept());
    }
    if (!join.isInner()) {
      return left.regrouped(Math.max(left.rows(), right.rows()));
    }
    double rows = Math.max(left.rows() * right.kept(), right.rows() * left.kept());
    return new Estimate(rows, left.kept() * right.kept(), left.counted() && right.counted());
  }

  private Estimate union(List<SparkPlan> children) {
    double rows = 0;
    double base = 0;
    boolean counted = true;
    for (SparkPlan child : children) {
      Estimate estimate = of(child);
      rows += estimate.rows();
      base += estimate.base();
      counted &= estimate.counted();
    }
    return new Estimate(rows, base == 0 ? 0 : rows / base, counted);
  }

  private Estimate largest(List<SparkPlan> children) {
    Estimate largest = of(children.get(0));
    for (SparkPlan child : children) {
      if (of(child).rows() > largest.rows()) {
        largest = of(child);
      }
    }
    return largest.regrouped(largest.rows());
  }

  private static Estimate limited(Estimate child, int limit) {
    return limit < 0 || child.rows() <= limit ? child : child.reducedTo(limit / child.rows());
  }
}
