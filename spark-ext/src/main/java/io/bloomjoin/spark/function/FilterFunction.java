package io.bloomjoin.spark.function;

import io.bloomjoin.spark.catalyst.Scala;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** A function of any number of arguments as a tree node, all but its meaning. */
abstract class FilterFunction extends Expression implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> children;

  FilterFunction(Seq<Expression> children) {
    this.children = children;
  }

  abstract FilterFunction withChildren(Seq<Expression> newChildren);

  final List<Expression> arguments() {
    return Scala.list(children);
  }

  @Override
  public final boolean nullable() {
    return true;
  }

  @Override
  public final Seq<Expression> children() {
    return children;
  }

  @Override
  public final Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return withChildren(newChildren.toList());
  }

  @Override
  public final int productArity() {
    return 1;
  }

  @Override
  public final Object productElement(int n) {
    if (n != 0) {
      throw new IndexOutOfBoundsException(Integer.toString(n));
    }
    return children;
  }

  @Override
  public final boolean canEqual(Object other) {
    return other != null && getClass() == other.getClass();
  }

  @Override
  public final boolean equals(Object other) {
    return canEqual(other) && children.equals(((FilterFunction) other).children);
  }

  @Override
  public final int hashCode() {
    return Objects.hash(getClass(), children);
  }
}
