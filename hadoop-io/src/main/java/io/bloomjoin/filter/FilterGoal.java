package io.bloomjoin.filter;

import java.io.Serializable;

/**
 * What a filter is to reach, and the sizes that follow from it: the one rule by which SQL, Java and
 * MapReduce size the filters that they keep, so that equal keys make equal bytes.
 *
 * <p>The sizes are {@code 2^n} and {@code 3 * 2^n} blocks. Any two of them have a common divisor or
 * multiple that is such a size too, so that filters of different sizes can be united; the price is
 * a filter that is up to half larger than it need be.
 *
 * @param expectedKeys the number of distinct keys that there is to be room for, or 0 if the keys
 *     themselves decide
 * @param fpp the false positive probability not to exceed, from {@link #LEAST_FPP} to below 1
 */
public record FilterGoal(long expectedKeys, double fpp) implements Serializable {

  /** The false positive probability where none is asked for. */
  public static final double DEFAULT_FPP = 0.01;

  /** A key finds its eight bits in a block with a single other key once in 10^12. */
  public static final double LEAST_FPP = 1e-12;

  /** 1.5 GiB, which as bytes still fits an array: with more keys than it is for, it gets fuller. */
  static final long MAX_BLOCKS = 3L << 24;

  /** Room is kept free up to 128 MiB: what a filter of that size does not use is not stored. */
  private static final long MAX_ROOM =
      SparseBits.MAX_FILTER_BYTES / SplitBlockSizing.BYTES_PER_BLOCK;

  /** Bits are gathered with room for at least that many keys. */
  private static final long LEAST_GATHERED_KEYS = 32_000_000;

  /**
   * @throws IllegalArgumentException if an argument is out of range, or that many keys need a
   *     filter of more than 1.5 GiB
   */
  public FilterGoal {
    Arguments.checkKeys(expectedKeys);
    if (!(fpp >= LEAST_FPP && fpp < 1)) {
      throw new IllegalArgumentException(
          "A false positive probability is at least " + LEAST_FPP + " and below 1; got " + fpp);
    }
    if (blocksNeeded(expectedKeys, fpp) > MAX_BLOCKS) {
      throw new IllegalArgumentException(
          expectedKeys
              + " keys at a false positive probability of "
              + fpp
              + " need a filter of more than 1.5 GiB; allow a higher probability, or split the"
              + " keys");
    }
  }

  /**
   * Whatever the keys need to reach the false positive probability.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public static FilterGoal ofFpp(double fpp) {
    return new FilterGoal(0, fpp);
  }

  /** The blocks of a filter with that many distinct keys, and room for the expected ones. */
  long blocksFor(long keys) {
    return Math.max(leastBlocks(), step(Math.min(MAX_BLOCKS, blocksNeeded(keys, fpp))));
  }

  /** The blocks that a filter has however few keys there are. */
  long leastBlocks() {
    return Math.min(MAX_ROOM, step(blocksNeeded(expectedKeys, fpp)));
  }

  /**
   * The blocks in which bits are gathered before their number is known: {@code 3 * 2^n}, at least
   * twice what is expected, so that the filter folds to every smaller step.
   */
  long gatheringBlocks() {
    long keys = Math.max(expectedKeys, LEAST_GATHERED_KEYS);
    long twice = 2 * Math.min(MAX_BLOCKS / 2, blocksNeeded(keys, fpp));
    long blocks = 3;
    while (blocks < twice) {
      blocks *= 2;
    }
    return blocks;
  }

  /** The least step of at least that many blocks. */
  private static long step(long blocks) {
    long power = Long.highestOneBit(blocks);
    if (power == blocks) {
      return blocks;
    }
    return blocks <= power / 2 * 3 && power > 1 ? power / 2 * 3 : 2 * power;
  }

  /** As {@link SplitBlockSizing#blocksFor}, but without a limit. */
  private static long blocksNeeded(long keys, double fpp) {
    return (long) Math.max(1, Math.ceil(keys * (SplitBlockSizing.bitsPerKey(fpp) / 256)));
  }
}
