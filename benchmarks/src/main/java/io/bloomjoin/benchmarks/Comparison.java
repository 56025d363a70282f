package io.bloomjoin.benchmarks;

import java.util.Map;

/** One query in all modes. */
record Comparison(Query query, Map<Mode, Outcome> outcomes) {
  Comparison {
    outcomes = Map.copyOf(outcomes);
  }

  Outcome in(Mode mode) {
    return outcomes.get(mode);
  }

  boolean answersEqual() {
    return outcomes.values().stream().allMatch(Outcome::answersEqual);
  }

  /** How many times as long the rival takes as Bloomjoin. */
  double speedUpOver(Mode rival) {
    return (double) in(rival).medianMillis() / Math.max(1, in(Mode.BLOOMJOIN).medianMillis());
  }
}
