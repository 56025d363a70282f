package io.bloomjoin.filter;

import java.nio.BufferUnderflowException;
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

  private static final int WORDS_PER_BLOCK = SplitBlockBloomFilter.WORDS_PER_BLOCK;
  private static final int PATTERN_BYTES = 5;
  private static final int MAX_PATTERNS = 6;
  private static final int COPIED = 7;

  private final SparseOut out = new SparseOut();

  private SparseBits() {}

  /** The sparse form of a filter that is no chain, or empty if the raw one is to be used. */
  static Optional<byte[]> encode(BloomFilter filter) {
    if (filter.sizeInBytes() > MAX_FILTER_BYTES || filter.fillRatio() > MAX_FILL) {
      return Optional.empty();
    }
    SparseBits sparse = new SparseBits();
    if (filter instanceof ClassicBloomFilter classic) {
      sparse.putBits(classic.words());
    } else if (filter instanceof CountingBloomFilter counting) {
      SparseCounters.encode(counting.counters(), sparse.out);
    } else {
      sparse.putBlocks(((SplitBlockBloomFilter) filter).words());
    }
    return Optional.of(sparse.out.toByteArray())
        .filter(bytes -> bytes.length < filter.sizeInBytes());
  }

  /** Fills the empty words of a filter of that structure and size. */
  static void decode(byte[] payload, int structure, long size, long[] words)
      throws FilterFormatException {
    SparseIn in = new SparseIn(payload);
    try {
      switch (structure) {
        case FilterHeader.CLASSIC -> readBits(in, size, words);
        case FilterHeader.COUNTING -> SparseCounters.decode(in, size, words);
        default -> readBlocks(in, size, words);
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
        out.putNumber(bit - next);
        next = bit + 1;
      }
    }
  }

  private static void readBits(SparseIn in, long bits, long[] words) throws FilterFormatException {
    long next = 0;
    while (in.hasMore()) {
      long bit = SparseIn.skip(next, in.readNumber(), bits);
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
      out.putNumber(8 * skipped + COPIED);
      for (int i = 0; i < SplitBlockBloomFilter.LONGS_PER_BLOCK; i++) {
        out.putBytes(words[at + i], Long.BYTES);
      }
      return;
    }
    out.putNumber(8 * skipped + most);
    for (int n = 0; n < most; n++) {
      out.putBytes(takePattern(block), PATTERN_BYTES);
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

  private static void readBlocks(SparseIn in, long blocks, long[] words)
      throws FilterFormatException {
    long next = 0;
    while (in.hasMore()) {
      long number = in.readNumber();
      int patterns = (int) (number & 7);
      if (patterns == 0) {
        throw new FilterFormatException("Payload: a sparse record has no pattern");
      }
      long block = SparseIn.skip(next, number >>> 3, blocks);
      int at = (int) block * SplitBlockBloomFilter.LONGS_PER_BLOCK;
      if (patterns == COPIED) {
        for (int i = 0; i < SplitBlockBloomFilter.LONGS_PER_BLOCK; i++) {
          words[at + i] = in.readBytes(Long.BYTES);
        }
      } else {
        for (int n = 0; n < patterns; n++) {
          addPattern(in.readBytes(PATTERN_BYTES), words, at);
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
}
