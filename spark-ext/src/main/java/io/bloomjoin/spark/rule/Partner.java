package io.bloomjoin.spark.rule;

/**
 * The other input of a join in which a pruned side serves as build side: what is pruned here finds
 * no match there. Selectivity travels so from one dimension through another to the fact table.
 *
 * @param rows the other input's rows
 * @param savedPerRow what a row of it costs that finds no match, in nanoseconds of one core
 */
record Partner(Estimate rows, double savedPerRow) {
  /** How many times the rows of a build side the partner must have to be worth a wait for it. */
  private static final double WORTH_A_WAIT = 20;

  /** Matched with a hash table that is broadcast. */
  static Partner streamed(Estimate rows) {
    return new Partner(rows, Cost.JOINED_ROW);
  }

  /** Shuffled, and pruned itself by what is left here. */
  static Partner shuffled(Estimate rows) {
    return new Partner(rows, Cost.SHUFFLED_ROW);
  }

  boolean isWorthAWaitFor(KeyExchange source) {
    return source.estimate().rows() * WORTH_A_WAIT <= rows.rows();
  }
}
