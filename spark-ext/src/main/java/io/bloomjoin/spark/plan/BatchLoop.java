package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.probe.BatchProbe;
import io.bloomjoin.spark.probe.KeyColumn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprValue;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The generated loop over the batches of a columnar scan. It stands in for the one of Spark's
 * {@link ColumnarToRowExec} where that is right below a pruning: keys are tested a batch at a time,
 * and only the rows that pass are made.
 */
final class BatchLoop {
  private final ColumnarToRowExec source;
  private final List<KeyColumn> keys;

  private BatchLoop(ColumnarToRowExec source, List<KeyColumn> keys) {
    this.source = source;
    this.keys = keys;
  }

  /** The loop over {@code left}, or null where its rows must be tested one by one. */
  static BatchLoop of(SparkPlan left, List<Expression> keys) {
    if (!(left instanceof ColumnarToRowExec source)) {
      return null;
    }
    List<Attribute> columns = Scala.list(source.output());
    List<KeyColumn> keyColumns = new ArrayList<>();
    for (Expression key : keys) {
      int ordinal = ordinal(columns, key);
      if (ordinal < 0 || !KeyColumn.isSupported(key.dataType())) {
        return null;
      }
      keyColumns.add(new KeyColumn(ordinal, key.dataType()));
    }
    return new BatchLoop(source, keyColumns);
  }

  private static int ordinal(List<Attribute> columns, Expression key) {
    for (int i = 0; i < columns.size(); i++) {
      if (key instanceof AttributeReference && columns.get(i).semanticEquals(key)) {
        return i;
      }
    }
    return -1;
  }

  List<KeyColumn> keys() {
    return keys;
  }

  /**
   * @param probeInit the Java expression of a new {@link BatchProbe}
   */
  String produce(CodegenContext ctx, BloomPruneExec node, String probeInit) {
    String input = state(ctx, "scala.collection.Iterator", "input", name -> name + " = inputs[0];");
    String batch = state(ctx, ColumnarBatch.class.getName(), "batch", name -> "");
    String next = state(ctx, "int", "nextSelected", name -> "");
    String count = state(ctx, "int", "selectedRows", name -> "");
    String selected = state(ctx, "int[]", "selected", name -> "");
    String probe =
        ctx.addMutableState(
            BatchProbe.class.getName(),
            "batchProbe",
            Scala.function(name -> name + " = " + probeInit + ";"),
            true,
            true);
    List<String> vectors = new ArrayList<>();
    StringBuilder assigns = new StringBuilder();
    List<String> classes = vectorClasses();
    for (int i = 0; i < classes.size(); i++) {
      String vector = state(ctx, classes.get(i), "column" + i, name -> "");
      vectors.add(vector);
      assigns.append("%s = (%s) %s.column(%d);%n".formatted(vector, classes.get(i), batch, i));
    }
    String nextBatch = ctx.freshName("nextBatch");
    String nextBatchCall =
        ctx.addNewFunction(
            nextBatch,
            """
            private void %s() throws java.io.IOException {
              if (%s.hasNext()) {
                %s = (%s) %s.next();
                %s.add(1);
                %s.add(%s.numRows());
                %s
                %s = %s.select(%s);
                %s = %s.selected();
                %s = 0;
              }
            }
            """
                .formatted(
                    nextBatch,
                    input,
                    batch,
                    ColumnarBatch.class.getName(),
                    input,
                    metric(ctx, "numInputBatches"),
                    metric(ctx, "numOutputRows"),
                    batch,
                    assigns,
                    count,
                    probe,
                    batch,
                    selected,
                    probe,
                    next),
            false);
    ctx.currentVars_$eq(null);
    String row = ctx.freshName("row");
    String rows = node.consume(ctx, Scala.seq(columnValues(ctx, vectors, row)), null).strip();
    String shouldStop = node.parent().needStopCheck() ? "if (shouldStop()) return;" : "";
    return """
        if (%s == null) {
          %s();
        }
        while (%s %s != null) {
          while (%s < %s) {
            int %s = %s[%s++];
            %s
            %s
          }
          %s.closeIfFreeable();
          %s = null;
          %s();
        }
        if (%s != null) {
          %s.close();
        }
        """
        .formatted(
            batch,
            nextBatchCall,
            node.limitNotReachedCond(),
            batch,
            next,
            count,
            row,
            selected,
            next,
            rows,
            shouldStop,
            batch,
            batch,
            nextBatchCall,
            batch,
            batch);
  }

  private List<String> vectorClasses() {
    scala.Option<scala.collection.immutable.Seq<String>> known = source.child().vectorTypes();
    return known.isDefined()
        ? Scala.list(known.get())
        : Collections.nCopies(source.output().size(), ColumnVector.class.getName());
  }

  private String metric(CodegenContext ctx, String name) {
    return ctx.addReferenceObj(name, source.metrics().apply(name), SQLMetric.class.getName());
  }

  private List<ExprCode> columnValues(CodegenContext ctx, List<String> vectors, String row) {
    List<ExprCode> values = new ArrayList<>();
    List<Attribute> columns = Scala.list(source.output());
    for (int i = 0; i < columns.size(); i++) {
      Attribute column = columns.get(i);
      values.add(columnValue(ctx, vectors.get(i), row, column.dataType(), column.nullable()));
    }
    return values;
  }

  private static ExprCode columnValue(
      CodegenContext ctx, String vector, String row, DataType type, boolean nullable) {
    String javaType = CodeGenerator.javaType(type);
    String read = CodeGenerator.getValueFromVector(vector, type, row);
    String value = ctx.freshName("value");
    if (!nullable) {
      return code(
          "%s %s = %s;%n".formatted(javaType, value, read),
          FalseLiteral$.MODULE$,
          JavaCode.variable(value, type));
    }
    String isNull = ctx.freshName("isNull");
    return code(
        """
        boolean %s = %s.isNullAt(%s);
        %s %s = %s ? %s : (%s);
        """
            .formatted(
                isNull,
                vector,
                row,
                javaType,
                value,
                isNull,
                CodeGenerator.defaultValue(type, false),
                read),
        JavaCode.isNullVariable(isNull),
        JavaCode.variable(value, type));
  }

  private static ExprCode code(String text, ExprValue isNull, ExprValue value) {
    return new ExprCode(new CodeBlock(Scala.seq(text), Scala.seq()), isNull, value);
  }

  private static String state(
      CodegenContext ctx, String type, String name, Function<String, String> init) {
    return ctx.addMutableState(type, name, Scala.function(init), false, true);
  }
}
