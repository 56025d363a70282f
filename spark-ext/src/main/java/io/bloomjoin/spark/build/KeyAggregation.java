package io.bloomjoin.spark.build;

import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.spark.catalyst.KeyReader;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;

/** Collects the keys of each partition on the executors, and merges them up a tree. */
public final class KeyAggregation {
  /** Partials of up to this many bytes together are merged by the driver itself. */
  private static final long MAX_BYTES_MERGED_AT_DRIVER = 32L << 20;

  private KeyAggregation() {}

  /** The Bloom filter of {@code blocks} blocks over the keys of {@code rows}. */
  public static SplitBlockBloomFilter bloomFilter(
      JavaRDD<InternalRow> rows, KeyReader.Factory keys, long blocks) {
    return run(rows, keys, blocks, KeyCollector.Factory.none()).bloomFilter();
  }

  /** The keys of {@code rows}, for a Bloom filter of at most {@code blocks} blocks. */
  static CollectedKeys run(
      JavaRDD<InternalRow> rows,
      KeyReader.Factory keys,
      long blocks,
      KeyCollector.Factory collectors) {
    PartialFilter form = PartialFilter.ofBlocks(blocks, keys.number());
    JavaRDD<Tuple2<long[], long[]>> partials =
        rows.mapPartitions(it -> partial(it, keys.reader(), form, collectors.collector()));
    boolean mergeOnExecutor =
        partials.getNumPartitions() * (form.words() * 8L) > MAX_BYTES_MERGED_AT_DRIVER;
    Tuple2<long[], long[]> merged =
        partials.treeAggregate(
            new Tuple2<>(PartialFilter.ZERO, KeyCollector.ZERO),
            (a, b) -> merge(a, b, form, collectors),
            (a, b) -> merge(a, b, form, collectors),
            2,
            mergeOnExecutor);
    return new CollectedKeys(form, merged._1(), collectors.known(merged._2()));
  }

  private static Tuple2<long[], long[]> merge(
      Tuple2<long[], long[]> a,
      Tuple2<long[], long[]> b,
      PartialFilter form,
      KeyCollector.Factory collectors) {
    return new Tuple2<>(form.merge(a._1(), b._1()), collectors.merge(a._2(), b._2()));
  }

  private static Iterator<Tuple2<long[], long[]>> partial(
      Iterator<InternalRow> rows, KeyReader keys, PartialFilter form, KeyCollector values) {
    PartialFilter.Collector collector = form.collector();
    while (rows.hasNext()) {
      if (keys.read(rows.next())) {
        collector.add(keys.numberOrHash());
        values.add(keys);
      }
    }
    return Collections.singleton(new Tuple2<>(collector.finish(), values.finish())).iterator();
  }
}
