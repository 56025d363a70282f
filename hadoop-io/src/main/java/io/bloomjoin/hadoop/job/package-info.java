/**
 * MapReduce jobs that build filters, prune by them, and join with them.
 *
 * <p>Start from {@link io.bloomjoin.hadoop.job.FilterBuildJob}. What the jobs read is a {@link
 * io.bloomjoin.hadoop.job.KeyedInput}.
 */
package io.bloomjoin.hadoop.job;
