package io.bloomjoin.spark.function;

import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;

/** Casts that keep every value as it is and never fail. */
final class WideningCast {
  private WideningCast() {}

  /** {@code key} cast to {@code typeName}, or as it is if that is no wider type of its kind. */
  static Expression to(String typeName, Expression key) {
    if (key.dataType().catalogString().equals(typeName)) {
      return key;
    }
    DataType type;
    try {
      type = CatalystSqlParser$.MODULE$.parseDataType(typeName);
    } catch (Exception notATypeOfSpark) { // a ParseException, which Scala does not declare
      return key;
    }
    return isWider(type, key.dataType())
        ? new Cast(key, type, scala.Option.empty(), EvalMode.ANSI())
        : key;
  }

  private static boolean isWider(DataType type, DataType than) {
    if (than instanceof NullType) {
      return true;
    }
    if (type instanceof DecimalType decimal) {
      return (than instanceof IntegralType || than instanceof DecimalType)
          && decimal.isWiderThan(than);
    }
    if (type instanceof IntegralType && than instanceof IntegralType) {
      return type.defaultSize() > than.defaultSize();
    }
    return type instanceof DoubleType
        && (than instanceof FloatType
            || than instanceof ByteType
            || than instanceof ShortType
            || than instanceof IntegerType);
  }
}
