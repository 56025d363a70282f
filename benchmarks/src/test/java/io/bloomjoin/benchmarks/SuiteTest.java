package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SuiteTest {
  private final SparkSession spark = TestSession.SPARK;
  private final Suite suite =
      new Suite(new QueryRunner(spark), List.of(Mode.values()), 2, TestSession.SILENT);

  @Test
  void run_factDimension_measuresEveryModeAndFindsTheSameAnswer(@TempDir Path data) {
    new FactDimension(2000, 1000).register(spark, data, TestSession.SILENT);
    Comparison comparison = suite.run(List.of(FactDimension.query(5)), sofar -> {}).get(0);
    assertTrue(comparison.answersEqual());
    for (Mode mode : Mode.values()) {
      assertEquals(2, comparison.in(mode).runs().size());
      assertTrue(comparison.in(mode).last().shuffleBytes() > 0);
    }
    assertEquals(0, comparison.in(Mode.STOCK).last().rowsPruned());
  }

  @Test
  void run_answerThatDependsOnTheMode_isFound() {
    String sql = "SELECT '${spark.bloomjoin.enabled}'";
    Comparison comparison =
        suite.run(List.of(new Query("mode", sql, Map.of())), sofar -> {}).get(0);
    assertFalse(comparison.in(Mode.BLOOMJOIN).answersEqual());
    assertTrue(comparison.in(Mode.FORCED_OPEN).answersEqual());
    assertFalse(comparison.answersEqual());
  }

  /** Rows that tie at the limit: each mode keeps others. */
  @Test
  void run_tiesAtTheLimit_countAsEqual() {
    String kept = "id % 3 = ascii('${spark.bloomjoin.enabled}') % 3";
    String tied = "SELECT 1 AS one, id FROM range(9) ORDER BY one, " + kept + " DESC LIMIT 3";
    Comparison comparison =
        suite.run(List.of(new Query("ties", tied, Map.of())), sofar -> {}).get(0);
    assertTrue(comparison.answersEqual());
  }

  @Test
  void new_modesWithoutStockFirst_isRefused() {
    List<Mode> modes = List.of(Mode.BLOOMJOIN, Mode.STOCK);
    QueryRunner runner = new QueryRunner(spark);
    assertThrows(
        IllegalArgumentException.class, () -> new Suite(runner, modes, 1, TestSession.SILENT));
  }
}
