package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.build.FilterSettings;

/**
 * What the rule weighs by.
 *
 * @param filter what shapes the filters
 * @param minPrunedRows a place is pruned only if it loses at least so many rows by the estimate
 * @param maxSelectivity a side prunes the other only if it keeps at most this share of its keys
 * @param maxFiltersPerScan how many filters one place may have
 */
public record PruneSettings(
    FilterSettings filter, long minPrunedRows, double maxSelectivity, int maxFiltersPerScan) {}
