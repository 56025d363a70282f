package io.bloomjoin.filter;

import java.util.Arrays;

/**
 * A split-block Bloom filter that keys can be taken out of again: a counter of four bits in place
 * of every bit.
 *
 * <p>Four times as large as the {@link SplitBlockBloomFilter} that it answers like, and that {@link
 * #toPlain} gives. Made and changed by {@link CountingBloomFilterBuilder}. Immutable and
 * thread-safe.
 *
 * <p>Two rules of its builder matter to whoever keeps one:
 *
 * <ul>
 *   <li>Only what was added may be taken out, as often as it was added. Taking out a key that was
 *       never added, and that the filter mistakes for one that was, takes away from other keys,
 *       which may then be missed.
 *   <li>A counter that reached 15 stays there, as it is not known by how much it is short. So a key
 *       may remain that was taken out; no key is ever missed for it.
 * </ul>
 */
public final class CountingBloomFilter implements BloomFilter {

  /*
   * The counter of bit b of word w of a block is number 32w + b of the block's 256: sixteen of them
   * in a long, the first lowest [1]. With the load of a block that a filter at 1 % has, 24 keys, a
   * counter is at 15 once in 10^14; only a key that is added again and again gets there.
   *
   * [1] Fan, Cao, Almeida, Broder: Summary Cache, 2000.
   */

  private static final long serialVersionUID = 1L;

  static final int LONGS_PER_BLOCK = 16;
  static final int BYTES_PER_BLOCK = LONGS_PER_BLOCK * Long.BYTES;

  /** The most blocks: what one Java array holds. */
  static final long MAX_BLOCKS = (Integer.MAX_VALUE - 8) / LONGS_PER_BLOCK;

  /** The highest number of a counter, at which it stays. */
  static final int SATURATED = 15;

  private static final int COUNTERS_PER_LONG = 16;
  private static final int COUNTERS_PER_BLOCK = 256;

  private final long[] counters;

  private CountingBloomFilter(long[] counters) {
    this.counters = counters;
  }

  /**
   * Wraps the array without copying it.
   *
   * @throws IllegalArgumentException if the array is empty or its length is no multiple of 16
   */
  static CountingBloomFilter ofCounters(long[] counters) {
    if (counters.length == 0 || counters.length % LONGS_PER_BLOCK != 0) {
      throw new IllegalArgumentException(
          "A counting filter has 16 longs for each block, and at least one block; got "
              + counters.length
              + " longs");
    }
    return new CountingBloomFilter(counters);
  }

  /** The counters: the filter's own array, which must not be modified. */
  long[] counters() {
    return counters;
  }

  /** The number of blocks, at least 1; each is 128 bytes here, and 32 in the plain filter. */
  public long blocks() {
    return counters.length / LONGS_PER_BLOCK;
  }

  @Override
  public boolean mightContain(long hash) {
    return contains(counters, hash);
  }

  @Override
  public boolean isEmpty() {
    return Bits.isEmpty(counters);
  }

  @Override
  public long sizeInBytes() {
    return counters.length * 8L;
  }

  @Override
  public double fpp() {
    return toPlain().fpp();
  }

  /** The share of the counters that are not 0, from 0 to 1. Reads all of them. */
  @Override
  public double fillRatio() {
    return toPlain().fillRatio();
  }

  @Override
  public long estimatedKeys() {
    return toPlain().estimatedKeys();
  }

  /** The filter with a bit for each counter that is not 0; it gives the same answers. */
  public SplitBlockBloomFilter toPlain() {
    long[] words = new long[counters.length / 4];
    for (int i = 0; i < counters.length; i++) {
      long rest = counters[i];
      for (int counter = 0; rest != 0; counter++, rest >>>= 4) {
        if ((rest & SATURATED) != 0) {
          Bits.set(words, (long) i * COUNTERS_PER_LONG + counter);
        }
      }
    }
    return SplitBlockBloomFilter.ofWords(words);
  }

  /**
   * Returns the filter of all keys of both, each as often as in both together.
   *
   * @throws IllegalArgumentException if the other has another number of blocks
   */
  public CountingBloomFilter union(CountingBloomFilter other) {
    if (counters.length != other.counters.length) {
      throw new IllegalArgumentException(
          "Only counting filters of the same size can be united; got "
              + blocks()
              + " and "
              + other.blocks()
              + " blocks");
    }
    long[] union = new long[counters.length];
    for (int i = 0; i < union.length; i++) {
      for (int shift = 0; shift < Long.SIZE; shift += 4) {
        long sum = (counters[i] >>> shift & SATURATED) + (other.counters[i] >>> shift & SATURATED);
        union[i] |= Math.min(sum, SATURATED) << shift;
      }
    }
    return new CountingBloomFilter(union);
  }

  /** Whether the other object is a counting filter of the same size with the same counters. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CountingBloomFilter that && Arrays.equals(counters, that.counters);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counters);
  }

  @Override
  public String toString() {
    return "CountingBloomFilter[" + blocks() + " blocks]";
  }

  static boolean contains(long[] counters, long hash) {
    long block = firstCounter(counters, hash);
    for (int word = 0; word < SplitBlockBloomFilter.WORDS_PER_BLOCK; word++) {
      if (count(counters, block + SplitBlockBloomFilter.bit(hash, word)) == 0) {
        return false;
      }
    }
    return true;
  }

  static void add(long[] counters, long hash) {
    long block = firstCounter(counters, hash);
    for (int word = 0; word < SplitBlockBloomFilter.WORDS_PER_BLOCK; word++) {
      increment(counters, block + SplitBlockBloomFilter.bit(hash, word));
    }
  }

  /** Only for a hash that the counters contain. */
  static void remove(long[] counters, long hash) {
    long block = firstCounter(counters, hash);
    for (int word = 0; word < SplitBlockBloomFilter.WORDS_PER_BLOCK; word++) {
      long counter = block + SplitBlockBloomFilter.bit(hash, word);
      if (count(counters, counter) < SATURATED) {
        counters[(int) (counter / COUNTERS_PER_LONG)] -= 1L << shift(counter);
      }
    }
  }

  static int count(long[] counters, long counter) {
    return (int) (counters[(int) (counter / COUNTERS_PER_LONG)] >>> shift(counter)) & SATURATED;
  }

  static void increment(long[] counters, long counter) {
    if (count(counters, counter) < SATURATED) {
      counters[(int) (counter / COUNTERS_PER_LONG)] += 1L << shift(counter);
    }
  }

  private static int shift(long counter) {
    return 4 * (int) (counter % COUNTERS_PER_LONG);
  }

  private static long firstCounter(long[] counters, long hash) {
    return SplitBlockBloomFilter.blockOf(hash, counters.length / LONGS_PER_BLOCK)
        * COUNTERS_PER_BLOCK;
  }
}
