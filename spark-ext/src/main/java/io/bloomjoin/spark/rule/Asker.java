package io.bloomjoin.spark.rule;

/**
 * The join that a pruning is for.
 *
 * @param label tells it from the query's other joins
 * @param forced whether a hint asks for the pruning, so that it need not pay
 */
record Asker(String label, boolean forced) {}
