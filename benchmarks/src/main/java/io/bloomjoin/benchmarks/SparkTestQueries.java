package io.bloomjoin.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The texts of queries that the build takes from Spark's test jar. */
final class SparkTestQueries {
  private SparkTestQueries() {}

  /**
   * @param resource as in {@code /tpch/q3.sql}
   */
  static String text(String resource) {
    try (InputStream in = SparkTestQueries.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource
                + " is not on the class path. The build takes it from Spark's test jar: run"
                + " mvn package.");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
