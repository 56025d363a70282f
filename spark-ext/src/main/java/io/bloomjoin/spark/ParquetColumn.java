package io.bloomjoin.spark;

import io.bloomjoin.hadoop.ParquetBloomFilters;
import io.bloomjoin.hadoop.ParquetBloomFilters.Harvest;
import io.bloomjoin.spark.catalyst.Scala;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetOptions;
import org.apache.spark.sql.execution.datasources.parquet.ParquetUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import scala.collection.immutable.Seq;

/**
 * A column that a dataset has from Parquet files as it is, with all of their rows: the keys of the
 * dataset are those of the files.
 *
 * @param column the column in the files
 */
record ParquetColumn(HadoopFsRelation relation, Attribute column) {

  /**
   * @param keys a dataset of the one column
   * @throws IllegalArgumentException if that is anything but a column of Parquet files; says what
   */
  static ParquetColumn of(LogicalPlan keys) {
    LogicalPlan plan = keys;
    Attribute column = Scala.<Attribute>list(keys.output()).get(0);
    while (true) {
      if (plan instanceof Project project) {
        column = below(project, column);
        plan = project.child();
      } else if (plan instanceof SubqueryAlias || plan instanceof View) {
        plan = Scala.<LogicalPlan>list(plan.children()).get(0);
      } else if (plan instanceof LogicalRelation leaf
          && leaf.relation() instanceof HadoopFsRelation relation
          // Subclasses may read other rows than the files have.
          && relation.fileFormat().getClass() == ParquetFileFormat.class) {
        // The query may have written its name in another case.
        ParquetColumn found = new ParquetColumn(relation, same(leaf.output(), column));
        found.checkReadAsItIs();
        return found;
      } else {
        throw new IllegalArgumentException(
            "Bloom filters are harvested from a dataset that reads Parquet files, all rows of them,"
                + " but this one has "
                + plan.nodeName()
                + ". Harvest from what is below, or build a filter.");
      }
    }
  }

  private static Attribute below(Project project, Attribute column) {
    NamedExpression output = same(project.projectList(), column);
    Expression value = output instanceof Alias alias ? alias.child() : (Expression) output;
    // Views cast to the type that a column has already.
    while (value instanceof Cast cast && cast.child().dataType().equals(cast.dataType())) {
      value = cast.child();
    }
    if (value instanceof Attribute attribute) {
      return attribute;
    }
    throw new IllegalArgumentException(
        "Column "
            + column.name()
            + " is computed, and not as it is in Parquet files. Harvest from their column, or build"
            + " a filter.");
  }

  private static <T extends NamedExpression> T same(Seq<T> outputs, Attribute column) {
    return Scala.<T>list(outputs).stream()
        .filter(output -> output.exprId().equals(column.exprId()))
        .findFirst()
        .orElseThrow();
  }

  private void checkReadAsItIs() {
    if (!Arrays.asList(relation.dataSchema().fieldNames()).contains(column.name())
        || Arrays.asList(relation.partitionSchema().fieldNames()).contains(column.name())) {
      throw new IllegalArgumentException(
          "Column " + column.name() + " is not in the files, but a partition. Build a filter.");
    }
    SQLConf conf = relation.sparkSession().sessionState().conf();
    if (conf.parquetFieldIdReadEnabled() && ParquetUtils.hasFieldIds(relation.dataSchema())) {
      throw new IllegalArgumentException(
          "The columns are found by their field ids, and Bloom filters by name. Build a filter.");
    }
    if (isTime(column.dataType())
        && new ParquetOptions(relation.options(), conf)
            .datetimeRebaseModeInRead()
            .equals("LEGACY")) {
      throw new IllegalArgumentException(
          "Column "
              + column.name()
              + " is read in the calendar of Spark 2, and its Bloom filters are not. Build a"
              + " filter.");
    }
  }

  private static boolean isTime(DataType type) {
    return type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType;
  }

  /** The files that the dataset reads. */
  private List<Path> files() {
    List<Path> paths = new ArrayList<>();
    for (PartitionDirectory partition :
        Scala.<PartitionDirectory>list(relation.location().listFiles(Scala.seq(), Scala.seq()))) {
      for (FileStatusWithMetadata file : Scala.<FileStatusWithMetadata>list(partition.files())) {
        paths.add(file.getPath());
      }
    }
    return paths;
  }

  /** Reads the footers and the Bloom filters, no rows. */
  Harvest harvest() throws IOException {
    return ParquetBloomFilters.harvest(
        files(),
        column.name(),
        relation.sparkSession().sessionState().newHadoopConfWithOptions(relation.options()));
  }
}
