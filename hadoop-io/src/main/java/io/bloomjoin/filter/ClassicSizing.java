package io.bloomjoin.filter;

/** How large a {@link ClassicBloomFilter} must be, and how many bits a key should set. */
public final class ClassicSizing {

  /** The most bits of a filter, 16 GiB less 72 bytes: what one Java array holds. */
  public static final long MAX_BITS = (Integer.MAX_VALUE - 8) * 64L;

  /** The most bits of a key; a 64-bit hash cannot give a probability below 2^-64. */
  public static final int MAX_HASHES = 64;

  private static final double LN_2 = Math.log(2);

  private ClassicSizing() {}

  /**
   * The false positive probability to expect of a filter, from 0 to 1: {@code (1 - e^(-kn/m))^k}.
   *
   * @param keys the number of distinct keys, at least 0
   * @param bits from 1 to {@link #MAX_BITS}
   * @param hashes from 1 to {@link #MAX_HASHES}
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static double fpp(long keys, long bits, int hashes) {
    Arguments.checkKeys(keys);
    checkGeometry(bits, hashes);
    return Math.pow(-Math.expm1(-hashes * ((double) keys / bits)), hashes);
  }

  /**
   * The smallest number of bits with which that many keys reach the false positive probability, if
   * the number of hashes is best: {@code -n ln p / (ln 2)^2}.
   *
   * @param expectedKeys the number of distinct keys, at least 0
   * @param fpp above 0 and below 1
   * @throws IllegalArgumentException if an argument is out of range, or more than {@link #MAX_BITS}
   *     would be needed
   */
  public static long bitsFor(long expectedKeys, double fpp) {
    Arguments.checkKeys(expectedKeys);
    Arguments.checkFpp(fpp);
    double bits = Math.max(1, Math.ceil(-Math.log(fpp) / (LN_2 * LN_2) * expectedKeys));
    if (bits > MAX_BITS) {
      throw new IllegalArgumentException(
          String.format(
              "%d keys at a false positive probability of %s need %.0f bits, but a filter has at"
                  + " most %d; allow a higher probability, or split the keys",
              expectedKeys, fpp, bits, MAX_BITS));
    }
    return (long) bits;
  }

  /**
   * The number of hashes with the lowest false positive probability: {@code (m / n) ln 2} rounded,
   * from 1 to {@link #MAX_HASHES}.
   *
   * @param expectedKeys the number of distinct keys, at least 0
   * @param bits from 1 to {@link #MAX_BITS}
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static int hashesFor(long expectedKeys, long bits) {
    Arguments.checkKeys(expectedKeys);
    checkGeometry(bits, 1);
    double bitsPerKey = (double) bits / Math.max(1, expectedKeys);
    return (int) Math.max(1, Math.min(MAX_HASHES, Math.round(bitsPerKey * LN_2)));
  }

  static void checkGeometry(long bits, int hashes) {
    if (bits < 1 || bits > MAX_BITS) {
      throw new IllegalArgumentException(
          "A classic filter has from 1 to " + MAX_BITS + " bits; got " + bits);
    }
    if (hashes < 1 || hashes > MAX_HASHES) {
      throw new IllegalArgumentException(
          "A key sets from 1 to " + MAX_HASHES + " bits; got " + hashes);
    }
  }
}
