package io.bloomjoin.spark.build;

import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockSizing;
import io.bloomjoin.spark.catalyst.KeyReader;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;

/** Fills one bitset per partition on the executors, and ORs them up a tree. */
public final class KeyAggregation {
  /** Partials of up to this many bytes together are merged by the driver itself. */
  private static final long MAX_BYTES_MERGED_AT_DRIVER = 32L << 20;

  private static final int LONGS_PER_BLOCK = SplitBlockSizing.BYTES_PER_BLOCK / Long.BYTES;

  private KeyAggregation() {}

  /**
   * The keys of an RDD.
   *
   * @param filter the filter that holds them
   * @param keys how many there were, each counted as often as it occurs; null keys are left out
   * @param partitions how many partitions took part
   */
  public record Result(SplitBlockBloomFilter filter, long keys, long partitions) {}

  /** The filter of {@code blocks} blocks over the keys of {@code rows}. */
  public static Result run(JavaRDD<InternalRow> rows, KeyReader.Factory keys, long blocks) {
    int words = Math.toIntExact(blocks * LONGS_PER_BLOCK);
    JavaRDD<long[]> partials = rows.mapPartitions(it -> partial(it, keys.reader(), words));
    boolean mergeOnExecutor =
        partials.getNumPartitions() * (words * 8L) > MAX_BYTES_MERGED_AT_DRIVER;
    long[] merged =
        partials.treeAggregate(
            PartialFilter.ZERO,
            (a, b) -> PartialFilter.merge(a, b, words),
            (a, b) -> PartialFilter.merge(a, b, words),
            2,
            mergeOnExecutor);
    return new Result(
        PartialFilter.filter(merged, words),
        PartialFilter.keys(merged),
        PartialFilter.partitions(merged));
  }

  private static Iterator<long[]> partial(Iterator<InternalRow> rows, KeyReader keys, int words) {
    PartialFilter.Collector collector = new PartialFilter.Collector(words);
    while (rows.hasNext()) {
      if (keys.read(rows.next())) {
        collector.add(keys.hash());
      }
    }
    return Collections.singleton(collector.finish()).iterator();
  }
}
