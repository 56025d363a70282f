package io.bloomjoin.spark.function;

import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.FilterUnion;
import io.bloomjoin.filter.StoredFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.Seq;

/**
 * {@code bloom_union_agg(filter)}: the filter that holds the keys of all filters of a group; null
 * if there is none. Null filters are left out.
 */
public final class BloomUnionAgg extends FilterAggregate<FilterUnion> {
  private static final long serialVersionUID = 1L;

  /**
   * @param children the filter
   */
  public BloomUnionAgg(Seq<Expression> children, int mutableOffset, int inputOffset) {
    super(children, mutableOffset, inputOffset);
  }

  static BloomUnionAgg of(Seq<Expression> call) {
    return new BloomUnionAgg(call, 0, 0);
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return FilterArgument.checkOnly(prettyName(), arguments())
        .orElseGet(super::checkInputDataTypes);
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public FilterUnion createAggregationBuffer() {
    return new FilterUnion();
  }

  @Override
  public FilterUnion update(FilterUnion buffer, InternalRow row) {
    if (arguments().get(0).eval(row) instanceof byte[] bytes) {
      StoredFilter stored = FilterArgument.parse(prettyName(), bytes);
      try {
        buffer.add(stored);
      } catch (IllegalArgumentException doesNotFit) {
        throw new IllegalArgumentException(
            prettyName() + ": " + doesNotFit.getMessage() + ".", doesNotFit);
      }
    }
    return buffer;
  }

  @Override
  public FilterUnion merge(FilterUnion buffer, FilterUnion other) {
    buffer.addAll(other);
    return buffer;
  }

  @Override
  public Object eval(FilterUnion buffer) {
    return buffer
        .finish()
        .map(stored -> FilterFormat.toBytes(stored.filter(), stored.metadata()))
        .orElse(null);
  }

  @Override
  public byte[] serialize(FilterUnion buffer) {
    return buffer.toBytes();
  }

  @Override
  public FilterUnion deserialize(byte[] bytes) {
    try {
      return FilterUnion.fromBytes(bytes);
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }

  @Override
  public String prettyName() {
    return Functions.UNION_AGG;
  }

  @Override
  FilterAggregate<FilterUnion> copy(Seq<Expression> newChildren, int newMutable, int newInput) {
    return new BloomUnionAgg(newChildren, newMutable, newInput);
  }
}
