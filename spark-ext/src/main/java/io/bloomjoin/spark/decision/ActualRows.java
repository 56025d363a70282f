package io.bloomjoin.spark.decision;

import java.util.OptionalLong;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike;
import org.apache.spark.sql.execution.metric.SQLMetric;

/** The rows that an operator yielded, as far as something counted them. */
final class ActualRows {
  private ActualRows() {}

  static OptionalLong of(SparkPlan plan) {
    if (plan instanceof QueryStageExec stage) {
      var statistics = stage.computeStats();
      return statistics.isDefined() && statistics.get().rowCount().isDefined()
          ? OptionalLong.of(statistics.get().rowCount().get().toLong())
          : OptionalLong.empty();
    }
    if (plan instanceof ReusedExchangeExec reused) {
      return of(reused.child());
    }
    if (plan instanceof ShuffleExchangeLike) {
      return metric(plan, "shuffleRecordsWritten");
    }
    boolean keepsRows =
        plan instanceof SortExec
            || plan instanceof ProjectExec
            || plan instanceof InputAdapter
            || plan instanceof WholeStageCodegenExec
            || plan instanceof AQEShuffleReadExec;
    return keepsRows ? of(plan.children().head()) : metric(plan, "numOutputRows");
  }

  private static OptionalLong metric(SparkPlan plan, String name) {
    scala.Option<SQLMetric> metric = plan.metrics().get(name);
    return metric.isDefined() && !metric.get().isZero()
        ? OptionalLong.of(metric.get().value())
        : OptionalLong.empty();
  }
}
