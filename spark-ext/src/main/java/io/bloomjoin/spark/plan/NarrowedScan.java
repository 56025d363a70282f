package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.build.KeyValues;
import io.bloomjoin.spark.catalyst.Expressions;
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
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.SQLExecution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics$;
import org.apache.spark.sql.types.IntegralType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file scan right below prunings that reads less than the plan says: what the finished build
 * sides know of their keys becomes predicates of the scan, by which Parquet skips row groups and
 * pages, and Spark skips directories where the key is a partition column.
 *
 * <p>The predicates are known only when the plan runs, so a copy of the scan runs in its place. The
 * plan, and what is shared by it, stays as it was planned; the copy's metrics are handed on to the
 * scan of the plan. Skipping only drops rows that a pruning above would drop, or might.
 */
final class NarrowedScan {
  private static final Logger LOG = LoggerFactory.getLogger(NarrowedScan.class);

  private final FileSourceScanExec scan;
  private final List<Expression> onData = new ArrayList<>();
  private final List<Expression> onDirectories = new ArrayList<>();

  private NarrowedScan(FileSourceScanExec scan) {
    this.scan = scan;
  }

  /**
   * The input of the generated code of {@code top}, read with less; null where its left child must
   * be asked. All prunings between {@code top} and the scan contribute, and are waited for.
   */
  static RDD<InternalRow> rowsFor(BloomPruneExec top) {
    List<BloomPruneExec> prunings = new ArrayList<>();
    boolean inBatches = false;
    SparkPlan node = top;
    while (!(node instanceof FileSourceScanExec)) {
      if (node instanceof BloomPruneExec prune) {
        prunings.add(prune);
      } else if (node instanceof ColumnarToRowExec) {
        inBatches = true;
      } else if (!(node instanceof InputAdapter) && !isRepeatable(node)) {
        return null;
      }
      node = node.children().head();
    }
    NarrowedScan narrowed = new NarrowedScan((FileSourceScanExec) node);
    try {
      prunings.forEach(narrowed::narrowBy);
      return narrowed.isNarrower() ? narrowed.execute(inBatches) : null;
    } catch (Exception trouble) {
      LOG.warn("Bloomjoin lets a scan read everything: {}", trouble.getMessage(), trouble);
      return null;
    }
  }

  /** Whether a predicate passes a row whatever rows it saw before. */
  private static boolean isRepeatable(SparkPlan node) {
    return node instanceof FilterExec filter && filter.condition().deterministic();
  }

  private void narrowBy(BloomPruneExec prune) {
    List<KeyValues> values = prune.awaitFilter().values();
    List<Expression> keys = Scala.list(prune.leftKeys());
    for (int i = 0; i < values.size(); i++) {
      if (column(keys.get(i)) instanceof AttributeReference column) {
        narrowBy(column, values.get(i));
      }
    }
  }

  /** A key's column, also where the key is the column as a wider integral number. */
  private static Expression column(Expression key) {
    Expression narrow = Expressions.withoutUpcast(key);
    boolean integral =
        key.dataType() instanceof IntegralType && narrow.dataType() instanceof IntegralType;
    return integral ? narrow : key;
  }

  private void narrowBy(AttributeReference key, KeyValues values) {
    for (Attribute column : Scala.<Attribute>list(scan.output())) {
      if (column.exprId().equals(key.exprId()) && isOfTable(column)) {
        if (isAmong(scan.relation().partitionSchema().fieldNames(), column)) {
          onDirectories.addAll(ScanPredicates.of(column, values));
        } else if (skipsWithin(column)) {
          onData.addAll(ScanPredicates.of(column, values));
        }
      }
    }
  }

  private static boolean isOfTable(Attribute column) {
    return column instanceof AttributeReference reference
        && FileSourceMetadataAttribute$.MODULE$.unapply(reference).isEmpty();
  }

  private boolean skipsWithin(Attribute column) {
    return scan.relation().fileFormat() instanceof ParquetFileFormat
        && isAmong(scan.requiredSchema().fieldNames(), column)
        && ScanPredicates.holdForFiles(column.dataType());
  }

  private static boolean isAmong(String[] names, Attribute column) {
    return Arrays.asList(names).contains(column.name());
  }

  private boolean isNarrower() {
    return !onData.isEmpty() || !onDirectories.isEmpty();
  }

  private RDD<InternalRow> execute(boolean inBatches) {
    FileSourceScanExec copy = copy();
    RDD<InternalRow> rows =
        inBatches
            ? CountedScan.batches(copy.executeColumnar(), scan.metrics())
            : CountedScan.rows(copy.execute(), scan.metrics());
    handOnDriverMetrics(copy);
    return rows;
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
