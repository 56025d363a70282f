package io.bloomjoin.spark.function;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.StoredFilter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Filters in their bytes, asked row by row. The bytes are parsed once for each filter, as long as
 * no more than 64 MiB of other filters have come since it was asked last. Not thread-safe.
 */
public final class KeptFilter {
  private static final long MAX_KEPT_BYTES = 64L << 20;

  private static final class Parsed {
    final byte[] bytes;
    final BloomFilter filter;

    Parsed(byte[] bytes, BloomFilter filter) {
      this.bytes = bytes;
      this.filter = filter;
    }

    long sizeInBytes() {
      return bytes.length + filter.sizeInBytes();
    }
  }

  private final List<String> keyTypes;

  /** By their checksums, the one asked last at the end; the current one is not evicted. */
  private final Map<Integer, Parsed> kept = new LinkedHashMap<>(16, 0.75f, true);

  private long keptBytes;
  private Parsed current = new Parsed(null, null);

  /**
   * @param keyTypes the types of the keys that will be asked for, as Spark's catalog names them
   */
  public KeptFilter(String[] keyTypes) {
    this.keyTypes = List.of(keyTypes);
  }

  /**
   * Whether a key with this hash may be in the filter.
   *
   * @throws IllegalArgumentException if the bytes are no filter, or one over other key types
   */
  public boolean mightContain(byte[] bytes, long hash) {
    if (bytes != current.bytes) {
      current = parsed(bytes);
    }
    return current.filter.mightContain(hash);
  }

  private Parsed parsed(byte[] bytes) {
    if (Arrays.equals(bytes, current.bytes)) {
      return new Parsed(bytes, current.filter);
    }
    Parsed known = kept.get(checksum(bytes));
    if (known != null && Arrays.equals(bytes, known.bytes)) {
      return known;
    }
    StoredFilter stored = FilterArgument.parse(Functions.MIGHT_CONTAIN, bytes);
    checkKeyTypes(stored, keyTypes);
    Parsed fresh = new Parsed(bytes, stored.filter());
    Parsed replaced = kept.put(checksum(bytes), fresh);
    keptBytes += fresh.sizeInBytes() - (replaced == null ? 0 : replaced.sizeInBytes());
    Iterator<Parsed> eldest = kept.values().iterator();
    while (keptBytes > MAX_KEPT_BYTES) {
      keptBytes -= eldest.next().sizeInBytes();
      eldest.remove();
    }
    return fresh;
  }

  /** The last four bytes, where a filter has its checksum. */
  private static int checksum(byte[] bytes) {
    return Arrays.hashCode(Arrays.copyOfRange(bytes, Math.max(0, bytes.length - 4), bytes.length));
  }

  /**
   * @throws IllegalArgumentException if the filter states other key types; names both
   */
  static void checkKeyTypes(StoredFilter stored, List<String> keyTypes) {
    List<String> stated = stored.metadata().keyTypes();
    boolean same = stated.isEmpty() || stated.size() == keyTypes.size();
    for (int i = 0; same && i < stated.size(); i++) {
      same = keyTypes.get(i).equals(stated.get(i)) || keyTypes.get(i).equals("void");
    }
    if (!same) {
      throw new IllegalArgumentException(
          String.format(
              "bloom_might_contain: the filter holds keys of type (%s) and is asked for (%s)."
                  + " Cast the keys to the filter's types.",
              String.join(", ", stated), String.join(", ", keyTypes)));
    }
  }
}
