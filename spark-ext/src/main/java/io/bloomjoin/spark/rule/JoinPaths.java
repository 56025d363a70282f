package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Expressions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * Follows key expressions over a join's output into its inputs, directly or across the join's own
 * key equality.
 *
 * <p>The keys belong to a join above, which drops rows whose keys match nothing or are null. So an
 * input row may be dropped if every output row that it is part of has such keys, and the output
 * rows that its absence brings about have such keys too: those of its partners, which then appear
 * with nulls or appear at all, and which by the equality share its key.
 */
final class JoinPaths {
  private JoinPaths() {}

  /** The keys over the output of {@code side}, or null if a pruning must not go there. */
  static List<Expression> into(JoinShape join, JoinSide side, List<Expression> keys) {
    return KeyPaths.ifCannotFail(sunk(join, side, keys));
  }

  private static List<Expression> sunk(JoinShape join, JoinSide side, List<Expression> keys) {
    if (join.nullAware()) {
      return null;
    }
    JoinShape.Role role = join.role(side);
    List<Expression> direct = role == JoinShape.Role.TESTED ? null : direct(join, side, keys);
    if (direct != null) {
      return role == JoinShape.Role.KEPT || nullWhereAbsent(join, side, keys) ? direct : null;
    }
    if (join.isInner()) {
      return mixed(join, side, keys);
    }
    JoinSide other = side.other();
    if (direct(join, other, keys) == null) {
      return null;
    }
    boolean mayGo = join.role(other) == JoinShape.Role.KEPT || nullWhereAbsent(join, other, keys);
    return mayGo ? mixed(join, side, keys) : null;
  }

  /**
   * The keys over {@code side}, or null if the join's output may have other keys than the rows of
   * that side: the question of a build side, which must know every key.
   */
  static List<Expression> coveredBy(JoinShape join, JoinSide side, List<Expression> keys) {
    if (side == join.broadcast()) {
      return null;
    }
    if (join.isInner()) {
      return mixed(join, side, keys);
    }
    if (join.isSemi()) {
      return side == JoinSide.LEFT ? direct(join, side, keys) : mixed(join, side, keys);
    }
    if (join.role(side) == JoinShape.Role.TESTED) {
      return null;
    }
    List<Expression> direct = direct(join, side, keys);
    boolean complete =
        join.role(side) == JoinShape.Role.KEPT
            || (direct != null && nullWhereAbsent(join, side, keys));
    return complete ? direct : null;
  }

  private static List<Expression> direct(JoinShape join, JoinSide side, List<Expression> keys) {
    AttributeSet output = join.plan(side).outputSet();
    return keys.stream().allMatch(key -> Expressions.refersOnlyTo(key, output)) ? keys : null;
  }

  /** Each key over {@code side}: as it is, or as the side's key that the join equates it with. */
  private static List<Expression> mixed(JoinShape join, JoinSide side, List<Expression> keys) {
    AttributeSet output = join.plan(side).outputSet();
    List<Expression> otherKeys = join.keys(side.other());
    List<Expression> mapped = new ArrayList<>();
    for (Expression key : keys) {
      if (Expressions.refersOnlyTo(key, output)) {
        mapped.add(key);
        continue;
      }
      Expression equal = null;
      for (int i = 0; i < otherKeys.size() && equal == null; i++) {
        if (otherKeys.get(i).semanticEquals(key)) {
          equal = join.keys(side).get(i);
        }
      }
      if (equal == null || !equal.deterministic()) {
        return null;
      }
      mapped.add(equal);
    }
    return mapped;
  }

  /** Whether a key is null in every output row in which the side's columns are filled with null. */
  private static boolean nullWhereAbsent(JoinShape join, JoinSide side, List<Expression> keys) {
    AttributeSet output = join.plan(side).outputSet();
    return keys.stream().anyMatch(key -> Expressions.isNullIfAllNull(key, output));
  }
}
