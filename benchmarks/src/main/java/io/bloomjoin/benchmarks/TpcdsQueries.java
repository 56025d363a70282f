package io.bloomjoin.benchmarks;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The queries of TPC-DS, as Spark's own tests run them: {@code q1} to {@code q99} of version 1.4,
 * four of which come in two parts, as in {@code q14a} and {@code q14b}, and those that version 2.7
 * changed or added, as in {@code q14a-v2.7}.
 *
 * <p>Below scale factor 1, {@code q90} divides by a count that may be 0, and fails in every mode.
 */
final class TpcdsQueries {
  private static final String V2_7 = "-v2.7";

  private static final List<Integer> IN_TWO_PARTS = List.of(14, 23, 24, 39);

  private static final List<String> VERSION_1_4 =
      IntStream.rangeClosed(1, 99)
          .boxed()
          .flatMap(
              number ->
                  IN_TWO_PARTS.contains(number)
                      ? Stream.of("q" + number + "a", "q" + number + "b")
                      : Stream.of("q" + number))
          .toList();

  private static final List<String> VERSION_2_7 =
      Stream.of(
              "5a", "6", "10a", "11", "12", "14", "14a", "18a", "20", "22", "22a", "24", "27a",
              "34", "35", "35a", "36a", "47", "49", "51a", "57", "64", "67a", "70a", "72", "74",
              "75", "77a", "78", "80a", "86a", "98")
          .map(number -> "q" + number + V2_7)
          .toList();

  private TpcdsQueries() {}

  /** The 103 of version 1.4. */
  static List<Query> all() {
    return named(VERSION_1_4);
  }

  /**
   * @param names as in q3, q14b, q14a-v2.7; v2.7 stands for all of that version
   * @throws IllegalArgumentException if there is no query of such a name
   */
  static List<Query> named(Collection<String> names) {
    return names.stream()
        .flatMap(name -> name.equals("v2.7") ? VERSION_2_7.stream() : Stream.of(name))
        .map(TpcdsQueries::named)
        .toList();
  }

  private static Query named(String name) {
    if (VERSION_1_4.contains(name)) {
      return query(name, "/tpcds/" + name + ".sql");
    }
    if (VERSION_2_7.contains(name)) {
      String file = name.substring(0, name.length() - V2_7.length());
      return query(name, "/tpcds-v2.7.0/" + file + ".sql");
    }
    throw new IllegalArgumentException(
        "TPC-DS has no query "
            + name
            + ". There are q1 to q99, but q14, q23, q24 and q39 are q14a, q14b and so on; and "
            + String.join(", ", VERSION_2_7)
            + ".");
  }

  private static Query query(String name, String resource) {
    return new Query(name, SparkTestQueries.text(resource), Map.of());
  }
}
