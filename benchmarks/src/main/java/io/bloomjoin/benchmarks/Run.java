package io.bloomjoin.benchmarks;

import java.util.Optional;

/**
 * What one execution of a query showed.
 *
 * @param millis wall time of the action, which includes optimising and planning
 * @param shuffleBytes bytes written to shuffles
 * @param rowsTested rows that {@code BloomPrune} nodes looked at
 * @param rowsPruned rows that they dropped
 * @param planningMillis Spark's own account of analysis, optimisation and first planning
 * @param prunedPlan the executed plan, if it holds a {@code BloomPrune}
 */
record Run(
    Answer answer,
    long millis,
    long shuffleBytes,
    long rowsTested,
    long rowsPruned,
    long planningMillis,
    Optional<String> prunedPlan) {}
