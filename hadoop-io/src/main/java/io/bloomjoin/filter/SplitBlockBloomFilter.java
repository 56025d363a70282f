package io.bloomjoin.filter;

import java.util.Arrays;

/**
 * The split-block Bloom filter of the Parquet format: a key touches one 32-byte block, and sets one
 * bit in each of the eight words of that block.
 *
 * <p>Make one with {@link SplitBlockBloomFilterBuilder}, or around existing bits with {@link
 * #ofWords}. Immutable and thread-safe.
 */
public final class SplitBlockBloomFilter implements BloomFilter {

  /*
   * A probe waits for memory once, however large the filter [2]: the 32 bytes of a block lie in one
   * cache line or, as a Java array begins off a line's border, in two neighbouring ones. The price
   * is space: keys fall on blocks unevenly, and crowded blocks answer "perhaps" more often, which
   * takes one bit more per key than the classic filter at 1 % (SplitBlockSizing knows how much).
   *
   * The upper half of the hash chooses the block, as a fraction of the number of blocks: no modulo,
   * and any number of blocks will do. The lower half, multiplied by eight odd salts, chooses by the
   * top five bits of each product one bit in each 32-bit word [1].
   *
   * A long holds two words, the even one in its lower half, so that the array's little-endian bytes
   * are Parquet's bitset. A probe tests all eight words without a branch: a test that stops at the
   * first clear bit is mispredicted on nearly every miss, and misses are what a join filter is for.
   *
   * [1] https://github.com/apache/parquet-format/blob/master/BloomFilter.md
   * [2] Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom Filters, 2007.
   */

  private static final long serialVersionUID = 1L;

  static final int LONGS_PER_BLOCK = 4;
  static final int WORDS_PER_BLOCK = 8;

  private static final int SALT_0 = 0x47b6137b;
  private static final int SALT_1 = 0x44974d91;
  private static final int SALT_2 = 0x8824ad5b;
  private static final int SALT_3 = 0xa2b7289d;
  private static final int SALT_4 = 0x705495c7;
  private static final int SALT_5 = 0x2df1424b;
  private static final int SALT_6 = 0x9efc4947;
  private static final int SALT_7 = 0x5c6bfb31;

  private static final int[] SALTS = {
    SALT_0, SALT_1, SALT_2, SALT_3, SALT_4, SALT_5, SALT_6, SALT_7
  };

  /**
   * So many blocks, or up to twice as many, give {@link #fpp()} to far better than one per cent.
   */
  private static final int SAMPLED_BLOCKS = 1 << 20;

  private final long[] words;

  private SplitBlockBloomFilter(long[] words) {
    this.words = words;
  }

  /**
   * Wraps the array without copying it; the caller must not modify it afterwards.
   *
   * @param words four longs a block, each holding two 32-bit words, the even one in its lower half
   * @throws IllegalArgumentException if the array is empty or its length is no multiple of four
   */
  public static SplitBlockBloomFilter ofWords(long[] words) {
    if (words.length == 0 || words.length % LONGS_PER_BLOCK != 0) {
      throw new IllegalArgumentException(
          "A split-block filter has four longs for each block, and at least one block; got "
              + words.length
              + " longs");
    }
    return new SplitBlockBloomFilter(words);
  }

  /**
   * Copies a bitset as Parquet stores it.
   *
   * @param bitset 32 bytes a block
   * @throws IllegalArgumentException if it is empty or its length is no multiple of 32
   */
  public static SplitBlockBloomFilter ofBitset(byte[] bitset) {
    if (bitset.length % SplitBlockSizing.BYTES_PER_BLOCK != 0) {
      throw new IllegalArgumentException(
          "A split-block bitset has 32 bytes for each block; got " + bitset.length + " bytes");
    }
    long[] words = new long[bitset.length / Long.BYTES];
    LittleEndian.wrap(bitset).asLongBuffer().get(words);
    return ofWords(words);
  }

  /** The bits, lowest first in each long: the filter's own array, which must not be modified. */
  public long[] words() {
    return words;
  }

  /** The number of 32-byte blocks, at least 1. */
  public long blocks() {
    return words.length / LONGS_PER_BLOCK;
  }

  @Override
  public boolean mightContain(long hash) {
    return contains(words, hash);
  }

  static boolean contains(long[] words, long hash) {
    int at = firstLong(hash, words.length);
    int key = (int) hash;
    return (firstWord(words, at, key) & otherWords(words, at, key) & 1) != 0;
  }

  /**
   * Tests many hashes; several times as fast as {@link #mightContain} for each where most are not
   * contained. The first word of each hash's block is tested first, in a loop in which one cache
   * miss does not wait for the other, and the other three words of those that are left.
   *
   * @param hashes the hashes
   * @param from the index of the first hash to test
   * @param to the index after the last
   * @param selected gets the indexes of the hashes that may be contained, in order; needs room for
   *     {@code to - from} of them, of which those after the last one have no meaning
   * @param count how many entries {@code selected} has already
   * @return how many entries it has now
   * @throws IndexOutOfBoundsException if an array is too short
   */
  public int select(long[] hashes, int from, int to, int[] selected, int count) {
    long[] bits = words;
    int candidates = count;
    for (int i = from; i < to; i++) {
      long hash = hashes[i];
      int key = (int) hash;
      selected[candidates] = i;
      candidates += (int) (firstWord(bits, firstLong(hash, bits.length), key) & 1);
    }
    int found = count;
    for (int j = count; j < candidates; j++) {
      int i = selected[j];
      long hash = hashes[i];
      selected[found] = i;
      found += (int) (otherWords(bits, firstLong(hash, bits.length), (int) hash) & 1);
    }
    return found;
  }

  /** The lowest bit tells whether both bits of the block's first word are set. */
  private static long firstWord(long[] words, int at, int key) {
    long word = words[at];
    return even(word, key * SALT_0) & odd(word, key * SALT_1);
  }

  /** The lowest bit tells whether all six bits of the block's other words are set. */
  private static long otherWords(long[] words, int at, int key) {
    long second = words[at + 1];
    long third = words[at + 2];
    long fourth = words[at + 3];
    return even(second, key * SALT_2)
        & odd(second, key * SALT_3)
        & even(third, key * SALT_4)
        & odd(third, key * SALT_5)
        & even(fourth, key * SALT_6)
        & odd(fourth, key * SALT_7);
  }

  @Override
  public long sizeInBytes() {
    return words.length * 8L;
  }

  @Override
  public boolean isEmpty() {
    return Bits.isEmpty(words);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The mean over the blocks of the product of their words' fill ratios. Of a filter above 32
   * MiB only evenly spread blocks are read, one to two million.
   */
  @Override
  public double fpp() {
    long step = Math.max(1, blocks() / SAMPLED_BLOCKS);
    double sum = 0;
    long sampled = 0;
    for (long block = 0; block < blocks(); block += step) {
      int at = (int) block * LONGS_PER_BLOCK;
      double passing = 1;
      for (int i = at; i < at + LONGS_PER_BLOCK; i++) {
        passing *= Integer.bitCount((int) words[i]) / 32.0;
        passing *= Integer.bitCount((int) (words[i] >>> 32)) / 32.0;
      }
      sum += passing;
      sampled++;
    }
    return sum / sampled;
  }

  @Override
  public double fillRatio() {
    return Bits.count(words) / (words.length * 64.0);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A key leaves a given bit clear with probability {@code 1 - 1 / (32 * blocks)}; the estimate
   * is the number of keys at which the expected share of clear bits is the actual one.
   */
  @Override
  public long estimatedKeys() {
    long bits = words.length * 64L;
    long clear = bits - Bits.count(words);
    if (clear == 0) {
      return Long.MAX_VALUE;
    }
    return Math.round(Math.log((double) clear / bits) / Math.log1p(-1.0 / (32.0 * blocks())));
  }

  /**
   * Returns the filter of all keys of both: the one that adding both sets of keys would have built.
   *
   * @throws IllegalArgumentException if the other has another number of blocks
   */
  public SplitBlockBloomFilter union(SplitBlockBloomFilter other) {
    long[] union = words.clone();
    orInto(union, other);
    return new SplitBlockBloomFilter(union);
  }

  /**
   * Returns this filter made smaller: exactly the one that its keys would have built at that size.
   *
   * <p>A hash chooses its block as a fraction of all blocks, so that {@code n} neighbours become
   * one when the number of blocks is divided by {@code n}. A builder that starts with a power of
   * two can be folded to any smaller one.
   *
   * @param blocks the new number of blocks, a divisor of {@link #blocks()}
   * @throws IllegalArgumentException if it is not
   */
  public SplitBlockBloomFilter fold(long blocks) {
    if (blocks < 1 || blocks() % blocks != 0) {
      throw new IllegalArgumentException(
          "A filter of "
              + blocks()
              + " blocks folds only to a divisor of that number; got "
              + blocks);
    }
    if (blocks == blocks()) {
      return this;
    }
    long[] folded = new long[(int) blocks * LONGS_PER_BLOCK];
    int neighbours = (int) (blocks() / blocks);
    int from = 0;
    for (int to = 0; to < folded.length; to += LONGS_PER_BLOCK) {
      for (int n = 0; n < neighbours; n++) {
        for (int i = 0; i < LONGS_PER_BLOCK; i++) {
          folded[to + i] |= words[from++];
        }
      }
    }
    return new SplitBlockBloomFilter(folded);
  }

  /**
   * Returns a filter of another size that says yes to all that this one does, and perhaps to more.
   *
   * <p>Each block is copied to every block that its keys may belong to. To a divisor of {@link
   * #blocks()} this is {@link #fold}; to a multiple of it, the answers stay the same and there is
   * room for more keys; to any other size the filter also gets fuller.
   *
   * @param blocks from 1 to {@link SplitBlockSizing#MAX_BLOCKS}
   * @throws IllegalArgumentException if the number is out of range
   */
  public SplitBlockBloomFilter resize(long blocks) {
    SplitBlockSizing.checkBlocks(blocks);
    if (blocks == blocks()) {
      return this;
    }
    long[] resized = new long[(int) blocks * LONGS_PER_BLOCK];
    for (long from = 0; from < blocks(); from++) {
      // The upper halves of the hashes of a block are a range, and so are their blocks.
      long first = ceilOfShare(from, blocks());
      long last = ceilOfShare(from + 1, blocks()) - 1;
      for (long to = (first * blocks) >>> 32; to <= (last * blocks) >>> 32; to++) {
        for (int i = 0; i < LONGS_PER_BLOCK; i++) {
          resized[(int) to * LONGS_PER_BLOCK + i] |= words[(int) from * LONGS_PER_BLOCK + i];
        }
      }
    }
    return new SplitBlockBloomFilter(resized);
  }

  private static long ceilOfShare(long block, long blocks) {
    return ((block << 32) + blocks - 1) / blocks;
  }

  /** Whether the other object is a split-block filter of the same size with the same bits. */
  @Override
  public boolean equals(Object other) {
    return other instanceof SplitBlockBloomFilter that && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return "SplitBlockBloomFilter[" + blocks() + " blocks]";
  }

  /** The block of a hash, from 0 to {@code blocks - 1}; right for all blocks up to 2^31. */
  static long blockOf(long hash, long blocks) {
    return ((hash >>> 32) * blocks) >>> 32;
  }

  /** The bit of a hash in one of the eight words, from 0 to 255 within the block. */
  static int bit(long hash, int word) {
    return Integer.SIZE * word + (((int) hash * SALTS[word]) >>> 27);
  }

  static void add(long[] words, long hash) {
    int at = firstLong(hash, words.length);
    int key = (int) hash;
    words[at] |= mask(key * SALT_0, key * SALT_1);
    words[at + 1] |= mask(key * SALT_2, key * SALT_3);
    words[at + 2] |= mask(key * SALT_4, key * SALT_5);
    words[at + 3] |= mask(key * SALT_6, key * SALT_7);
  }

  static void orInto(long[] words, SplitBlockBloomFilter other) {
    if (words.length != other.words.length) {
      throw new IllegalArgumentException(
          "Only split-block filters of the same size can be united; got "
              + words.length / LONGS_PER_BLOCK
              + " and "
              + other.blocks()
              + " blocks. Build both with the same number of blocks, or fold the larger one");
    }
    for (int i = 0; i < words.length; i++) {
      words[i] |= other.words[i];
    }
  }

  private static int firstLong(long hash, int length) {
    return (int) blockOf(hash, length / LONGS_PER_BLOCK) * LONGS_PER_BLOCK;
  }

  /** Shifts the bit that the product chooses in the even word to the lowest place. */
  private static long even(long words, int product) {
    return words >>> (product >>> 27);
  }

  /** Shifts the bit that the product chooses in the odd word to the lowest place. */
  private static long odd(long words, int product) {
    return words >>> (32 + (product >>> 27));
  }

  private static long mask(int even, int odd) {
    return (1L << (even >>> 27)) | (1L << (32 + (odd >>> 27)));
  }
}
