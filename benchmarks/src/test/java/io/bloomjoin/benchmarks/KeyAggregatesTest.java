package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeyAggregatesTest {
  @Test
  void run_writesALineForEachAggregateAndNumberOfKeys(@TempDir Path folder) throws IOException {
    Path csv = folder.resolve("new/functions.csv");
    new KeyAggregates(TestSession.SPARK, 1, TestSession.SILENT)
        .run(List.of(1000L, 20_000L), csv, List.of("machine: a"));
    List<String> lines = Files.readAllLines(csv);
    assertEquals("# machine: a", lines.get(0));
    assertEquals(KeyAggregates.COLUMNS, lines.get(1));
    assertEquals(2 + 2 * KeyAggregate.values().length, lines.size());
    assertTrue(lines.get(2).startsWith("1000,bloom_agg,"), lines.get(2));
    for (String line : lines.subList(2, lines.size())) {
      String[] cells = line.split(",", -1);
      assertEquals(8, cells.length, line);
      assertTrue(Double.parseDouble(cells[7]) < 0.02, line);
      assertTrue(Long.parseLong(cells[6]) > 0, line);
    }
  }

  @Test
  void check_wrongAnswer_isRefused() {
    Row few = TestSession.SPARK.sql("SELECT bloom_agg(id) FROM range(10)").head();
    assertThrows(IllegalStateException.class, () -> KeyAggregate.BLOOM_AGG.check(few, 1000));
    Row count = TestSession.SPARK.sql("SELECT 9L").head();
    assertThrows(IllegalStateException.class, () -> KeyAggregate.COUNT_DISTINCT.check(count, 10));
  }
}
