package io.bloomjoin.filter;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Unites filters that were stored apart. Mutable; for one thread at a time.
 *
 * <p>Filters of one size unite to the very filter of all their keys. With split-block filters of
 * several sizes the union has the largest of them, and a filter that was smaller takes more of its
 * room than its keys would: no key is lost, but the false positive probability rises. The order
 * does not matter. Build the parts with the same {@link FilterGoal#expectedKeys} to avoid it.
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
   *     before, or is a classic filter of another size or number of hashes
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

  /** The filter of all keys, or empty if there was no filter; it has no properties. */
  public Optional<StoredFilter> finish() {
    if (bySize.isEmpty()) {
      return Optional.empty();
    }
    long keys = 0;
    for (BloomFilter filter : bySize.values()) {
      long more = filter.estimatedKeys();
      keys = more == Long.MAX_VALUE || keys < 0 ? FilterMetadata.UNKNOWN_KEY_COUNT : keys + more;
    }
    BloomFilter union = bySize.lastEntry().getValue();
    for (BloomFilter filter : bySize.headMap(union.sizeInBytes()).values()) {
      long blocks = ((SplitBlockBloomFilter) union).blocks();
      union = unite(union, ((SplitBlockBloomFilter) filter).resize(blocks));
    }
    return Optional.of(new StoredFilter(union, metadata(keys)));
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
    if (!(filter instanceof ClassicBloomFilter || filter instanceof SplitBlockBloomFilter)) {
      throw new IllegalArgumentException(
          "Only split-block and classic filters can be united; got " + filter);
    }
    if (bySize.isEmpty()) {
      return;
    }
    BloomFilter first = bySize.firstEntry().getValue();
    boolean fits =
        filter instanceof ClassicBloomFilter classic
            ? first instanceof ClassicBloomFilter other
                && classic.bits() == other.bits()
                && classic.hashes() == other.hashes()
            : first instanceof SplitBlockBloomFilter;
    if (!fits) {
      throw new IllegalArgumentException(
          "Filters of different structures cannot be united, nor classic ones of different sizes;"
              + " got "
              + first
              + " and "
              + filter
              + ". Build both anew in the same way");
    }
  }

  private static BloomFilter unite(BloomFilter a, BloomFilter b) {
    return a instanceof ClassicBloomFilter classic
        ? classic.union((ClassicBloomFilter) b)
        : ((SplitBlockBloomFilter) a).union((SplitBlockBloomFilter) b);
  }
}
