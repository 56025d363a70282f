package io.bloomjoin.spark;

import io.bloomjoin.spark.decision.DecisionLog;
import io.bloomjoin.spark.rule.ShuffleCost;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.internal.SQLConf;

/**
 * What a session needs before its first query is planned; a rule that changes no plan, since Spark
 * has no other place for it.
 *
 * <p>AQE is made to compare plans by {@link ShuffleCost}, unless the user chose an evaluator: the
 * choice is a setting of the session. And the {@link DecisionLog} starts to listen.
 */
final class FirstQuery extends Rule<LogicalPlan> {
  private static final String EVALUATOR = SQLConf.ADAPTIVE_CUSTOM_COST_EVALUATOR_CLASS().key();

  private static final Set<SparkContext> LISTENING =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final SparkSession session;

  FirstQuery(org.apache.spark.sql.SparkSession session) {
    this.session = (SparkSession) session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    SQLConf conf = session.sessionState().conf();
    if (!conf.contains(EVALUATOR)) {
      conf.setConfString(EVALUATOR, ShuffleCost.class.getName());
    }
    if (LISTENING.add(session.sparkContext())) {
      DecisionLog.listen(session.sparkContext());
    }
    return plan;
  }
}
