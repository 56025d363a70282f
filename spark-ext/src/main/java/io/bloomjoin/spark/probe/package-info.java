/**
 * Asking the filter on executors. Start from {@link io.bloomjoin.spark.probe.FilterHandle}, which
 * travels to the tasks and gives each its {@link io.bloomjoin.spark.probe.RowProbe}.
 */
package io.bloomjoin.spark.probe;
