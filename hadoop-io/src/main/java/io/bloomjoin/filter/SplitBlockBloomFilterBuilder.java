package io.bloomjoin.filter;

/**
 * Collects hashes for a {@link SplitBlockBloomFilter}. Mutable; for one thread at a time.
 *
 * <p>Builders that fill parts of one filter need the same number of blocks: decide it once, and
 * give it to all with {@link #withBlocks}.
 */
public final class SplitBlockBloomFilterBuilder {

  /** Null once the filter is built. */
  private long[] words;

  private SplitBlockBloomFilterBuilder(long[] words) {
    this.words = words;
  }

  /**
   * A builder of the smallest filter that reaches the false positive probability with that many
   * keys.
   *
   * @param expectedKeys the number of distinct keys, at least 0
   * @param fpp the false positive probability, above 0 and below 1
   * @throws IllegalArgumentException if an argument is out of range or the filter would be larger
   *     than {@link SplitBlockSizing#MAX_BLOCKS}
   */
  public static SplitBlockBloomFilterBuilder byAccuracy(long expectedKeys, double fpp) {
    return withBlocks(SplitBlockSizing.blocksFor(expectedKeys, fpp));
  }

  /**
   * A builder of the largest filter within that size.
   *
   * @param bytes the size, at least 32, one block
   * @throws IllegalArgumentException if the size is below 32 or above {@link
   *     SplitBlockSizing#MAX_BLOCKS} blocks
   */
  public static SplitBlockBloomFilterBuilder bySize(long bytes) {
    if (bytes < SplitBlockSizing.BYTES_PER_BLOCK) {
      throw new IllegalArgumentException(
          "A filter takes at least one block of "
              + SplitBlockSizing.BYTES_PER_BLOCK
              + " bytes; got "
              + bytes);
    }
    return withBlocks(bytes / SplitBlockSizing.BYTES_PER_BLOCK);
  }

  /**
   * A builder of a filter of that many 32-byte blocks.
   *
   * @param blocks from 1 to {@link SplitBlockSizing#MAX_BLOCKS}
   * @throws IllegalArgumentException if the number is out of range
   */
  public static SplitBlockBloomFilterBuilder withBlocks(long blocks) {
    SplitBlockSizing.checkBlocks(blocks);
    return new SplitBlockBloomFilterBuilder(
        new long[(int) blocks * SplitBlockBloomFilter.LONGS_PER_BLOCK]);
  }

  /**
   * Adds a hash.
   *
   * @throws IllegalStateException if the filter was built
   */
  public void add(long hash) {
    SplitBlockBloomFilter.add(open(), hash);
  }

  /**
   * Adds all keys of a filter of the same size.
   *
   * @throws IllegalArgumentException if the filter has another number of blocks
   * @throws IllegalStateException if the filter was built
   */
  public void addAll(SplitBlockBloomFilter filter) {
    SplitBlockBloomFilter.orInto(open(), filter);
  }

  /**
   * Hands over the filter, without a copy; the builder is of no use afterwards.
   *
   * @throws IllegalStateException if the filter was built
   */
  public SplitBlockBloomFilter build() {
    long[] built = open();
    words = null;
    return SplitBlockBloomFilter.ofWords(built);
  }

  private long[] open() {
    if (words == null) {
      throw new IllegalStateException(
          "The filter is built and cannot change any more; start another builder and addAll it");
    }
    return words;
  }
}
