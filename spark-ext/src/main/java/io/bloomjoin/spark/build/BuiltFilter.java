package io.bloomjoin.spark.build;

import io.bloomjoin.spark.probe.FilterHandle;
import java.util.List;

/**
 * The outcome of a build: always usable, at worst a handle that passes every row.
 *
 * @param handle what tasks use
 * @param state the outcome in words, for plans
 * @param keys how many keys went in, duplicates counted where the build side repeats them
 * @param sizeInBytes the size of the broadcast bits; 0 without a filter
 * @param buildMillis time from the finished build side to the merged bits
 * @param broadcastMillis time to hand the bits to the executors' block managers
 * @param values what is known of the values of each key column; empty without that knowledge
 */
public record BuiltFilter(
    FilterHandle handle,
    String state,
    long keys,
    long sizeInBytes,
    long buildMillis,
    long broadcastMillis,
    List<KeyValues> values) {

  static BuiltFilter none(String why) {
    return new BuiltFilter(FilterHandle.passesAll(), "no filter: " + why, 0, 0, 0, 0, List.of());
  }

  static BuiltFilter empty(long buildMillis) {
    return new BuiltFilter(
        FilterHandle.rejectsAll(),
        "empty: the build side has no key",
        0,
        0,
        buildMillis,
        0,
        List.of());
  }
}
