package io.bloomjoin.filter;

import java.io.Serializable;

/**
 * A set of 64-bit hashes that may answer "perhaps" for a hash it does not hold, and never "no" for
 * one it does.
 *
 * <p>Filters are immutable and safe to share among threads. Every {@code long} is a legal hash;
 * {@link io.bloomjoin.key.KeyHash} makes hashes from typed keys.
 */
public sealed interface BloomFilter extends Serializable
    permits SplitBlockBloomFilter, ClassicBloomFilter, CountingBloomFilter, ScalableBloomFilter {

  /**
   * Returns false if the hash was surely never added, and true if it was added or collides.
   *
   * <p>Allocates nothing and writes nothing.
   */
  boolean mightContain(long hash);

  /** Whether no key was ever added. */
  boolean isEmpty();

  /** The size of the bits, or counters, in bytes. */
  long sizeInBytes();

  /**
   * The false positive probability, from 0 to 1, that the bits as they are give to a hash that was
   * never added. Reads the bits, so it costs time in proportion to the size.
   */
  double fpp();

  /** The share of the bits that are set, from 0 (empty) to 1. Reads all bits. */
  double fillRatio();

  /**
   * The number of distinct hashes that were added, estimated from the fill; {@link Long#MAX_VALUE}
   * if every bit is set, when there is no telling. Reads all bits.
   */
  long estimatedKeys();

  /**
   * Whether the filter is too full to be of use: {@link #fpp()} is above one half, so that most
   * hashes that were never added pass.
   */
  default boolean isSaturated() {
    return fpp() > 0.5;
  }
}
