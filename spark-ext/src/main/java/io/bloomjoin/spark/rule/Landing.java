package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.decision.JoinVerdict;
import io.bloomjoin.spark.decision.Reason;
import io.bloomjoin.spark.plan.BloomPruneExec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioningLike;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeLike;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike;

/**
 * Where prunings go: how a request sinks down the plan towards the scan where its keys are born,
 * and whether it pays to prune where it ends.
 */
final class Landing {
  /** A probe in a batch, as a share of one of a single row. */
  private static final double BATCH_PROBE_COST = 0.25;

  record Target(int child, PruneRequest request) {}

  private final Estimator estimator;
  private final SharedExchanges shared;
  private final PruneSettings settings;

  Landing(Estimator estimator, SharedExchanges shared, PruneSettings settings) {
    this.estimator = estimator;
    this.shared = shared;
    this.settings = settings;
  }

  /** Whether the request would land somewhere, at or below {@code node}. */
  boolean lands(SparkPlan node, PruneRequest request) {
    return ends(node, request, this::pays);
  }

  /** Whether it would land where it pays for the sake of a {@link Partner}. */
  boolean landsForPartner(SparkPlan node, PruneRequest request) {
    return ends(node, request, (end, there) -> mayLand(end, there) && paysForPartner(end, there));
  }

  /** Whether a place where the request ends meets {@code condition}. */
  private boolean ends(
      SparkPlan node, PruneRequest request, BiPredicate<SparkPlan, PruneRequest> condition) {
    List<Target> targets = targets(node, request);
    if (targets.isEmpty()) {
      return condition.test(node, request);
    }
    return targets.stream()
        .anyMatch(t -> ends(node.children().apply(t.child()), t.request(), condition));
  }

  /** The children that the request sinks to; none if it ends at this node. */
  List<Target> targets(SparkPlan node, PruneRequest request) {
    if (node instanceof ShuffleExchangeLike && node instanceof Exchange exchange) {
      return sinksThrough(exchange) ? List.of(new Target(0, request.acrossShuffle())) : List.of();
    }
    if (node instanceof BroadcastExchangeLike && node instanceof Exchange exchange) {
      return shared.isShared(exchange)
          ? List.of()
          : List.of(new Target(0, request.acrossBroadcast()));
    }
    if (node instanceof FilterExec filter && goesBeforeProbe(filter)) {
      return List.of();
    }
    JoinShape join = JoinShape.of(node);
    if (join != null) {
      List<Target> targets = new ArrayList<>();
      addTarget(targets, join, JoinSide.LEFT, request);
      addTarget(targets, join, JoinSide.RIGHT, request);
      return targets;
    }
    if (node instanceof UnionExec union) {
      List<Target> targets = new ArrayList<>();
      for (int i = 0; i < union.children().size(); i++) {
        addTarget(targets, i, KeyPaths.belowUnion(union, i, request.keys()), request);
      }
      return targets.size() == union.children().size() ? targets : List.of();
    }
    List<Target> targets = new ArrayList<>();
    if (node.children().size() == 1) {
      addTarget(targets, 0, KeyPaths.below(node, request.keys()), request);
    }
    return targets;
  }

  /**
   * Whether a predicate on a scan is better evaluated before the probe. A probe that takes whole
   * batches right from the scan costs as little as a predicate, and a fourth of one that is handed
   * single rows.
   */
  private static boolean goesBeforeProbe(FilterExec filter) {
    SparkPlan scan = filter.child();
    boolean probesBatches =
        scan.supportsColumnar() && Selectivity.of(filter.condition()) >= BATCH_PROBE_COST;
    return scan.children().isEmpty() && !probesBatches;
  }

  private void addTarget(
      List<Target> targets, JoinShape join, JoinSide side, PruneRequest request) {
    List<Expression> keys = JoinPaths.into(join, side, request.keys());
    if (keys == null) {
      return;
    }
    Estimate other = estimator.of(join.plan(side.other()));
    if (side == join.broadcast()) {
      if (HashTables.mayBePruned(join, request.source())) {
        addTarget(targets, side.child(), keys, request.beside(Partner.streamed(other)));
      }
      return;
    }
    boolean prunesOther = join.broadcast() == null && join.mayPrune(side.other());
    Partner partner = prunesOther ? Partner.shuffled(other) : null;
    addTarget(targets, side.child(), keys, request.beside(partner));
  }

  private static void addTarget(
      List<Target> targets, int child, List<Expression> keys, PruneRequest request) {
    if (keys != null) {
      targets.add(new Target(child, request.withKeys(keys)));
    }
  }

  /**
   * Whether the rows' way through {@code exchange} depends on their values only. A round robin
   * deals rows out by position; a task that runs again with fewer rows would deal them differently.
   */
  private boolean sinksThrough(Exchange exchange) {
    Partitioning partitioning = exchange.outputPartitioning();
    boolean byValue =
        partitioning instanceof HashPartitioningLike
            || partitioning instanceof RangePartitioning
            || partitioning instanceof SinglePartition$;
    return byValue && !shared.isShared(exchange);
  }

  boolean pays(SparkPlan node, PruneRequest request) {
    if (!mayLand(node, request)) {
      return false;
    }
    if (request.asker().isForced()) {
      return !(node instanceof QueryStageExec);
    }
    boolean paysHere =
        request.crossedShuffle() && Cost.gain(estimator.of(node), request.source(), settings) > 0;
    return paysHere || paysForPartner(node, request);
  }

  private static boolean mayLand(SparkPlan node, PruneRequest request) {
    return !HashTables.isTable(node) && !isPrunedWithin(node, request.source());
  }

  private boolean paysForPartner(SparkPlan node, PruneRequest request) {
    Partner partner = request.partner();
    return partner != null
        && request.crossedToPartner()
        && partner.isWorthAWaitFor(request.source())
        && !(node instanceof QueryStageExec)
        && Cost.gainThrough(partner, estimator.of(node), request.source(), settings) > 0;
  }

  /** Why the request lands nowhere below {@code side}. */
  Reason whyNot(SparkPlan side, PruneRequest request) {
    boolean reachesAPlace =
        ends(
            side,
            request,
            (end, there) ->
                there.crossedShuffle()
                    && !(end instanceof QueryStageExec)
                    && !HashTables.isTable(end));
    if (reachesAPlace) {
      return Reason.FEW_ROWS;
    }
    return hasStarted(side) ? Reason.STARTED : Reason.NO_SHUFFLE;
  }

  static boolean hasStarted(SparkPlan plan) {
    return exists(plan, node -> node instanceof ShuffleQueryStageExec);
  }

  /** Whether a stage below {@code side} has been pruned for the join with this label. */
  static boolean isPrunedFor(SparkPlan side, String label) {
    return exists(
        side, node -> node instanceof BloomPruneExec && JoinVerdict.isAskedBy(node, label));
  }

  private static boolean exists(SparkPlan plan, Predicate<SparkPlan> condition) {
    if (condition.test(plan)) {
      return true;
    }
    if (plan instanceof QueryStageExec stage) {
      return exists(stage.plan(), condition);
    }
    if (plan instanceof ReusedExchangeExec reused) {
      return exists(reused.child(), condition);
    }
    return Scala.<SparkPlan>list(plan.children()).stream()
        .anyMatch(child -> exists(child, condition));
  }

  /** Whether {@code node} is a stage in which the same source has pruned already. */
  private static boolean isPrunedWithin(SparkPlan node, KeyExchange source) {
    return node instanceof QueryStageExec stage
        && stage
            .plan()
            .exists(
                Scala.function(
                    plan ->
                        plan instanceof BloomPruneExec prune
                            && prune.rightKeys().equals(Scala.seq(source.keys()))
                            && prune
                                .right()
                                .canonicalized()
                                .equals(source.plan().canonicalized())));
  }
}
