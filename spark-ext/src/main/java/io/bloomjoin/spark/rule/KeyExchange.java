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
 * @param unique whether each key comes about once, as below a {@code GROUP BY} of the keys
 * @param extra whether the exchange is one that the query has only for the pruning
 * @param idle nanoseconds of one core that are left idle while the exchange fills, as its sources
 *     have too few tasks
 */
record KeyExchange(
    SparkPlan plan,
    List<Expression> keys,
    Estimate estimate,
    boolean unique,
    boolean extra,
    double idle) {

  /** With the share {@code kept} of its rows, by prunings that are still to come. */
  KeyExchange reducedTo(double kept) {
    return new KeyExchange(plan, keys, estimate.reducedTo(kept), unique, extra, idle);
  }

  /**
   * The share of the keys of {@code other} that are left here. Where a key stands in several rows,
   * it is gone only with the last of them: of a key in m rows, each kept with probability p, 1 - (1
   * - p)^m is left. How many rows a key has is told by the rows of both sides before anything was
   * dropped, since the smaller of them cannot have more keys than rows.
   */
  double keptKeys(Estimate other) {
    double kept = estimate.kept();
    if (unique || kept == 0 || kept == 1) {
      return kept;
    }
    double rowsPerKey = estimate.base() / Math.max(1, other.base());
    return rowsPerKey > 1 ? Math.max(kept, -Math.expm1(rowsPerKey * Math.log1p(-kept))) : kept;
  }
}
