package io.bloomjoin.filter;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is stored beside the bits of a filter. None of it changes what the filter answers. */
public final class FilterMetadata implements Serializable {

  // Neither a record nor of collections, as Kryo 4, which Spark has, cannot make those.

  private static final long serialVersionUID = 1L;

  /** The key count of a filter that nobody counted the keys of. */
  public static final long UNKNOWN_KEY_COUNT = -1;

  /** Nothing is known. */
  public static final FilterMetadata UNKNOWN =
      new FilterMetadata(List.of(), UNKNOWN_KEY_COUNT, Double.NaN, Map.of());

  /** The property that names what the keys are from: a table, or paths. */
  public static final String SOURCE = "source";

  /**
   * The property with the time of the source's last change, in milliseconds since 1970, or its
   * snapshot's number; whoever keeps the filter compares it to tell whether the filter is stale.
   */
  public static final String SOURCE_VERSION = "source.version";

  /** The property with the time of the build, as in {@code 2026-01-31T12:00:00Z}. */
  public static final String BUILT = "built";

  /** The property that names the program that built the filter, and its version. */
  public static final String TOOL = "tool";

  private final String[] keyTypes;
  private final long keyCount;
  private final double targetFpp;

  /** Name, value, name, value, in the order of the names. */
  private final String[] properties;

  /**
   * Copies its arguments.
   *
   * @param keyTypes the type of each column of the key, in order, in the writer's own names, for
   *     instance {@code bigint}; empty if not known
   * @param keyCount the number of distinct keys, or {@link #UNKNOWN_KEY_COUNT}
   * @param targetFpp the false positive probability that the filter was sized for, above 0 and
   *     below 1, or NaN
   * @param properties free to use, for instance {@link #SOURCE}; kept in the order of their names
   * @throws IllegalArgumentException if the count or the probability is out of range
   */
  public FilterMetadata(
      List<String> keyTypes, long keyCount, double targetFpp, Map<String, String> properties) {
    if (keyCount < UNKNOWN_KEY_COUNT) {
      throw new IllegalArgumentException(
          "The key count is at least 0, or -1 if it is not known; got " + keyCount);
    }
    if (!Double.isNaN(targetFpp)) {
      Arguments.checkFpp(targetFpp);
    }
    this.keyTypes = List.copyOf(keyTypes).toArray(String[]::new);
    this.keyCount = keyCount;
    this.targetFpp = targetFpp;
    // Sorted, so that equal metadata have equal bytes.
    this.properties =
        new TreeMap<>(properties)
            .entrySet().stream()
                .flatMap(property -> List.of(property.getKey(), property.getValue()).stream())
                .toArray(String[]::new);
  }

  /** The type of each column of the key, in order; empty if not known. */
  public List<String> keyTypes() {
    return List.of(keyTypes);
  }

  /** The number of distinct keys, or {@link #UNKNOWN_KEY_COUNT}. */
  public long keyCount() {
    return keyCount;
  }

  /** The false positive probability that the filter was sized for, or NaN if it is not known. */
  public double targetFpp() {
    return targetFpp;
  }

  /** The properties, in the order of their names; not modifiable. */
  public Map<String, String> properties() {
    SortedMap<String, String> map = new TreeMap<>();
    for (int i = 0; i < properties.length; i += 2) {
      map.put(properties[i], properties[i + 1]);
    }
    return Collections.unmodifiableSortedMap(map);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterMetadata that
        && Arrays.equals(keyTypes, that.keyTypes)
        && keyCount == that.keyCount
        && Double.compare(targetFpp, that.targetFpp) == 0
        && Arrays.equals(properties, that.properties);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        Arrays.hashCode(keyTypes), keyCount, targetFpp, Arrays.hashCode(properties));
  }

  @Override
  public String toString() {
    return String.format(
        "FilterMetadata[keyTypes=%s, keyCount=%d, targetFpp=%s, properties=%s]",
        keyTypes(), keyCount, targetFpp, properties());
  }
}
