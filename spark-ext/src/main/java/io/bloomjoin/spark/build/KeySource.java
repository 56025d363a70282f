package io.bloomjoin.spark.build;

import io.bloomjoin.spark.catalyst.Expressions;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec;
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeLike;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike;

/**
 * The exchange that holds the build side's rows, and the keys in them. One exchange object runs
 * once, however many plan nodes point at it, so builds are shared by it.
 *
 * @param exchange the exchange behind stages, reads and reuse
 * @param keys the key columns, bound to the exchange's output
 */
record KeySource(Exchange exchange, List<Expression> keys) {

  static KeySource of(SparkPlan small, List<Expression> keys) {
    return new KeySource(exchange(small), Expressions.bind(keys, Scala.list(small.output())));
  }

  /** Runs the exchange to its end; its failure is the query's, which needs the exchange too. */
  void finish() {
    if (exchange instanceof ShuffleExchangeLike shuffle) {
      ShuffleBuild.mapOutput(shuffle);
    } else {
      exchange.executeBroadcast();
    }
  }

  BuiltFilter build(FilterSettings settings) {
    if (exchange instanceof ShuffleExchangeLike shuffle) {
      return new ShuffleBuild(shuffle, keys, settings).run();
    }
    if (exchange instanceof BroadcastExchangeLike broadcast) {
      return new BroadcastBuild(broadcast, keys, settings).run();
    }
    return BuiltFilter.none("the build side's exchange is of an unknown kind");
  }

  private static Exchange exchange(SparkPlan plan) {
    if (plan instanceof ReusedExchangeExec reused) {
      return reused.child();
    }
    if (plan instanceof Exchange exchange) {
      return exchange;
    }
    if (plan instanceof ShuffleQueryStageExec stage) {
      return exchange(stage.plan());
    }
    if (plan instanceof BroadcastQueryStageExec stage) {
      return exchange(stage.plan());
    }
    if (plan instanceof AQEShuffleReadExec
        || plan instanceof InputAdapter
        || plan instanceof WholeStageCodegenExec) {
      return exchange(plan.children().head());
    }
    throw new IllegalStateException("Not an exchange: " + plan.nodeName());
  }
}
