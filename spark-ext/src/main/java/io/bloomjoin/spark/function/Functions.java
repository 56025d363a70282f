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
  static final String AGG = "bloom_agg";
  static final String UNION_AGG = "bloom_union_agg";
  static final String MIGHT_CONTAIN = "bloom_might_contain";
  static final String INFO = "bloom_info";

  private Functions() {}

  public static void inject(SparkSessionExtensions extensions) {
    inject(
        extensions,
        AGG,
        BloomAgg.class,
        BloomAgg::of,
        "_FUNC_(key, ... [, expected_keys => n] [, fpp => p]) - Returns a Bloom filter that holds"
            + " the keys of all rows without a NULL in the key.",
        """

            Arguments:
              * key - the columns of the key, in the order in which the filter will be asked
              * expected_keys - the number of distinct keys to have room for, at least 1; more keys
                  get more room, and without it the keys alone decide
              * fpp - the false positive probability not to exceed, below 1; 0.01 without it
        """,
        """
            Examples:
              > SELECT bloom_might_contain(_FUNC_(id), 3L) FROM range(10);
               true
              > SELECT bloom_info(_FUNC_(id, cast(id as string), fpp => 0.001)).key_types FROM range(10);
               ["bigint","string"]
              > SELECT bloom_info(_FUNC_(id, expected_keys => 100000)).size_bytes FROM range(10);
               196608
        """,
        "agg_funcs");
    inject(
        extensions,
        UNION_AGG,
        BloomUnionAgg.class,
        BloomUnionAgg::of,
        "_FUNC_(filter) - Returns the Bloom filter that holds the keys of all filters, and NULL if"
            + " there is none.",
        """

            Arguments:
              * filter - Bloom filters over keys of the same types; NULL is left out
        """,
        """
            Examples:
              > SELECT bloom_might_contain(_FUNC_(f), 7L) FROM (SELECT bloom_agg(id) AS f FROM range(10) GROUP BY id % 2);
               true
        """,
        "agg_funcs");
    inject(
        extensions,
        MIGHT_CONTAIN,
        BloomMightContain.class,
        BloomMightContain::of,
        "_FUNC_(filter, key, ...) - Returns false if the key is not in the Bloom filter, true if it"
            + " may be, and NULL if the filter or a column of the key is NULL.",
        """

            Arguments:
              * filter - a Bloom filter in the bytes that Bloomjoin writes
              * key - the columns of the key, of the types and in the order of the filter's
        """,
        """
            Examples:
              > SELECT _FUNC_(bloom_agg(id), 7L) FROM range(10);
               true
              > SELECT count(*) FROM range(10) WHERE _FUNC_((SELECT bloom_agg(id) FROM range(3)), id);
               3
        """,
        "misc_funcs");
    inject(
        extensions,
        INFO,
        BloomInfo.class,
        BloomInfo::new,
        "_FUNC_(filter) - Returns what a Bloom filter is as a struct: its structure, the types of"
            + " its keys, their number as stated and as estimated, the false positive probability"
            + " that was asked for and that it has, the share of bits set, its size in memory and"
            + " as bytes, the bits that each key sets, and the properties stored with it.",
        """

            Arguments:
              * filter - a Bloom filter in the bytes that Bloomjoin writes; NULL gives NULL
        """,
        """
            Examples:
              > SELECT _FUNC_(bloom_agg(id)).keys FROM range(10);
               10
              > SELECT _FUNC_(bloom_agg(id)).structure FROM range(10);
               split-block
        """,
        "misc_funcs");
  }

  private static void inject(
      SparkSessionExtensions extensions,
      String name,
      Class<? extends Expression> type,
      Function<Seq<Expression>, Expression> builder,
      String usage,
      String arguments,
      String examples,
      String group) {
    ExpressionInfo info =
        new ExpressionInfo(
            type.getName(),
            null,
            name,
            usage,
            arguments,
            examples,
            "",
            group,
            "0.1.0",
            "",
            "built-in");
    extensions.injectFunction(
        new Tuple3<>(new FunctionIdentifier(name), info, Scala.function(builder)));
  }
}
