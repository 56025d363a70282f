/**
 * Filters in Hadoop: as values of MapReduce jobs, as files, and out of other formats.
 *
 * <p>Start from {@link io.bloomjoin.hadoop.FilterFiles}, which saves and loads filters, and {@link
 * io.bloomjoin.hadoop.WritableKeyHash}, which hashes the keys to ask for. The jobs are in {@code
 * io.bloomjoin.hadoop.job}.
 */
package io.bloomjoin.hadoop;
