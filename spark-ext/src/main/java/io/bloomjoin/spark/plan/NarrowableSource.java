package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.V2ExpressionUtils$;
import org.apache.spark.sql.catalyst.plans.physical.KeyedPartitioning;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.execution.datasources.v2.DataSourceRDD;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * A scan of a source of version 2 that takes run-time filters: it plans its input partitions anew
 * when it is told of the keys, as it does for Spark's dynamic partition pruning.
 *
 * <p>The source keeps what it is told, in an object that plans share. So it is told only where the
 * query reads that object in one place; and only the partitions are taken from the copy of the plan
 * node. A source that reports how its rows are partitioned must still have a partition for each
 * that was planned, empty ones too, since nodes above count on their places.
 */
final class NarrowableSource implements NarrowableScan {
  private final BatchScanExec scan;
  private final List<Expression> added = new ArrayList<>();
  private long skipped;

  NarrowableSource(BatchScanExec scan) {
    this.scan = scan;
  }

  @Override
  public SparkPlan plan() {
    return scan;
  }

  @Override
  public boolean takes(Attribute column) {
    return scan.scan() instanceof SupportsRuntimeV2Filtering source
        && V2ExpressionUtils$.MODULE$
            .resolveAttributeRefs(source.filterAttributes(), Scala.seq(Scala.list(scan.output())))
            .contains(column);
  }

  @Override
  public void add(Attribute column, List<Expression> conjuncts) {
    added.addAll(conjuncts);
  }

  @Override
  public RDD<InternalRow> execute(boolean inBatches) {
    if (!ExclusiveScan.isExclusive(scan)) {
      return null;
    }
    int planned = scan.inputPartitions().size(); // before the source is told
    boolean keyed = scan.outputPartitioning() instanceof KeyedPartitioning;
    boolean columnar = scan.supportsColumnar();
    BatchScanExec copy = copy();
    Seq<Option<InputPartition>> partitions =
        copy.executeQuery(Scala.function(copy::filteredPartitions));
    if (keyed && partitions.size() != planned) {
      return null;
    }
    long read = Scala.list(partitions).stream().filter(Option::isDefined).count();
    skipped = Math.max(0, planned - read);
    RDD<InternalRow> rows =
        new DataSourceRDD(
            scan.sparkContext(), partitions, copy.readerFactory(), columnar, scan.customMetrics());
    scan.postDriverMetrics(scan.scan().reportDriverMetrics());
    return inBatches
        ? CountedScan.batchesInRows(rows, scan.metrics())
        : CountedScan.rows(rows, scan.metrics());
  }

  @Override
  public long skippedPartitions() {
    return skipped;
  }

  private BatchScanExec copy() {
    Object[] arguments = new Object[scan.productArity()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] =
          scan.productElementName(i).equals("runtimeFilters")
              ? withAdded(scan.runtimeFilters())
              : scan.productElement(i);
    }
    return (BatchScanExec) scan.makeCopy(arguments);
  }

  private Seq<Expression> withAdded(Seq<Expression> planned) {
    List<Expression> all = new ArrayList<>(Scala.<Expression>list(planned));
    all.addAll(added);
    return Scala.seq(all);
  }
}
