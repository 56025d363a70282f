package io.bloomjoin.spark.function;

import io.bloomjoin.spark.catalyst.JoinKeys;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.EmptyBlock$;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import scala.collection.immutable.Seq;

/**
 * Generated code for a key. Each column is evaluated once: Spark defers the code of an input that
 * occurs once in an expression, and would declare its variables twice if it were used twice.
 *
 * @param columns the code that evaluates the columns, for the others to use
 * @param anyNull whether a column is null
 * @param hash the hash of a key without nulls
 */
record KeyCode(String columns, ExprCode anyNull, ExprCode hash) {

  static KeyCode of(CodegenContext ctx, List<Expression> keys) {
    List<ExprCode> codes = keys.stream().map(key -> key.genCode(ctx)).toList();
    List<ExprCode> variables = new ArrayList<>();
    List<Expression> references = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      ExprCode code = codes.get(i);
      variables.add(code.copy(EmptyBlock$.MODULE$, code.isNull(), code.value()));
      Expression key = keys.get(i);
      references.add(new BoundReference(i, key.dataType(), key.nullable()));
    }
    Seq<ExprCode> input = ctx.currentVars();
    ctx.currentVars_$eq(Scala.seq(variables));
    List<ExprCode> results =
        Scala.list(
            ctx.withSubExprEliminationExprs(
                Scala.map(Map.of()),
                Scala.function(
                    () ->
                        Scala.seq(
                            JoinKeys.anyNull(references).genCode(ctx),
                            JoinKeys.hash(references).genCode(ctx)))));
    ctx.currentVars_$eq(input);
    String columns =
        codes.stream().map(code -> code.code().toString()).collect(Collectors.joining("\n"));
    return new KeyCode(columns, results.get(0), results.get(1));
  }
}
