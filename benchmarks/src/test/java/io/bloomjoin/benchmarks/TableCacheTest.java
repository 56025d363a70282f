package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TableCacheTest {
  @TempDir private Path folder;
  private final SparkSession spark = TestSession.SPARK;
  private int generated;

  @Test
  void register_secondTime_readsWhatIsThere() {
    register();
    register();
    assertEquals(1, generated);
    assertEquals(10, spark.table("numbers").count());
  }

  @Test
  void register_halfWrittenTable_isWrittenAnew() throws IOException {
    register();
    Files.delete(folder.resolve("numbers/_SUCCESS"));
    Files.writeString(folder.resolve("numbers/part-99999.parquet"), "cut off");
    register();
    assertEquals(2, generated);
    assertEquals(10, spark.table("numbers").count());
    assertFalse(Files.exists(folder.resolve("numbers/part-99999.parquet")));
  }

  @Test
  void register_leavesNothingBesideTheTable() throws IOException {
    register();
    try (Stream<Path> files = Files.list(folder)) {
      assertTrue(files.allMatch(file -> file.endsWith("numbers")));
    }
  }

  private void register() {
    new TableCache(spark, folder, TestSession.SILENT)
        .register(
            "numbers",
            () -> {
              generated++;
              return spark.range(10).toDF();
            });
  }
}
