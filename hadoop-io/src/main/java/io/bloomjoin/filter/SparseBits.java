package io.bloomjoin.filter;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The short form of a filter with few keys: a hundred keys take less than 1 KiB in a split-block
 * filter of up to 128 MiB.
 */
final class SparseBits {

  /*
   * Split-block: one record for each block that is not empty. A block is the union of n patterns,
   * each with one bit in every word; n is the most bits of a word, never more than the keys of the
   * block. A pattern takes 5 bits a word, 5 bytes. A block that is no such union, or one of more
   * than six, is copied. Each record begins with eight times the number of empty blocks skipped,
   * plus n, or plus 7 for a copied block, as a variable-length number.
   *
   * Classic: the number of clear bits skipped before each set bit, as variable-length numbers.
   *
   * Variable-length: seven bits a byte, lowest first, the top bit set on all but the last byte.
   */

  /** Above 128 MiB filters are raw: a few bytes must not make a reader allocate without bound. */
  static final long MAX_FILTER_BYTES = 1 << 27;

  /** Fuller filters, with more than four keys a block, are not worth trying. */
  private static final double MAX_FILL = 1.0 / 8;

  private static final int WORDS_PER_BLOCK = 8;
  private static final int PATTERN_BYTES = 5;
  private static final int MAX_PATTERNS = 6;
  private static final int COPIED = 7;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private SparseBits() {}

  /** The sparse form, or empty if the raw one is to be used. */
  static Optional<byte[]> encode(BloomFilter filter) {
    if (filter.sizeInBytes() > MAX_FILTER_BYTES || filter.fillRatio() > MAX_FILL) {
      return Optional.empty();
    }
    SparseBits sparse = new SparseBits();
    if (filter instanceof ClassicBloomFilter) {
      sparse.putBits(filter.words());
    } else {
      sparse.putBlocks(filter.words());
    }
    return Optional.of(sparse.out.toByteArray())
        .filter(bytes -> bytes.length < filter.sizeInBytes());
  }

  /** Fills the empty words of a filter of that structure. */
  static void decode(byte[] payload, FilterHeader header, long[] words)
      throws FilterFormatException {
    ByteBuffer in = LittleEndian.wrap(payload);
    try {
      if (header.structure() == FilterHeader.CLASSIC) {
        readBits(in, header.size(), words);
      } else {
        readBlocks(in, header.size(), words);
      }
    } catch (BufferUnderflowException e) {
      throw new FilterFormatException("Payload: it ends within a sparse record");
    }
  }

  private void putBits(long[] words) {
    long next = 0;
    for (int i = 0; i < words.length; i++) {
      for (long rest = words[i]; rest != 0; rest &= rest - 1) {
        long bit = i * 64L + Long.numberOfTrailingZeros(rest);
        putNumber(bit - next);
        next = bit + 1;
      }
    }
  }

  private static void readBits(ByteBuffer in, long bits, long[] words)
      throws FilterFormatException {
    long next = 0;
    while (in.hasRemaining()) {
      long bit = skip(next, readNumber(in), bits);
      Bits.set(words, bit);
      next = bit + 1;
    }
  }

  private void putBlocks(long[] words) {
    long skipped = 0;
    for (int at = 0; at < words.length; at += SplitBlockBloomFilter.LONGS_PER_BLOCK) {
      if ((words[at] | words[at + 1] | words[at + 2] | words[at + 3]) == 0) {
        skipped++;
      } else {
        putBlock(words, at, skipped);
        skipped = 0;
      }
    }
  }

  private void putBlock(long[] words, int at, long skipped) {
    int[] block = new int[WORDS_PER_BLOCK];
    int fewest = Integer.SIZE;
    int most = 0;
    for (int i = 0; i < WORDS_PER_BLOCK; i++) {
      block[i] = (int) (words[at + i / 2] >>> (32 * (i % 2)));
      fewest = Math.min(fewest, Integer.bitCount(block[i]));
      most = Math.max(most, Integer.bitCount(block[i]));
    }
    if (fewest == 0 || most > MAX_PATTERNS) {
      putNumber(8 * skipped + COPIED);
      for (int i = 0; i < SplitBlockBloomFilter.LONGS_PER_BLOCK; i++) {
        putBytes(words[at + i], Long.BYTES);
      }
      return;
    }
    putNumber(8 * skipped + most);
    for (int n = 0; n < most; n++) {
      putBytes(takePattern(block), PATTERN_BYTES);
    }
  }

  /** Takes the lowest bit from every word, but leaves the last one where it is. */
  private static long takePattern(int[] block) {
    long pattern = 0;
    for (int i = 0; i < WORDS_PER_BLOCK; i++) {
      pattern |= (long) Integer.numberOfTrailingZeros(block[i]) << (5 * i);
      int rest = block[i] & (block[i] - 1);
      block[i] = rest == 0 ? block[i] : rest;
    }
    return pattern;
  }

  private static void readBlocks(ByteBuffer in, long blocks, long[] words)
      throws FilterFormatException {
    long next = 0;
    while (in.hasRemaining()) {
      long number = readNumber(in);
      int patterns = (int) (number & 7);
      if (patterns == 0) {
        throw new FilterFormatException("Payload: a sparse record has no pattern");
      }
      long block = skip(next, number >>> 3, blocks);
      int at = (int) block * SplitBlockBloomFilter.LONGS_PER_BLOCK;
      if (patterns == COPIED) {
        for (int i = 0; i < SplitBlockBloomFilter.LONGS_PER_BLOCK; i++) {
          words[at + i] = in.getLong();
        }
      } else {
        for (int n = 0; n < patterns; n++) {
          addPattern(readBytes(in, PATTERN_BYTES), words, at);
        }
      }
      next = block + 1;
    }
  }

  private static void addPattern(long pattern, long[] words, int at) {
    for (int i = 0; i < WORDS_PER_BLOCK; i++) {
      long bit = (pattern >>> (5 * i)) & 31;
      Bits.set(words, 64L * at + 32L * i + bit);
    }
  }

  private static long skip(long next, long skipped, long end) throws FilterFormatException {
    if (skipped < 0 || skipped >= end - next) {
      throw new FilterFormatException(
          "Payload: a sparse record lies beyond the filter's end, " + end);
    }
    return next + skipped;
  }

  private void putNumber(long number) {
    long rest = number;
    for (; rest > 0x7F; rest >>>= 7) {
      out.write((int) ((rest & 0x7F) | 0x80));
    }
    out.write((int) rest);
  }

  private static long readNumber(ByteBuffer in) throws FilterFormatException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.get();
      number |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new FilterFormatException("Payload: a variable-length number has more than 64 bits");
  }

  private void putBytes(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (value >>> (8 * i)));
    }
  }

  private static long readBytes(ByteBuffer in, int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= Byte.toUnsignedLong(in.get()) << (8 * i);
    }
    return value;
  }
}
