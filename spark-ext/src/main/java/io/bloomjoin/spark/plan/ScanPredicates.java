package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.build.KeyValues;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.util.RebaseDateTime;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Predicates that hold for every row whose key is among known values.
 *
 * <p>Spark hands predicates to file readers as Java values. What does not survive that is in no
 * predicate: it makes a list a range, and a range open at its end. So it is with days and instants
 * of the time when calendars differed, which files may count either way, with days that a time zone
 * skipped, and with strings that are not UTF-8.
 */
final class ScanPredicates {
  /** Spark makes a list of up to this many keys equalities, which readers test one by one. */
  private static final int MAX_POINTS = 10;

  /** Readers take a longer list for the range that it spans, so it is cut into so many. */
  private static final int MAX_INTERVALS = 16;

  private static final long LAST_SWITCH_MICROS =
      Math.max(RebaseDateTime.lastSwitchGregorianTs(), RebaseDateTime.lastSwitchJulianTs());

  private ScanPredicates() {}

  /**
   * Conjuncts over {@code column}; none where nothing can be said.
   *
   * @param values integral numbers may be of another integral type than the column
   */
  static List<Expression> of(Attribute column, KeyValues values) {
    DataType type = column.dataType();
    if (values instanceof KeyValues.Listed listed) {
      List<Object> possible =
          listed.values().stream()
              .map(value -> inType(value, type))
              .filter(Objects::nonNull)
              .toList();
      return possible.isEmpty() ? List.of() : ofList(column, possible);
    }
    if (values instanceof KeyValues.Between bounds) {
      return ofBounds(column, bounds);
    }
    return List.of();
  }

  /** Conjuncts over one column in words that name no value. */
  static String inWords(List<Expression> conjuncts) {
    return conjuncts.stream()
        .filter(InSet.class::isInstance)
        .map(list -> "in " + ((InSet) list).hset().size() + " keys")
        .findFirst()
        .orElse("between bounds");
  }

  /** {@code value} as a value of {@code type}; null if it is beyond it. */
  private static Object inType(Object value, DataType type) {
    if (!(value instanceof Number number)) {
      return value;
    }
    long exact = number.longValue();
    Number fitted = number;
    if (type instanceof ByteType) {
      fitted = (byte) exact;
    } else if (type instanceof ShortType) {
      fitted = (short) exact;
    } else if (type instanceof IntegerType || type instanceof DateType) {
      fitted = (int) exact;
    }
    return fitted.longValue() == exact ? fitted : null;
  }

  private static List<Expression> ofList(Attribute column, List<Object> values) {
    DataType type = column.dataType();
    List<Object> sorted = values.stream().sorted(ScanPredicates::compare).toList();
    if (!sorted.stream().allMatch(value -> survives(value, type))) {
      Object least = sorted.get(0);
      return least instanceof UTF8String
          ? List.of()
          : ofBounds(column, new KeyValues.Between(least, sorted.get(sorted.size() - 1)));
    }
    Expression list = new InSet(column, Scala.set(sorted));
    return sorted.size() <= MAX_POINTS ? List.of(list) : List.of(list, intervals(column, sorted));
  }

  private static int compare(Object a, Object b) {
    return a instanceof UTF8String text
        ? text.compareTo((UTF8String) b)
        : Long.compare(((Number) a).longValue(), ((Number) b).longValue());
  }

  /** Few intervals that hold all of {@code sorted}, with the widest gaps between them. */
  private static Expression intervals(Attribute column, List<Object> sorted) {
    List<Integer> starts = new ArrayList<>(gaps(sorted));
    starts.add(0, 0);
    List<Expression> intervals = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      int end = i + 1 < starts.size() ? starts.get(i + 1) : sorted.size();
      KeyValues.Between bounds =
          new KeyValues.Between(sorted.get(starts.get(i)), sorted.get(end - 1));
      intervals.add(ofBounds(column, bounds).stream().reduce(And::new).get());
    }
    return intervals.stream().reduce(Or::new).get();
  }

  /** The indexes, in order, of the values after the widest gaps; strings are cut evenly. */
  private static List<Integer> gaps(List<Object> sorted) {
    if (sorted.get(0) instanceof UTF8String) {
      return IntStream.range(1, MAX_INTERVALS)
          .map(i -> i * sorted.size() / MAX_INTERVALS)
          .filter(i -> i > 0)
          .distinct()
          .boxed()
          .toList();
    }
    return IntStream.range(1, sorted.size())
        .boxed()
        .sorted(Comparator.comparingLong(i -> -gapBefore(sorted, i)))
        .limit(MAX_INTERVALS - 1L)
        .filter(i -> gapBefore(sorted, i) > 1)
        .sorted()
        .toList();
  }

  private static long gapBefore(List<Object> sorted, int i) {
    long gap = ((Number) sorted.get(i)).longValue() - ((Number) sorted.get(i - 1)).longValue();
    return gap < 0 ? Long.MAX_VALUE : gap; // wider than a long
  }

  private static List<Expression> ofBounds(Attribute column, KeyValues.Between bounds) {
    DataType type = column.dataType();
    List<Expression> conjuncts = new ArrayList<>();
    Object least = inType(bounds.least(), type);
    if (least != null && survives(least, type)) {
      conjuncts.add(new GreaterThanOrEqual(column, Literal.create(least, type)));
    }
    Object greatest = inType(bounds.greatest(), type);
    if (greatest != null && survives(greatest, type)) {
      conjuncts.add(new LessThanOrEqual(column, Literal.create(greatest, type)));
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
