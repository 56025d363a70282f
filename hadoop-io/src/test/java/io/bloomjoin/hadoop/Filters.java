package io.bloomjoin.hadoop;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.ClassicBloomFilterBuilder;
import io.bloomjoin.filter.CountingBloomFilterBuilder;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.ScalableBloomFilterBuilder;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.key.KeyHash;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Filters over {@code key-0}, {@code key-1} and so on. */
final class Filters {

  private Filters() {}

  static StoredFilter splitBlock(int keys) {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.byAccuracy(keys, 0.01);
    hashes(keys).forEach(builder::add);
    return stored(builder.build(), keys);
  }

  static StoredFilter classic(int keys) {
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.byAccuracy(keys, 0.01);
    hashes(keys).forEach(builder::add);
    return stored(builder.build(), keys);
  }

  static StoredFilter counting(int keys) {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.byAccuracy(keys, 0.01);
    hashes(keys).forEach(builder::add);
    return stored(builder.build(), keys);
  }

  static StoredFilter scalable(int keys) {
    ScalableBloomFilterBuilder builder = ScalableBloomFilterBuilder.byAccuracy(100, 0.01);
    hashes(keys).forEach(builder::add);
    return stored(builder.build(), keys);
  }

  static List<Long> hashes(int keys) {
    return IntStream.range(0, keys).mapToObj(i -> KeyHash.ofString("key-" + i)).toList();
  }

  static StoredFilter stored(BloomFilter filter, int keys) {
    return new StoredFilter(
        filter, new FilterMetadata(List.of("string"), keys, 0.01, Map.of("source", "straße")));
  }
}
