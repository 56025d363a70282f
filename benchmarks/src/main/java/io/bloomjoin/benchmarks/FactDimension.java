package io.bloomjoin.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/**
 * The plain case: a fact table joined to a dimension of which a filter leaves a part.
 *
 * @param factRows rows of {@code fact(id, k, pad, x)}; {@code k} is spread over all dimension keys
 * @param dimensionRows rows of {@code dim(k, attr, name)}; {@code attr} is 0 to 99, evenly
 */
record FactDimension(long factRows, long dimensionRows) {
  /** Reads every column on both sides, so that none is pruned away before the shuffle. */
  private static final String QUERY =
      """
      SELECT count(*), sum(x), bit_xor(xxhash64(id, f.k, pad, name))
      FROM fact f JOIN dim d ON f.k = d.k
      WHERE attr < %d
      """;

  private static final int FILES = 8;

  FactDimension {
    if (factRows < 1) {
      throw new IllegalArgumentException("fact needs at least 1 row, but got " + factRows + ".");
    }
    if (dimensionRows < 1) {
      throw new IllegalArgumentException(
          "dim needs at least 1 row, but got " + dimensionRows + ".");
    }
  }

  /**
   * @param percent how much of the dimension the filter leaves, 1 to 100; with 100 every fact row
   *     has a match, and a Bloom filter is of no use. Broadcast joins are off, so that there is a
   *     shuffle whatever the size.
   */
  static Query query(int percent) {
    if (percent < 1 || percent > 100) {
      throw new IllegalArgumentException(
          "The filter leaves 1 to 100 percent of the dimension, but not " + percent + ".");
    }
    return new Query(
        "fact-dimension-" + percent,
        QUERY.formatted(percent),
        Map.of("spark.sql.autoBroadcastJoinThreshold", "-1"));
  }

  /** Generates the tables into {@code <data>/fact-dimension-<rows>-<rows>/} unless there. */
  void register(SparkSession spark, Path data, PrintStream progress) {
    String name = "fact-dimension-" + factRows + "-" + dimensionRows;
    progress.printf(
        "fact of %,d rows, dimension of %,d rows: .data/%s%n", factRows, dimensionRows, name);
    TableCache cache = new TableCache(spark, data.resolve(name), progress);
    cache.register(
        "fact",
        () ->
            spark
                .range(0, factRows, 1, FILES)
                .selectExpr(
                    "id",
                    "(id * 2654435761) % " + dimensionRows + " AS k",
                    "lpad(id % 1000, 20, '0') AS pad",
                    "id % 1000 AS x"));
    cache.register(
        "dim",
        () ->
            spark
                .range(0, dimensionRows, 1, FILES)
                .selectExpr(
                    "id AS k", "pmod(xxhash64(id), 100) AS attr", "concat('name-', id) AS name"));
  }
}
