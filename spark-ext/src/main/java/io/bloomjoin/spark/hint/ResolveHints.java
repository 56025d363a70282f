package io.bloomjoin.spark.hint;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute$;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedHint;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedWith;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.immutable.Seq;

/**
 * Takes {@code BLOOM_JOIN} and {@code NO_BLOOM_JOIN} out of a query and hangs them on the relations
 * that they name, by the rules of Spark's own join hints: a name matches if it is the end of a
 * relation's name or its alias, scopes below (views, subqueries, CTEs) are not searched, and
 * without a name the hint is for the whole relation below. A name that matches nothing is logged
 * with Spark's warning.
 */
public final class ResolveHints extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.resolveOperatorsUp(
        Scala.rewriting(
            node ->
                node instanceof UnresolvedHint hint && JoinHint.named(hint.name()) != null
                    ? resolve(hint, JoinHint.named(hint.name()))
                    : node));
  }

  private static LogicalPlan resolve(UnresolvedHint unresolved, JoinHint hint) {
    // A view's plan is shared by all queries that read it, so the hints hang on a copy.
    LogicalPlan plan = unresolved.child().clone();
    List<Expression> parameters = Scala.list(unresolved.parameters());
    if (parameters.isEmpty()) {
      markRelation(plan, hint);
      return plan;
    }
    List<List<String>> names = new ArrayList<>();
    parameters.forEach(parameter -> names.add(name(parameter)));
    Set<List<String>> found = new HashSet<>();
    markNamed(plan, names, found, hint);
    names.removeAll(found);
    SQLConf.get()
        .hintErrorHandler()
        .hintRelationsNotFound(
            unresolved.name(),
            Scala.<Object>seq(parameters),
            Scala.set(names.stream().<Seq<String>>map(Scala::seq).toList()));
    return plan;
  }

  private static List<String> name(Expression parameter) {
    if (parameter instanceof UnresolvedAttribute attribute) {
      return List.copyOf(Scala.list(attribute.nameParts()));
    }
    String text =
        parameter instanceof Literal literal ? literal.value().toString() : parameter.sql();
    return List.copyOf(Scala.list(UnresolvedAttribute$.MODULE$.parseAttributeName(text)));
  }

  private static void markNamed(
      LogicalPlan plan, List<List<String>> names, Set<List<String>> found, JoinHint hint) {
    if (plan instanceof UnresolvedRelation relation) {
      if (matches(Scala.list(relation.multipartIdentifier()), names, found)) {
        hint.hangOn(relation);
      }
    } else if (plan instanceof SubqueryAlias alias) {
      List<String> identifier = new ArrayList<>(Scala.list(alias.identifier().qualifier()));
      identifier.add(alias.identifier().name());
      if (matches(identifier, names, found)) {
        markRelation(alias, hint);
      }
    } else if (!(plan instanceof View || plan instanceof UnresolvedWith)) {
      Scala.<LogicalPlan>list(plan.children())
          .forEach(child -> markNamed(child, names, found, hint));
    }
  }

  private static boolean matches(
      List<String> identifier, List<List<String>> names, Set<List<String>> found) {
    boolean matches = false;
    for (List<String> name : names) {
      int start = identifier.size() - name.size();
      if (start >= 0 && equal(identifier.subList(start, identifier.size()), name)) {
        found.add(name);
        matches = true;
      }
    }
    return matches;
  }

  private static boolean equal(List<String> a, List<String> b) {
    for (int i = 0; i < a.size(); i++) {
      if (!(Boolean) SQLConf.get().resolver().apply(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Marks the leaves of a relation too, since the optimizer may take the nodes above them away; a
   * join within it has a hint of its own.
   */
  private static void markRelation(LogicalPlan plan, JoinHint hint) {
    hint.hangOn(plan);
    if (!(plan instanceof Join)) {
      Scala.<LogicalPlan>list(plan.children()).forEach(child -> markRelation(child, hint));
    }
  }

  /** Hands the hint of a name on to the leaves of what the name stands for, once that is known. */
  public static final class PassOn extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      boolean marked =
          plan.exists(
              Scala.function(node -> JoinHint.on(node) != null && !node.children().isEmpty()));
      if (!marked) {
        return plan;
      }
      LogicalPlan copy = plan.clone();
      passOn(copy);
      return copy;
    }

    private static void passOn(LogicalPlan plan) {
      JoinHint hint = JoinHint.on(plan);
      if (hint != null) {
        markRelation(plan, hint);
      } else {
        Scala.<LogicalPlan>list(plan.children()).forEach(PassOn::passOn);
      }
    }
  }
}
