package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.decision.Reason;
import io.bloomjoin.spark.decision.SideVerdict;

/**
 * What is best for one side of a join.
 *
 * @param asker the join
 * @param side the side that would be pruned
 * @param verdict whether it should be, and why
 * @param gain the time saved, in nanoseconds of one core; 0 if the side is not to be pruned now
 * @param extra whether the build side needs an exchange of its own
 */
record JoinChoice(Asker asker, JoinSide side, SideVerdict verdict, double gain, boolean extra) {
  static JoinChoice of(Asker asker, JoinSide side, double rows) {
    SideVerdict verdict = new SideVerdict(false, Reason.KEYS_UNKNOWN, rows);
    return new JoinChoice(asker, side, verdict, 0, false);
  }

  JoinChoice because(Reason reason) {
    return new JoinChoice(asker, side, verdict.because(reason), 0, false);
  }

  JoinChoice pruning(Reason reason, double saved, boolean extraExchange) {
    return new JoinChoice(asker, side, pruned(reason), saved, extraExchange);
  }

  /** The side has been pruned in a stage that has started. */
  JoinChoice prunedAlready() {
    return new JoinChoice(
        asker, side, pruned(asker.isForced() ? Reason.HINT_FORCES : Reason.PAYS), 0, false);
  }

  boolean isPrunedAlready() {
    return verdict.pruned() && gain == 0;
  }

  private SideVerdict pruned(Reason reason) {
    return new SideVerdict(true, reason, verdict.rows());
  }
}
