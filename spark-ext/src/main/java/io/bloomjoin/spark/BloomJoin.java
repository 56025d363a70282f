package io.bloomjoin.spark;

import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.SplitBlockSizing;
import io.bloomjoin.spark.build.KeyAggregation;
import io.bloomjoin.spark.catalyst.JoinKeys;
import io.bloomjoin.spark.catalyst.KeyReader;
import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.decision.Explanation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.QueryExecution;

/** Filters by hand: built once from a table, kept, and asked by {@code bloom_might_contain}. */
public final class BloomJoin {
  private BloomJoin() {}

  /**
   * Builds the filter over the keys of {@code source}. The rows are read twice, to count them and
   * to add their keys; rows with a null in a key column are left out.
   *
   * @param fpp the wanted false positive probability, in (0, 1)
   * @param keyColumns the columns of the key, in the order in which the filter will be asked
   * @return the filter in its portable bytes, for {@code bloom_might_contain}, a column or a file
   * @throws IllegalArgumentException if there is no key column, one is of a type that cannot be
   *     hashed, or {@code fpp} is out of range
   */
  public static byte[] build(Dataset<?> source, double fpp, String... keyColumns) {
    if (keyColumns.length == 0) {
      throw new IllegalArgumentException("A filter needs at least one key column.");
    }
    Column[] columns = Arrays.stream(keyColumns).map(source::col).toArray(Column[]::new);
    Dataset<Row> keys = source.select(columns);
    QueryExecution execution = ((org.apache.spark.sql.classic.Dataset<Row>) keys).queryExecution();
    List<Attribute> output = Scala.list(execution.analyzed().output());
    for (Attribute key : output) {
      if (!JoinKeys.isHashable(key.dataType())) {
        throw new IllegalArgumentException(
            "Column "
                + key.name()
                + " cannot be the key of a Bloom filter: values of type "
                + key.dataType().catalogString()
                + " may be equal without equal bytes.");
      }
    }
    long blocks = SplitBlockSizing.blocksFor(keys.count(), fpp);
    List<Attribute> columnsRead = Scala.list(execution.executedPlan().output());
    KeyReader.Factory reader =
        new KeyReader.Factory(List.<Expression>copyOf(columnsRead), columnsRead);
    KeyAggregation.Result result =
        KeyAggregation.run(execution.toRdd().toJavaRDD(), reader, blocks);
    List<String> types = output.stream().map(key -> key.dataType().catalogString()).toList();
    return FilterFormat.toBytes(
        result.filter(), new FilterMetadata(types, result.filter().estimatedKeys(), fpp, Map.of()));
  }

  /**
   * Says in words, for each join of a query, whether its sides are pruned and why. Before the query
   * has run the rows are estimates; after it they are counted, and the filters tell what they did.
   */
  public static String explain(Dataset<?> query) {
    return Explanation.of(
        ((org.apache.spark.sql.classic.Dataset<?>) query).queryExecution().executedPlan());
  }
}
