package io.bloomjoin.spark.function;

import io.bloomjoin.filter.FilterCollector;
import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.spark.catalyst.JoinKeys;
import io.bloomjoin.spark.catalyst.KeyReader;
import io.bloomjoin.spark.catalyst.Scala;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.Seq;

/**
 * {@code bloom_agg(key… [, expected_keys => n, fpp => p])}: the filter over the keys of a group, in
 * the bytes of the filter format. Rows with a null in a column of the key are left out.
 */
public final class BloomAgg extends FilterAggregate<FilterCollector> {
  private static final long serialVersionUID = 1L;
  private static final int PARAMETERS = 2;

  private transient KeyReader reader;
  private transient FilterGoal goal;

  /**
   * @param children the columns of the key, then the expected keys and the fpp, null for their
   *     defaults
   */
  public BloomAgg(Seq<Expression> children, int mutableOffset, int inputOffset) {
    super(children, mutableOffset, inputOffset);
  }

  /** The aggregate of a call, with the parameters by name in any order, or left out. */
  static BloomAgg of(Seq<Expression> call) {
    CallArguments arguments =
        CallArguments.of(Functions.AGG, call, CallArguments.EXPECTED_KEYS, CallArguments.FPP);
    List<Expression> children = new ArrayList<>(arguments.positional());
    children.add(
        arguments
            .named(CallArguments.EXPECTED_KEYS)
            .orElseGet(() -> Literal.create(null, DataTypes.LongType)));
    children.add(
        arguments
            .named(CallArguments.FPP)
            .orElseGet(() -> Literal.create(null, DataTypes.DoubleType)));
    return new BloomAgg(Scala.seq(children), 0, 0);
  }

  private List<Expression> keys() {
    return arguments().subList(0, arguments().size() - PARAMETERS);
  }

  private Expression expectedKeys() {
    return arguments().get(arguments().size() - 2);
  }

  private Expression fpp() {
    return arguments().get(arguments().size() - 1);
  }

  private List<String> keyTypes() {
    return keys().stream().map(key -> key.dataType().catalogString()).toList();
  }

  private FilterGoal goal() {
    if (goal == null) {
      goal = CallArguments.goal(expectedKeys(), fpp());
    }
    return goal;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    if (keys().isEmpty()) {
      return FilterArgument.failure(prettyName() + " takes at least one key.");
    }
    for (Expression key : keys()) {
      if (!JoinKeys.isHashable(key.dataType())) {
        return FilterArgument.failure(
            prettyName() + ": a key cannot be of type " + key.dataType().catalogString() + ".");
      }
    }
    try {
      goal();
    } catch (IllegalArgumentException outOfRange) {
      return FilterArgument.failure(prettyName() + ": " + outOfRange.getMessage() + ".");
    }
    return super.checkInputDataTypes();
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public FilterCollector createAggregationBuffer() {
    return new FilterCollector(goal());
  }

  @Override
  public FilterCollector update(FilterCollector buffer, InternalRow row) {
    if (reader == null) {
      reader = new KeyReader.Factory(keys(), List.of()).reader();
    }
    if (reader.read(row)) {
      buffer.add(reader.hash());
    }
    return buffer;
  }

  @Override
  public FilterCollector merge(FilterCollector buffer, FilterCollector other) {
    buffer.addAll(other);
    return buffer;
  }

  @Override
  public Object eval(FilterCollector buffer) {
    StoredFilter stored = buffer.finish(keyTypes());
    return FilterFormat.toBytes(stored.filter(), stored.metadata());
  }

  @Override
  public byte[] serialize(FilterCollector buffer) {
    return buffer.toBytes();
  }

  @Override
  public FilterCollector deserialize(byte[] bytes) {
    try {
      return FilterCollector.fromBytes(bytes, goal());
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }

  @Override
  public String prettyName() {
    return Functions.AGG;
  }

  @Override
  public String sql() {
    return sql(false);
  }

  @Override
  public String sql(boolean distinct) {
    return text(distinct ? "DISTINCT " : "", Expression::sql);
  }

  @Override
  public String toAggString(boolean distinct) {
    return text(distinct ? "distinct " : "", Expression::toString);
  }

  private String text(String distinct, java.util.function.Function<Expression, String> toText) {
    return Stream.of(
            keys().stream().map(toText),
            parameter(CallArguments.EXPECTED_KEYS, expectedKeys(), toText).stream(),
            parameter(CallArguments.FPP, fpp(), toText).stream())
        .flatMap(texts -> texts)
        .collect(Collectors.joining(", ", prettyName() + "(" + distinct, ")"));
  }

  private static Optional<String> parameter(
      String name, Expression value, java.util.function.Function<Expression, String> toText) {
    String text = toText.apply(value); // not the value, since pretty names are made of other nodes
    return text.equalsIgnoreCase("null") ? Optional.empty() : Optional.of(name + " => " + text);
  }

  @Override
  FilterAggregate<FilterCollector> copy(Seq<Expression> newChildren, int newMutable, int newInput) {
    return new BloomAgg(newChildren, newMutable, newInput);
  }
}
