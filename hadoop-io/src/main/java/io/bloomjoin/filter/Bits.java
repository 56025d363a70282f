package io.bloomjoin.filter;

/** An array of longs as a row of bits, bit 0 lowest in the first long. */
final class Bits {

  private Bits() {}

  static boolean isSet(long[] words, long index) {
    return (words[(int) (index >>> 6)] >>> index & 1) != 0;
  }

  static void set(long[] words, long index) {
    words[(int) (index >>> 6)] |= 1L << index;
  }

  static long count(long[] words) {
    long count = 0;
    for (long word : words) {
      count += Long.bitCount(word);
    }
    return count;
  }

  static boolean isEmpty(long[] words) {
    for (long word : words) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }
}
