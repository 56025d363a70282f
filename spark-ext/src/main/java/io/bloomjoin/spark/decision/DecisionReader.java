package io.bloomjoin.spark.decision;

import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.plan.BloomPruneExec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.catalyst.plans.logical.EmptyRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.EmptyRelationExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.joins.HashJoin;
import org.apache.spark.sql.execution.joins.ShuffledJoin;

/** Reads the decisions off a plan, before or after it ran. */
public final class DecisionReader {
  private record Join(SparkPlan plan, JoinVerdict verdict) {}

  private final Map<String, Join> joins = new LinkedHashMap<>();
  private final Map<String, Join> planned = new LinkedHashMap<>();

  /** Each once: a stage that several places read shows its pruning in each. */
  private final Set<BloomPruneExec> prunings = Collections.newSetFromMap(new IdentityHashMap<>());

  private DecisionReader() {}

  /**
   * Two decisions for each join of {@code plan}, in the order of EXPLAIN. Joins that a re-plan took
   * out, as their result was known to be empty, come last.
   */
  public static List<Decision> read(SparkPlan plan) {
    DecisionReader reader = new DecisionReader();
    reader.visit(plan);
    reader.planned.forEach(reader.joins::putIfAbsent);
    List<Decision> decisions = new ArrayList<>();
    int number = 0;
    for (Join join : reader.joins.values()) {
      number++;
      decisions.add(reader.decision(join, number, true));
      decisions.add(reader.decision(join, number, false));
    }
    return decisions;
  }

  private void visit(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      adaptive
          .initialPlan()
          .foreach(
              Scala.effect(
                  node ->
                      JoinVerdict.of(node)
                          .ifPresent(v -> planned.putIfAbsent(v.label(), new Join(node, v)))));
      visit(adaptive.executedPlan());
      return;
    }
    if (plan instanceof QueryStageExec stage) {
      visit(stage.plan());
      return;
    }
    if (plan instanceof EmptyRelationExec empty) {
      visitRun(empty.logical());
      return;
    }
    if (plan instanceof ReusedExchangeExec) {
      return;
    }
    JoinVerdict.of(plan).ifPresent(v -> joins.putIfAbsent(v.label(), new Join(plan, v)));
    if (plan instanceof BloomPruneExec prune) {
      prunings.add(prune);
    }
    Scala.<SparkPlan>list(plan.children()).forEach(this::visit);
    Scala.<SparkPlan>list(plan.subqueries()).forEach(this::visit);
  }

  /** What ran of a plan before its result was known to be empty. */
  private void visitRun(LogicalPlan plan) {
    if (plan instanceof LogicalQueryStage stage) {
      visit(stage.physicalPlan());
    }
    if (plan instanceof EmptyRelation empty) {
      visitRun(empty.logical());
    }
    Scala.<LogicalPlan>list(plan.children()).forEach(this::visitRun);
  }

  private Decision decision(Join join, int number, boolean left) {
    JoinVerdict verdict = join.verdict();
    SideVerdict side = left ? verdict.left() : verdict.right();
    JoinVerdict first = planned.getOrDefault(verdict.label(), join).verdict();
    SparkPlan child = join.plan().children().apply(left ? 0 : 1);
    SparkPlan other = join.plan().children().apply(left ? 1 : 0);
    return new Decision(
        OptionalLong.empty(),
        number,
        operator(join.plan()),
        verdict.keys(),
        left ? "left" : "right",
        side.pruned(),
        reason(side, left ? verdict.right() : verdict.left(), left ? first.left() : first.right()),
        Math.round((left ? first.left() : first.right()).rows()),
        Math.round((left ? first.right() : first.left()).rows()),
        ActualRows.of(child),
        ActualRows.of(other),
        side.pruned() ? use(verdict.label()) : Decision.FilterUse.NONE);
  }

  /**
   * Beside a side that is pruned, the reason from the time when that was decided: later the other
   * side has started, and what is left of the pruned one looks selective.
   */
  private static Reason reason(SideVerdict side, SideVerdict other, SideVerdict first) {
    return other.pruned() && !first.pruned() ? first.reason() : side.reason();
  }

  private static String operator(SparkPlan join) {
    Object type =
        join instanceof ShuffledJoin shuffled
            ? shuffled.joinType()
            : join instanceof HashJoin hash ? hash.joinType() : "";
    return join.nodeName() + " " + type;
  }

  /** What the prunings of the join did, all places together. */
  private Decision.FilterUse use(String label) {
    String state = "dropped when the query was planned again";
    long keys = 0;
    long bytes = 0;
    long tested = 0;
    long pruned = 0;
    long millis = 0;
    for (BloomPruneExec pruning : prunings) {
      if (JoinVerdict.isAskedBy(pruning, label)) {
        state = pruning.filterState();
        keys = Math.max(keys, metric(pruning, "filterKeys"));
        bytes = Math.max(bytes, metric(pruning, "filterSize"));
        millis = Math.max(millis, metric(pruning, "buildTime"));
        tested += metric(pruning, "rowsTested");
        pruned += metric(pruning, "rowsPruned");
      }
    }
    return new Decision.FilterUse(state, keys, bytes, tested, pruned, millis);
  }

  private static long metric(SparkPlan plan, String name) {
    return Math.max(0, plan.metrics().apply(name).value());
  }
}
