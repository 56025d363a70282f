package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.decision.JoinVerdict;
import io.bloomjoin.spark.decision.Reason;
import io.bloomjoin.spark.decision.SideVerdict;
import io.bloomjoin.spark.hint.JoinHint;
import io.bloomjoin.spark.plan.BloomPruneExec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  private static final Logger LOG = LoggerFactory.getLogger(PlanPruner.class);

  private final SparkPlan root;
  private final PruneSettings settings;
  private final Estimator estimator = new Estimator();
  private final Landing landing;
  private final JoinChooser chooser;

  /** What kept a join's request from landing, by the join's label. */
  private final Map<String, Reason> refused = new HashMap<>();

  private final Set<String> landed = new HashSet<>();
  private int nodes;

  PlanPruner(SparkPlan root, PruneSettings settings, IdleCores idleCores) {
    this.root = root;
    this.settings = settings;
    this.landing = new Landing(estimator, new SharedExchanges(root), settings);
    this.chooser = new JoinChooser(estimator, idleCores, landing, settings);
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
      List<Landing.Target> targets = landing.targets(node, request);
      if (targets.isEmpty()) {
        here.add(request);
      }
      targets.forEach(target -> below.get(target.child()).add(target.request()));
    }
    JoinShape join = JoinShape.of(node);
    SparkPlan[] children = new SparkPlan[childCount];
    if (join != null) {
      return land(rewriteJoin(node, join, below, children), node, here);
    }
    for (int i = 0; i < childCount; i++) {
      children[i] = rewrite(node.children().apply(i), below.get(i));
    }
    return land(withChildren(node, children), node, here);
  }

  private SparkPlan rewriteJoin(
      SparkPlan node, JoinShape join, List<List<PruneRequest>> below, SparkPlan[] children) {
    Asker asker = Asker.of(join);
    JoinChoice left = chooser.choose(asker, join, JoinSide.LEFT, below.get(JoinSide.RIGHT.child()));
    JoinChoice right =
        chooser.choose(asker, join, JoinSide.RIGHT, below.get(JoinSide.LEFT.child()));
    JoinChoice choice = left.gain() >= right.gain() ? left : right;
    JoinSide target = choice.side();
    JoinSide source = target.other();
    SparkPlan rewritten = rewrite(join.plan(source), below.get(source.child()));
    if (choice.gain() > 0) {
      List<Expression> keys = join.keys(source);
      KeyExchange extra = choice.extra() ? chooser.extraExchange(rewritten, keys) : null;
      KeyExchange exchange = extra == null ? chooser.keyExchange(join, rewritten, keys) : extra;
      if (extra != null) {
        rewritten = ExtraExchange.insert(rewritten, extra.plan());
      }
      if (exchange != null) {
        below.get(target.child()).add(PruneRequest.of(asker, join.keys(target), exchange));
      }
    }
    children[source.child()] = rewritten;
    children[target.child()] = rewrite(join.plan(target), below.get(target.child()));
    SparkPlan result = withChildren(node, children);
    boolean leftChosen = target == JoinSide.LEFT;
    JoinVerdict verdict =
        new JoinVerdict(
            asker.label(),
            join.keysForUsers(),
            verdict(left, leftChosen, right),
            verdict(right, !leftChosen, left));
    verdict.hangOn(result);
    if (asker.isForced() && !verdict.isPruned() && !Landing.hasStarted(node)) {
      LOG.warn(
          "Hint {} is not supported in the query: join on {}: left side: {} Right side: {}",
          JoinHint.FORCE.text(),
          verdict.keys(),
          verdict.left().reason().sentence(),
          verdict.right().reason().sentence());
    }
    return result;
  }

  private SideVerdict verdict(JoinChoice choice, boolean chosen, JoinChoice other) {
    SideVerdict verdict = choice.verdict();
    String label = choice.asker().label();
    if (!verdict.pruned() || choice.isPrunedAlready()) {
      return verdict;
    }
    if (!chosen || other.isPrunedAlready()) {
      return verdict.because(Reason.OTHER_SIDE);
    }
    return landed.contains(label)
        ? verdict
        : verdict.because(refused.getOrDefault(label, Reason.FEW_ROWS));
  }

  // ---- landing

  private SparkPlan land(SparkPlan rewritten, SparkPlan original, List<PruneRequest> requests) {
    List<PruneRequest> paying =
        requests.stream()
            .filter(request -> landing.pays(original, request))
            .sorted(
                Comparator.comparing((PruneRequest request) -> !request.asker().isForced())
                    .thenComparingDouble(request -> request.source().estimate().kept()))
            .toList();
    SparkPlan plan = rewritten;
    int filters = 0;
    for (PruneRequest request : paying) {
      String label = request.asker().label();
      SparkPlan source = request.source().plan();
      nodes += size(source);
      if (nodes > MAX_NODES) {
        refused.putIfAbsent(label, Reason.PLAN_TOO_LARGE);
      } else if (filters >= settings.maxFiltersPerScan() && !request.asker().isForced()) {
        refused.putIfAbsent(label, Reason.BETTER_FILTERS);
      } else {
        filters++;
        landed.add(label);
        plan =
            new BloomPruneExec(
                Scala.seq(request.keys()),
                Scala.seq(request.source().keys()),
                settings.filter(),
                plan,
                DetachedCopy.of(source));
        JoinVerdict.markAskedBy(plan, label);
      }
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
