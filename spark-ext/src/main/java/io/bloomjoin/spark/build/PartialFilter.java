package io.bloomjoin.spark.build;

import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import io.bloomjoin.filter.SplitBlockSizing;
import io.bloomjoin.spark.catalyst.KeyNumber;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * What one partition, or several merged ones, contribute to a filter, as a plain {@code long[]}
 * that every Spark serializer takes:
 *
 * <pre>
 *   [0] partitions merged   [1] keys added   [2] form   [3] first word   [4…] body
 *
 *   LIST    the keys: numbers, or hashes of keys that are none
 *   RANGE   a bitmap of numbers, the first of which is in the first word; see {@link NumberRange}
 *   BITS    the words of the Bloom filter
 * </pre>
 *
 * <p>Few keys travel as a list. More are a range if they are numbers and lie close together, and
 * else bits. No body is longer than the bits. The empty array is the zero of the merge.
 *
 * @param words how many words the Bloom filter has
 * @param number what the keys are
 */
record PartialFilter(int words, KeyNumber number) implements Serializable {
  static final int HEADER = 4;
  static final long[] ZERO = {};

  private static final long LIST = 0;
  private static final long RANGE = 1;
  private static final long BITS = 2;
  private static final int LONGS_PER_BLOCK = SplitBlockSizing.BYTES_PER_BLOCK / Long.BYTES;

  static PartialFilter ofBlocks(long blocks, KeyNumber number) {
    return new PartialFilter(Math.toIntExact(blocks * LONGS_PER_BLOCK), number);
  }

  static long partitions(long[] partial) {
    return partial.length == 0 ? 0 : partial[0];
  }

  static long keys(long[] partial) {
    return partial.length == 0 ? 0 : partial[1];
  }

  /** The keys of a list; none of another form. */
  static LongStream list(long[] partial) {
    return partial.length > 0 && partial[2] == LIST
        ? Arrays.stream(partial, HEADER, partial.length)
        : LongStream.empty();
  }

  long blocks() {
    return words / LONGS_PER_BLOCK;
  }

  Collector collector() {
    return new Collector();
  }

  /** Collects the keys of one partition. */
  final class Collector {
    private long keys;
    // One of three:
    private long[] list = new long[64];
    private NumberRange range;
    private SplitBlockBloomFilterBuilder bits;

    private int listed;

    /** Adds a key: a number, or a hash if keys are none. */
    void add(long key) {
      keys++;
      if (list != null) {
        if (listed < words - 1) {
          addToList(key);
          return;
        }
        endList();
      }
      if (range != null) {
        if (range.add(key)) {
          return;
        }
        bits = builder();
        range.forEach(this::addToBits);
        range = null;
      }
      addToBits(key);
    }

    private void addToList(long key) {
      if (listed == list.length) {
        list = Arrays.copyOf(list, (int) Math.min(2L * listed, words));
      }
      list[listed++] = key;
    }

    private void endList() {
      range = rangeOf(list, 0, listed);
      if (range == null) {
        bits = builder();
        addAll(bits, list, 0, listed);
      }
      list = null;
    }

    private void addToBits(long key) {
      bits.add(number.hash(key));
    }

    long[] finish() {
      if (list != null) {
        return assemble(1, keys, LIST, 0, list, listed);
      }
      return range != null ? ofRange(1, keys, range) : ofBits(1, keys, bits);
    }
  }

  /** The union of two partials; may reuse their arrays. */
  long[] merge(long[] a, long[] b) {
    if (a.length == 0) {
      return b;
    }
    if (b.length == 0) {
      return a;
    }
    long partitions = a[0] + b[0];
    long keys = a[1] + b[1];
    if (a[2] == BITS || b[2] == BITS) {
      long[] target = a[2] == BITS ? a : b;
      orInto(target, target == a ? b : a);
      target[0] = partitions;
      target[1] = keys;
      return target;
    }
    int together = bodyLength(a) + bodyLength(b);
    if (a[2] == LIST && b[2] == LIST && together < words) {
      long[] merged = Arrays.copyOf(a, HEADER + together);
      System.arraycopy(b, HEADER, merged, a.length, bodyLength(b));
      merged[0] = partitions;
      merged[1] = keys;
      return merged;
    }
    NumberRange range = newRange();
    if (range != null && addTo(range, a) && addTo(range, b)) {
      return ofRange(partitions, keys, range);
    }
    SplitBlockBloomFilterBuilder bits = builder();
    addAll(bits, a);
    addAll(bits, b);
    return ofBits(partitions, keys, bits);
  }

  /** The Bloom filter of all keys of {@code partial}. */
  SplitBlockBloomFilter bloomFilter(long[] partial) {
    if (partial.length > 0 && partial[2] == BITS) {
      return SplitBlockBloomFilter.ofWords(Arrays.copyOfRange(partial, HEADER, HEADER + words));
    }
    SplitBlockBloomFilterBuilder bits = builder();
    addAll(bits, partial);
    return bits.build();
  }

  /** The keys of {@code partial} as numbers; null if they are none, are unknown, or far apart. */
  NumberRange range(long[] partial) {
    NumberRange range = newRange();
    return range != null && partial.length > 0 && partial[2] != BITS && addTo(range, partial)
        ? range
        : null;
  }

  private static int bodyLength(long[] partial) {
    return partial.length - HEADER;
  }

  private NumberRange newRange() {
    return number == KeyNumber.NONE ? null : new NumberRange(words);
  }

  private NumberRange rangeOf(long[] numbers, int from, int count) {
    NumberRange range = newRange();
    return range != null && addTo(range, numbers, from, count) ? range : null;
  }

  /** Whether the range takes all numbers of a list or a range. */
  private static boolean addTo(NumberRange range, long[] partial) {
    return partial[2] == LIST
        ? addTo(range, partial, HEADER, bodyLength(partial))
        : range.addWords(partial[3], partial, HEADER, bodyLength(partial));
  }

  private static boolean addTo(NumberRange range, long[] numbers, int from, int count) {
    for (int i = from; i < from + count; i++) {
      if (!range.add(numbers[i])) {
        return false;
      }
    }
    return true;
  }

  private SplitBlockBloomFilterBuilder builder() {
    return SplitBlockBloomFilterBuilder.withBlocks(words / LONGS_PER_BLOCK);
  }

  private void orInto(long[] target, long[] partial) {
    long[] added = partial;
    int from = HEADER;
    if (partial[2] != BITS) {
      SplitBlockBloomFilterBuilder bits = builder();
      addAll(bits, partial);
      added = bits.build().words();
      from = 0;
    }
    for (int i = 0; i < words; i++) {
      target[HEADER + i] |= added[from + i];
    }
  }

  /** Adds the keys of a list or a range. */
  private void addAll(SplitBlockBloomFilterBuilder bits, long[] partial) {
    if (partial.length == 0) {
      return;
    }
    if (partial[2] == LIST) {
      addAll(bits, partial, HEADER, bodyLength(partial));
    } else {
      NumberRange.forEach(
          partial[3], partial, HEADER, bodyLength(partial), key -> bits.add(number.hash(key)));
    }
  }

  private void addAll(SplitBlockBloomFilterBuilder bits, long[] keys, int from, int count) {
    for (int i = from; i < from + count; i++) {
      bits.add(number.hash(keys[i]));
    }
  }

  private static long[] ofRange(long partitions, long keys, NumberRange range) {
    return assemble(partitions, keys, RANGE, range.firstWord(), range.words(), range.sizeInWords());
  }

  private long[] ofBits(long partitions, long keys, SplitBlockBloomFilterBuilder bits) {
    return assemble(partitions, keys, BITS, 0, bits.build().words(), words);
  }

  private static long[] assemble(
      long partitions, long keys, long form, long firstWord, long[] body, int length) {
    long[] partial = new long[HEADER + length];
    partial[0] = partitions;
    partial[1] = keys;
    partial[2] = form;
    partial[3] = firstWord;
    System.arraycopy(body, 0, partial, HEADER, length);
    return partial;
  }
}
