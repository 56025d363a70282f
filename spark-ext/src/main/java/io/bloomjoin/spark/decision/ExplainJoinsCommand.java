package io.bloomjoin.spark.decision;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.ExecutableDuringAnalysis;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.catalyst.trees.TreePattern$;
import org.apache.spark.sql.execution.CommandExecutionMode;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.execution.command.RunnableCommand;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Enumeration;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** Spark's {@code EXPLAIN}, followed by the decisions on the joins of the plan that it shows. */
public final class ExplainJoinsCommand extends LogicalPlan implements RunnableCommand {
  private static final long serialVersionUID = 1L;

  private static final Logger LOG = LoggerFactory.getLogger(ExplainJoinsCommand.class);

  private static final Seq<Enumeration.Value> PATTERNS = Scala.seq(TreePattern$.MODULE$.COMMAND());

  private final ExplainCommand explain;

  /** Public because Spark copies a node by its public constructor. */
  public ExplainJoinsCommand(ExplainCommand explain) {
    this.explain = explain;
  }

  /**
   * Plans as Spark's command does, which keeps the plan that it prints to itself. That command
   * tells what is wrong with a query that cannot be planned: Spark throws some of it undeclared.
   */
  @Override
  public Seq<Row> run(SparkSession session) {
    try {
      QueryExecution query =
          ((org.apache.spark.sql.classic.SparkSession) session)
              .sessionState()
              .executePlan(staged(), CommandExecutionMode.SKIP());
      return Scala.<Row>seq(
          RowFactory.create(query.explainString(explain.mode()) + section(query)));
    } catch (Exception | LinkageError trouble) {
      LOG.debug("Spark explains the query alone.", trouble);
      return explain.run(session);
    }
  }

  private static String section(QueryExecution query) {
    String text = Explanation.of(DecisionReader.read(query.executedPlan()));
    return text.isEmpty() ? "" : "== Bloomjoin ==\n" + text + "\n";
  }

  private LogicalPlan staged() {
    return explain
        .logicalPlan()
        .transform(
            Scala.rewriting(
                node ->
                    node instanceof ExecutableDuringAnalysis executable
                        ? executable.stageForExplain()
                        : node));
  }

  // ---- the tree node

  @Override
  public Seq<Attribute> output() {
    return explain.output();
  }

  @Override
  public Seq<LogicalPlan> children() {
    return Scala.seq();
  }

  @Override
  public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> children) {
    return this;
  }

  @Override
  public Statistics stats() {
    return explain.stats();
  }

  @Override
  public scala.collection.immutable.Map<String, SQLMetric> metrics() {
    return Scala.map(Map.of());
  }

  @Override
  public Seq<Enumeration.Value> nodePatterns() {
    return PATTERNS;
  }

  /** What Scala calls to set a trait's constant. */
  @Override
  public void org$apache$spark$sql$catalyst$plans$logical$Command$_setter_$nodePatterns_$eq(
      Seq<Enumeration.Value> patterns) {}

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int n) {
    return explain;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof ExplainJoinsCommand;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExplainJoinsCommand that && explain.equals(that.explain);
  }

  @Override
  public int hashCode() {
    return explain.hashCode();
  }
}
