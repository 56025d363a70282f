package io.bloomjoin.benchmarks;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The 22 queries of TPC-H, as Spark's own tests run them. */
final class TpchQueries {
  private static final int COUNT = 22;

  private TpchQueries() {}

  static List<Query> all() {
    return numbered(IntStream.rangeClosed(1, COUNT).boxed().toList());
  }

  /**
   * @param numbers from 1 to 22
   * @throws IllegalArgumentException if a number is outside that range
   */
  static List<Query> numbered(Collection<Integer> numbers) {
    return numbers.stream().map(TpchQueries::numbered).toList();
  }

  private static Query numbered(int number) {
    if (number < 1 || number > COUNT) {
      throw new IllegalArgumentException(
          "TPC-H has queries 1 to " + COUNT + ", but not " + number + ".");
    }
    return new Query("q" + number, SparkTestQueries.text("/tpch/q" + number + ".sql"), Map.of());
  }
}
