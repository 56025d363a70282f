package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.build.KeyValues;
import io.bloomjoin.spark.catalyst.Expressions;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.IntegralType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scan below prunings that reads less than the plan says: what the finished build sides know of
 * their keys becomes predicates of the scan.
 *
 * <p>The predicates are known only when the plan runs, so a copy of the scan runs in its place. The
 * plan, and what is shared by it, stays as it was planned. Skipping only drops rows that a pruning
 * above would drop, or might.
 */
final class NarrowedScan {
  private static final Logger LOG = LoggerFactory.getLogger(NarrowedScan.class);

  private final List<BloomPruneExec> prunings = new ArrayList<>();
  private final Set<ExprId> computed = new HashSet<>();
  private final NarrowableScan scan;
  private final boolean inBatches;

  /** Goes down from {@code top} as far as fewer rows below mean no other rows above. */
  private NarrowedScan(BloomPruneExec top) {
    boolean columnar = false;
    NarrowableScan found = null;
    SparkPlan node = top;
    while (node != null && found == null) {
      if (node instanceof BloomPruneExec prune) {
        prunings.add(prune);
      } else if (node instanceof ProjectExec project) {
        addComputed(project);
      } else if (node instanceof ColumnarToRowExec) {
        columnar = true;
      }
      found = NarrowableScan.of(node);
      node = isCrossed(node) ? node.children().head() : null;
    }
    scan = found;
    inBatches = columnar;
  }

  private static boolean isCrossed(SparkPlan node) {
    return node instanceof BloomPruneExec
        || node instanceof ColumnarToRowExec
        || node instanceof InputAdapter
        || (node instanceof FilterExec filter && filter.condition().deterministic())
        || (node instanceof ProjectExec project
            && Expressions.allDeterministic(project.expressions()));
  }

  private void addComputed(ProjectExec project) {
    for (Expression column : Scala.<Expression>list(project.expressions())) {
      if (column instanceof Alias alias) {
        computed.add(alias.exprId());
      }
    }
  }

  /** Whether a scan below {@code prune} can make use of what is known of the values of a key. */
  static boolean isPossible(BloomPruneExec prune) {
    NarrowedScan narrowed = new NarrowedScan(prune);
    return Scala.<Expression>list(prune.leftKeys()).stream()
        .anyMatch(key -> narrowed.columnOf(key) != null);
  }

  /**
   * The input of the generated code of {@code top}, read with less; null where its left child must
   * be asked. All prunings between {@code top} and the scan contribute, and are waited for.
   */
  static RDD<InternalRow> rowsFor(BloomPruneExec top) {
    NarrowedScan narrowed = new NarrowedScan(top);
    if (narrowed.scan == null) {
      return null;
    }
    try {
      return narrowed.execute();
    } catch (Exception trouble) {
      LOG.warn("Bloomjoin lets a scan read everything: {}", trouble.getMessage(), trouble);
      return null;
    }
  }

  private RDD<InternalRow> execute() {
    List<List<String>> told = prunings.stream().map(this::narrowBy).toList();
    if (told.stream().allMatch(List::isEmpty)) {
      return null;
    }
    RDD<InternalRow> rows = scan.execute(inBatches);
    if (rows != null) {
      for (int i = 0; i < told.size(); i++) { // the partitions are counted once, at the top
        prunings.get(i).showNarrowing(told.get(i), i == 0 ? scan.skippedPartitions() : 0);
      }
    }
    return rows;
  }

  /** Adds what {@code prune} knows; the predicates in words, without values of keys. */
  private List<String> narrowBy(BloomPruneExec prune) {
    List<KeyValues> values = prune.awaitFilter().values();
    List<Expression> keys = Scala.list(prune.leftKeys());
    List<String> told = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Attribute column = columnOf(keys.get(i));
      if (column != null) {
        List<Expression> conjuncts = ScanPredicates.of(column, values.get(i));
        if (!conjuncts.isEmpty()) {
          scan.add(column, conjuncts);
          told.add(column.name() + " " + ScanPredicates.inWords(conjuncts));
        }
      }
    }
    return told;
  }

  /** The column of the scan that a key is, where the scan takes predicates on it; else null. */
  private Attribute columnOf(Expression key) {
    if (scan == null
        || !(plain(key) instanceof AttributeReference reference)
        || computed.contains(reference.exprId())) {
      return null;
    }
    return Scala.<Attribute>list(scan.plan().output()).stream()
        .filter(column -> column.exprId().equals(reference.exprId()) && scan.takes(column))
        .findFirst()
        .orElse(null);
  }

  /** A key's column, also where the key is the column as a wider integral number. */
  private static Expression plain(Expression key) {
    Expression narrow = Expressions.withoutUpcast(key);
    boolean integral =
        key.dataType() instanceof IntegralType && narrow.dataType() instanceof IntegralType;
    return integral ? narrow : key;
  }
}
