package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.plan.BloomPruneExec;
import java.util.List;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;

/**
 * What waiting for a build side may cost: stock Spark runs both sides of a join at once, so where a
 * build side has too few tasks for all cores, the others would have begun with the probe side.
 *
 * @param cores how many tasks the application runs at once, at least 1
 */
record IdleCores(int cores) {
  private static final Run NONE = new Run(0, 0);

  /**
   * @param work nanoseconds of one core
   * @param time nanoseconds that the slowest chain of sources takes, with all cores for itself
   */
  private record Run(double work, double time) {}

  IdleCores {
    cores = Math.max(1, cores);
  }

  /** Nanoseconds of one core that are left idle until all rows of {@code source} are there. */
  double whileRunning(SparkPlan source) {
    Run run = run(source);
    return Math.max(0, run.time() * cores - run.work());
  }

  private Run run(SparkPlan plan) {
    if (plan instanceof QueryStageExec stage) {
      return stage.isMaterialized() ? NONE : run(stage.plan());
    }
    if (plan instanceof ReusedExchangeExec) {
      return NONE;
    }
    List<SparkPlan> children = Scala.list(plan.children());
    if (children.isEmpty()) {
      double work = LeafRows.of(plan).rows() * Cost.SCANNED_ROW;
      return new Run(work, work / Math.min(cores, LeafTasks.of(plan, cores)));
    }
    boolean oneAfterTheOther = plan instanceof BloomPruneExec;
    double work = 0;
    double time = 0;
    for (SparkPlan child : children) {
      Run run = run(child);
      work += run.work();
      time = oneAfterTheOther ? time + run.time() : Math.max(time, run.time());
    }
    return new Run(work, time);
  }
}
