package io.bloomjoin.spark.function;

import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.spark.catalyst.JoinKeys;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import scala.collection.immutable.Seq;

/**
 * {@code bloom_might_contain(filter, key…)}: false if the key is not in the filter, true if it may
 * be; null if the filter or a key column is null.
 */
public final class BloomMightContain extends FilterFunction {
  private static final long serialVersionUID = 1L;

  private transient KeptFilter keptFilter;
  private transient Expression anyNull;
  private transient Expression hash;

  /**
   * @param children the filter, then the key columns
   */
  public BloomMightContain(Seq<Expression> children) {
    super(children);
  }

  /**
   * The function of a call. If the filter is a constant, keys of narrower types are cast to those
   * of its keys.
   */
  static BloomMightContain of(Seq<Expression> call) {
    List<Expression> arguments = Scala.list(call);
    if (arguments.size() < 2) {
      return new BloomMightContain(call);
    }
    Optional<StoredFilter> constant;
    try {
      constant = FilterArgument.constant(Functions.MIGHT_CONTAIN, arguments.get(0));
    } catch (IllegalArgumentException toldByTheCheck) {
      return new BloomMightContain(call);
    }
    List<String> types = constant.map(stored -> stored.metadata().keyTypes()).orElse(List.of());
    if (types.size() != arguments.size() - 1) {
      return new BloomMightContain(call);
    }
    List<Expression> cast = new ArrayList<>(arguments);
    for (int i = 0; i < types.size(); i++) {
      cast.set(i + 1, WideningCast.to(types.get(i), arguments.get(i + 1)));
    }
    return new BloomMightContain(Scala.seq(cast));
  }

  private Expression filter() {
    return arguments().get(0);
  }

  private List<Expression> keys() {
    return arguments().subList(1, arguments().size());
  }

  String[] keyTypes() {
    return keys().stream().map(key -> key.dataType().catalogString()).toArray(String[]::new);
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    if (arguments().size() < 2) {
      return FilterArgument.failure(prettyName() + " takes a filter and at least one key.");
    }
    for (Expression key : keys()) {
      if (!JoinKeys.isHashable(key.dataType()) && !(key.dataType() instanceof NullType)) {
        return FilterArgument.failure(
            prettyName() + ": a key cannot be of type " + key.dataType().catalogString() + ".");
      }
    }
    return FilterArgument.check(prettyName(), filter())
        .or(this::checkKeyTypes)
        .orElseGet(super::checkInputDataTypes);
  }

  private Optional<TypeCheckResult> checkKeyTypes() {
    try {
      FilterArgument.constant(prettyName(), filter())
          .ifPresent(stored -> KeptFilter.checkKeyTypes(stored, List.of(keyTypes())));
      return Optional.empty();
    } catch (IllegalArgumentException mismatch) {
      return Optional.of(FilterArgument.failure(mismatch.getMessage()));
    }
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
    KeyCode key = KeyCode.of(ctx, keys());
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
                key.columns() + "\n" + key.anyNull().code(),
                key.anyNull().value(),
                key.hash().code(),
                kept,
                filterCode.value(),
                key.hash().value());
    return ev.copy(new CodeBlock(Scala.seq(code), Scala.seq()), ev.isNull(), ev.value());
  }

  @Override
  public DataType dataType() {
    return DataTypes.BooleanType;
  }

  @Override
  public String prettyName() {
    return Functions.MIGHT_CONTAIN;
  }

  @Override
  FilterFunction withChildren(Seq<Expression> newChildren) {
    return new BloomMightContain(newChildren);
  }
}
