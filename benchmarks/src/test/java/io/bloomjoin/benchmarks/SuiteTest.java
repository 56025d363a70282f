package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
    Comparison comparison = suite.run(List.of(FactDimension.QUERY), sofar -> {}).get(0);
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
}
