package io.bloomjoin.benchmarks;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.ClassicBloomFilter;
import io.bloomjoin.filter.ClassicBloomFilterBuilder;
import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Filters that are filled and asked in bulk. For notebooks, from which a call into the JVM for each
 * key would take minutes.
 *
 * <p>Hashes come as bytes: 8 for each, little endian. A pair is the two hashes of a key, 16 bytes.
 * All methods throw {@link IllegalArgumentException} if the bytes end within a hash or pair.
 */
public final class BulkFilters {
  private BulkFilters() {}

  /** The classic filter of that geometry over keys of which the pairs are given. */
  public static ClassicBloomFilter classicOfPairs(byte[] pairs, long bits, int hashes) {
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.withBits(bits, hashes);
    LongBuffer each = longs(pairs, 2);
    while (each.hasRemaining()) {
      builder.add(each.get(), each.get());
    }
    return builder.build();
  }

  /** How many of the pairs may be in the filter. */
  public static int passedPairs(ClassicBloomFilter filter, byte[] pairs) {
    int passed = 0;
    LongBuffer each = longs(pairs, 2);
    while (each.hasRemaining()) {
      passed += filter.mightContain(each.get(), each.get()) ? 1 : 0;
    }
    return passed;
  }

  /** The classic filter of that geometry over the hashes. */
  public static ClassicBloomFilter classic(byte[] keyHashes, long bits, int hashes) {
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.withBits(bits, hashes);
    LongBuffer each = longs(keyHashes, 1);
    while (each.hasRemaining()) {
      builder.add(each.get());
    }
    return builder.build();
  }

  /** The split-block filter of that size over the hashes. */
  public static SplitBlockBloomFilter splitBlock(byte[] keyHashes, long blocks) {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(blocks);
    LongBuffer each = longs(keyHashes, 1);
    while (each.hasRemaining()) {
      builder.add(each.get());
    }
    return builder.build();
  }

  /** How many of the hashes may be in the filter. */
  public static int passed(BloomFilter filter, byte[] keyHashes) {
    int passed = 0;
    LongBuffer each = longs(keyHashes, 1);
    while (each.hasRemaining()) {
      passed += filter.mightContain(each.get()) ? 1 : 0;
    }
    return passed;
  }

  private static LongBuffer longs(byte[] bytes, int together) {
    int unit = together * Long.BYTES;
    if (bytes.length % unit != 0) {
      throw new IllegalArgumentException(
          "The bytes must be a multiple of " + unit + "; got " + bytes.length);
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
  }
}
