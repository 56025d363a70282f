package io.bloomjoin.spark.rule;

import io.bloomjoin.spark.catalyst.Expressions;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.GenerateExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.MergingSessionsExec;
import org.apache.spark.sql.execution.aggregate.UpdatingSessionsExec;
import org.apache.spark.sql.execution.python.EvalPythonExec;
import org.apache.spark.sql.execution.window.WindowExecBase;
import org.apache.spark.sql.execution.window.WindowGroupLimitExec;

/**
 * Follows key expressions down a plan: what the keys over a node's output are over its child's.
 *
 * <p>A pruning may follow a key through a node if dropping all rows of a key value below the node
 * drops exactly the rows of that value above it, and changes no other row. Below a node that drops
 * rows a key is evaluated for rows that the query would not have asked; so there it must be one
 * that cannot fail.
 */
final class KeyPaths {
  private KeyPaths() {}

  /** The keys over the only child of {@code node}, or null where the path ends. */
  static List<Expression> below(SparkPlan node, List<Expression> keys) {
    if (!Expressions.allDeterministic(node.expressions())) {
      return null;
    }
    if (node instanceof ProjectExec project) {
      return substitute(keys, project.projectList(), null);
    }
    if (node instanceof SortExec) {
      return keys;
    }
    if (node instanceof FilterExec) {
      return ifCannotFail(keys);
    }
    if (node instanceof MergingSessionsExec || node instanceof UpdatingSessionsExec) {
      return null; // a session is made of the windows of several rows, so no row knows its key
    }
    if (node instanceof BaseAggregateExec aggregate) {
      return throughAggregate(aggregate, keys);
    }
    if (node instanceof WindowExecBase window) {
      return refersOnlyTo(keys, attributes(window.partitionSpec())) ? keys : null;
    }
    if (node instanceof WindowGroupLimitExec limit) {
      return refersOnlyTo(keys, attributes(limit.partitionSpec())) ? ifCannotFail(keys) : null;
    }
    if (node instanceof GenerateExec || node instanceof EvalPythonExec) {
      return refersOnlyTo(keys, node.children().head().outputSet()) ? ifCannotFail(keys) : null;
    }
    return null;
  }

  /**
   * The keys, unless one might fail for a row that the node above drops; null then.
   *
   * @param keys null is handed on
   */
  static List<Expression> ifCannotFail(List<Expression> keys) {
    return keys != null && keys.stream().allMatch(Expressions::cannotFail) ? keys : null;
  }

  /** The keys over child {@code index} of a union. */
  static List<Expression> belowUnion(UnionExec union, int index, List<Expression> keys) {
    List<Attribute> output = Scala.list(union.output());
    List<Attribute> input = Scala.list(union.children().apply(index).output());
    Map<ExprId, Expression> inputs = new HashMap<>();
    for (int i = 0; i < output.size(); i++) {
      inputs.put(output.get(i).exprId(), input.get(i));
    }
    return replace(keys, inputs);
  }

  private static List<Expression> throughAggregate(
      BaseAggregateExec aggregate, List<Expression> keys) {
    Map<ExprId, Expression> groups = new HashMap<>();
    for (NamedExpression group : Scala.<NamedExpression>list(aggregate.groupingExpressions())) {
      groups.put(group.exprId(), value(group));
    }
    List<Expression> overGroups = substitute(keys, aggregate.resultExpressions(), groups);
    return overGroups == null ? null : replace(overGroups, groups);
  }

  /**
   * The keys with each attribute replaced by what {@code outputs} computes it from.
   *
   * @param allowed the attributes that the result may refer to; null for any
   */
  private static List<Expression> substitute(
      List<Expression> keys,
      scala.collection.Seq<NamedExpression> outputs,
      Map<ExprId, Expression> allowed) {
    Map<ExprId, Expression> values = new HashMap<>();
    for (NamedExpression output : Scala.<NamedExpression>list(outputs)) {
      values.put(output.exprId(), value(output));
    }
    List<Expression> replaced = replace(keys, values);
    if (allowed != null && replaced != null) {
      for (Expression key : replaced) {
        for (Attribute attribute : Scala.<Attribute>list(key.references().toSeq())) {
          if (!allowed.containsKey(attribute.exprId())) {
            return null;
          }
        }
      }
    }
    return replaced;
  }

  /** The keys with each attribute replaced, or null if one has no replacement. */
  private static List<Expression> replace(List<Expression> keys, Map<ExprId, Expression> values) {
    List<Expression> replaced = new ArrayList<>();
    for (Expression key : keys) {
      for (Attribute attribute : Scala.<Attribute>list(key.references().toSeq())) {
        if (!values.containsKey(attribute.exprId())) {
          return null;
        }
      }
      Expression result =
          Expressions.replaceAttributes(key, attribute -> values.get(attribute.exprId()));
      if (!result.deterministic()) {
        return null;
      }
      replaced.add(result);
    }
    return replaced;
  }

  private static Expression value(NamedExpression named) {
    return named instanceof Alias alias ? alias.child() : (Expression) named;
  }

  private static boolean refersOnlyTo(List<Expression> keys, AttributeSet attributes) {
    return keys.stream().allMatch(key -> Expressions.refersOnlyTo(key, attributes));
  }

  private static AttributeSet attributes(scala.collection.Seq<Expression> expressions) {
    List<Attribute> attributes = new ArrayList<>();
    for (Expression expression : Scala.<Expression>list(expressions)) {
      if (expression instanceof Attribute attribute) {
        attributes.add(attribute);
      }
    }
    return Expressions.attributeSet(attributes);
  }
}
