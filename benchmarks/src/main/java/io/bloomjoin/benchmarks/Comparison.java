package io.bloomjoin.benchmarks;

import java.util.Map;

/** One query in several modes, one of which is stock Spark. */
record Comparison(Query query, Map<Mode, Outcome> outcomes) {
  Comparison {
    outcomes = Map.copyOf(outcomes);
  }

  boolean has(Mode mode) {
    return outcomes.containsKey(mode);
  }

  /**
   * @throws IllegalArgumentException if the query did not run in this mode
   */
  Outcome in(Mode mode) {
    if (!has(mode)) {
      throw new IllegalArgumentException(query.name() + " did not run in mode " + mode.label());
    }
    return outcomes.get(mode);
  }

  boolean answersEqual() {
    return outcomes.values().stream().allMatch(Outcome::answersEqual);
  }

  /** How many times as long the rival takes as the mode. */
  double speedUp(Mode mode, Mode rival) {
    return (double) in(rival).medianMillis() / Math.max(1, in(mode).medianMillis());
  }
}
