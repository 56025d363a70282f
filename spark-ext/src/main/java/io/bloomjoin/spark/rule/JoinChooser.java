package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.JoinKeys;
import io.bloomjoin.spark.decision.Reason;
import io.bloomjoin.spark.hint.JoinHint;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;

/** Decides for a join which side the other one should prune, and says why. */
final class JoinChooser {
  private final Estimator estimator;
  private final Landing landing;
  private final PruneSettings settings;
  private final IdleCores idleCores;
  private final KeyExchangeFinder finder;

  JoinChooser(Estimator estimator, IdleCores idleCores, Landing landing, PruneSettings settings) {
    this.estimator = estimator;
    this.landing = landing;
    this.settings = settings;
    this.idleCores = idleCores;
    this.finder = new KeyExchangeFinder(estimator, idleCores);
  }

  /**
   * Whether and how the other side should prune {@code side}.
   *
   * @param onSource the prunings that the other side will have from joins above, and hands on
   */
  JoinChoice choose(Asker asker, JoinShape join, JoinSide side, List<PruneRequest> onSource) {
    JoinSide source = side.other();
    SparkPlan large = join.plan(side);
    SparkPlan small = join.plan(source);
    List<Expression> keys = join.keys(source);
    JoinChoice none = JoinChoice.of(asker, side, estimator.of(large).rows());
    if (join.nullAware()) {
      return none.because(Reason.NULL_AWARE);
    }
    if (!join.mayPrune(side)) {
      return none.because(Reason.JOIN_TYPE);
    }
    if (join.broadcast() == side) {
      return none.because(Reason.HASH_TABLE);
    }
    if (!JoinKeys.areComparable(keys, join.keys(side))) {
      return none.because(Reason.KEY_TYPE);
    }
    if (asker.hint() == JoinHint.FORBID) {
      return none.because(Reason.HINT_FORBIDS);
    }
    if (Landing.isPrunedFor(large, asker.label())) {
      return none.prunedAlready();
    }
    double kept = keptBy(onSource, small);
    JoinChoice found = choose(none, join, keyExchange(join, small, keys), kept);
    if (join.broadcast() != null) {
      return found;
    }
    JoinChoice extra = choose(none, join, extraExchange(small, keys), kept);
    return extra.gain() > found.gain() ? extra : found;
  }

  private JoinChoice choose(JoinChoice none, JoinShape join, KeyExchange exchange, double kept) {
    if (exchange == null) {
      return none.because(Reason.KEYS_UNKNOWN);
    }
    KeyExchange pruned = exchange.reducedTo(kept);
    SparkPlan large = join.plan(none.side());
    Estimate rows = estimator.of(large);
    PruneRequest request = PruneRequest.of(none.asker(), join.keys(none.side()), pruned);
    if (none.asker().isForced()) {
      return landing.lands(large, request)
          ? none.pruning(Reason.HINT_FORCES, gain(rows, pruned), exchange.extra())
          : none.because(landing.whyNot(large, request));
    }
    Reason against = Cost.against(rows, pruned, settings);
    boolean lands =
        against == null ? landing.lands(large, request) : landing.landsForPartner(large, request);
    if (lands) {
      return none.pruning(Reason.PAYS, gain(rows, pruned), exchange.extra());
    }
    return none.because(against == null ? landing.whyNot(large, request) : against);
  }

  /** Positive even where only a partner or a hint makes the pruning worth it. */
  private double gain(Estimate rows, KeyExchange pruned) {
    return Math.max(Cost.gain(rows, pruned, settings), Double.MIN_NORMAL);
  }

  private double keptBy(List<PruneRequest> requests, SparkPlan plan) {
    return requests.stream()
        .filter(request -> landing.lands(plan, request))
        .mapToDouble(request -> request.source().estimate().kept())
        .reduce(1, (a, b) -> a * b);
  }

  KeyExchange extraExchange(SparkPlan source, List<Expression> keys) {
    return ExtraExchange.above(source, keys, estimator, idleCores);
  }

  KeyExchange keyExchange(JoinShape join, SparkPlan source, List<Expression> keys) {
    return join.broadcast() == null ? finder.find(source, keys) : finder.broadcast(source, keys);
  }
}
