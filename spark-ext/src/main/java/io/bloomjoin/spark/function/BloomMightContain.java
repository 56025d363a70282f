package io.bloomjoin.spark.function;

import io.bloomjoin.spark.catalyst.JoinKeys;
import io.bloomjoin.spark.catalyst.Scala;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * {@code bloom_might_contain(filter, key…)}: false if the key is not in the filter, true if it may
 * be; null if the filter or a key column is null.
 */
public final class BloomMightContain extends Expression implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> children;
  private transient KeptFilter keptFilter;
  private transient Expression anyNull;
  private transient Expression hash;

  /**
   * @param children the filter, then the key columns
   */
  public BloomMightContain(Seq<Expression> children) {
    this.children = children;
  }

  private Expression filter() {
    return children.head();
  }

  private List<Expression> keys() {
    List<Expression> all = Scala.list(children);
    return all.subList(1, all.size());
  }

  private String[] keyTypes() {
    return keys().stream().map(key -> key.dataType().catalogString()).toArray(String[]::new);
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    if (children.size() < 2) {
      return new TypeCheckResult.TypeCheckFailure(
          prettyName() + " takes a filter and at least one key.");
    }
    DataType filterType = filter().dataType();
    if (!(filterType instanceof BinaryType || filterType instanceof NullType)) {
      return new TypeCheckResult.TypeCheckFailure(
          prettyName()
              + ": the first argument must be a filter (binary), it is "
              + filterType.catalogString()
              + ".");
    }
    for (Expression key : keys()) {
      if (!JoinKeys.isHashable(key.dataType())) {
        return new TypeCheckResult.TypeCheckFailure(
            prettyName() + ": a key cannot be of type " + key.dataType().catalogString() + ".");
      }
    }
    return checkConstantFilter();
  }

  private TypeCheckResult checkConstantFilter() {
    if (filter().foldable() && filter().eval(null) instanceof byte[] bytes) {
      try {
        KeptFilter.parse(bytes, List.of(keyTypes()));
      } catch (IllegalArgumentException mismatch) {
        return new TypeCheckResult.TypeCheckFailure(mismatch.getMessage());
      }
    }
    return super.checkInputDataTypes();
  }

  @Override
  public Object eval(InternalRow row) {
    if (keptFilter == null) {
      keptFilter = new KeptFilter(keyTypes());
      anyNull = JoinKeys.anyNull(keys());
      hash = JoinKeys.hash(keys());
    }
    Object bytes = filter().eval(row);
    if (bytes == null || (Boolean) anyNull.eval(row)) {
      return null;
    }
    return keptFilter.mightContain((byte[]) bytes, (Long) hash.eval(row));
  }

  @Override
  public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
    String types = ctx.addReferenceObj("keyTypes", keyTypes(), "String[]");
    String kept =
        ctx.addMutableState(
            KeptFilter.class.getName(),
            "keptFilter",
            Scala.function(
                name -> name + " = new " + KeptFilter.class.getName() + "(" + types + ");"),
            true,
            true);
    ExprCode filterCode = filter().genCode(ctx);
    ExprCode anyNullCode = JoinKeys.anyNull(keys()).genCode(ctx);
    ExprCode hashCode = JoinKeys.hash(keys()).genCode(ctx);
    String code =
        """
        boolean %1$s = true;
        boolean %2$s = false;
        %3$s
        if (!%4$s) {
          %5$s
          if (!%6$s) {
            %7$s
            %1$s = false;
            %2$s = %8$s.mightContain((byte[]) %9$s, %10$s);
          }
        }
        """
            .formatted(
                ev.isNull(),
                ev.value(),
                filterCode.code(),
                filterCode.isNull(),
                anyNullCode.code(),
                anyNullCode.value(),
                hashCode.code(),
                kept,
                filterCode.value(),
                hashCode.value());
    return ev.copy(new CodeBlock(Scala.seq(code), Scala.seq()), ev.isNull(), ev.value());
  }

  @Override
  public DataType dataType() {
    return DataTypes.BooleanType;
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public String prettyName() {
    return Functions.MIGHT_CONTAIN;
  }

  // ---- the tree node

  @Override
  public Seq<Expression> children() {
    return children;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new BloomMightContain(newChildren.toList());
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
    return children;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof BloomMightContain;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BloomMightContain that && children.equals(that.children);
  }

  @Override
  public int hashCode() {
    return Objects.hash(children);
  }
}
