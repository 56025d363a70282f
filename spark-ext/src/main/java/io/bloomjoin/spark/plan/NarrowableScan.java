package io.bloomjoin.spark.plan;

import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;

/** A scan that can be told, when it starts to run, of which keys it need not read the rows. */
sealed interface NarrowableScan permits NarrowableFiles, NarrowableSource {

  /** The scan at {@code node}; null if there is none that can be told anything. */
  static NarrowableScan of(SparkPlan node) {
    if (node instanceof FileSourceScanExec files) {
      return new NarrowableFiles(files);
    }
    return node instanceof BatchScanExec source ? new NarrowableSource(source) : null;
  }

  /** The scan as the plan has it. */
  SparkPlan plan();

  /** Whether predicates on {@code column}, one of the scan's output, can make it read less. */
  boolean takes(Attribute column);

  /** Adds conjuncts over a column that the scan {@link #takes}. */
  void add(Attribute column, List<Expression> conjuncts);

  /**
   * The rows, or the batches, that may satisfy what was added; null where the scan of the plan must
   * run as it is. What is read counts into the metrics of the scan of the plan.
   */
  RDD<InternalRow> execute(boolean inBatches);

  /**
   * How many of the partitions that were planned {@link #execute} left out, where that is known.
   */
  long skippedPartitions();
}
