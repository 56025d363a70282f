package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.FullOuter$;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.ShuffledHashJoinExec;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;

/**
 * An equi-join, whatever its algorithm.
 *
 * @param broadcast the side that is broadcast as a hash table; null where both are shuffled
 * @param nullAware whether this is the anti join of {@code NOT IN}, in which nulls match
 */
record JoinShape(JoinType type, Input left, Input right, JoinSide broadcast, boolean nullAware) {

  /** One input of the join, with its keys in the order of the other input's. */
  record Input(SparkPlan plan, List<Expression> keys) {}

  /** How a side's rows show up in the join's output. */
  enum Role {
    /** Each row alone decides what it yields; what no other row yields. */
    KEPT,
    /** The rows fill columns that are null where nothing matches. */
    NULL_SUPPLYING,
    /** The rows decide about the other side's, and are not part of the output. */
    TESTED
  }

  /** The join that {@code plan} is, or null. */
  static JoinShape of(SparkPlan plan) {
    if (plan instanceof SortMergeJoinExec join) {
      return shuffled(
          join.joinType(),
          new Input(join.left(), Scala.list(join.leftKeys())),
          new Input(join.right(), Scala.list(join.rightKeys())));
    }
    if (plan instanceof ShuffledHashJoinExec join) {
      return shuffled(
          join.joinType(),
          new Input(join.left(), Scala.list(join.leftKeys())),
          new Input(join.right(), Scala.list(join.rightKeys())));
    }
    if (plan instanceof BroadcastHashJoinExec join) {
      return new JoinShape(
          join.joinType(),
          new Input(join.left(), Scala.list(join.leftKeys())),
          new Input(join.right(), Scala.list(join.rightKeys())),
          join.buildSide() instanceof BuildLeft$ ? JoinSide.LEFT : JoinSide.RIGHT,
          join.isNullAwareAntiJoin());
    }
    return null;
  }

  private static JoinShape shuffled(JoinType type, Input left, Input right) {
    return new JoinShape(type, left, right, null, false);
  }

  /** Tells the join from the query's other joins, and is the same in all plans of the query. */
  String label() {
    return type + " " + left.keys() + " " + right.keys();
  }

  /** The keys as a user writes them, {@code a = x AND b = y}. */
  String keysForUsers() {
    List<String> equalities = new ArrayList<>();
    for (int i = 0; i < left.keys().size(); i++) {
      equalities.add(left.keys().get(i) + " = " + right.keys().get(i));
    }
    return String.join(" AND ", equalities).replaceAll("#[0-9]+L?", "");
  }

  SparkPlan plan(JoinSide side) {
    return input(side).plan();
  }

  List<Expression> keys(JoinSide side) {
    return input(side).keys();
  }

  private Input input(JoinSide side) {
    return side == JoinSide.LEFT ? left : right;
  }

  /** Whether dropping the rows of {@code side} that match nothing leaves the result as it is. */
  boolean mayPrune(JoinSide side) {
    if (nullAware) {
      return false;
    }
    if (side == JoinSide.LEFT) {
      return isInner() || type == LeftSemi$.MODULE$ || type == RightOuter$.MODULE$;
    }
    return isInner()
        || type == LeftSemi$.MODULE$
        || type == LeftOuter$.MODULE$
        || type == LeftAnti$.MODULE$
        || type instanceof ExistenceJoin;
  }

  Role role(JoinSide side) {
    if (type == FullOuter$.MODULE$) {
      return Role.NULL_SUPPLYING;
    }
    if (side == JoinSide.LEFT) {
      return type == RightOuter$.MODULE$ ? Role.NULL_SUPPLYING : Role.KEPT;
    }
    if (isInner() || type == RightOuter$.MODULE$) {
      return Role.KEPT;
    }
    boolean yieldsColumns =
        type != LeftSemi$.MODULE$ && type != LeftAnti$.MODULE$ && !(type instanceof ExistenceJoin);
    return yieldsColumns ? Role.NULL_SUPPLYING : Role.TESTED;
  }

  boolean isInner() {
    return type instanceof InnerLike;
  }

  boolean isSemi() {
    return type == LeftSemi$.MODULE$;
  }
}
