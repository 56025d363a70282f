package io.bloomjoin.filter;

/**
 * How large a {@link SplitBlockBloomFilter} must be. Pure arithmetic, a few microseconds a call.
 */
public final class SplitBlockSizing {

  /*
   * With n keys in B blocks the load of a block is Poisson with mean n / B. Each of the L keys of a
   * block sets one bit of 32 in every word, so that a given bit of a word is set with probability
   * 1 - (31/32)^L, and a foreign key finds all eight of its bits with the eighth power of that. The
   * classic formula takes every block for equally full, and promises too much.
   */

  /** The size of a block in bytes. */
  public static final int BYTES_PER_BLOCK = 32;

  /** The most blocks of a filter, 16 GiB less 64 bytes: what one Java array holds. */
  public static final long MAX_BLOCKS = (Integer.MAX_VALUE - 8) / 4;

  /** At this many keys a block, every foreign key passes but one in 10^8. */
  private static final double FULL_LOAD = 700;

  private SplitBlockSizing() {}

  /**
   * The false positive probability to expect of a filter, from 0 to 1.
   *
   * @param keys the number of distinct keys, at least 0
   * @param blocks from 1 to {@link #MAX_BLOCKS}
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static double fpp(long keys, long blocks) {
    Arguments.checkKeys(keys);
    checkBlocks(blocks);
    return fppAtLoad((double) keys / blocks);
  }

  /**
   * The smallest number of blocks with which that many keys reach the false positive probability.
   *
   * @param expectedKeys the number of distinct keys, at least 0
   * @param fpp above 0 and below 1
   * @throws IllegalArgumentException if an argument is out of range, or more than {@link
   *     #MAX_BLOCKS} would be needed
   */
  public static long blocksFor(long expectedKeys, double fpp) {
    Arguments.checkKeys(expectedKeys);
    Arguments.checkFpp(fpp);
    double blocks = Math.max(1, Math.ceil(expectedKeys / loadFor(fpp)));
    if (blocks > MAX_BLOCKS) {
      throw new IllegalArgumentException(
          String.format(
              "%d keys at a false positive probability of %s need %.0f blocks of 32 bytes, but a"
                  + " filter has at most %d; allow a higher probability, or split the keys",
              expectedKeys, fpp, blocks, MAX_BLOCKS));
    }
    return (long) blocks;
  }

  /**
   * The most keys with which a filter of that size reaches the false positive probability, at least
   * 0.
   *
   * @param blocks from 1 to {@link #MAX_BLOCKS}
   * @param fpp above 0 and below 1
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static long keysFor(long blocks, double fpp) {
    checkBlocks(blocks);
    Arguments.checkFpp(fpp);
    return (long) (blocks * loadFor(fpp));
  }

  /**
   * The bits that each key takes at a false positive probability, for instance 10.5 at 1 %.
   *
   * @param fpp above 0 and below 1
   * @throws IllegalArgumentException if it is out of range
   */
  public static double bitsPerKey(double fpp) {
    Arguments.checkFpp(fpp);
    return BYTES_PER_BLOCK * 8 / loadFor(fpp);
  }

  static void checkBlocks(long blocks) {
    if (blocks < 1 || blocks > MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "A filter has from 1 to " + MAX_BLOCKS + " blocks of 32 bytes; got " + blocks);
    }
  }

  /** The highest mean number of keys a block that reaches the probability. */
  private static double loadFor(double fpp) {
    double low = 0;
    double high = FULL_LOAD;
    while (true) {
      double middle = (low + high) / 2;
      if (middle == low || middle == high) {
        return low;
      }
      if (fppAtLoad(middle) <= fpp) {
        low = middle;
      } else {
        high = middle;
      }
    }
  }

  private static double fppAtLoad(double load) {
    if (load >= FULL_LOAD) {
      return 1;
    }
    double probability = Math.exp(-load);
    double clear = 1;
    double sum = 0;
    // Ten standard deviations beyond the mean, and enough for the tail of a small mean.
    int last = (int) (load + 10 * Math.sqrt(load) + 40);
    for (int keys = 1; keys <= last; keys++) {
      probability *= load / keys;
      clear *= 31.0 / 32;
      double squared = (1 - clear) * (1 - clear);
      sum += probability * squared * squared * squared * squared;
    }
    return sum;
  }
}
