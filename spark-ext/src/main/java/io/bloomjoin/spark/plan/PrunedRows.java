package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.catalyst.KeyReader;
import io.bloomjoin.spark.probe.FilterHandle;
import io.bloomjoin.spark.probe.ProbeMetrics;
import io.bloomjoin.spark.probe.RowProbe;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;

/** The pruning of an RDD of rows without generated code. */
final class PrunedRows implements Function2<Integer, Iterator<InternalRow>, Iterator<InternalRow>> {
  private static final long serialVersionUID = 1L;

  private final FilterHandle filter;
  private final KeyReader.Factory keys;
  private final ProbeMetrics metrics;
  private final double maxPassRatio;

  private PrunedRows(
      FilterHandle filter, KeyReader.Factory keys, ProbeMetrics metrics, double maxPassRatio) {
    this.filter = filter;
    this.keys = keys;
    this.metrics = metrics;
    this.maxPassRatio = maxPassRatio;
  }

  static RDD<InternalRow> of(
      RDD<InternalRow> rows,
      FilterHandle filter,
      KeyReader.Factory keys,
      ProbeMetrics metrics,
      double maxPassRatio) {
    PrunedRows prune = new PrunedRows(filter, keys, metrics, maxPassRatio);
    return rows.toJavaRDD().mapPartitionsWithIndex(prune, true).rdd();
  }

  @Override
  public Iterator<InternalRow> call(Integer partition, Iterator<InternalRow> rows) {
    if (filter.isRejectsAll()) {
      return Collections.emptyIterator();
    }
    return new Passing(rows, keys.reader(), filter.newProbe(metrics, maxPassRatio));
  }

  /** The rows that pass; reads ahead only when asked whether there is one more. */
  private static final class Passing implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final KeyReader keys;
    private final RowProbe probe;
    private InternalRow next;

    Passing(Iterator<InternalRow> rows, KeyReader keys, RowProbe probe) {
      this.rows = rows;
      this.keys = keys;
      this.probe = probe;
    }

    @Override
    public boolean hasNext() {
      while (next == null && rows.hasNext()) {
        InternalRow row = rows.next();
        if (!keys.read(row)) {
          probe.dropNullKey();
        } else if (mightContain()) {
          next = row;
        }
      }
      return next != null;
    }

    private boolean mightContain() {
      long key = keys.numberOrHash();
      return switch (keys.number()) {
        case NONE -> probe.mightContain(key);
        case INT -> probe.mightContainInt((int) key);
        case LONG -> probe.mightContainLong(key);
      };
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      InternalRow row = next;
      next = null;
      return row;
    }
  }
}
