package io.bloomjoin.benchmarks;

import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.key.KeyHash;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.function.LongPredicate;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.util.sketch.BloomFilter;

/** One of the contestants of {@code bin/bench functions}: an aggregate over the distinct keys. */
enum KeyAggregate {
  /** Bloomjoin's filter, sized by the keys themselves. */
  BLOOM_AGG("bloom_agg(id)"),

  /** Bloomjoin's filter, told how many keys there are. */
  BLOOM_AGG_EXPECTED("bloom_agg(id, expected_keys => %1$d)"),

  /** The aggregate behind Spark's runtime filter, told how many keys there are; 9.6 bits a key. */
  BLOOM_FILTER_AGG("bloom_filter_agg(xxhash64(id), %1$dL, %2$dL)"),

  /** What a filter takes the place of: the exact number of keys. */
  COUNT_DISTINCT("count(distinct id)");

  static final double BITS_PER_KEY = 9.6;

  /** Spark's default seed of xxhash64. */
  private static final long SPARK_SEED = 42;

  private final String sql;

  KeyAggregate(String sql) {
    this.sql = sql;
  }

  /** As in result files. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  String sql(long keys) {
    return String.format(Locale.ROOT, sql, keys, (long) (keys * BITS_PER_KEY));
  }

  /**
   * What the aggregate's answer over the keys from 0 to {@code keys - 1} is worth.
   *
   * @throws IllegalStateException if the answer is wrong: a key denied, or another count
   */
  KeyAggregateAnswer check(Row row, long keys) throws IOException {
    if (this == COUNT_DISTINCT) {
      if (row.getLong(0) != keys) {
        throw new IllegalStateException("count(distinct) gave " + row.getLong(0));
      }
      return new KeyAggregateAnswer(Long.BYTES, 0);
    }
    byte[] bytes = row.getAs(0);
    LongPredicate filter = filter(bytes);
    long step = Math.max(1, keys / 1_000_000);
    for (long key = 0; key < keys; key += step) {
      if (!filter.test(key)) {
        throw new IllegalStateException(label() + " denies the key " + key);
      }
    }
    int passed = 0;
    for (int i = 0; i < 1_000_000; i++) {
      passed += filter.test(keys + i) ? 1 : 0;
    }
    return new KeyAggregateAnswer(bytes.length, passed / 1e6);
  }

  private LongPredicate filter(byte[] bytes) throws IOException {
    if (this == BLOOM_FILTER_AGG) {
      BloomFilter filter = BloomFilter.readFrom(new ByteArrayInputStream(bytes));
      return key -> filter.mightContainLong(XXH64.hashLong(key, SPARK_SEED));
    }
    io.bloomjoin.filter.BloomFilter filter = FilterFormat.fromBytes(bytes).filter();
    return key -> filter.mightContain(KeyHash.ofLong(key));
  }
}
