package io.bloomjoin.spark.build;

import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.spark.catalyst.KeyNumber;
import java.util.List;
import java.util.stream.LongStream;

/** The keys of a build side, as far as they are known. */
final class CollectedKeys {
  private final PartialFilter form;
  private final long[] partial;
  private final List<KeyValues> values;

  /**
   * @param form how the partial holds keys
   * @param partial the merge of all partitions
   * @param values what is known of the values of each key column; none if nothing was asked for
   */
  CollectedKeys(PartialFilter form, long[] partial, List<KeyValues> values) {
    this.form = form;
    this.partial = partial;
    this.values = values;
  }

  /** How many there are, each counted as often as it occurs; null keys are left out. */
  long count() {
    return PartialFilter.keys(partial);
  }

  /** How many partitions took part. */
  long partitions() {
    return PartialFilter.partitions(partial);
  }

  List<KeyValues> values() {
    return values;
  }

  /** How many blocks the Bloom filter has. */
  long blocks() {
    return form.blocks();
  }

  SplitBlockBloomFilter bloomFilter() {
    return form.bloomFilter(partial);
  }

  boolean areNumbers() {
    return form.number() != KeyNumber.NONE;
  }

  /** The keys as numbers; null if they are none, are unknown, or far apart. */
  NumberRange range() {
    return form.range(partial);
  }

  /** The keys as numbers, perhaps several times; nothing if they are none or unknown. */
  LongStream numbers() {
    if (!areNumbers()) {
      return LongStream.empty();
    }
    return !values.isEmpty() && values.get(0) instanceof KeyValues.Listed listed
        ? listed.values().stream().mapToLong(value -> ((Number) value).longValue())
        : PartialFilter.list(partial);
  }
}
