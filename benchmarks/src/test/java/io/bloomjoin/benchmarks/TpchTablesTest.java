package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The generated tables and their queries, with the counts and answers of io.trino.tpch as witness.
 */
final class TpchTablesTest {
  private static final double SCALE_FACTOR = 0.01;

  private static final SparkSession SPARK = TestSession.SPARK;

  @BeforeAll
  static void generate(@TempDir Path data) {
    TpchTables.register(SPARK, SCALE_FACTOR, data, TestSession.SILENT);
  }

  @ParameterizedTest
  @CsvSource({
    "region, 5",
    "nation, 25",
    "supplier, 100",
    "customer, 1500",
    "part, 2000",
    "partsupp, 8000",
    "orders, 15000"
  })
  void register_everyTable_hasTheRowsOfTheStandard(String table, long rows) {
    assertEquals(rows, SPARK.table(table).count());
  }

  @Test
  void register_lineitem_hasTheRowsOfOneUndividedGenerator() {
    long expected =
        StreamSupport.stream(
                TpchTable.LINE_ITEM.createGenerator(SCALE_FACTOR, 1, 1).spliterator(), false)
            .count();
    assertEquals(expected, SPARK.table("lineitem").count());
  }

  @Test
  void register_negativeScaleFactor_isRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> TpchTables.register(SPARK, -1, Path.of("unused"), TestSession.SILENT));
  }

  /** Joins, exact money and dates in one go: io.trino.tpch ships the answers at this scale. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 9, 12, 18, 20, 21, 22})
  void query_answersAsTrinoDoes(int number) throws IOException {
    Query query = TpchQueries.numbered(List.of(number)).get(0);
    List<String> expected = trinoAnswer(number);
    List<Row> rows = SPARK.sql(query.sql()).collectAsList();
    assertEquals(expected.size(), rows.size());
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      String[] fields = expected.get(i).split("\\|", -1);
      for (int j = 0; j < row.length(); j++) {
        assertSame(fields[j], row.get(j));
      }
    }
  }

  private static void assertSame(String expected, Object actual) {
    if (actual instanceof BigDecimal decimal) {
      BigDecimal wanted = new BigDecimal(expected);
      // Trino rounds averages to the scale of what it averages.
      BigDecimal rounded = decimal.setScale(wanted.scale(), RoundingMode.HALF_UP);
      assertEquals(wanted, rounded);
    } else {
      assertEquals(expected, String.valueOf(actual));
    }
  }

  private static List<String> trinoAnswer(int number) throws IOException {
    String resource = "/io/trino/tpch/queries/q" + number + ".result";
    try (InputStream in = TpchTable.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("--"))
          .toList();
    }
  }
}
