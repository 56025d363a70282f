package io.bloomjoin.spark.probe;

/**
 * A set of keys that are numbers. It has no false positives, and takes the keys themselves where a
 * Bloom filter takes their hashes. Immutable and thread-safe.
 */
public sealed interface KeySet permits KeyBitmap, KeyTable {

  boolean contains(long key);

  /**
   * Tests many keys, without a branch on what is found.
   *
   * @param keys the keys
   * @param from the index of the first key to test
   * @param to the index after the last
   * @param selected gets the indexes of the keys that are contained, in order; needs room for
   *     {@code to - from} of them, of which those after the last one have no meaning
   * @param count how many entries {@code selected} has already
   * @return how many entries it has now
   */
  int select(long[] keys, int from, int to, int[] selected, int count);

  /** The set as an array, its own, which must not be modified. */
  long[] words();

  /** The number that is needed beside {@link #words} to read them. */
  long parameter();

  /** What the set is, in a word, for plans. */
  String kind();
}
