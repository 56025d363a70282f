/** Benchmarks and the demo: generated data, stock Spark beside Bloomjoin. */
package io.bloomjoin.benchmarks;
