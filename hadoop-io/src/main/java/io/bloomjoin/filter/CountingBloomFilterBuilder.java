package io.bloomjoin.filter;

/**
 * Adds hashes to a {@link CountingBloomFilter}, and takes them out again. Mutable; for one thread
 * at a time.
 */
public final class CountingBloomFilterBuilder {

  /** Null once the filter is built. */
  private long[] counters;

  private CountingBloomFilterBuilder(long[] counters) {
    this.counters = counters;
  }

  /**
   * A builder of the smallest filter that reaches the false positive probability with that many
   * keys.
   *
   * @param expectedKeys the number of distinct keys, at least 0
   * @param fpp the false positive probability, above 0 and below 1
   * @throws IllegalArgumentException if an argument is out of range or the filter would be larger
   *     than one Java array, 16 GiB
   */
  public static CountingBloomFilterBuilder byAccuracy(long expectedKeys, double fpp) {
    return withBlocks(SplitBlockSizing.blocksFor(expectedKeys, fpp));
  }

  /**
   * A builder of a filter of that many blocks, of 128 bytes each.
   *
   * @param blocks from 1 to 134217727
   * @throws IllegalArgumentException if the number is out of range
   */
  public static CountingBloomFilterBuilder withBlocks(long blocks) {
    checkBlocks(blocks);
    return new CountingBloomFilterBuilder(
        new long[(int) blocks * CountingBloomFilter.LONGS_PER_BLOCK]);
  }

  /** A builder that goes on from a filter, which stays as it is. */
  public static CountingBloomFilterBuilder of(CountingBloomFilter filter) {
    return new CountingBloomFilterBuilder(filter.counters().clone());
  }

  static void checkBlocks(long blocks) {
    if (blocks < 1 || blocks > CountingBloomFilter.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "A counting filter has from 1 to "
              + CountingBloomFilter.MAX_BLOCKS
              + " blocks of 128 bytes; got "
              + blocks);
    }
  }

  /**
   * Adds a hash; one that is added twice is to be taken out twice.
   *
   * @throws IllegalStateException if the filter was built
   */
  public void add(long hash) {
    CountingBloomFilter.add(open(), hash);
  }

  /**
   * Takes a hash out that was added before; see {@link CountingBloomFilter} for what happens to
   * others if it was not.
   *
   * @return false if it was surely never added, and nothing is changed
   * @throws IllegalStateException if the filter was built
   */
  public boolean remove(long hash) {
    if (!CountingBloomFilter.contains(open(), hash)) {
      return false;
    }
    CountingBloomFilter.remove(counters, hash);
    return true;
  }

  /**
   * Hands over the filter, without a copy; the builder is of no use afterwards.
   *
   * @throws IllegalStateException if the filter was built
   */
  public CountingBloomFilter build() {
    long[] built = open();
    counters = null;
    return CountingBloomFilter.ofCounters(built);
  }

  private long[] open() {
    if (counters == null) {
      throw new IllegalStateException(
          "The filter is built and cannot change any more; start another builder of it");
    }
    return counters;
  }
}
