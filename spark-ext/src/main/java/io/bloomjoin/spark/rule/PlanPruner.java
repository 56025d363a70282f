package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.JoinKeys;
import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.plan.BloomPruneExec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioningLike;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeLike;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike;

/**
 * One run of the rule over one plan, from the top down. Each join may ask that one of its sides be
 * pruned by the other; the request sinks towards the scan where its keys are born and lands there.
 *
 * <p>A join's build side is rewritten, with all prunings that land in it, before its exchange is
 * taken as the source of a request: so the copy below the other side equals the original, and Spark
 * runs both as one. Since a source is complete before it is used, waits never form a circle.
 */
final class PlanPruner {
  /** A plan that has grown to this many nodes gets no more prunings. */
  private static final int MAX_NODES = 5000;

  /** A probe in a batch, as a share of one of a single row. */
  private static final double BATCH_PROBE_COST = 0.25;

  private record Target(int child, PruneRequest request) {}

  /**
   * What a join asks for.
   *
   * @param side the side to prune
   * @param extra whether the build side needs an exchange of its own
   * @param gain the time saved, in nanoseconds of one core
   */
  private record Choice(JoinSide side, boolean extra, double gain) {
    static Choice better(Choice a, Choice b) {
      if (a == null || b == null) {
        return a == null ? b : a;
      }
      return a.gain >= b.gain ? a : b;
    }
  }

  private final SparkPlan root;
  private final PruneSettings settings;
  private final Estimator estimator = new Estimator();
  private final KeyExchangeFinder finder = new KeyExchangeFinder(estimator);
  private final SharedExchanges shared;
  private int nodes;

  PlanPruner(SparkPlan root, PruneSettings settings) {
    this.root = root;
    this.settings = settings;
    this.shared = new SharedExchanges(root);
  }

  SparkPlan prune() {
    return DetachedCopy.restore(rewrite(root, List.of()));
  }

  private SparkPlan rewrite(SparkPlan node, List<PruneRequest> requests) {
    int childCount = node.children().size();
    List<List<PruneRequest>> below = new ArrayList<>();
    for (int i = 0; i < childCount; i++) {
      below.add(new ArrayList<>());
    }
    List<PruneRequest> here = new ArrayList<>();
    for (PruneRequest request : requests) {
      List<Target> targets = targets(node, request);
      if (targets.isEmpty()) {
        here.add(request);
      }
      targets.forEach(target -> below.get(target.child()).add(target.request()));
    }
    JoinShape join = JoinShape.of(node);
    SparkPlan[] children = new SparkPlan[childCount];
    if (join == null) {
      for (int i = 0; i < childCount; i++) {
        children[i] = rewrite(node.children().apply(i), below.get(i));
      }
    } else {
      rewriteJoin(join, below, children);
    }
    return land(withChildren(node, children), node, here);
  }

  private void rewriteJoin(JoinShape join, List<List<PruneRequest>> below, SparkPlan[] children) {
    Choice choice =
        Choice.better(
            choice(join, JoinSide.LEFT, below.get(JoinSide.RIGHT.child())),
            choice(join, JoinSide.RIGHT, below.get(JoinSide.LEFT.child())));
    JoinSide target = choice == null ? JoinSide.LEFT : choice.side();
    JoinSide source = target.other();
    SparkPlan rewritten = rewrite(join.plan(source), below.get(source.child()));
    if (choice != null) {
      List<Expression> keys = join.keys(source);
      KeyExchange extra = choice.extra() ? ExtraExchange.above(rewritten, keys, estimator) : null;
      KeyExchange exchange = extra == null ? keyExchange(join, rewritten, keys) : extra;
      if (extra != null) {
        rewritten = ExtraExchange.insert(rewritten, extra.plan());
      }
      if (exchange != null) {
        below.get(target.child()).add(PruneRequest.of(join.keys(target), exchange));
      }
    }
    children[source.child()] = rewritten;
    children[target.child()] = rewrite(join.plan(target), below.get(target.child()));
  }

  // ---- which side

  /**
   * How the other side can prune {@code side}, or null if it cannot or does not pay.
   *
   * @param onSource the prunings that the other side will have from joins above, and hands on
   */
  private Choice choice(JoinShape join, JoinSide side, List<PruneRequest> onSource) {
    JoinSide source = side.other();
    boolean otherBroadcast = join.broadcast() == null || join.broadcast() == source;
    List<Expression> keys = join.keys(source);
    if (!join.mayPrune(side) || !otherBroadcast || !JoinKeys.areComparable(keys, join.keys(side))) {
      return null;
    }
    SparkPlan sourcePlan = join.plan(source);
    double kept = keptBy(onSource, sourcePlan);
    Choice found = choice(join, side, keyExchange(join, sourcePlan, keys), kept);
    if (join.broadcast() != null) {
      return found;
    }
    return Choice.better(
        found, choice(join, side, ExtraExchange.above(sourcePlan, keys, estimator), kept));
  }

  private Choice choice(JoinShape join, JoinSide side, KeyExchange exchange, double kept) {
    if (exchange == null) {
      return null;
    }
    KeyExchange pruned = exchange.reducedTo(kept);
    SparkPlan large = join.plan(side);
    double gain = Cost.gain(estimator.of(large), pruned, settings);
    PruneRequest request = PruneRequest.of(join.keys(side), pruned);
    return gain > 0 && lands(large, request) ? new Choice(side, exchange.extra(), gain) : null;
  }

  private double keptBy(List<PruneRequest> requests, SparkPlan plan) {
    return requests.stream()
        .filter(request -> lands(plan, request))
        .mapToDouble(request -> request.source().estimate().kept())
        .reduce(1, (a, b) -> a * b);
  }

  private KeyExchange keyExchange(JoinShape join, SparkPlan source, List<Expression> keys) {
    return join.broadcast() == null ? finder.find(source, keys) : finder.broadcast(source, keys);
  }

  // ---- where to

  /** Whether the request would land somewhere, at or below {@code node}. */
  private boolean lands(SparkPlan node, PruneRequest request) {
    List<Target> targets = targets(node, request);
    if (targets.isEmpty()) {
      return pays(node, request);
    }
    for (Target target : targets) {
      if (lands(node.children().apply(target.child()), target.request())) {
        return true;
      }
    }
    return false;
  }

  /** The children that the request sinks to; none if it ends at this node. */
  private List<Target> targets(SparkPlan node, PruneRequest request) {
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
    if (side != join.broadcast()) {
      addTarget(targets, side.child(), keys, request);
    } else if (HashTables.mayBePruned(join, request.source())) {
      Estimate streamed = estimator.of(join.plan(side.other()));
      addTarget(targets, side.child(), keys, request.intoTable(streamed));
    }
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

  private boolean pays(SparkPlan node, PruneRequest request) {
    if (HashTables.isTable(node) || isPrunedWithin(node, request.source())) {
      return false;
    }
    Estimate rows = estimator.of(node);
    KeyExchange source = request.source();
    return (request.crossedShuffle() && Cost.gain(rows, source, settings) > 0)
        || (request.crossedBroadcast()
            && Cost.gainOfTable(request.streamed(), rows, source, settings) > 0);
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

  // ---- landing

  private SparkPlan land(SparkPlan rewritten, SparkPlan original, List<PruneRequest> requests) {
    List<PruneRequest> landing =
        requests.stream()
            .filter(request -> pays(original, request))
            .sorted(Comparator.comparingDouble(request -> request.source().estimate().kept()))
            .limit(settings.maxFiltersPerScan())
            .toList();
    SparkPlan plan = rewritten;
    for (PruneRequest request : landing) {
      SparkPlan source = request.source().plan();
      nodes += size(source);
      if (nodes > MAX_NODES) {
        break;
      }
      plan =
          new BloomPruneExec(
              Scala.seq(request.keys()),
              Scala.seq(request.source().keys()),
              settings.filter(),
              plan,
              DetachedCopy.of(source));
    }
    return plan;
  }

  private static int size(SparkPlan plan) {
    int size = 1;
    for (SparkPlan child : Scala.<SparkPlan>list(plan.children())) {
      size += size(child);
    }
    return size;
  }

  @SuppressWarnings("ReferenceEquality") // an equal node is no reason to keep the old one
  private static SparkPlan withChildren(SparkPlan node, SparkPlan[] children) {
    boolean same = true;
    for (int i = 0; i < children.length; i++) {
      same &= children[i] == node.children().apply(i);
    }
    return same ? node : node.withNewChildren(Scala.seq(children));
  }
}
