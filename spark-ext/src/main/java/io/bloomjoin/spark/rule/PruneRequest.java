package io.bloomjoin.spark.rule;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * A pruning on its way down the plan.
 *
 * @param asker the join that it is for
 * @param keys the keys of the rows to prune, over the output of the node that is asked
 * @param source where the keys come from that may pass
 * @param crossedShuffle whether a shuffle that has not started lies above, so that rows pruned here
 *     need not be shuffled
 * @param streamed what a broadcast join above matches with the rows here, its hash table; null if
 *     no broadcast lies above, or not yet
 * @param crossedBroadcast whether the broadcast of that hash table lies above
 */
record PruneRequest(
    Asker asker,
    List<Expression> keys,
    KeyExchange source,
    boolean crossedShuffle,
    Estimate streamed,
    boolean crossedBroadcast) {

  static PruneRequest of(Asker asker, List<Expression> keys, KeyExchange source) {
    return new PruneRequest(asker, keys, source, false, null, false);
  }

  PruneRequest withKeys(List<Expression> mapped) {
    return new PruneRequest(asker, mapped, source, crossedShuffle, streamed, crossedBroadcast);
  }

  PruneRequest acrossShuffle() {
    return new PruneRequest(asker, keys, source, true, streamed, crossedBroadcast);
  }

  /** On its way into the hash table that the rows of {@code stream} are matched with. */
  PruneRequest intoTable(Estimate stream) {
    return new PruneRequest(asker, keys, source, crossedShuffle, stream, false);
  }

  PruneRequest acrossBroadcast() {
    return new PruneRequest(asker, keys, source, crossedShuffle, streamed, true);
  }
}
