package io.bloomjoin.spark.build;

import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockSizing;
import io.bloomjoin.spark.catalyst.KeyReader;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;

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
   * @param values what is known of the values of each key column, where asked for
   */
  public record Result(
      SplitBlockBloomFilter filter, long keys, long partitions, List<KeyValues> values) {}

  /** The filter of {@code blocks} blocks over the keys of {@code rows}. */
  public static Result run(JavaRDD<InternalRow> rows, KeyReader.Factory keys, long blocks) {
    return run(rows, keys, blocks, KeyCollector.Factory.none());
  }

  static Result run(
      JavaRDD<InternalRow> rows,
      KeyReader.Factory keys,
      long blocks,
      KeyCollector.Factory collectors) {
    int words = Math.toIntExact(blocks * LONGS_PER_BLOCK);
    JavaRDD<Tuple2<long[], long[]>> partials =
        rows.mapPartitions(it -> partial(it, keys.reader(), words, collectors.collector()));
    boolean mergeOnExecutor =
        partials.getNumPartitions() * (words * 8L) > MAX_BYTES_MERGED_AT_DRIVER;
    Tuple2<long[], long[]> merged =
        partials.treeAggregate(
            new Tuple2<>(PartialFilter.ZERO, KeyCollector.ZERO),
            (a, b) -> merge(a, b, words, collectors),
            (a, b) -> merge(a, b, words, collectors),
            2,
            mergeOnExecutor);
    return new Result(
        PartialFilter.filter(merged._1(), words),
        PartialFilter.keys(merged._1()),
        PartialFilter.partitions(merged._1()),
        collectors.known(merged._2()));
  }

  private static Tuple2<long[], long[]> merge(
      Tuple2<long[], long[]> a,
      Tuple2<long[], long[]> b,
      int words,
      KeyCollector.Factory collectors) {
    return new Tuple2<>(
        PartialFilter.merge(a._1(), b._1(), words), collectors.merge(a._2(), b._2()));
  }

  private static Iterator<Tuple2<long[], long[]>> partial(
      Iterator<InternalRow> rows, KeyReader keys, int words, KeyCollector values) {
    PartialFilter.Collector collector = new PartialFilter.Collector(words);
    while (rows.hasNext()) {
      if (keys.read(rows.next())) {
        collector.add(keys.hash());
        values.add(keys);
      }
    }
    return Collections.singleton(new Tuple2<>(collector.finish(), values.finish())).iterator();
  }
}
