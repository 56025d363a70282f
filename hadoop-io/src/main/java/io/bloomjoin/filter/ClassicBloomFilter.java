package io.bloomjoin.filter;

import java.util.Arrays;

/**
 * The classic Bloom filter: a key sets {@code k} of {@code m} bits, anywhere.
 *
 * <p>About one bit per key smaller than {@link SplitBlockBloomFilter} at 1 %, but a probe of a
 * large filter waits for the memory at nearly every bit it looks at. Made by {@link
 * ClassicBloomFilterBuilder}. Immutable and thread-safe.
 */
public final class ClassicBloomFilter implements BloomFilter {

  /*
   * Double hashing [1]: the bits of a key are (h1 + i * h2) mod m for i from 0 to k - 1, with no
   * loss against k independent hashes. From one 64-bit hash, h1 is the hash itself, and h2 is the
   * hash after the finaliser of MurmurHash3, made odd so that it is not 0.
   *
   * The sum is taken modulo 2^64 where it overflows. Reducing h1 and h2 modulo m beforehand leaves
   * every index what exact integers give, because k * m is far below 2^64; that is how a hash of 64
   * bits is looked up.
   *
   * [1] Kirsch, Mitzenmacher: Less Hashing, Same Performance: Building a Better Bloom Filter, 2006.
   */

  private static final long serialVersionUID = 1L;

  private final long[] words;
  private final long bits;
  private final int hashes;

  private ClassicBloomFilter(long[] words, long bits, int hashes) {
    this.words = words;
    this.bits = bits;
    this.hashes = hashes;
  }

  /**
   * Wraps the array without copying it; the caller must not modify it afterwards.
   *
   * @param words 64 bits each, the first bit lowest; bits from {@code bits} on are clear
   * @param bits the number of bits, from 1 to {@link ClassicSizing#MAX_BITS}
   * @param hashes the bits of each key, from 1 to {@link ClassicSizing#MAX_HASHES}
   * @throws IllegalArgumentException if an argument is out of range, or the array does not have
   *     that many bits
   */
  public static ClassicBloomFilter ofWords(long[] words, long bits, int hashes) {
    ClassicSizing.checkGeometry(bits, hashes);
    if (words.length != wordsFor(bits)) {
      throw new IllegalArgumentException(
          bits + " bits take " + wordsFor(bits) + " longs; got " + words.length);
    }
    if (bits % 64 != 0 && words[words.length - 1] >>> bits != 0) {
      throw new IllegalArgumentException("Bits are set beyond the " + bits + " bits of the filter");
    }
    return new ClassicBloomFilter(words, bits, hashes);
  }

  /** The bits, lowest first in each long: the filter's own array, which must not be modified. */
  public long[] words() {
    return words;
  }

  /** The number of bits, {@code m}. */
  public long bits() {
    return bits;
  }

  /** The number of bits that each key sets, {@code k}. */
  public int hashes() {
    return hashes;
  }

  @Override
  public boolean mightContain(long hash) {
    return mightContain(Long.remainderUnsigned(hash, bits), step(hash, bits));
  }

  /**
   * Looks up a key by two unsigned hashes of one's own: the bits {@code ((h1 + i * h2) mod 2^64)
   * mod m}.
   */
  public boolean mightContain(long h1, long h2) {
    for (int i = 0; i < hashes; i++) {
      if (!Bits.isSet(words, Long.remainderUnsigned(h1 + i * h2, bits))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean isEmpty() {
    return Bits.isEmpty(words);
  }

  @Override
  public long sizeInBytes() {
    return words.length * 8L;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The fill ratio to the power of {@code k}.
   */
  @Override
  public double fpp() {
    return Math.pow(fillRatio(), hashes);
  }

  @Override
  public double fillRatio() {
    return (double) Bits.count(words) / bits;
  }

  @Override
  public long estimatedKeys() {
    double clear = 1 - fillRatio();
    if (clear == 0) {
      return Long.MAX_VALUE;
    }
    return Math.round(-Math.log(clear) * bits / hashes);
  }

  /**
   * Returns the filter of all keys of both.
   *
   * @throws IllegalArgumentException if the other has another number of bits or hashes
   */
  public ClassicBloomFilter union(ClassicBloomFilter other) {
    long[] union = words.clone();
    orInto(union, bits, hashes, other);
    return new ClassicBloomFilter(union, bits, hashes);
  }

  /** Whether the other object is a classic filter of the same geometry with the same bits. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ClassicBloomFilter that
        && bits == that.bits
        && hashes == that.hashes
        && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return "ClassicBloomFilter[" + bits + " bits, " + hashes + " hashes]";
  }

  static int wordsFor(long bits) {
    return (int) ((bits + 63) / 64);
  }

  static void add(long[] words, long bits, int hashes, long hash) {
    add(words, bits, hashes, Long.remainderUnsigned(hash, bits), step(hash, bits));
  }

  static void add(long[] words, long bits, int hashes, long h1, long h2) {
    for (int i = 0; i < hashes; i++) {
      Bits.set(words, Long.remainderUnsigned(h1 + i * h2, bits));
    }
  }

  static void orInto(long[] words, long bits, int hashes, ClassicBloomFilter other) {
    if (bits != other.bits || hashes != other.hashes) {
      throw new IllegalArgumentException(
          String.format(
              "Only classic filters with the same number of bits and hashes can be united; got %d"
                  + " and %d bits, %d and %d hashes",
              bits, other.bits, hashes, other.hashes));
    }
    for (int i = 0; i < words.length; i++) {
      words[i] |= other.words[i];
    }
  }

  private static long step(long hash, long bits) {
    long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    mixed = (mixed ^ (mixed >>> 33)) | 1;
    return Long.remainderUnsigned(mixed, bits);
  }
}
