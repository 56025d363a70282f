package io.bloomjoin.convert;

import io.bloomjoin.filter.FilterFormatException;
import io.bloomjoin.key.KeyHash;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A filter of Spark's sketch library, {@code org.apache.spark.util.sketch.BloomFilter}, out of the
 * bytes of its {@code writeTo}, in the versions 1 and 2; without Spark.
 *
 * <p>{@code DataFrameStatFunctions.bloomFilter} adds integral columns as longs, and others as their
 * bytes: ask for them as such. Spark SQL's own {@code bloom_filter_agg} adds {@code xxhash64(key)}:
 * ask with {@link #mightContainHash}.
 */
public final class SparkSketchFilter implements ForeignFilter {

  /*
   * Big endian: version, number of hashes, in version 2 a seed, number of longs, longs. Two Murmur3
   * hashes of 32 bits, the second seeded with the first, give all bits by double hashing: version 1
   * adds up ints, and so cannot use bits beyond 2^31; version 2 adds up longs.
   */

  /** The seed of Spark's expression {@code xxhash64}. */
  private static final long XXHASH64_SEED = 42;

  /** More than Spark makes; a number beyond it is damage. */
  private static final int MAX_HASHES = 1 << 16;

  private static final int MAX_LONGS = Integer.MAX_VALUE - 8;

  private final int version;
  private final int hashes;
  private final int seed;
  private final long[] words;

  private SparkSketchFilter(int version, int hashes, int seed, long[] words) {
    this.version = version;
    this.hashes = hashes;
    this.seed = seed;
    this.words = words;
  }

  /**
   * Reads one filter and no byte more. The stream is not closed.
   *
   * @throws FilterFormatException if the stream does not begin with one whole filter
   */
  public static SparkSketchFilter read(InputStream stream) throws IOException {
    DataInputStream in = new DataInputStream(stream);
    int version = ForeignBits.readInt(in);
    if (version != 1 && version != 2) {
      throw new FilterFormatException(
          "Version: Spark's filters are of version 1 or 2; got " + version);
    }
    int hashes = ForeignBits.readInt(in);
    if (hashes < 1 || hashes > MAX_HASHES) {
      throw new FilterFormatException("Hashes: from 1 to " + MAX_HASHES + "; got " + hashes);
    }
    int seed = version == 2 ? ForeignBits.readInt(in) : 0;
    int longs = ForeignBits.readInt(in);
    if (longs < 1 || longs > MAX_LONGS) {
      throw new FilterFormatException("Size: from 1 to " + MAX_LONGS + " longs; got " + longs);
    }
    return new SparkSketchFilter(
        version, hashes, seed, ForeignBits.read(in, longs, ByteOrder.BIG_ENDIAN));
  }

  /** Returns false if the long, or a smaller integer of that value, was surely never added. */
  public boolean mightContain(long key) {
    int first = Murmur3.ofLong(key, seed);
    return mightContain(first, Murmur3.ofLong(key, first));
  }

  /**
   * Asks a filter that Spark SQL made of {@code xxhash64(key)}, as its runtime filters are.
   *
   * @param seeded the key's hash by {@link KeyHash} with the seed of {@link #seed()}, for instance
   *     {@code KeyHash.ofString(name, SparkSketchFilter.seed())}
   */
  public boolean mightContainHash(long seeded) {
    return mightContain(seeded);
  }

  /** The seed that Spark's {@code xxhash64} begins with, for {@link #mightContainHash}. */
  public static long seed() {
    return XXHASH64_SEED;
  }

  @Override
  public boolean mightContain(byte[] key) {
    int first = Murmur3.ofBytes(key, seed);
    return mightContain(first, Murmur3.ofBytes(key, first));
  }

  @Override
  public boolean mightContain(String key) {
    return mightContain(key.getBytes(StandardCharsets.UTF_8));
  }

  private boolean mightContain(int first, int second) {
    return version == 1 ? mightContainOfInts(first, second) : mightContainOfLongs(first, second);
  }

  private boolean mightContainOfInts(int first, int second) {
    for (int i = 1; i <= hashes; i++) {
      int sum = first + i * second;
      if (!ForeignBits.isSet(words, (sum < 0 ? ~sum : sum) % bits())) {
        return false;
      }
    }
    return true;
  }

  private boolean mightContainOfLongs(int first, int second) {
    long sum = (long) first * Integer.MAX_VALUE;
    for (int i = 0; i < hashes; i++) {
      sum += second;
      if (!ForeignBits.isSet(words, (sum < 0 ? ~sum : sum) % bits())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long bits() {
    return words.length * 64L;
  }

  @Override
  public int hashes() {
    return hashes;
  }

  @Override
  public double fillRatio() {
    return (double) ForeignBits.count(words) / bits();
  }

  @Override
  public String toString() {
    return "SparkSketchFilter[version " + version + ", " + bits() + " bits, " + hashes + " hashes]";
  }
}
