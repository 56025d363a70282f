package io.bloomjoin.spark.function;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.StoredFilter;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * A filter in its bytes, asked row by row; parses the bytes again only when they change. Not
 * thread-safe.
 */
public final class KeptFilter {
  private final List<String> keyTypes;
  private byte[] parsed;
  private BloomFilter filter;

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
    if (bytes != parsed && !Arrays.equals(bytes, parsed)) {
      filter = parse(bytes, keyTypes);
    }
    parsed = bytes;
    return filter.mightContain(hash);
  }

  /** The filter in {@code bytes}, which must be one over keys of these types. */
  static BloomFilter parse(byte[] bytes, List<String> keyTypes) {
    StoredFilter stored;
    try {
      stored = FilterFormat.fromBytes(bytes);
    } catch (IOException broken) {
      throw new IllegalArgumentException(
          "bloom_might_contain: the first argument is not a Bloom filter: " + broken.getMessage(),
          broken);
    }
    List<String> stated = stored.metadata().keyTypes();
    if (!stated.isEmpty() && !stated.equals(keyTypes)) {
      throw new IllegalArgumentException(
          String.format(
              "bloom_might_contain: the filter holds keys of type (%s) and is asked for (%s)."
                  + " Cast the keys to the filter's types.",
              String.join(", ", stated), String.join(", ", keyTypes)));
    }
    return stored.filter();
  }
}
