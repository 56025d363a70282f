package io.bloomjoin.spark.catalyst;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.CollationKey;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.KnownFloatingPointNormalized;
import org.apache.spark.sql.catalyst.expressions.KnownNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;

/** What the rules ask of expressions, and how they rewrite them. */
public final class Expressions {
  private Expressions() {}

  /** {@code expression} with each attribute replaced; null from {@code replacement} keeps it. */
  public static Expression replaceAttributes(
      Expression expression, Function<Attribute, Expression> replacement) {
    return expression.transformUp(
        Scala.rewriting(
            node -> {
              Expression replaced =
                  node instanceof Attribute attribute ? replacement.apply(attribute) : null;
              return replaced == null ? node : replaced;
            }));
  }

  /** {@code expression} bound to the positions of {@code input}. */
  public static Expression bind(Expression expression, List<Attribute> input) {
    return bind(List.of(expression), input).get(0);
  }

  /** {@code expressions} bound to the positions of {@code input}, so that rows can be evaluated. */
  public static List<Expression> bind(List<Expression> expressions, List<Attribute> input) {
    Map<ExprId, Expression> references = new HashMap<>();
    for (int i = 0; i < input.size(); i++) {
      Attribute attribute = input.get(i);
      references.putIfAbsent(
          attribute.exprId(), new BoundReference(i, attribute.dataType(), attribute.nullable()));
    }
    return expressions.stream()
        .map(e -> replaceAttributes(e, attribute -> references.get(attribute.exprId())))
        .toList();
  }

  public static boolean allDeterministic(scala.collection.Seq<Expression> expressions) {
    return Scala.<Expression>list(expressions).stream().allMatch(Expression::deterministic);
  }

  public static boolean refersOnlyTo(Expression expression, AttributeSet attributes) {
    return expression.references().subsetOf(attributes);
  }

  /** Whether {@code expression} is null for every row in which all {@code attributes} are null. */
  public static boolean isNullIfAllNull(Expression expression, AttributeSet attributes) {
    Expression nulled =
        replaceAttributes(
            expression,
            attribute ->
                attributes.contains(attribute) ? Literal.create(null, attribute.dataType()) : null);
    if (!nulled.foldable() || nulled.exists(Scala.function(e -> !e.deterministic()))) {
      return false;
    }
    try {
      return nulled.eval(null) == null;
    } catch (Exception unevaluable) {
      return false;
    }
  }

  /**
   * Whether {@code expression} has a value for every row whatever its content, so that it may be
   * evaluated for rows that the query would have dropped before.
   */
  public static boolean cannotFail(Expression expression) {
    boolean safe =
        expression instanceof Attribute
            || expression instanceof Literal
            || expression instanceof GetStructField
            || expression instanceof IsNull
            || expression instanceof IsNotNull
            || expression instanceof Coalesce
            || expression instanceof NormalizeNaNAndZero
            || expression instanceof KnownFloatingPointNormalized
            || expression instanceof KnownNotNull
            || expression instanceof CollationKey
            || expression instanceof CreateNamedStruct
            || (expression instanceof Cast cast
                && Cast$.MODULE$.canUpCast(cast.child().dataType(), cast.dataType()));
    return safe && Scala.list(expression.children()).stream().allMatch(Expressions::cannotFail);
  }

  /** What is cast, where {@code expression} casts to a wider type; else the expression itself. */
  public static Expression withoutUpcast(Expression expression) {
    return expression instanceof Cast cast
            && Cast$.MODULE$.canUpCast(cast.child().dataType(), cast.dataType())
        ? cast.child()
        : expression;
  }

  public static AttributeSet attributeSet(List<Attribute> attributes) {
    return AttributeSet$.MODULE$.apply(Scala.<Expression>seq(attributes));
  }

  public static boolean exists(Expression expression, Predicate<Expression> condition) {
    return expression.exists(Scala.function(condition::test));
  }
}
