package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import org.apache.spark.sql.catalyst.expressions.DynamicPruning;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.physical.BroadcastPartitioning;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * When the hash table of a broadcast join may be pruned. The table is small, but what it does not
 * hold drops rows of the streamed side: selectivity travels through it from one dimension to the
 * fact table and on.
 */
final class HashTables {
  private HashTables() {}

  /**
   * Whether the table of {@code join} may wait for {@code source}: only for another broadcast,
   * which is there soon; and not where Spark prunes partitions of the streamed side by this very
   * table, since it would not recognise the pruned one.
   */
  static boolean mayBePruned(JoinShape join, KeyExchange source) {
    return isTable(source.plan()) && !prunesPartitions(join.plan(join.broadcast().other()));
  }

  static boolean isTable(SparkPlan plan) {
    return plan.outputPartitioning() instanceof BroadcastPartitioning;
  }

  private static boolean prunesPartitions(SparkPlan streamed) {
    return streamed.exists(
        Scala.function(
            node ->
                Scala.<Expression>list(node.expressions()).stream()
                    .anyMatch(
                        expression ->
                            expression.exists(Scala.function(e -> e instanceof DynamicPruning)))));
  }
}
