package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExecutedPlanTest {
  private static final String RECORDS = "shuffle records written";

  /** Ten groups in each of two partitions: the exchange of the aggregate writes 20 records. */
  private static final String GROUPS = "(SELECT id % 10 AS k FROM range(0, 100, 1, 2) GROUP BY k)";

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void total_sharedExchange_countsOnce(boolean adaptive) {
    String sql = "SELECT * FROM " + GROUPS + " a JOIN " + GROUPS + " b ON a.k = b.k";
    assertEquals(20, run(sql, adaptive, "Exchange").total(RECORDS));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void total_exchangeInSubquery_isFound(boolean adaptive) {
    String sql = "SELECT id FROM range(5) WHERE id < (SELECT count(*) FROM " + GROUPS + ")";
    // The groups, and those that the count itself shuffles.
    assertTrue(run(sql, adaptive, "Exchange").total(RECORDS) > 20);
  }

  @Test
  void holdsNode_otherKindOnly_isFalse() {
    ExecutedPlan plan = run("SELECT * FROM " + GROUPS, true, "Generate");
    assertFalse(plan.holdsNode());
    assertEquals(0, plan.total(RECORDS));
  }

  @Test
  void formatted_showsFinalPlanAndMetrics() {
    String text = run("SELECT * FROM " + GROUPS, true, "Exchange").formatted();
    assertTrue(text.contains("ShuffleQueryStage"), text);
    assertTrue(text.contains(RECORDS + ": 20\n"), text);
  }

  private static ExecutedPlan run(String sql, boolean adaptive, String nodeName) {
    SparkSession session = ((SparkSession) TestSession.SPARK).cloneSession();
    session.conf().set("spark.sql.adaptive.enabled", adaptive);
    session.conf().set("spark.sql.autoBroadcastJoinThreshold", -1);
    Dataset<Row> rows = session.sql(sql);
    rows.collectAsList();
    return new ExecutedPlan(rows.queryExecution().executedPlan(), nodeName);
  }
}
