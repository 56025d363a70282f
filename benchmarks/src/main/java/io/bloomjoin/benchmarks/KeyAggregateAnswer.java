package io.bloomjoin.benchmarks;

/**
 * What an aggregate's answer is worth.
 *
 * @param bytes its size
 * @param fpp the share of a million foreign keys that pass it
 */
record KeyAggregateAnswer(long bytes, double fpp) {}
