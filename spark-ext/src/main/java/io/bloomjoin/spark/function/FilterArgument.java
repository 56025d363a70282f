package io.bloomjoin.spark.function;

import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.StoredFilter;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NullType;

/** What all functions that take a filter ask of it. */
final class FilterArgument {

  /**
   * Filters of constants, which the analyser asks for again with every copy of an expression.
   * Arrays are equal only to themselves.
   */
  private static final Map<byte[], StoredFilter> CONSTANTS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private FilterArgument() {}

  /**
   * The filter in {@code bytes}.
   *
   * @throws IllegalArgumentException if they are not a filter; names the function
   */
  static StoredFilter parse(String function, byte[] bytes) {
    try {
      return FilterFormat.fromBytes(bytes);
    } catch (IOException broken) {
      throw new IllegalArgumentException(
          function + ": the first argument is not a Bloom filter: " + broken.getMessage() + ".",
          broken);
    }
  }

  /**
   * The filter in a constant; empty if the expression is no constant, or null.
   *
   * @throws IllegalArgumentException if it is a constant, but not a filter
   */
  static Optional<StoredFilter> constant(String function, Expression filter) {
    if (!isFilter(filter.dataType()) || !filter.foldable()) {
      return Optional.empty();
    }
    if (!(filter.eval(null) instanceof byte[] bytes)) {
      return Optional.empty();
    }
    StoredFilter known = CONSTANTS.get(bytes);
    if (known == null) {
      known = parse(function, bytes);
      CONSTANTS.put(bytes, known);
    }
    return Optional.of(known);
  }

  /** The failure of a first argument that is no filter; empty if all is well. */
  static Optional<TypeCheckResult> check(String function, Expression filter) {
    DataType type = filter.dataType();
    if (!isFilter(type)) {
      return Optional.of(
          failure(
              function
                  + ": the first argument must be a filter (binary), it is "
                  + type.catalogString()
                  + "."));
    }
    try {
      constant(function, filter);
      return Optional.empty();
    } catch (IllegalArgumentException broken) {
      return Optional.of(failure(broken.getMessage()));
    }
  }

  /** As {@link #check}, of a function that takes a filter and nothing else. */
  static Optional<TypeCheckResult> checkOnly(String function, List<Expression> arguments) {
    return arguments.size() == 1
        ? check(function, arguments.get(0))
        : Optional.of(
            failure(function + " takes one filter, got " + arguments.size() + " arguments."));
  }

  /** A failed check; Spark ends its sentence. */
  static TypeCheckResult failure(String sentence) {
    return new TypeCheckResult.TypeCheckFailure(sentence.replaceFirst("\\.$", ""));
  }

  private static boolean isFilter(DataType type) {
    return type instanceof BinaryType || type instanceof NullType;
  }
}
