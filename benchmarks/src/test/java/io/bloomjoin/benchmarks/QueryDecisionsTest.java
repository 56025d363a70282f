package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every join of a query has its reasons. */
final class QueryDecisionsTest {
  private static final SparkSession SPARK = TestSession.SPARK.newSession();

  private final QueryDecisions decisions = new QueryDecisions(SPARK, TestSession.SILENT);

  @BeforeAll
  static void generate(@TempDir Path data) {
    SPARK.conf().set("spark.sql.autoBroadcastJoinThreshold", "10KB");
    SPARK.conf().set("spark.bloomjoin.minPrunedRows", 0);
    TpchTables.register(SPARK, 0.01, data, TestSession.SILENT);
  }

  @ParameterizedTest
  @CsvSource({"5, 5", "8, 7", "9, 5", "17, 2", "21, 5"})
  void decisions_ofQuery_explainBothSidesOfEveryJoin(int number, int joins) {
    String text = decisions.decisions(TpchQueries.numbered(List.of(number)).get(0));
    assertEquals(joins, count(text, "Join "), text);
    assertEquals(joins, count(text, "  left:"), text);
    assertEquals(joins, count(text, "  right:"), text);
  }

  @Test
  void write_queries_keepsOriginAndDecisions(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("results/decisions.txt");
    decisions.write(TpchQueries.numbered(List.of(17)), file, List.of("machine: any"));
    String text = Files.readString(file);
    assertTrue(text.startsWith("# machine: any\n\nq17\n"), text);
    assertFalse(text.contains("null"), text);
  }

  private static long count(String text, String wanted) {
    return text.lines().filter(line -> line.startsWith(wanted)).count();
  }
}
