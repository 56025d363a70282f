package io.bloomjoin.filter;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Unites filters that were stored apart, all of one structure. Mutable; for one thread at a time.
 *
 * <p>Filters of one size unite to the very filter of all their keys: split-block, classic, and
 * counting ones, whose counters are added. The order does not matter.
 *
 * <p>Split-block filters may differ in size. No key is lost then, but the false positive
 * probability rises. {@link #finish} gives the largest size, in which a filter that was smaller
 * takes more room than its keys would; {@link #finishFolded} the smallest, which is fuller yet.
 * Build the parts with the same {@link FilterGoal#expectedKeys} to avoid it.
 */
public final class FilterUnion {

  /** The union of the filters of each size in bytes. */
  private final TreeMap<Long, BloomFilter> bySize = new TreeMap<>();

  private List<String> keyTypes = List.of();
  private double targetFpp = Double.NaN;

  /**
   * Adds the keys of a filter.
   *
   * @throws IllegalArgumentException if it has other key types or another structure than those
   *     before, is a classic filter of another size or number of hashes, a counting filter of
   *     another size, or a scalable filter
   */
  public void add(StoredFilter stored) {
    checkKeyTypes(stored.metadata().keyTypes());
    checkStructure(stored.filter());
    if (keyTypes.isEmpty()) {
      keyTypes = stored.metadata().keyTypes();
    }
    double target = stored.metadata().targetFpp();
    if (Double.isNaN(targetFpp) || target > targetFpp) {
      targetFpp = target;
    }
    bySize.merge(stored.filter().sizeInBytes(), stored.filter(), FilterUnion::unite);
  }

  /**
   * Adds the filters of another union.
   *
   * @throws IllegalArgumentException as {@link #add}
   */
  public void addAll(FilterUnion other) {
    other.bySize.values().forEach(filter -> add(new StoredFilter(filter, other.metadata(-1))));
  }

  /**
   * The filter of all keys, of the largest size there was; empty if there was no filter. It has no
   * properties.
   */
  public Optional<StoredFilter> finish() {
    return bySize.isEmpty() ? Optional.empty() : Optional.of(ofSize(bySize.lastEntry().getValue()));
  }

  /**
   * As {@link #finish}, of the smallest size there was. If that divides the other sizes, it is
   * exactly the filter that all keys would have built at it.
   */
  public Optional<StoredFilter> finishFolded() {
    return bySize.isEmpty()
        ? Optional.empty()
        : Optional.of(ofSize(bySize.firstEntry().getValue()));
  }

  private StoredFilter ofSize(BloomFilter chosen) {
    long keys = 0;
    BloomFilter union = chosen;
    for (BloomFilter filter : bySize.values()) {
      long more = filter.estimatedKeys();
      keys = more == Long.MAX_VALUE || keys < 0 ? FilterMetadata.UNKNOWN_KEY_COUNT : keys + more;
      if (filter != chosen) {
        long blocks = ((SplitBlockBloomFilter) chosen).blocks();
        union = unite(union, ((SplitBlockBloomFilter) filter).resize(blocks));
      }
    }
    return new StoredFilter(union, metadata(keys));
  }

  /** The state as bytes, for a union elsewhere; meant to be read by the same version. */
  public byte[] toBytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (BloomFilter filter : bySize.values()) {
      out.writeBytes(FilterFormat.toBytes(filter, metadata(FilterMetadata.UNKNOWN_KEY_COUNT)));
    }
    return out.toByteArray();
  }

  /**
   * The union of those bytes.
   *
   * @throws FilterFormatException if they are not a union's
   */
  public static FilterUnion fromBytes(byte[] bytes) throws IOException {
    FilterUnion union = new FilterUnion();
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    while (in.available() > 0) {
      union.add(FilterFormat.read(in));
    }
    return union;
  }

  private FilterMetadata metadata(long keys) {
    return new FilterMetadata(keyTypes, keys, targetFpp, Map.of());
  }

  private void checkKeyTypes(List<String> others) {
    if (!keyTypes.isEmpty() && !others.isEmpty() && !keyTypes.equals(others)) {
      throw new IllegalArgumentException(
          String.format(
              "Filters over keys of different types cannot be united; got (%s) and (%s)",
              String.join(", ", keyTypes), String.join(", ", others)));
    }
  }

  private void checkStructure(BloomFilter filter) {
    if (filter instanceof ScalableBloomFilter) {
      throw new IllegalArgumentException(
          "Scalable filters cannot be united; got "
              + filter
              + ". Build a split-block filter over the same keys");
    }
    if (!bySize.isEmpty() && !fit(bySize.firstEntry().getValue(), filter)) {
      throw new IllegalArgumentException(
          "Filters of different structures cannot be united, and only split-block ones of"
              + " different sizes; got "
              + bySize.firstEntry().getValue()
              + " and "
              + filter
              + ". Build both anew in the same way");
    }
  }

  private static boolean fit(BloomFilter a, BloomFilter b) {
    if (a instanceof ClassicBloomFilter one && b instanceof ClassicBloomFilter other) {
      return one.bits() == other.bits() && one.hashes() == other.hashes();
    }
    if (a instanceof CountingBloomFilter one && b instanceof CountingBloomFilter other) {
      return one.blocks() == other.blocks();
    }
    return a instanceof SplitBlockBloomFilter && b instanceof SplitBlockBloomFilter;
  }

  /** Of filters that fit and have one size. */
  private static BloomFilter unite(BloomFilter a, BloomFilter b) {
    if (a instanceof ClassicBloomFilter one) {
      return one.union((ClassicBloomFilter) b);
    }
    if (a instanceof CountingBloomFilter one) {
      return one.union((CountingBloomFilter) b);
    }
    return ((SplitBlockBloomFilter) a).union((SplitBlockBloomFilter) b);
  }
}
