package io.bloomjoin.spark.build;

import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import io.bloomjoin.filter.SplitBlockSizing;
import java.util.Arrays;

/**
 * What one partition, or several merged ones, contribute to a filter, as a plain {@code long[]}
 * that every Spark serializer takes:
 *
 * <pre>
 *   [0] partitions merged   [1] keys added   [2…] key hashes, or the words of the bits
 * </pre>
 *
 * <p>Few keys travel as hashes and many as bits, whichever is smaller; an array of full length is
 * bits. The empty array is the zero of the merge.
 */
final class PartialFilter {
  private static final int HEADER = 2;
  private static final int LONGS_PER_BLOCK = SplitBlockSizing.BYTES_PER_BLOCK / Long.BYTES;
  static final long[] ZERO = {};

  private PartialFilter() {}

  static long partitions(long[] partial) {
    return partial.length == 0 ? 0 : partial[0];
  }

  static long keys(long[] partial) {
    return partial.length == 0 ? 0 : partial[1];
  }

  /** Collects the keys of one partition. */
  static final class Collector {
    private final int words;
    private long[] hashes = new long[64];
    private int size;
    private long keys;
    private SplitBlockBloomFilterBuilder bits;

    Collector(int words) {
      this.words = words;
    }

    void add(long hash) {
      keys++;
      if (bits != null) {
        bits.add(hash);
        return;
      }
      if (size == words - 1) {
        bits = toBits(hashes, 0, size, words);
        hashes = null;
        bits.add(hash);
        return;
      }
      if (size == hashes.length) {
        hashes = Arrays.copyOf(hashes, (int) Math.min(2L * size, words));
      }
      hashes[size++] = hash;
    }

    long[] finish() {
      long[] body = bits != null ? bits.build().words() : hashes;
      return assemble(1, keys, body, bits != null ? words : size);
    }
  }

  /** The union of two partials of a filter of {@code words} words; may reuse their arrays. */
  static long[] merge(long[] a, long[] b, int words) {
    if (a.length == 0) {
      return b;
    }
    if (b.length == 0) {
      return a;
    }
    if (a.length < b.length) {
      return merge(b, a, words);
    }
    long partitions = a[0] + b[0];
    long keys = a[1] + b[1];
    if (isBits(a, words)) {
      orInto(a, b, words);
      a[0] = partitions;
      a[1] = keys;
      return a;
    }
    int hashesInA = a.length - HEADER;
    int hashesInB = b.length - HEADER;
    if ((long) hashesInA + hashesInB < words) {
      long[] merged = Arrays.copyOf(a, a.length + hashesInB);
      System.arraycopy(b, HEADER, merged, a.length, hashesInB);
      merged[0] = partitions;
      merged[1] = keys;
      return merged;
    }
    SplitBlockBloomFilterBuilder bits = toBits(a, HEADER, hashesInA, words);
    addHashes(bits, b, HEADER, hashesInB);
    return assemble(partitions, keys, bits.build().words(), words);
  }

  /** The filter of all keys of {@code partial}. */
  static SplitBlockBloomFilter filter(long[] partial, int words) {
    if (isBits(partial, words)) {
      return SplitBlockBloomFilter.ofWords(Arrays.copyOfRange(partial, HEADER, HEADER + words));
    }
    return toBits(partial, HEADER, Math.max(0, partial.length - HEADER), words).build();
  }

  private static boolean isBits(long[] partial, int words) {
    return partial.length == HEADER + words;
  }

  private static void orInto(long[] target, long[] source, int words) {
    if (isBits(source, words)) {
      for (int i = HEADER; i < target.length; i++) {
        target[i] |= source[i];
      }
      return;
    }
    SplitBlockBloomFilterBuilder bits = builder(words);
    addHashes(bits, source, HEADER, source.length - HEADER);
    long[] added = bits.build().words();
    for (int i = 0; i < words; i++) {
      target[HEADER + i] |= added[i];
    }
  }

  private static SplitBlockBloomFilterBuilder toBits(
      long[] hashes, int from, int count, int words) {
    SplitBlockBloomFilterBuilder bits = builder(words);
    addHashes(bits, hashes, from, count);
    return bits;
  }

  private static SplitBlockBloomFilterBuilder builder(int words) {
    return SplitBlockBloomFilterBuilder.withBlocks(words / LONGS_PER_BLOCK);
  }

  private static void addHashes(
      SplitBlockBloomFilterBuilder bits, long[] hashes, int from, int count) {
    for (int i = from; i < from + count; i++) {
      bits.add(hashes[i]);
    }
  }

  private static long[] assemble(long partitions, long keys, long[] body, int length) {
    long[] partial = new long[HEADER + length];
    partial[0] = partitions;
    partial[1] = keys;
    System.arraycopy(body, 0, partial, HEADER, length);
    return partial;
  }
}
