package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a {@link io.bloomjoin.spark.plan.BloomPruneExec} below the shuffles of joins that it pays to
 * prune.
 *
 * <p>The rule sees physical plans in which joins are chosen and exchanges placed: with AQE the
 * first plan and every re-plan, without AQE the whole plan near the end. AQE plans anew from
 * logical plans, so what an earlier run decided is gone and is decided afresh from better numbers;
 * stages that have started are leaves and stay as they are. Within a stage nothing is left to
 * start, so there the rule changes nothing; nor does it change a plan that it has changed.
 *
 * <p>Without exchange reuse ({@code spark.sql.exchange.reuse=false}) nothing is pruned: the build
 * side would run twice, and a side that comes out otherwise the second time would lose rows.
 *
 * <p>No query fails because of the rule: on any trouble the plan stays as it was.
 */
public final class PruneJoins extends Rule<SparkPlan> {
  private static final Logger LOG = LoggerFactory.getLogger(PruneJoins.class);

  private final Function<SQLConf, PruneSettings> settings;

  /**
   * @param settings reads a session's settings; null while Bloomjoin is switched off
   */
  public PruneJoins(Function<SQLConf, PruneSettings> settings) {
    this.settings = settings;
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    try {
      PruneSettings current = settings.apply(SQLConf.get());
      boolean runsSidesOnce = SQLConf.get().exchangeReuseEnabled();
      if (current == null || !runsSidesOnce || isStreaming(plan)) {
        return plan;
      }
      return new PlanPruner(plan, current, idleCores(plan)).prune();
    } catch (Exception | LinkageError trouble) {
      LOG.warn("Bloomjoin leaves a query as it is: {}", trouble.getMessage(), trouble);
      return plan;
    }
  }

  private static IdleCores idleCores(SparkPlan plan) {
    return new IdleCores(plan.session().sparkContext().defaultParallelism());
  }

  private static boolean isStreaming(SparkPlan plan) {
    return plan.exists(
        Scala.function(
            node -> {
              scala.Option<LogicalPlan> logical = node.logicalLink();
              return logical.isDefined() && logical.get().isStreaming();
            }));
  }
}
