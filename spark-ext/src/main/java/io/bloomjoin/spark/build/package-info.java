/**
 * Building a filter from a finished exchange. Start from {@link
 * io.bloomjoin.spark.build.FilterBuilds}, which shares builds within a query and ends them with it.
 */
package io.bloomjoin.spark.build;
