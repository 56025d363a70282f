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
 * @param partner what the innermost join above matches with the rows here; null if there is none
 * @param crossedToPartner whether an exchange lies between that join and here, by which the rows
 *     here become its build side
 */
record PruneRequest(
    Asker asker,
    List<Expression> keys,
    KeyExchange source,
    boolean crossedShuffle,
    Partner partner,
    boolean crossedToPartner) {

  static PruneRequest of(Asker asker, List<Expression> keys, KeyExchange source) {
    return new PruneRequest(asker, keys, source, false, null, false);
  }

  PruneRequest withKeys(List<Expression> mapped) {
    return new PruneRequest(asker, mapped, source, crossedShuffle, partner, crossedToPartner);
  }

  PruneRequest acrossShuffle() {
    return new PruneRequest(asker, keys, source, true, partner, true);
  }

  PruneRequest acrossBroadcast() {
    return new PruneRequest(asker, keys, source, crossedShuffle, partner, true);
  }

  /** On its way into one input of a join. */
  PruneRequest beside(Partner other) {
    return new PruneRequest(asker, keys, source, crossedShuffle, other, false);
  }
}
