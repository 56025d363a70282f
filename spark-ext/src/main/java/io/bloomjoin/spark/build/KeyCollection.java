package io.bloomjoin.spark.build;

import io.bloomjoin.filter.FilterCollector;
import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.spark.catalyst.KeyReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;

/** Collects an unknown number of keys on the executors, and merges what they have up a tree. */
public final class KeyCollection {
  private static final byte[] NOTHING = {};

  private KeyCollection() {}

  /** The keys of {@code rows}; null keys are left out. */
  public static FilterCollector run(
      JavaRDD<InternalRow> rows, KeyReader.Factory keys, FilterGoal goal) {
    JavaRDD<byte[]> partials = rows.mapPartitions(it -> partial(it, keys.reader(), goal));
    byte[] merged =
        partials.treeAggregate(
            NOTHING, (a, b) -> merge(a, b, goal), (a, b) -> merge(a, b, goal), 2, true);
    return merged.length == 0 ? new FilterCollector(goal) : collector(merged, goal);
  }

  private static Iterator<byte[]> partial(
      Iterator<InternalRow> rows, KeyReader keys, FilterGoal goal) {
    FilterCollector collector = new FilterCollector(goal);
    while (rows.hasNext()) {
      if (keys.read(rows.next())) {
        collector.add(keys.hash());
      }
    }
    return Collections.singleton(collector.toBytes()).iterator();
  }

  private static byte[] merge(byte[] a, byte[] b, FilterGoal goal) {
    if (a.length == 0) {
      return b;
    }
    if (b.length == 0) {
      return a;
    }
    FilterCollector merged = collector(a, goal);
    merged.addAll(collector(b, goal));
    return merged.toBytes();
  }

  private static FilterCollector collector(byte[] bytes, FilterGoal goal) {
    try {
      return FilterCollector.fromBytes(bytes, goal);
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }
}
