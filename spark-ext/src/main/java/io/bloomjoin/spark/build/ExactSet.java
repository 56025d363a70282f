package io.bloomjoin.spark.build;

import io.bloomjoin.filter.SplitBlockSizing;
import io.bloomjoin.spark.probe.KeyBitmap;
import io.bloomjoin.spark.probe.KeySet;
import io.bloomjoin.spark.probe.KeyTable;

/** Decides whether an exact set of the keys takes the place of a Bloom filter. */
final class ExactSet {
  private ExactSet() {}

  /**
   * A bitmap if that is not larger than the Bloom filter, or a table of keys that are few: both are
   * faster than the Bloom filter, and pass no row that does not match.
   *
   * @return null if keys are no numbers, or many and far apart
   */
  static KeySet of(CollectedKeys keys, double fpp) {
    NumberRange range = keys.range();
    if (range == null) {
      return table(keys.numbers().distinct().limit(KeyTable.MAX_KEYS + 1).toArray(), keys.blocks());
    }
    long blocks = FilterMaker.foldedBlocks(keys.blocks(), range.size(), fpp);
    if (range.sizeInWords() * 8L <= blocks * SplitBlockSizing.BYTES_PER_BLOCK) {
      return new KeyBitmap(range.words(), range.firstNumber());
    }
    return range.size() <= KeyTable.MAX_KEYS ? table(range.numbers(), blocks) : null;
  }

  private static KeySet table(long[] numbers, long blocks) {
    return numbers.length >= 1
            && numbers.length <= KeyTable.MAX_KEYS
            && KeyTable.sizeInBytes(numbers.length) <= blocks * SplitBlockSizing.BYTES_PER_BLOCK
        ? KeyTable.of(numbers)
        : null;
  }
}
