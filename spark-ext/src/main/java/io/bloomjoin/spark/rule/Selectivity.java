package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.EndsWith;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.LikeAll;
import org.apache.spark.sql.catalyst.expressions.LikeAny;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.StartsWith;
import org.apache.spark.sql.catalyst.expressions.StringRegexExpression;

/**
 * The share of rows that a predicate is thought to keep, from its form alone: the usual guesses of
 * System R (Selinger et al. 1979), a tenth for an equality and a third for a range.
 */
final class Selectivity {
  private static final double EQUALITY = 0.1;
  private static final double RANGE = 1.0 / 3;
  private static final double PATTERN = 0.1;
  private static final double UNKNOWN = 0.5;

  private Selectivity() {}

  static double of(Expression predicate) {
    if (predicate instanceof And and) {
      return of(and.left()) * of(and.right());
    }
    if (predicate instanceof Or or) {
      return Math.min(1, of(or.left()) + of(or.right()));
    }
    if (predicate instanceof Not not) {
      return 1 - of(not.child());
    }
    if (predicate instanceof Literal literal) {
      return Boolean.TRUE.equals(literal.value()) ? 1 : 0;
    }
    if (predicate instanceof IsNotNull) {
      return 1;
    }
    if (predicate instanceof IsNull) {
      return EQUALITY;
    }
    if (predicate instanceof BinaryComparison comparison) {
      return ofComparison(comparison);
    }
    if (predicate instanceof In in) {
      return ofList(in.list().size());
    }
    if (predicate instanceof InSet in) {
      return ofList(in.hset().size());
    }
    if (isPattern(predicate)) {
      return PATTERN;
    }
    return UNKNOWN;
  }

  static double ofAll(scala.collection.Seq<Expression> conjuncts) {
    return Scala.<Expression>list(conjuncts).stream()
        .mapToDouble(Selectivity::of)
        .reduce(1, (a, b) -> a * b);
  }

  private static double ofComparison(BinaryComparison comparison) {
    boolean withConstant = comparison.left().foldable() || comparison.right().foldable();
    if (comparison instanceof EqualTo || comparison instanceof EqualNullSafe) {
      return withConstant ? EQUALITY : RANGE;
    }
    return withConstant ? RANGE : UNKNOWN;
  }

  private static double ofList(int values) {
    return Math.min(UNKNOWN, values * EQUALITY);
  }

  private static boolean isPattern(Expression predicate) {
    return predicate instanceof StartsWith
        || predicate instanceof EndsWith
        || predicate instanceof Contains
        || predicate instanceof StringRegexExpression
        || predicate instanceof LikeAll
        || predicate instanceof LikeAny;
  }
}
