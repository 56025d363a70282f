package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.hint.JoinHint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkPlan$;
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec;
import org.apache.spark.sql.execution.adaptive.ExchangeQueryStageExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;

/**
 * Copies a build side for its second place in the plan, so that AQE cannot take the copy for the
 * original.
 *
 * <p>When a stage is done, AQE looks for the first node of the physical plan that belongs to the
 * stage's logical node, and plans on from there. The copy comes first where the pruned side is the
 * left one, and it may be less than the original: the exchange alone, without the final aggregate
 * above it that belongs to the same logical node. So the nodes of the copy are linked to logical
 * nodes that are not in the query; AQE needs a link, and finds nothing to replace by it. What runs
 * is shared all the same, since that goes by the canonical form, which has no links.
 *
 * <p>Where AQE ran the copy and reuses it for the original, the re-planned tree would show nothing
 * of the build side but a reuse of what is no longer there; {@link #restore} puts it back.
 */
final class DetachedCopy {
  private static final TreeNodeTag<Boolean> IS_COPY = new TreeNodeTag<>("bloomjoin.copy");

  /** The name is that of Spark's own tag, and tags are equal by name. */
  private static final TreeNodeTag<LogicalPlan> TEMPORARY_LINK =
      new TreeNodeTag<>("temp_logical_plan");

  private static final LogicalPlan NOWHERE = new OneRowRelation();

  private DetachedCopy() {}

  /** A copy of {@code plan}; a stage within it has a twin that shares the stage's progress. */
  static SparkPlan of(SparkPlan plan) {
    if (plan instanceof QueryStageExec) {
      return plan;
    }
    return detach(plan, plan.clone());
  }

  /**
   * {@code plan} with the stages that reuse a copy showing the exchange itself, one stage for each
   * exchange; the others go on as reuses of it.
   */
  static SparkPlan restore(SparkPlan plan) {
    return restore(plan, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static SparkPlan restore(SparkPlan plan, Set<Exchange> shown) {
    if (plan instanceof ExchangeQueryStageExec stage) {
      boolean first =
          stage.plan() instanceof ReusedExchangeExec reused
              && reused.child().getTagValue(IS_COPY).isDefined()
              && reused.output().equals(reused.child().output())
              && shown.add(reused.child());
      return first ? showing(stage, ((ReusedExchangeExec) stage.plan()).child()) : stage;
    }
    List<SparkPlan> children = Scala.list(plan.children());
    List<SparkPlan> restored = children.stream().map(child -> restore(child, shown)).toList();
    boolean same = true;
    for (int i = 0; i < children.size(); i++) {
      same &= isSame(children.get(i), restored.get(i));
    }
    return same ? plan : plan.withNewChildren(Scala.seq(restored));
  }

  @SuppressWarnings("ReferenceEquality") // an equal node is no reason to keep the old one
  private static boolean isSame(SparkPlan a, SparkPlan b) {
    return a == b;
  }

  /** The same stage, with the same progress, whose plan is {@code exchange}. */
  private static SparkPlan showing(ExchangeQueryStageExec stage, Exchange exchange) {
    QueryStageExec shown =
        stage instanceof ShuffleQueryStageExec
            ? new ShuffleQueryStageExec(stage.id(), exchange, stage._canonicalized())
            : new BroadcastQueryStageExec(stage.id(), exchange, stage._canonicalized());
    shown._resultOption_$eq(stage._resultOption());
    shown._error_$eq(stage._error());
    shown.copyTagsFrom(stage);
    return shown;
  }

  /** A logical node that is not in the query, with the hint of {@code link}. */
  private static LogicalPlan nowhere(scala.Option<LogicalPlan> link) {
    JoinHint hint = link.isDefined() ? JoinHint.below(link.get()) : null;
    if (hint == null) {
      return NOWHERE;
    }
    LogicalPlan hinted = new OneRowRelation();
    hint.hangOn(hinted);
    return hinted;
  }

  private static SparkPlan detach(SparkPlan original, SparkPlan copy) {
    if (original instanceof QueryStageExec stage) {
      // A clone is a stage that nobody starts. It equals the original, so putting the original in
      // its place by withNewChildren would change nothing; it is made to follow the original.
      QueryStageExec twin = (QueryStageExec) copy;
      twin._resultOption_$eq(stage._resultOption());
      twin._error_$eq(stage._error());
      return twin;
    }
    List<SparkPlan> originals = Scala.list(original.children());
    List<SparkPlan> copies = Scala.list(copy.children());
    List<SparkPlan> children = new ArrayList<>();
    for (int i = 0; i < originals.size(); i++) {
      children.add(detach(originals.get(i), copies.get(i)));
    }
    SparkPlan detached = copy.withNewChildren(Scala.seq(children));
    scala.Option<LogicalPlan> link = original.logicalLink();
    boolean leafLink = link.isDefined() && link.get().children().isEmpty();
    detached.setTagValue(
        SparkPlan$.MODULE$.LOGICAL_PLAN_TAG(), leafLink ? link.get().clone() : nowhere(link));
    detached.unsetTagValue(SparkPlan$.MODULE$.LOGICAL_PLAN_INHERITED_TAG());
    detached.unsetTagValue(TEMPORARY_LINK);
    if (detached instanceof Exchange) {
      detached.setTagValue(IS_COPY, true);
    }
    return detached;
  }
}
