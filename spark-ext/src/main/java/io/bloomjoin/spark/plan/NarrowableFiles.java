package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FileSourceMetadataAttribute$;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SQLExecution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics$;

/**
 * A scan of files: predicates let Parquet skip row groups and pages, and Spark skip directories
 * where the column is a partition column. A copy of the scan runs in its place.
 */
final class NarrowableFiles implements NarrowableScan {
  private final FileSourceScanExec scan;
  private final List<Expression> onData = new ArrayList<>();
  private final List<Expression> onDirectories = new ArrayList<>();

  NarrowableFiles(FileSourceScanExec scan) {
    this.scan = scan;
  }

  @Override
  public SparkPlan plan() {
    return scan;
  }

  @Override
  public boolean takes(Attribute column) {
    return isOfTable(column) && (isDirectory(column) || skipsWithin(column));
  }

  private static boolean isOfTable(Attribute column) {
    return column instanceof AttributeReference reference
        && FileSourceMetadataAttribute$.MODULE$.unapply(reference).isEmpty();
  }

  private boolean isDirectory(Attribute column) {
    return isAmong(scan.relation().partitionSchema().fieldNames(), column);
  }

  private boolean skipsWithin(Attribute column) {
    return scan.relation().fileFormat() instanceof ParquetFileFormat
        && isAmong(scan.requiredSchema().fieldNames(), column)
        && ScanPredicates.holdForFiles(column.dataType());
  }

  private static boolean isAmong(String[] names, Attribute column) {
    return Arrays.asList(names).contains(column.name());
  }

  @Override
  public void add(Attribute column, List<Expression> conjuncts) {
    (isDirectory(column) ? onDirectories : onData).addAll(conjuncts);
  }

  @Override
  public RDD<InternalRow> execute(boolean inBatches) {
    FileSourceScanExec copy = copy();
    RDD<InternalRow> rows =
        inBatches
            ? CountedScan.batches(copy.executeColumnar(), scan.metrics())
            : CountedScan.rows(copy.execute(), scan.metrics());
    handOnDriverMetrics(copy);
    return rows;
  }

  @Override
  public long skippedPartitions() {
    return 0;
  }

  private FileSourceScanExec copy() {
    Object[] arguments = new Object[scan.productArity()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] =
          switch (scan.productElementName(i)) {
            case "dataFilters" -> and(scan.dataFilters(), onData);
            case "partitionFilters" -> and(scan.partitionFilters(), onDirectories);
            default -> scan.productElement(i);
          };
    }
    return (FileSourceScanExec) scan.makeCopy(arguments);
  }

  private static scala.collection.immutable.Seq<Expression> and(
      scala.collection.immutable.Seq<Expression> planned, List<Expression> added) {
    List<Expression> all = new ArrayList<>(Scala.<Expression>list(planned));
    all.addAll(added);
    return Scala.seq(all);
  }

  /** What the driver counts: files, their size, directories, and the time to list them. */
  private void handOnDriverMetrics(FileSourceScanExec copy) {
    List<SQLMetric> changed = new ArrayList<>();
    copy.driverMetrics()
        .foreachEntry(
            (name, counted) -> {
              SQLMetric shown = scan.driverMetrics().apply(name);
              shown.set(counted.value());
              changed.add(shown);
              return null;
            });
    SparkContext context = scan.sparkContext();
    String execution = context.getLocalProperty(SQLExecution$.MODULE$.EXECUTION_ID_KEY());
    SQLMetrics$.MODULE$.postDriverMetricUpdates(context, execution, Scala.seq(changed));
  }
}
