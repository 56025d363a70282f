package io.bloomjoin.spark.function;

import io.bloomjoin.spark.catalyst.Scala;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * An aggregate that yields a filter as a tree node, all but its meaning.
 *
 * @param <B> what a group's rows are gathered in
 */
abstract class FilterAggregate<B> extends TypedImperativeAggregate<B> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> children;
  private final int mutableOffset;
  private final int inputOffset;

  FilterAggregate(Seq<Expression> children, int mutableOffset, int inputOffset) {
    this.children = children;
    this.mutableOffset = mutableOffset;
    this.inputOffset = inputOffset;
  }

  abstract FilterAggregate<B> copy(Seq<Expression> newChildren, int newMutable, int newInput);

  final List<Expression> arguments() {
    return Scala.list(children);
  }

  @Override
  public final DataType dataType() {
    return DataTypes.BinaryType;
  }

  @Override
  public final String toString() {
    return toAggString(false);
  }

  @Override
  public final int mutableAggBufferOffset() {
    return mutableOffset;
  }

  @Override
  public final int inputAggBufferOffset() {
    return inputOffset;
  }

  @Override
  public final ImperativeAggregate withNewMutableAggBufferOffset(int offset) {
    return copy(children, offset, inputOffset);
  }

  @Override
  public final ImperativeAggregate withNewInputAggBufferOffset(int offset) {
    return copy(children, mutableOffset, offset);
  }

  @Override
  public final Seq<Expression> children() {
    return children;
  }

  @Override
  public final Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return copy(newChildren.toList(), mutableOffset, inputOffset);
  }

  @Override
  public final int productArity() {
    return 3;
  }

  @Override
  public final Object productElement(int n) {
    return switch (n) {
      case 0 -> children;
      case 1 -> mutableOffset;
      case 2 -> inputOffset;
      default -> throw new IndexOutOfBoundsException(Integer.toString(n));
    };
  }

  @Override
  public final boolean canEqual(Object other) {
    return other != null && getClass() == other.getClass();
  }

  @Override
  public final boolean equals(Object other) {
    return canEqual(other)
        && other instanceof FilterAggregate<?> that
        && children.equals(that.children)
        && mutableOffset == that.mutableOffset
        && inputOffset == that.inputOffset;
  }

  @Override
  public final int hashCode() {
    return Objects.hash(getClass(), children, mutableOffset, inputOffset);
  }
}
