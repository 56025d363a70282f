package io.bloomjoin.spark.rule;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * A pruning on its way down the plan.
 *
 * @param keys the keys of the rows to prune, over the output of the node that is asked
 * @param source where the keys come from that may pass
 * @param crossedShuffle whether a shuffle that has not started lies above, so that rows pruned here
 *     need not be shuffled
 */
record PruneRequest(List<Expression> keys, KeyExchange source, boolean crossedShuffle) {

  PruneRequest withKeys(List<Expression> mapped) {
    return new PruneRequest(mapped, source, crossedShuffle);
  }

  PruneRequest acrossShuffle() {
    return new PruneRequest(keys, source, true);
  }
}
