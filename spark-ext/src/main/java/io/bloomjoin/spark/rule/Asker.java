package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.hint.JoinHint;

/**
 * The join that a pruning is for.
 *
 * @param label tells it from the query's other joins
 * @param hint what the user says of it, or null
 */
record Asker(String label, JoinHint hint) {
  static Asker of(JoinShape join) {
    return new Asker(join.label(), JoinHint.of(join.left().plan(), join.right().plan()));
  }

  /** Whether the pruning need not pay. */
  boolean isForced() {
    return hint == JoinHint.FORCE;
  }
}
