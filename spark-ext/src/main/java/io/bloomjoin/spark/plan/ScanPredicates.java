package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.build.KeyValues;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.util.RebaseDateTime;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Predicates that hold for every row whose key is among known values.
 *
 * <p>Spark hands predicates to file readers as Java values. What does not survive that is in no
 * predicate: it makes a list a range, and a range open at its end. So it is with days and instants
 * of the time when calendars differed, which files may count either way, with days that a time zone
 * skipped, and with strings that are not UTF-8.
 */
final class ScanPredicates {
  private static final long LAST_SWITCH_MICROS =
      Math.max(RebaseDateTime.lastSwitchGregorianTs(), RebaseDateTime.lastSwitchJulianTs());

  private ScanPredicates() {}

  /** Conjuncts over {@code column}; none where nothing can be said. */
  static List<Expression> of(Attribute column, KeyValues values) {
    if (values instanceof KeyValues.Listed listed) {
      return listed.values().isEmpty() ? List.of() : ofList(column, listed.values());
    }
    if (values instanceof KeyValues.Between bounds) {
      return ofBounds(column, bounds);
    }
    return List.of();
  }

  private static List<Expression> ofList(Attribute column, List<Object> values) {
    DataType type = column.dataType();
    if (values.stream().allMatch(value -> survives(value, type))) {
      return List.of(new InSet(column, Scala.set(values)));
    }
    if (!(values.get(0) instanceof Number)) {
      return List.of();
    }
    Comparator<Object> byNumber = Comparator.comparingLong(value -> ((Number) value).longValue());
    return ofBounds(
        column,
        new KeyValues.Between(
            values.stream().min(byNumber).get(), values.stream().max(byNumber).get()));
  }

  private static List<Expression> ofBounds(Attribute column, KeyValues.Between bounds) {
    DataType type = column.dataType();
    List<Expression> conjuncts = new ArrayList<>();
    if (survives(bounds.least(), type)) {
      conjuncts.add(new GreaterThanOrEqual(column, Literal.create(bounds.least(), type)));
    }
    if (survives(bounds.greatest(), type)) {
      conjuncts.add(new LessThanOrEqual(column, Literal.create(bounds.greatest(), type)));
    }
    return conjuncts;
  }

  /** Whether {@code value} is the same for all readers and calendars. */
  private static boolean survives(Object value, DataType type) {
    if (type instanceof DateType && (Integer) value < RebaseDateTime.lastSwitchJulianDay()) {
      return false;
    }
    if (type instanceof TimestampType && (Long) value < LAST_SWITCH_MICROS) {
      return false;
    }
    Object inJava = CatalystTypeConverters.createToScalaConverter(type).apply(value);
    return value.equals(CatalystTypeConverters.createToCatalystConverter(type).apply(inJava));
  }

  /**
   * Whether a predicate on a column of {@code type} holds for the statistics of files. Parquet
   * widens what is shorter than an int, and Spark cuts it when reading, so a file that was written
   * with a wider type may state bounds that its rows do not have.
   */
  static boolean holdForFiles(DataType type) {
    return !(type instanceof ByteType || type instanceof ShortType);
  }
}
