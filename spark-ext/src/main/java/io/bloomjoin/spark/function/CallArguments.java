package io.bloomjoin.spark.function;

import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.spark.catalyst.Scala;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;
import org.apache.spark.sql.catalyst.plans.logical.NamedParametersSupport;
import org.apache.spark.sql.errors.QueryCompilationErrors;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.NumericType;
import scala.Tuple2;
import scala.collection.immutable.Seq;

/**
 * The arguments of a call with named ones at its end. Spark hands named arguments to injected
 * functions as they are, and leaves it to them to know their names.
 *
 * @param positional those without a name
 * @param byName those with one
 */
record CallArguments(List<Expression> positional, List<NamedArgumentExpression> byName) {
  static final String EXPECTED_KEYS = "expected_keys";
  static final String FPP = "fpp";

  /**
   * Splits a call. As for Spark's own functions, a name that is not known or occurs twice, or an
   * argument without a name behind one with a name, is an AnalysisException.
   */
  static CallArguments of(String function, Seq<Expression> call, String... names) {
    Tuple2<Seq<Expression>, Seq<NamedArgumentExpression>> split =
        NamedParametersSupport.splitAndCheckNamedArguments(
            call, function, SQLConf.get().resolver());
    CallArguments arguments = new CallArguments(Scala.list(split._1()), Scala.list(split._2()));
    for (NamedArgumentExpression argument : arguments.byName) {
      if (!isOneOf(argument, names)) {
        throw Scala.undeclaredException(
            QueryCompilationErrors.unrecognizedParameterName(
                function, argument.key(), Scala.seq(names)));
      }
    }
    return arguments;
  }

  private static boolean isOneOf(NamedArgumentExpression argument, String... names) {
    for (String name : names) {
      if (name.equalsIgnoreCase(argument.key())) {
        return true;
      }
    }
    return false;
  }

  Optional<Expression> named(String name) {
    return byName.stream()
        .filter(argument -> argument.key().equalsIgnoreCase(name))
        .map(NamedArgumentExpression::value)
        .findFirst();
  }

  /**
   * The goal that two arguments state; where one is null, its default.
   *
   * @throws IllegalArgumentException if one is no constant number or out of range; it names the
   *     argument, the value and what is allowed
   */
  static FilterGoal goal(Expression expectedKeys, Expression fpp) {
    BigDecimal keys = constant(EXPECTED_KEYS, expectedKeys, "a whole number from 1 to " + MOST);
    BigDecimal probability = constant(FPP, fpp, FPP_RANGE);
    if (keys != null && (keys.stripTrailingZeros().scale() > 0 || !isPositiveLong(keys))) {
      throw mustBe(EXPECTED_KEYS, "a whole number from 1 to " + MOST, keys.toPlainString());
    }
    double p = probability == null ? FilterGoal.DEFAULT_FPP : probability.doubleValue();
    if (p < FilterGoal.LEAST_FPP || p >= 1) {
      throw mustBe(FPP, FPP_RANGE, String.valueOf(p));
    }
    return new FilterGoal(keys == null ? 0 : keys.longValueExact(), p);
  }

  private static final long MOST = Long.MAX_VALUE;
  private static final String FPP_RANGE = "a number from " + FilterGoal.LEAST_FPP + " to below 1";

  private static boolean isPositiveLong(BigDecimal number) {
    return number.signum() > 0 && number.compareTo(BigDecimal.valueOf(MOST)) <= 0;
  }

  /** Null if the constant is. */
  private static BigDecimal constant(String name, Expression argument, String allowed) {
    boolean numeric =
        argument.dataType() instanceof NumericType || argument.dataType() instanceof NullType;
    if (!numeric || !argument.foldable()) {
      String kind = numeric ? "" : " of type " + argument.dataType().catalogString();
      throw mustBe(name, "a constant, " + allowed, argument.sql() + kind);
    }
    Object value = argument.eval(null);
    if (value == null) {
      return null;
    }
    if (value instanceof Decimal decimal) {
      return decimal.toJavaBigDecimal();
    }
    try {
      return new BigDecimal(value.toString());
    } catch (NumberFormatException notFinite) { // NaN and the infinities
      throw new IllegalArgumentException(
          mustBe(name, allowed, value.toString()).getMessage(), notFinite);
    }
  }

  private static IllegalArgumentException mustBe(String name, String allowed, String actual) {
    return new IllegalArgumentException(name + " must be " + allowed + ", got " + actual);
  }
}
