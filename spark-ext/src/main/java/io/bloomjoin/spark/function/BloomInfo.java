package io.bloomjoin.spark.function;

import io.bloomjoin.spark.catalyst.Scala;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Seq;

/** {@code bloom_info(filter)}: what a filter is, as a struct; null if the filter is. */
public final class BloomInfo extends FilterFunction {
  private static final long serialVersionUID = 1L;

  /**
   * @param children the filter
   */
  public BloomInfo(Seq<Expression> children) {
    super(children);
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return FilterArgument.checkOnly(prettyName(), arguments())
        .orElseGet(super::checkInputDataTypes);
  }

  @Override
  public Object eval(InternalRow row) {
    return arguments().get(0).eval(row) instanceof byte[] bytes ? FilterInfo.of(bytes) : null;
  }

  @Override
  public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
    ExprCode filter = arguments().get(0).genCode(ctx);
    String code =
        """
        %1$s
        boolean %2$s = %3$s;
        InternalRow %4$s = %2$s ? null : %5$s.of((byte[]) %6$s);
        """
            .formatted(
                filter.code(),
                ev.isNull(),
                filter.isNull(),
                ev.value(),
                FilterInfo.class.getName(),
                filter.value());
    return ev.copy(new CodeBlock(Scala.seq(code), Scala.seq()), ev.isNull(), ev.value());
  }

  @Override
  public DataType dataType() {
    return FilterInfo.TYPE;
  }

  @Override
  public String prettyName() {
    return Functions.INFO;
  }

  @Override
  FilterFunction withChildren(Seq<Expression> newChildren) {
    return new BloomInfo(newChildren);
  }
}
