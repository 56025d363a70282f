package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The generated tables and their queries, with the counts of io.trino.tpcds as witness. */
final class TpcdsTablesTest {
  private static final double SCALE_FACTOR = 0.01;

  private static final SparkSession SPARK = TestSession.SPARK;

  @BeforeAll
  static void generate(@TempDir Path data) {
    TpcdsTables.register(SPARK, SCALE_FACTOR, data, TestSession.SILENT);
  }

  @ParameterizedTest
  @CsvSource({
    "date_dim, 73049",
    "time_dim, 86400",
    "customer_demographics, 1920800",
    "household_demographics, 7200",
    "income_band, 20"
  })
  void register_tableOfFixedSize_hasTheRowsOfTheStandard(String table, long rows) {
    assertEquals(rows, SPARK.table(table).count());
    String key = SPARK.table(table).columns()[0];
    assertEquals(rows, SPARK.table(table).select(key).distinct().count());
  }

  @ParameterizedTest
  @CsvSource({"STORE_SALES", "STORE_RETURNS", "CATALOG_SALES", "WEB_RETURNS", "ITEM"})
  void register_everyTable_hasTheRowsOfOneUndividedGenerator(Table table) {
    Session session = Session.getDefaultSession().withScale(SCALE_FACTOR).withTable(table);
    Results results = Results.constructResults(table, session);
    long expected = StreamSupport.stream(results.spliterator(), false).count();
    assertTrue(expected > 0);
    assertEquals(expected, SPARK.table(table.getName()).count());
  }

  @ParameterizedTest
  @CsvSource({
    "store_sales, ss_sold_date_sk, int",
    "store_sales, ss_quantity, int",
    "store_sales, ss_net_paid, 'decimal(7,2)'",
    "date_dim, d_date, date",
    "customer, c_last_name, string"
  })
  void register_columns_haveTheTypesOfTheStandard(String table, String column, String type) {
    assertEquals(type, SPARK.table(table).schema().apply(column).dataType().simpleString());
  }

  @Test
  void register_keysOfFacts_areNullNowAndThenAndElseKnown() {
    assertTrue(SPARK.table("store_sales").where("ss_customer_sk IS NULL").count() > 0);
    assertEquals(
        0,
        SPARK
            .sql(
                "SELECT 1 FROM store_sales LEFT ANTI JOIN customer ON ss_customer_sk ="
                    + " c_customer_sk WHERE ss_customer_sk IS NOT NULL")
            .count());
  }

  @Test
  void register_dates_fitTheirKeysAndParts() {
    assertEquals(
        73049,
        SPARK
            .sql(
                "SELECT 1 FROM date_dim WHERE year(d_date) = d_year AND month(d_date) = d_moy"
                    + " AND d_date_sk = datediff(d_date, DATE'1900-01-02') + 2415022")
            .count());
  }

  @Test
  void register_negativeScaleFactor_isRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> TpcdsTables.register(SPARK, -1, Path.of("unused"), TestSession.SILENT));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void queries_all_findTheirColumnsAndTypes(Query query) {
    assertDoesNotThrow(() -> SPARK.sql(query.sql()));
  }

  static Stream<Query> queries() {
    return Stream.of(TpcdsQueries.all(), TpcdsQueries.named(List.of("v2.7"))).flatMap(List::stream);
  }

  @Test
  void query_prunedStar_hasTheAnswerOfStockSpark() {
    Query star =
        new Query(
            "q7",
            TpcdsQueries.named(List.of("q7")).get(0).sql(),
            Map.of(
                "spark.sql.autoBroadcastJoinThreshold", "-1",
                "spark.bloomjoin.minPrunedRows", "0",
                "spark.bloomjoin.maxSelectivity", "1"));
    QueryRunner runner = new QueryRunner(SPARK);
    Run pruned = runner.run(star, Mode.BLOOMJOIN);
    assertTrue(pruned.rowsPruned() > 0);
    assertTrue(pruned.answer().matches(runner.run(star, Mode.STOCK).answer()));
    assertFalse(pruned.answer().rows().isEmpty());
  }

  @Test
  void named_all_areThoseOfTheStandard() {
    assertEquals(103, TpcdsQueries.all().size());
    assertEquals(32, TpcdsQueries.named(List.of("v2.7")).size());
    assertTrue(TpcdsQueries.named(List.of("q14a-v2.7")).get(0).sql().contains("cross_items"));
  }

  @Test
  void named_unknownQuery_isRefusedWithTheNamesThatAre() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> TpcdsQueries.named(List.of("q3", "q14")));
    assertTrue(e.getMessage().contains("no query q14."), e.getMessage());
    assertTrue(e.getMessage().contains("q14a"), e.getMessage());
  }
}
