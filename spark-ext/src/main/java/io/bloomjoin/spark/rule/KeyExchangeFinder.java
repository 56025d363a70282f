package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Expressions;
import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.plan.BloomPruneExec;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.BaseLimitExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SampleExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeLike;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike;

/**
 * Finds the exchange that holds all keys of a join's build side. It may lie below sorts, filters or
 * aggregates; then it holds more keys than the join sees, which is safe.
 */
final class KeyExchangeFinder {
  private final Estimator estimator;
  private final IdleCores idleCores;

  KeyExchangeFinder(Estimator estimator, IdleCores idleCores) {
    this.estimator = estimator;
    this.idleCores = idleCores;
  }

  /** The exchange with the keys {@code keys} of {@code plan}, or null. */
  KeyExchange find(SparkPlan plan, List<Expression> keys) {
    boolean shuffle = plan instanceof ShuffleExchangeLike || plan instanceof ShuffleQueryStageExec;
    if (shuffle) {
      return plan.supportsColumnar() ? null : exchange(plan, keys);
    }
    if (plan instanceof AQEShuffleReadExec read) {
      return find(read.child(), keys);
    }
    JoinShape join = JoinShape.of(plan);
    if (join != null) {
      KeyExchange left = findIn(join, JoinSide.LEFT, keys);
      KeyExchange right = findIn(join, JoinSide.RIGHT, keys);
      return better(left, right);
    }
    if (plan instanceof BloomPruneExec prune) {
      return find(prune.left(), keys);
    }
    if (plan instanceof BaseLimitExec || plan instanceof SampleExec) {
      return find(plan.children().head(), keys);
    }
    if (plan.children().size() != 1) {
      return null;
    }
    List<Expression> below = KeyPaths.below(plan, keys);
    return below == null ? null : find(plan.children().head(), below);
  }

  /** The broadcast that holds a broadcast join's hash table, or null if it is something else. */
  KeyExchange broadcast(SparkPlan plan, List<Expression> keys) {
    return plan instanceof BroadcastExchangeLike || plan instanceof BroadcastQueryStageExec
        ? exchange(plan, keys)
        : null;
  }

  private KeyExchange findIn(JoinShape join, JoinSide side, List<Expression> keys) {
    List<Expression> below = JoinPaths.coveredBy(join, side, keys);
    return below == null ? null : find(join.plan(side), below);
  }

  private KeyExchange exchange(SparkPlan plan, List<Expression> keys) {
    return new KeyExchange(
        plan, keys, estimator.of(plan), isUnique(plan, keys), false, idleCores.whileRunning(plan));
  }

  /**
   * Whether {@code plan} groups by nothing but {@code keys}, so that each key stands there once.
   */
  static boolean isUnique(SparkPlan plan, List<Expression> keys) {
    if (plan instanceof QueryStageExec stage) {
      return isUnique(stage.plan(), keys);
    }
    if (plan instanceof BaseAggregateExec aggregate) {
      return Scala.<NamedExpression>list(aggregate.groupingExpressions()).stream()
          .allMatch(
              group ->
                  keys.stream()
                      .map(Expressions::withoutUpcast)
                      .anyMatch(group.toAttribute()::semanticEquals));
    }
    if (plan instanceof Exchange || plan instanceof AQEShuffleReadExec) {
      return isUnique(plan.children().head(), keys);
    }
    boolean keepsKeys =
        plan instanceof SortExec || plan instanceof FilterExec || plan instanceof ProjectExec;
    List<Expression> below = keepsKeys ? KeyPaths.below(plan, keys) : null;
    return below != null && isUnique(plan.children().head(), below);
  }

  private static KeyExchange better(KeyExchange a, KeyExchange b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.estimate().kept() <= b.estimate().kept() ? a : b;
  }
}
