package io.bloomjoin.filter;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is stored beside the bits of a filter. None of it changes what the filter answers.
 *
 * @param keyTypes the type of each column of the key, in order, in the writer's own names, for
 *     instance {@code bigint}; empty if not known
 * @param keyCount the number of distinct keys, or {@link #UNKNOWN_KEY_COUNT}
 * @param targetFpp the false positive probability that the filter was sized for, above 0 and below
 *     1, or NaN
 * @param properties free to use, for instance the table that the keys are from; kept in the order
 *     of their names
 */
public record FilterMetadata(
    List<String> keyTypes, long keyCount, double targetFpp, Map<String, String> properties) {

  /** The key count of a filter that nobody counted the keys of. */
  public static final long UNKNOWN_KEY_COUNT = -1;

  /** Nothing is known. */
  public static final FilterMetadata UNKNOWN =
      new FilterMetadata(List.of(), UNKNOWN_KEY_COUNT, Double.NaN, Map.of());

  /**
   * Copies its arguments.
   *
   * @throws IllegalArgumentException if the count or the probability is out of range
   */
  public FilterMetadata {
    if (keyCount < UNKNOWN_KEY_COUNT) {
      throw new IllegalArgumentException(
          "The key count is at least 0, or -1 if it is not known; got " + keyCount);
    }
    if (!Double.isNaN(targetFpp)) {
      Arguments.checkFpp(targetFpp);
    }
    keyTypes = List.copyOf(keyTypes);
    // Sorted, so that equal metadata have equal bytes.
    SortedMap<String, String> sorted = new TreeMap<>(properties);
    properties = Collections.unmodifiableSortedMap(sorted);
  }
}
