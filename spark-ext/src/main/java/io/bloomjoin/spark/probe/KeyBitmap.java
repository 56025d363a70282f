package io.bloomjoin.spark.probe;

/** A set of numbers that lie close together: one bit for each number of a range. */
public final class KeyBitmap implements KeySet {
  private final long[] words;
  private final long first;

  /**
   * @param words the bits, lowest first in each long; not copied, and not to be modified later
   * @param first the number of the first bit; that of the last one must be a long too
   * @throws IllegalArgumentException if there is no word, or the last number is no long
   */
  public KeyBitmap(long[] words, long first) {
    if (words.length == 0) {
      throw new IllegalArgumentException("A bitmap has at least one word; got none");
    }
    if (first > Long.MAX_VALUE - (words.length * 64L - 1)) {
      throw new IllegalArgumentException(
          "The numbers of a bitmap are longs; got "
              + words.length
              + " words from the number "
              + first);
    }
    this.words = words;
    this.first = first;
  }

  @Override
  public boolean contains(long key) {
    // The distance as an unsigned number: a key below the first one is far above the last.
    long at = key - first;
    long word = at >>> 6;
    return word < words.length && (words[(int) word] >>> at & 1) != 0;
  }

  @Override
  public int select(long[] keys, int from, int to, int[] selected, int count) {
    long[] bits = words;
    long origin = first;
    long length = bits.length;
    int found = count;
    for (int i = from; i < to; i++) {
      long at = keys[i] - origin;
      long word = at >>> 6;
      selected[found] = i;
      found += word < length ? (int) (bits[(int) word] >>> at & 1) : 0;
    }
    return found;
  }

  @Override
  public long[] words() {
    return words;
  }

  /** The number of the first bit. */
  @Override
  public long parameter() {
    return first;
  }

  @Override
  public String kind() {
    return "bitmap";
  }
}
