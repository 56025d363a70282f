package io.bloomjoin.spark;

import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.decision.DecisionsFunction;
import io.bloomjoin.spark.decision.ExplainDecisions;
import io.bloomjoin.spark.function.Functions;
import io.bloomjoin.spark.hint.ResolveHints;
import io.bloomjoin.spark.rule.PruneJoins;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Switches Bloomjoin on: {@code spark.sql.extensions=io.bloomjoin.spark.BloomJoinExtensions}.
 *
 * <p>In running order: hints are hung on relations; the first query of a session sets how AQE
 * compares plans, and starts the log of decisions; with AQE the pruning rule ends the preparation
 * of every plan and re-plan; without AQE it runs before the columnar transitions, the only physical
 * hook there is. The SQL functions belong to every session of the application.
 */
public final class BloomJoinExtensions
    extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    BloomJoinSettings.register();
    extensions.injectHintResolutionRule(Scala.function(session -> new ResolveHints()));
    extensions.injectPostHocResolutionRule(Scala.function(FirstQuery::new));
    extensions.injectPostHocResolutionRule(Scala.function(session -> new ResolveHints.PassOn()));
    extensions.injectPostHocResolutionRule(Scala.function(session -> new ExplainDecisions()));
    extensions.injectQueryStagePrepRule(Scala.function(session -> pruneJoins()));
    extensions.injectColumnar(
        Scala.function(
            session ->
                new ColumnarRule() {
                  @Override
                  public Rule<SparkPlan> preColumnarTransitions() {
                    return pruneJoins();
                  }
                }));
    Functions.inject(extensions);
    DecisionsFunction.inject(extensions);
    return BoxedUnit.UNIT;
  }

  private static Rule<SparkPlan> pruneJoins() {
    return new PruneJoins(BloomJoinSettings::read);
  }
}
