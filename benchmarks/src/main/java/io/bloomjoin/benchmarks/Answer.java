package io.bloomjoin.benchmarks;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;

/**
 * The rows of a query. Two answers match if they hold the same rows, in any order; floating-point
 * values, whose sums depend on the order of the rows, may differ by 1e-9 of their size.
 */
record Answer(List<Row> rows) {
  private static final double TOLERANCE = 1e-9;

  /** Exact values first, so that a rounding difference rarely decides which rows are paired. */
  private static final Comparator<Row> ORDER =
      Comparator.comparing((Row row) -> text(row, false))
          .thenComparing((Row row) -> text(row, true));

  boolean matches(Answer other) {
    return rows.size() == other.rows.size()
        && (sameInOrder(rows, other.rows) || sameInOrder(sorted(rows), sorted(other.rows)));
  }

  private static List<Row> sorted(List<Row> rows) {
    return rows.stream().sorted(ORDER).toList();
  }

  private static boolean sameInOrder(List<Row> left, List<Row> right) {
    return IntStream.range(0, left.size()).allMatch(i -> same(left.get(i), right.get(i)));
  }

  private static boolean same(Row left, Row right) {
    return left.length() == right.length()
        && IntStream.range(0, left.length()).allMatch(i -> same(left.get(i), right.get(i)));
  }

  private static boolean same(Object left, Object right) {
    if (left instanceof BigDecimal a && right instanceof BigDecimal b) {
      return a.compareTo(b) == 0;
    }
    if (isFloating(left) && isFloating(right)) {
      double a = ((Number) left).doubleValue();
      double b = ((Number) right).doubleValue();
      return Double.compare(a, b) == 0
          || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
    }
    return Objects.deepEquals(left, right);
  }

  private static String text(Row row, boolean floating) {
    return values(row)
        .filter(value -> isFloating(value) == floating)
        .map(value -> floating ? rounded((Number) value) : String.valueOf(value))
        .collect(Collectors.joining("|"));
  }

  private static String rounded(Number value) {
    return String.format(Locale.ROOT, "%.6e", value.doubleValue());
  }

  private static Stream<Object> values(Row row) {
    return IntStream.range(0, row.length()).mapToObj(row::get);
  }

  private static boolean isFloating(Object value) {
    return value instanceof Double || value instanceof Float;
  }
}
