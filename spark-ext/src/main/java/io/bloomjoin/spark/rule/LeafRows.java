package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.RangeExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.StructType;

/** How many rows a source has: counted where something counted them, else guessed from bytes. */
final class LeafRows {
  /** Rows listed in the query are a choice of keys, as an {@code IN} list is. */
  private static final double LISTED_ROWS_KEPT = 0.1;

  private LeafRows() {}

  static Estimate of(SparkPlan leaf) {
    if (leaf instanceof RangeExec range) {
      return new Estimate(range.numElements().toDouble(), 1, true);
    }
    if (leaf instanceof LocalTableScanExec table) {
      return new Estimate(table.rows().size(), LISTED_ROWS_KEPT, true);
    }
    if (leaf instanceof InMemoryTableScanExec cached && cached.isMaterialized()) {
      return ofStatistics(cached.runtimeStatistics(), leaf);
    }
    if (leaf instanceof FileSourceScanExec scan) {
      return ofFiles(scan);
    }
    return ofStatistics(statistics(leaf), leaf);
  }

  private static Estimate ofFiles(FileSourceScanExec scan) {
    Statistics statistics = statistics(scan);
    if (statistics != null && statistics.rowCount().isDefined()) {
      return new Estimate(statistics.rowCount().get().toDouble(), 1, true);
    }
    if (scan.relation().location() instanceof PartitioningAwareFileIndex index) {
      List<FileStatus> files = Scala.list(index.allFiles());
      double bytes = files.stream().mapToDouble(FileStatus::getLen).sum();
      if (scan.relation().fileFormat() instanceof ParquetFileFormat) {
        double rowsPerByte = ParquetRows.perByte(files, scan.relation());
        if (rowsPerByte > 0) {
          return new Estimate(bytes * rowsPerByte, 1, true);
        }
      }
      return new Estimate(bytes / rowBytes(scan.relation().schema()), 1, false);
    }
    return ofStatistics(statistics, scan);
  }

  private static Estimate ofStatistics(Statistics statistics, SparkPlan leaf) {
    if (statistics == null) {
      return Estimate.unknown();
    }
    if (statistics.rowCount().isDefined()) {
      return new Estimate(statistics.rowCount().get().toDouble(), 1, true);
    }
    if (statistics
        .sizeInBytes()
        .$greater$eq(scala.math.BigInt.long2bigInt(leaf.conf().defaultSizeInBytes()))) {
      return Estimate.unknown();
    }
    double rowBytes =
        Scala.<Attribute>list(leaf.output()).stream()
            .mapToDouble(attribute -> attribute.dataType().defaultSize())
            .sum();
    return new Estimate(statistics.sizeInBytes().toDouble() / (8 + rowBytes), 1, false);
  }

  /** Of the source itself; a scan is linked to the predicates and the projection on it too. */
  private static Statistics statistics(SparkPlan leaf) {
    scala.Option<LogicalPlan> logical = leaf.logicalLink();
    if (logical.isEmpty()) {
      return null;
    }
    List<LogicalPlan> sources = Scala.list(logical.get().collectLeaves());
    return sources.size() == 1 ? sources.get(0).stats() : logical.get().stats();
  }

  private static double rowBytes(StructType schema) {
    return 8.0 + schema.defaultSize();
  }
}
