package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationRef;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Sample;
import org.apache.spark.sql.catalyst.plans.logical.Tail;
import org.apache.spark.sql.catalyst.plans.logical.UnionLoop;
import org.apache.spark.sql.catalyst.plans.logical.WithCTE;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.write.RowLevelOperationTable;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution$;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;

/**
 * Whether what a source of version 2 is told stays between it and the plan node that told it. The
 * source keeps it, so nothing else may read through the same object, and no rows may be counted by
 * the source itself.
 */
final class ExclusiveScan {
  private ExclusiveScan() {}

  /**
   * Only what is certain is true. The scan must have been made for the current query: a plan that
   * begins with it, such as a step of a recursion, may not be the only one.
   */
  static boolean isExclusive(BatchScanExec scan) {
    QueryExecution query = currentQuery(scan);
    if (query == null || scan.table() instanceof RowLevelOperationTable) {
      return false;
    }
    List<LogicalPlan> nodes = nodes(query.optimizedPlan());
    return nodes(query.analyzed()).stream().noneMatch(node -> reads(node, scan.scan()))
        && nodes.stream().filter(node -> reads(node, scan.scan())).count() == 1
        && nodes.stream().noneMatch(UnionLoop.class::isInstance) // its scans run again and again
        && !mayCountRows(query.analyzed(), true);
  }

  private static QueryExecution currentQuery(BatchScanExec scan) {
    String execution =
        scan.sparkContext().getLocalProperty(SQLExecution$.MODULE$.EXECUTION_ID_KEY());
    return execution == null
        ? null
        : SQLExecution$.MODULE$.getQueryExecution(Long.parseLong(execution));
  }

  @SuppressWarnings("ReferenceEquality") // equal scans are told apart, one object is not
  private static boolean reads(LogicalPlan node, Scan scan) {
    return node instanceof DataSourceV2ScanRelation relation && relation.scan() == scan;
  }

  /**
   * Whether a limit, an offset or a sample may have gone into a scan: of fewer partitions a source
   * would choose other rows. Those at the top of the query are above all joins, so they have not.
   */
  private static boolean mayCountRows(LogicalPlan plan, boolean atTop) {
    if (!atTop && counts(plan) && nodes(plan).stream().anyMatch(ExclusiveScan::mayBeSource)) {
      return true;
    }
    for (LogicalPlan child : Scala.<LogicalPlan>list(plan.children())) {
      if (mayCountRows(child, atTop && isOnlyInput(child, plan))) {
        return true;
      }
    }
    return Scala.<LogicalPlan>list(plan.subqueries()).stream()
        .anyMatch(subquery -> mayCountRows(subquery, false));
  }

  @SuppressWarnings("ReferenceEquality") // a node is asked for its own child
  private static boolean isOnlyInput(LogicalPlan child, LogicalPlan plan) {
    return plan instanceof WithCTE with ? child == with.plan() : plan.children().size() == 1;
  }

  private static boolean counts(LogicalPlan node) {
    return node instanceof GlobalLimit
        || node instanceof LocalLimit
        || node instanceof Offset
        || node instanceof Tail
        || node instanceof Sample;
  }

  private static boolean mayBeSource(LogicalPlan node) {
    return node instanceof DataSourceV2Relation
        || node instanceof DataSourceV2ScanRelation
        || node instanceof CTERelationRef;
  }

  /** All nodes of a plan and of the subqueries in it. */
  private static List<LogicalPlan> nodes(LogicalPlan plan) {
    List<LogicalPlan> nodes = new ArrayList<>();
    nodes.add(plan);
    Scala.<LogicalPlan>list(plan.children()).forEach(child -> nodes.addAll(nodes(child)));
    Scala.<LogicalPlan>list(plan.subqueries()).forEach(query -> nodes.addAll(nodes(query)));
    return nodes;
  }
}
