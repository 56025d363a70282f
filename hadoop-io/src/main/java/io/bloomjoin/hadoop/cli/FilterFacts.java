package io.bloomjoin.hadoop.cli;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.ClassicBloomFilter;
import io.bloomjoin.filter.CountingBloomFilter;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.ScalableBloomFilter;
import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.StoredFilter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What there is to tell about a filter, by name; null is not known. */
final class FilterFacts {

  private FilterFacts() {}

  static Map<String, Object> of(StoredFilter stored, long fileBytes) {
    BloomFilter filter = stored.filter();
    FilterMetadata metadata = stored.metadata();
    Map<String, Object> facts = new LinkedHashMap<>();
    if (filter instanceof SplitBlockBloomFilter splitBlock) {
      facts.put("structure", "split-block");
      facts.put("blocks", splitBlock.blocks());
    } else if (filter instanceof ClassicBloomFilter classic) {
      facts.put("structure", "classic");
      facts.put("bits", classic.bits());
      facts.put("hashes", classic.hashes());
    } else if (filter instanceof CountingBloomFilter counting) {
      facts.put("structure", "counting");
      facts.put("blocks", counting.blocks());
    } else if (filter instanceof ScalableBloomFilter scalable) {
      facts.put("structure", "scalable");
      facts.put("stages", scalable.stages());
    }
    facts.put("hashFunction", "XXH64");
    facts.put("sizeInBytes", filter.sizeInBytes());
    facts.put("fileBytes", fileBytes);
    facts.put("keyTypes", metadata.keyTypes());
    facts.put(
        "keyCount",
        metadata.keyCount() == FilterMetadata.UNKNOWN_KEY_COUNT ? null : metadata.keyCount());
    long estimated = filter.estimatedKeys();
    facts.put("estimatedKeys", estimated == Long.MAX_VALUE ? null : estimated);
    facts.put("targetFpp", Double.isNaN(metadata.targetFpp()) ? null : metadata.targetFpp());
    facts.put("fpp", filter.fpp());
    facts.put("fillRatio", filter.fillRatio());
    facts.put("saturated", filter.isSaturated());
    facts.put("properties", metadata.properties());
    return facts;
  }

  static String text(Object value) {
    if (value == null) {
      return "not known";
    }
    if (value instanceof Double number) {
      return String.format(Locale.ROOT, "%.6g", number);
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> String.format("%n  %-14s %s", entry.getKey(), entry.getValue()))
          .collect(Collectors.joining());
    }
    if (value instanceof Collection<?> list) {
      return list.isEmpty()
          ? "not known"
          : list.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
    return String.valueOf(value);
  }
}
