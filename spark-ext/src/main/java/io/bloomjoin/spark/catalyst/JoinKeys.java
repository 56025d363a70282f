package io.bloomjoin.spark.catalyst;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.XxHash64;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/**
 * How join keys become the 64-bit hashes of the filter, and which keys cannot.
 *
 * <p>The hash is Spark's own {@link XxHash64} with seed 0, the encoding that {@link
 * io.bloomjoin.key.KeyHash} defines for all of Bloomjoin. It is taken over the join's own key
 * expressions, which Spark has normalised already (-0.0, NaN, decimals, {@code <=>}), so keys that
 * the join finds equal have equal hashes.
 */
public final class JoinKeys {
  /** Seed of the hash of the first key column. */
  public static final long SEED = 0L;

  private JoinKeys() {}

  /** The hash of a row's composite key; meaningful where {@link #anyNull} is false. */
  public static Expression hash(List<Expression> keys) {
    return new XxHash64(Scala.seq(keys), SEED);
  }

  /** Whether a key column is null, so that the row equals no other row of the join. */
  public static Expression anyNull(List<Expression> keys) {
    return keys.stream()
        .filter(Expression::nullable)
        .<Expression>map(IsNull::new)
        .reduce(Or::new)
        .orElse(Literal.FalseLiteral());
  }

  /** The attributes that {@code keys} are made of. */
  public static AttributeSet references(List<Expression> keys) {
    return AttributeSet.fromAttributeSets(
        Scala.seq(keys.stream().map(Expression::references).toList()));
  }

  /** Whether values of {@code type} that a join finds equal always have equal bytes. */
  public static boolean isHashable(DataType type) {
    if (type instanceof StringType string) {
      return string.supportsBinaryEquality();
    }
    if (type instanceof ArrayType array) {
      return isHashable(array.elementType());
    }
    if (type instanceof StructType struct) {
      for (StructField field : struct.fields()) {
        if (!isHashable(field.dataType())) {
          return false;
        }
      }
      return true;
    }
    return type instanceof NumericType
        || type instanceof BooleanType
        || type instanceof BinaryType
        || type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType
        || type instanceof TimeType
        || type instanceof YearMonthIntervalType
        || type instanceof DayTimeIntervalType;
  }

  /** Whether a key can be evaluated anew, elsewhere, at another time, with the same result. */
  private static boolean isRepeatable(Expression key) {
    return key.deterministic() && !Expressions.exists(key, e -> e instanceof PlanExpression<?>);
  }

  /** Whether a filter over {@code build} may be asked with {@code probe}, column by column. */
  public static boolean areComparable(List<Expression> build, List<Expression> probe) {
    if (build.isEmpty() || build.size() != probe.size()) {
      return false;
    }
    for (int i = 0; i < build.size(); i++) {
      DataType type = build.get(i).dataType();
      if (!isHashable(type)
          || !type.asNullable().equals(probe.get(i).dataType().asNullable())
          || !isRepeatable(build.get(i))
          || !isRepeatable(probe.get(i))) {
        return false;
      }
    }
    return true;
  }
}
