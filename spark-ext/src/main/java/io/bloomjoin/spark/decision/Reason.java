package io.bloomjoin.spark.decision;

/** Why a side of a join is pruned, or why not. The list is closed; the codes are its names. */
public enum Reason {
  /** The only reason, beside {@link #HINT_FORCES}, of a side that is pruned. */
  PAYS("The rows that are pruned cost more than the filter."),
  HINT_FORCES("A BLOOM_JOIN hint asks for it."),
  HINT_FORBIDS("A NO_BLOOM_JOIN hint forbids it."),
  JOIN_TYPE("Rows of this side that match nothing count in a join of this type."),
  NULL_AWARE("The join is the anti join of NOT IN, in which nulls match."),
  KEY_TYPE(
      "The keys cannot be hashed as the join compares them, as with collations, or are not the same"
          + " when they are computed again."),
  HASH_TABLE("This side is the hash table of a broadcast join, and small as it is."),
  KEYS_UNKNOWN("No exchange holds the other side's keys before this side starts."),
  NOT_SELECTIVE("The other side keeps most of its keys, so most rows would pass."),
  FEW_ROWS("Too few rows would be pruned to pay for a filter and the wait for it."),
  COSTS_MORE("The filter would cost more than it saves, since the other side is large."),
  WAITS_TOO_LONG(
      "The other side takes long and has too few tasks for all cores, so that waiting for it would"
          + " cost more than the filter saves."),
  NO_SHUFFLE("No shuffle lies below the join on this side, so a pruned row would save little."),
  STARTED("This side had started before the other side's keys were known."),
  OTHER_SIDE("The other side is pruned; a join prunes one way."),
  BETTER_FILTERS("The scan has spark.bloomjoin.maxFiltersPerScan better filters."),
  PLAN_TOO_LARGE("The plan has grown too large for one more filter.");

  private final String sentence;

  Reason(String sentence) {
    this.sentence = sentence;
  }

  public String sentence() {
    return sentence;
  }
}
