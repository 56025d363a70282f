package io.bloomjoin.convert;

/**
 * A Bloom filter of another library. It is asked with keys, as it has hashes of its own, and the
 * answers are that library's, bit for bit. Immutable and thread-safe.
 *
 * <p>A filter cannot be turned into one with other hashes, since it does not have its keys. To move
 * over, ask the old filter until the next build.
 */
public sealed interface ForeignFilter permits SparkSketchFilter, HadoopBloomFilter {

  /** Returns false if the bytes were surely never added as a key. */
  boolean mightContain(byte[] key);

  /** Returns false if the UTF-8 bytes of the string were surely never added as a key. */
  boolean mightContain(String key);

  /** The number of bits. */
  long bits();

  /** The number of bits that each key sets. */
  int hashes();

  /** The share of the bits that are set, from 0 (empty) to 1. Reads all bits. */
  double fillRatio();

  /** The false positive probability of the bits as they are, from 0 to 1. Reads all bits. */
  default double fpp() {
    return Math.pow(fillRatio(), hashes());
  }
}
