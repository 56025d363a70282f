package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.RangeExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;

/** How many tasks of a source have rows to read, so that as many cores can work on it. */
final class LeafTasks {
  private LeafTasks() {}

  /** At least 1; {@code cores} where nothing is known. */
  static double of(SparkPlan leaf, int cores) {
    if (leaf instanceof RangeExec range) {
      return Math.max(1, range.numSlices());
    }
    if (leaf instanceof FileSourceScanExec scan
        && scan.relation().location() instanceof PartitioningAwareFileIndex index) {
      return ofFiles(Scala.list(index.allFiles()), scan.relation());
    }
    return cores;
  }

  private static double ofFiles(List<FileStatus> files, HadoopFsRelation relation) {
    double openCost = relation.sparkSession().sessionState().conf().filesOpenCostInBytes();
    double total = 0;
    double parts = 0;
    double partBytes = partBytes(files, relation);
    for (FileStatus file : files) {
      total += file.getLen() + openCost;
      parts += Math.max(1, Math.rint(file.getLen() / partBytes));
    }
    double bytes = total;
    double splitBytes =
        FilePartition.maxSplitBytes(
            relation.sparkSession(), Scala.<Object>function(() -> (long) bytes));
    return Math.max(1, Math.min(parts, Math.ceil(total / splitBytes)));
  }

  /** The bytes of a file that only one task can read: a row group, else as Spark splits it. */
  private static double partBytes(List<FileStatus> files, HadoopFsRelation relation) {
    if (relation.fileFormat() instanceof ParquetFileFormat) {
      return ParquetRows.rowGroupBytes(files, relation);
    }
    boolean splits =
        files.isEmpty()
            || relation
                .fileFormat()
                .isSplitable(relation.sparkSession(), relation.options(), files.get(0).getPath());
    return splits ? 1 : Double.POSITIVE_INFINITY;
  }
}
