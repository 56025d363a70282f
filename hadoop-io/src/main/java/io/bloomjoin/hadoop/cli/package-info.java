/**
 * The command line, {@code hadoop jar bloomjoin-hadoop-io.jar}.
 *
 * <p>Start from {@link io.bloomjoin.hadoop.cli.Main}.
 */
package io.bloomjoin.hadoop.cli;
