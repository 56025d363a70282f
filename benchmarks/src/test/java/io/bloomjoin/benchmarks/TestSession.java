package io.bloomjoin.benchmarks;

import java.io.OutputStream;
import java.io.PrintStream;
import org.apache.spark.sql.SparkSession;

/** One small session for all tests of the module; it ends with the JVM. */
final class TestSession {
  static final PrintStream SILENT = new PrintStream(OutputStream.nullOutputStream());

  static final SparkSession SPARK =
      SparkSession.builder()
          .master("local[2]")
          .config("spark.sql.extensions", "io.bloomjoin.spark.BloomJoinExtensions")
          .config("spark.sql.shuffle.partitions", 4)
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.ui.enabled", false)
          .config("spark.local.dir", "target/spark-local")
          .config("spark.sql.warehouse.dir", "target/warehouse")
          .getOrCreate();

  private TestSession() {}
}
