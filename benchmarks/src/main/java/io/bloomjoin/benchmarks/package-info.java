/**
 * Benchmarks and the demo: generated data, stock Spark beside Bloomjoin.
 *
 * <p>Start from {@link io.bloomjoin.benchmarks.Demo} and {@link io.bloomjoin.benchmarks.Bench}, the
 * programs behind {@code bin/demo} and {@code bin/bench}. Both register generated tables and hand
 * queries to a {@link io.bloomjoin.benchmarks.Suite}, which runs them in every {@link
 * io.bloomjoin.benchmarks.Mode}.
 */
package io.bloomjoin.benchmarks;
