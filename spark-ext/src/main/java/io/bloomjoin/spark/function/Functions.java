package io.bloomjoin.spark.function;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.function.Function;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import scala.Tuple3;
import scala.collection.immutable.Seq;

/** Registers the SQL functions, each with what {@code DESCRIBE FUNCTION EXTENDED} shows. */
public final class Functions {
  static final String MIGHT_CONTAIN = "bloom_might_contain";

  private Functions() {}

  public static void inject(SparkSessionExtensions extensions) {
    inject(
        extensions,
        MIGHT_CONTAIN,
        BloomMightContain.class,
        BloomMightContain::new,
        "_FUNC_(filter, key, ...) - Returns false if the key is not in the Bloom filter, true if it"
            + " may be, and NULL if the filter or a column of the key is NULL.",
        """

            Arguments:
              * filter - a Bloom filter in the bytes that Bloomjoin writes; NULL gives NULL
              * key - the columns of the key, of the types and in the order of the filter's
        """);
  }

  private static void inject(
      SparkSessionExtensions extensions,
      String name,
      Class<? extends Expression> type,
      Function<Seq<Expression>, Expression> builder,
      String usage,
      String arguments) {
    ExpressionInfo info =
        new ExpressionInfo(
            type.getName(),
            null,
            name,
            usage,
            arguments,
            "",
            "",
            "misc_funcs",
            "0.1.0",
            "",
            "built-in");
    extensions.injectFunction(
        new Tuple3<>(new FunctionIdentifier(name), info, Scala.function(builder)));
  }
}
