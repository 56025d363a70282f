package io.bloomjoin.spark.plan;

import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Map;

/** Counts what a scan's stand-in reads into the metrics of the scan that the plan shows. */
final class CountedScan {
  private CountedScan() {}

  static RDD<InternalRow> rows(RDD<InternalRow> rows, Map<String, SQLMetric> metrics) {
    return counted(rows, metrics, row -> 1);
  }

  /** The batches, as the generated code over a columnar scan takes them: in an RDD of rows. */
  static RDD<InternalRow> batches(RDD<ColumnarBatch> batches, Map<String, SQLMetric> metrics) {
    RDD<ColumnarBatch> counted = counted(batches, metrics, ColumnarBatch::numRows);
    @SuppressWarnings("unchecked") // as Spark does it
    RDD<InternalRow> rows = (RDD<InternalRow>) (RDD<?>) counted;
    return rows;
  }

  /** The same for batches that are in an RDD of rows already. */
  static RDD<InternalRow> batchesInRows(RDD<InternalRow> rows, Map<String, SQLMetric> metrics) {
    @SuppressWarnings("unchecked") // a columnar source's RDD has batches
    RDD<ColumnarBatch> batches = (RDD<ColumnarBatch>) (RDD<?>) rows;
    return batches(batches, metrics);
  }

  private static <T> RDD<T> counted(
      RDD<T> read, Map<String, SQLMetric> metrics, RowCount<T> rowsIn) {
    SQLMetric rows = metrics.apply("numOutputRows");
    SQLMetric time = metrics.get("scanTime").getOrElse(() -> null);
    return read.toJavaRDD().mapPartitions(it -> new Counted<>(it, rowsIn, rows, time), true).rdd();
  }

  /** The rows in one element of an RDD. */
  private interface RowCount<T> extends ToIntFunction<T>, java.io.Serializable {}

  private record Counted<T>(Iterator<T> source, RowCount<T> rowsIn, SQLMetric rows, SQLMetric time)
      implements Iterator<T> {

    @Override
    public boolean hasNext() {
      if (time == null) {
        return source.hasNext();
      }
      long start = System.nanoTime(); // the reader reads when it is asked whether there is more
      boolean more = source.hasNext();
      time.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      return more;
    }

    @Override
    public T next() {
      T next = source.next();
      rows.add(rowsIn.applyAsInt(next));
      return next;
    }
  }
}
