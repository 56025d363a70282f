package io.bloomjoin.spark.rule;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * The build side of a pruning: an exchange that the join reads anyway.
 *
 * @param plan the exchange, or its query stage
 * @param keys the key columns, over its output
 * @param estimate how many rows it has, and how selective they are
 */
record KeyExchange(SparkPlan plan, List<Expression> keys, Estimate estimate) {

  /** With the share {@code kept} of its rows, by prunings that are still to come. */
  KeyExchange reducedTo(double kept) {
    return new KeyExchange(plan, keys, estimate.reducedTo(kept));
  }
}
