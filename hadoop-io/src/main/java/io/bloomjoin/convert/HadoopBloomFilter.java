package io.bloomjoin.convert;

import io.bloomjoin.filter.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.util.hash.Hash;

/**
 * A filter of Hadoop, {@code org.apache.hadoop.util.bloom.BloomFilter}, out of the bytes of its
 * {@code write}, or out of the object.
 *
 * <p>Hadoop's keys are bytes that whoever built the filter chose: often the UTF-8 of a string; in a
 * {@code BloomMapFile} those of the {@code Writable}, for which {@link #mightContain(Writable)} is.
 */
public final class HadoopBloomFilter implements ForeignFilter {

  /*
   * Big endian: -1, number of hashes, type of the hash (a byte), number of bits; then the bits,
   * lowest first in each byte. Before Hadoop had versions, the number of hashes came first, and the
   * hash was Jenkins'. The i-th hash of a key is seeded with the one before.
   */

  private static final int VERSION = -1;

  /** More than anybody has; a number beyond it is damage. */
  private static final int MAX_HASHES = 1 << 16;

  private final int hashes;
  private final int bits;
  private final Hash hash;
  private final long[] words;

  private HadoopBloomFilter(int hashes, int bits, Hash hash, long[] words) {
    this.hashes = hashes;
    this.bits = bits;
    this.hash = hash;
    this.words = words;
  }

  /** The filter with the bits of Hadoop's; later changes to that do not show. */
  public static HadoopBloomFilter of(org.apache.hadoop.util.bloom.BloomFilter filter) {
    DataOutputBuffer out = new DataOutputBuffer();
    try {
      filter.write(out);
      return read(new ByteArrayInputStream(out.getData(), 0, out.getLength()));
    } catch (IOException e) {
      throw new UncheckedIOException("Copying in memory failed", e);
    }
  }

  /**
   * Reads one filter and no byte more. The stream is not closed.
   *
   * @throws FilterFormatException if the stream does not begin with one whole filter
   */
  public static HadoopBloomFilter read(InputStream stream) throws IOException {
    DataInputStream in = new DataInputStream(stream);
    int version = ForeignBits.readInt(in);
    int hashes = version == VERSION ? ForeignBits.readInt(in) : version;
    if (hashes < 1 || hashes > MAX_HASHES) {
      throw new FilterFormatException("Hashes: from 1 to " + MAX_HASHES + "; got " + hashes);
    }
    int type = Hash.JENKINS_HASH;
    if (version == VERSION) {
      byte[] one = new byte[1];
      ForeignBits.readFully(in, one, 1);
      type = one[0];
    }
    Hash hash = Hash.getInstance(type);
    if (hash == null) {
      throw new FilterFormatException(
          "Hash function: 0 is Jenkins', 1 is Murmur; no other is known; got " + type);
    }
    int bits = ForeignBits.readInt(in);
    if (bits < 1) {
      throw new FilterFormatException("Size: at least 1 bit; got " + bits);
    }
    return new HadoopBloomFilter(hashes, bits, hash, readBits(in, bits));
  }

  private static long[] readBits(DataInputStream in, int bits) throws IOException {
    int bytes = (int) ((bits + 7L) / 8);
    long[] words = ForeignBits.read(in, bytes / Long.BYTES, ByteOrder.LITTLE_ENDIAN);
    byte[] rest = new byte[bytes % Long.BYTES];
    ForeignBits.readFully(in, rest, rest.length);
    if (rest.length > 0) {
      words = Arrays.copyOf(words, words.length + 1);
      for (int i = 0; i < rest.length; i++) {
        words[words.length - 1] |= (rest[i] & 0xFFL) << (8 * i);
      }
    }
    return words;
  }

  /** An empty key cannot be added to Hadoop's filters, and so is never in one. */
  @Override
  public boolean mightContain(byte[] key) {
    if (key.length == 0) {
      return false;
    }
    int seed = 0;
    for (int i = 0; i < hashes; i++) {
      seed = hash.hash(key, seed);
      if (!ForeignBits.isSet(words, Math.abs(seed % bits))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean mightContain(String key) {
    return mightContain(key.getBytes(StandardCharsets.UTF_8));
  }

  /** As {@link #mightContain(byte[])} for the bytes that the key writes. */
  public boolean mightContain(Writable key) {
    DataOutputBuffer out = new DataOutputBuffer();
    try {
      key.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException("The key cannot be written to memory", e);
    }
    return mightContain(Arrays.copyOf(out.getData(), out.getLength()));
  }

  @Override
  public long bits() {
    return bits;
  }

  @Override
  public int hashes() {
    return hashes;
  }

  @Override
  public double fillRatio() {
    return (double) ForeignBits.count(words) / bits;
  }

  @Override
  public String toString() {
    return "HadoopBloomFilter[" + bits + " bits, " + hashes + " hashes]";
  }
}
