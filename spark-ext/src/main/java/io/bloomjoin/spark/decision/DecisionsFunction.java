package io.bloomjoin.spark.decision;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Tuple3;
import scala.collection.immutable.Seq;

/** The table function {@code bloom_join_decisions()}: the decisions of the session's queries. */
public final class DecisionsFunction {
  public static final String NAME = "bloom_join_decisions";

  /** The columns, as documented in docs/decisions-explained.md. */
  public static final StructType SCHEMA =
      new StructType()
          .add("query_id", DataTypes.LongType)
          .add("join_no", DataTypes.IntegerType)
          .add("join", DataTypes.StringType)
          .add("keys", DataTypes.StringType)
          .add("side", DataTypes.StringType)
          .add("decision", DataTypes.StringType)
          .add("reason", DataTypes.StringType)
          .add("sentence", DataTypes.StringType)
          .add("estimated_rows", DataTypes.LongType)
          .add("estimated_other_rows", DataTypes.LongType)
          .add("actual_rows", DataTypes.LongType)
          .add("actual_other_rows", DataTypes.LongType)
          .add("filter", DataTypes.StringType)
          .add("filter_keys", DataTypes.LongType)
          .add("filter_bytes", DataTypes.LongType)
          .add("rows_tested", DataTypes.LongType)
          .add("rows_pruned", DataTypes.LongType)
          .add("build_ms", DataTypes.LongType);

  private DecisionsFunction() {}

  public static void inject(SparkSessionExtensions extensions) {
    ExpressionInfo info =
        new ExpressionInfo(
            DecisionsFunction.class.getName(),
            null,
            NAME,
            "_FUNC_() - Returns why each join side of the session's recent queries was pruned by a"
                + " Bloom filter, or why not: two rows a join.",
            "",
            "",
            "",
            "table_funcs",
            "0.1.0",
            "",
            "built-in");
    extensions.injectTableFunction(
        new Tuple3<>(
            new FunctionIdentifier(NAME), info, Scala.function(DecisionsFunction::relation)));
  }

  private static LogicalPlan relation(Seq<Expression> arguments) {
    if (!arguments.isEmpty()) {
      throw new IllegalArgumentException(
          NAME + "() takes no argument, but got " + arguments.mkString(", ") + ".");
    }
    SparkSession session = (SparkSession) org.apache.spark.sql.SparkSession.active();
    List<InternalRow> rows = new ArrayList<>();
    DecisionLog.of(session).forEach(decision -> rows.add(row(decision)));
    Seq<AttributeReference> output = DataTypeUtils.toAttributes(SCHEMA);
    return new LocalRelation(
        Scala.seq(Scala.list(output)), Scala.seq(rows), false, scala.Option.empty());
  }

  private static InternalRow row(Decision decision) {
    Decision.FilterUse filter = decision.filter();
    boolean pruned = decision.pruned();
    Object[] values = {
      nullable(decision.query()),
      decision.join(),
      text(decision.operator()),
      text(decision.keys()),
      text(decision.side()),
      text(pruned ? "pruned" : "not pruned"),
      text(decision.reason().name()),
      text(decision.reason().sentence()),
      decision.estimatedRows(),
      decision.estimatedOtherRows(),
      nullable(decision.actualRows()),
      nullable(decision.actualOtherRows()),
      pruned ? text(filter.state()) : null,
      pruned ? filter.keys() : null,
      pruned ? filter.bytes() : null,
      pruned ? filter.rowsTested() : null,
      pruned ? filter.rowsPruned() : null,
      pruned ? filter.buildMillis() : null
    };
    return new GenericInternalRow(values);
  }

  private static UTF8String text(String value) {
    return UTF8String.fromString(value);
  }

  private static Long nullable(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }
}
