package io.bloomjoin.spark.function;

import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.classic.ExpressionUtils;

/** {@code bloom_might_contain} as a column, with the filter in a broadcast. */
public final class FilterCondition {
  private FilterCondition() {}

  /**
   * Whether the key may be in the filter; columns of narrower types than its keys are cast.
   *
   * @param bytes those of {@code filter} in the filter format
   * @param keys resolved
   * @throws IllegalArgumentException if the columns are of other types; names both
   */
  public static Column mightContain(
      SparkSession session, StoredFilter filter, byte[] bytes, List<Expression> keys) {
    List<String> types = filter.metadata().keyTypes();
    List<Expression> arguments = new ArrayList<>();
    arguments.add(
        new BroadcastFilter(session.sparkContext().broadcast(bytes, Scala.classTag(byte[].class))));
    for (int i = 0; i < keys.size(); i++) {
      arguments.add(
          types.size() == keys.size() ? WideningCast.to(types.get(i), keys.get(i)) : keys.get(i));
    }
    BloomMightContain condition = new BloomMightContain(Scala.seq(arguments));
    KeptFilter.checkKeyTypes(filter, List.of(condition.keyTypes()));
    return ExpressionUtils.column(condition);
  }
}
