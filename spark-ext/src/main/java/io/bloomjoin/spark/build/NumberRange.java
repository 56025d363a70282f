package io.bloomjoin.spark.build;

import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * A set of numbers that lie close together: a bitmap from the word of the least to that of the
 * greatest. A word is 64 numbers; word {@code w} starts at the number {@code 64 w}, so that words
 * are numbered from -2^57 to 2^57 - 1 and their distances never overflow. Not thread-safe.
 */
final class NumberRange {
  private final int maxWords;
  private long[] bits = {};

  /** The number of the word that {@code bits[0]} is. */
  private long origin;

  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  /** An empty set whose numbers may span {@code maxWords} words, at least 1. */
  NumberRange(int maxWords) {
    this.maxWords = maxWords;
  }

  static long wordOf(long number) {
    return number >> 6;
  }

  /** Adds a number; false, and nothing done, if the range would be too wide. */
  boolean add(long number) {
    long word = wordOf(number);
    if ((word < first || word > last) && !widen(word, word)) {
      return false;
    }
    bits[(int) (word - origin)] |= 1L << number;
    return true;
  }

  /** Adds the numbers of {@code words}, from the word {@code from} on; false as {@link #add}. */
  boolean addWords(long from, long[] words, int at, int count) {
    if (count > 0 && !widen(from, from + count - 1)) {
      return false;
    }
    int to = (int) (from - origin);
    for (int i = 0; i < count; i++) {
      bits[to + i] |= words[at + i];
    }
    return true;
  }

  /** Makes room for the words from {@code low} to {@code high}. */
  private boolean widen(long low, long high) {
    long newFirst = Math.min(first, low);
    long newLast = Math.max(last, high);
    long span = newLast - newFirst + 1;
    if (span > maxWords) {
      return false;
    }
    if (newFirst < origin || newLast >= origin + bits.length) {
      // Room on both sides: numbers that come in order, up or down, move the bits seldom.
      long[] wider = new long[(int) Math.min(maxWords, 2 * span)];
      long newOrigin = newFirst - (wider.length - span) / 2;
      if (first <= last) {
        System.arraycopy(
            bits, (int) (first - origin), wider, (int) (first - newOrigin), usedWords());
      }
      bits = wider;
      origin = newOrigin;
    }
    first = newFirst;
    last = newLast;
    return true;
  }

  private int usedWords() {
    return (int) (last - first + 1);
  }

  /** The number of the first word; only of a set that is not empty. */
  long firstWord() {
    return first;
  }

  /** The number of the first bit of the first word; only of a set that is not empty. */
  long firstNumber() {
    return first << 6;
  }

  /** The words from the first to the last that has a number. */
  long[] words() {
    return sizeInWords() == 0
        ? new long[0]
        : Arrays.copyOfRange(bits, (int) (first - origin), (int) (last - origin) + 1);
  }

  int sizeInWords() {
    return first <= last ? usedWords() : 0;
  }

  /** How many numbers there are. */
  long size() {
    long size = 0;
    for (long word : bits) {
      size += Long.bitCount(word);
    }
    return size;
  }

  /** The numbers, in order. */
  long[] numbers() {
    LongStream.Builder numbers = LongStream.builder();
    forEach(numbers);
    return numbers.build().toArray();
  }

  void forEach(LongConsumer action) {
    forEach(origin, bits, 0, bits.length, action);
  }

  /** The numbers of words that begin with the word {@code from}. */
  static void forEach(long from, long[] words, int at, int count, LongConsumer action) {
    for (int i = 0; i < count; i++) {
      for (long left = words[at + i]; left != 0; left &= left - 1) {
        action.accept(((from + i) << 6) + Long.numberOfTrailingZeros(left));
      }
    }
  }
}
