package io.bloomjoin.filter;

import java.util.Arrays;

/** The short form of a counting filter with few keys. */
final class SparseCounters {

  /*
   * As for a plain split-block filter (SparseBits), with patterns that are added: each key adds one
   * to one counter of every word, so that the counters of every word have the same sum, the number
   * n of the block's keys. Up to six are patterns of five bytes each; more, and blocks whose words
   * have different sums because a counter is saturated, are copied: 128 bytes.
   */

  private static final int WORDS_PER_BLOCK = SplitBlockBloomFilter.WORDS_PER_BLOCK;
  private static final int COUNTERS_PER_WORD = 32;
  private static final int COUNTERS_PER_BLOCK = WORDS_PER_BLOCK * COUNTERS_PER_WORD;
  private static final int PATTERN_BYTES = 5;
  private static final int MAX_PATTERNS = 6;
  private static final int COPIED = 7;

  private SparseCounters() {}

  static void encode(long[] counters, SparseOut out) {
    long skipped = 0;
    for (int at = 0; at < counters.length; at += CountingBloomFilter.LONGS_PER_BLOCK) {
      long[] block = Arrays.copyOfRange(counters, at, at + CountingBloomFilter.LONGS_PER_BLOCK);
      if (Bits.isEmpty(block)) {
        skipped++;
      } else {
        putBlock(block, skipped, out);
        skipped = 0;
      }
    }
  }

  private static void putBlock(long[] block, long skipped, SparseOut out) {
    int keys = keys(block);
    if (keys == COPIED) {
      out.putNumber(8 * skipped + COPIED);
      for (long counters : block) {
        out.putBytes(counters, Long.BYTES);
      }
      return;
    }
    out.putNumber(8 * skipped + keys);
    for (int n = 0; n < keys; n++) {
      out.putBytes(takePattern(block), PATTERN_BYTES);
    }
  }

  /** The sum of the counters of each word, or 7 if that is more than six or not the same. */
  private static int keys(long[] block) {
    int keys = -1;
    for (int word = 0; word < WORDS_PER_BLOCK; word++) {
      int sum = 0;
      for (int i = 0; i < COUNTERS_PER_WORD; i++) {
        sum += CountingBloomFilter.count(block, (long) word * COUNTERS_PER_WORD + i);
      }
      if (sum > MAX_PATTERNS || (keys >= 0 && keys != sum)) {
        return COPIED;
      }
      keys = sum;
    }
    return keys;
  }

  /** Takes one from the lowest counter of every word that is not 0. */
  private static long takePattern(long[] block) {
    long pattern = 0;
    for (int word = 0; word < WORDS_PER_BLOCK; word++) {
      int bit = 0;
      while (CountingBloomFilter.count(block, (long) word * COUNTERS_PER_WORD + bit) == 0) {
        bit++;
      }
      int counter = word * COUNTERS_PER_WORD + bit;
      block[counter / 16] -= 1L << (4 * (counter % 16));
      pattern |= (long) bit << (5 * word);
    }
    return pattern;
  }

  static void decode(SparseIn in, long blocks, long[] counters) throws FilterFormatException {
    long next = 0;
    while (in.hasMore()) {
      long number = in.readNumber();
      int keys = (int) (number & 7);
      if (keys == 0) {
        throw new FilterFormatException("Payload: a sparse record has no pattern");
      }
      long block = SparseIn.skip(next, number >>> 3, blocks);
      if (keys == COPIED) {
        int at = (int) block * CountingBloomFilter.LONGS_PER_BLOCK;
        for (int i = 0; i < CountingBloomFilter.LONGS_PER_BLOCK; i++) {
          counters[at + i] = in.readBytes(Long.BYTES);
        }
      } else {
        for (int n = 0; n < keys; n++) {
          addPattern(in.readBytes(PATTERN_BYTES), block, counters);
        }
      }
      next = block + 1;
    }
  }

  private static void addPattern(long pattern, long block, long[] counters) {
    for (int word = 0; word < WORDS_PER_BLOCK; word++) {
      long bit = (pattern >>> (5 * word)) & 31;
      CountingBloomFilter.increment(
          counters, block * COUNTERS_PER_BLOCK + (long) word * COUNTERS_PER_WORD + bit);
    }
  }
}
