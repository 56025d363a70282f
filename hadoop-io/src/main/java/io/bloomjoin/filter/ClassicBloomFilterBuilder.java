package io.bloomjoin.filter;

/** Collects hashes for a {@link ClassicBloomFilter}. Mutable; for one thread at a time. */
public final class ClassicBloomFilterBuilder {

  private final long bits;
  private final int hashes;

  /** Null once the filter is built. */
  private long[] words;

  private ClassicBloomFilterBuilder(long bits, int hashes) {
    this.bits = bits;
    this.hashes = hashes;
    this.words = new long[ClassicBloomFilter.wordsFor(bits)];
  }

  /**
   * A builder of the smallest filter that reaches the false positive probability with that many
   * keys.
   *
   * @param expectedKeys the number of distinct keys, at least 0
   * @param fpp the false positive probability, above 0 and below 1
   * @throws IllegalArgumentException if an argument is out of range or the filter would be larger
   *     than {@link ClassicSizing#MAX_BITS}
   */
  public static ClassicBloomFilterBuilder byAccuracy(long expectedKeys, double fpp) {
    long bits = ClassicSizing.bitsFor(expectedKeys, fpp);
    return withBits(bits, ClassicSizing.hashesFor(expectedKeys, bits));
  }

  /**
   * A builder of a filter of that geometry.
   *
   * @param bits the number of bits, from 1 to {@link ClassicSizing#MAX_BITS}
   * @param hashes the bits of each key, from 1 to {@link ClassicSizing#MAX_HASHES}
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static ClassicBloomFilterBuilder withBits(long bits, int hashes) {
    ClassicSizing.checkGeometry(bits, hashes);
    return new ClassicBloomFilterBuilder(bits, hashes);
  }

  /**
   * Adds a hash.
   *
   * @throws IllegalStateException if the filter was built
   */
  public void add(long hash) {
    ClassicBloomFilter.add(open(), bits, hashes, hash);
  }

  /**
   * Adds a key by two unsigned hashes of one's own; to be found with {@link
   * ClassicBloomFilter#mightContain(long, long)}.
   *
   * @throws IllegalStateException if the filter was built
   */
  public void add(long h1, long h2) {
    ClassicBloomFilter.add(open(), bits, hashes, h1, h2);
  }

  /**
   * Adds all keys of a filter of the same geometry.
   *
   * @throws IllegalArgumentException if the filter has another number of bits or hashes
   * @throws IllegalStateException if the filter was built
   */
  public void addAll(ClassicBloomFilter filter) {
    ClassicBloomFilter.orInto(open(), bits, hashes, filter);
  }

  /**
   * Hands over the filter, without a copy; the builder is of no use afterwards.
   *
   * @throws IllegalStateException if the filter was built
   */
  public ClassicBloomFilter build() {
    long[] built = open();
    words = null;
    return ClassicBloomFilter.ofWords(built, bits, hashes);
  }

  private long[] open() {
    if (words == null) {
      throw new IllegalStateException(
          "The filter is built and cannot change any more; start another builder and addAll it");
    }
    return words;
  }
}
