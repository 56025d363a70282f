package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkPlan$;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;

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
 */
final class DetachedCopy {
  /** The name is that of Spark's own tag, and tags are equal by name. */
  private static final TreeNodeTag<LogicalPlan> TEMPORARY_LINK =
      new TreeNodeTag<>("temp_logical_plan");

  private static final LogicalPlan NOWHERE = new OneRowRelation();

  private DetachedCopy() {}

  /** A copy of {@code plan}; stages in it are shared, not copied. */
  static SparkPlan of(SparkPlan plan) {
    return plan instanceof QueryStageExec ? plan : detach(plan, plan.clone());
  }

  private static SparkPlan detach(SparkPlan original, SparkPlan copy) {
    if (original instanceof QueryStageExec) {
      return original;
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
        SparkPlan$.MODULE$.LOGICAL_PLAN_TAG(), leafLink ? link.get().clone() : NOWHERE);
    detached.unsetTagValue(SparkPlan$.MODULE$.LOGICAL_PLAN_INHERITED_TAG());
    detached.unsetTagValue(TEMPORARY_LINK);
    return detached;
  }
}
