package io.bloomjoin.spark;

import io.bloomjoin.spark.catalyst.JoinKeys;
import io.bloomjoin.spark.catalyst.KeyReader;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.QueryExecution;

/** The key columns of a dataset. */
final class KeyColumns {
  private final QueryExecution keys;
  private final List<Attribute> output;

  private KeyColumns(Dataset<Row> keys) {
    this.keys = ((org.apache.spark.sql.classic.Dataset<Row>) keys).queryExecution();
    this.output = Scala.list(this.keys.analyzed().output());
  }

  /**
   * @throws IllegalArgumentException if there is none, or one is of a type that cannot be hashed
   */
  static KeyColumns of(Dataset<?> source, String... names) {
    if (names.length == 0) {
      throw new IllegalArgumentException("A filter needs at least one key column.");
    }
    Column[] columns = Arrays.stream(names).map(source::col).toArray(Column[]::new);
    KeyColumns keys = new KeyColumns(source.select(columns));
    for (Attribute key : keys.output) {
      if (!JoinKeys.isHashable(key.dataType())) {
        throw new IllegalArgumentException(
            "Column "
                + key.name()
                + " cannot be the key of a Bloom filter: values of type "
                + key.dataType().catalogString()
                + " may be equal without equal bytes.");
      }
    }
    return keys;
  }

  /** Resolved, over the output of the dataset. */
  List<Expression> expressions() {
    return Scala.<NamedExpression>list(((Project) keys.analyzed()).projectList()).stream()
        .map(column -> column instanceof Alias alias ? alias.child() : (Expression) column)
        .toList();
  }

  /** As Spark's catalog names them. */
  List<String> types() {
    return output.stream().map(key -> key.dataType().catalogString()).toList();
  }

  /**
   * @throws IllegalArgumentException if {@code stated} are other types; names both
   */
  void checkTypes(List<String> stated) {
    if (!stated.isEmpty() && !stated.equals(types())) {
      throw new IllegalArgumentException(
          String.format(
              "The filter holds keys of type (%s), and the columns are of type (%s). Cast the"
                  + " columns to the filter's types.",
              String.join(", ", stated), String.join(", ", types())));
    }
  }

  /** A plan with these columns and no other. */
  LogicalPlan plan() {
    return keys.analyzed();
  }

  JavaRDD<InternalRow> rows() {
    return keys.toRdd().toJavaRDD();
  }

  /** Reads the keys of {@link #rows}. */
  KeyReader.Factory reader() {
    List<Attribute> columnsRead = Scala.list(keys.executedPlan().output());
    return new KeyReader.Factory(List.<Expression>copyOf(columnsRead), columnsRead);
  }
}
