package io.bloomjoin.spark.function;

import io.bloomjoin.spark.catalyst.Scala;
import java.io.Serializable;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A filter that executors fetch once each. A literal would travel with every task, and stand in
 * every plan that is printed.
 */
public final class BroadcastFilter extends Expression implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Broadcast<byte[]> bytes;

  /** Kept, since each call of a broadcast's value takes a lock. */
  private transient byte[] fetched;

  /**
   * @param bytes a filter in the bytes of the filter format
   */
  public BroadcastFilter(Broadcast<byte[]> bytes) {
    this.bytes = bytes;
  }

  @Override
  public Object eval(InternalRow row) {
    if (fetched == null) {
      fetched = bytes.value();
    }
    return fetched;
  }

  @Override
  public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
    String broadcast = ctx.addReferenceObj("filter", bytes, Broadcast.class.getName());
    String filter =
        ctx.addMutableState(
            "byte[]",
            "filter",
            Scala.function(name -> name + " = (byte[]) " + broadcast + ".value();"),
            true,
            true);
    String code =
        "boolean %s = false;\nbyte[] %s = %s;\n".formatted(ev.isNull(), ev.value(), filter);
    return ev.copy(new CodeBlock(Scala.seq(code), Scala.seq()), ev.isNull(), ev.value());
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public DataType dataType() {
    return DataTypes.BinaryType;
  }

  @Override
  public String toString() {
    return "filter#" + bytes.id();
  }

  @Override
  public Seq<Expression> children() {
    return Scala.seq();
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> none) {
    return this;
  }

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int n) {
    if (n != 0) {
      throw new IndexOutOfBoundsException(Integer.toString(n));
    }
    return bytes;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof BroadcastFilter;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BroadcastFilter that && bytes.id() == that.bytes.id();
  }

  @Override
  public int hashCode() {
    return Long.hashCode(bytes.id());
  }
}
