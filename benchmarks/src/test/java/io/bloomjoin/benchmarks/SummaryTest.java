package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SummaryTest {
  private static final List<Comparison> COMPARISONS =
      List.of(comparison("q1", 1000, 250, 10, 13), comparison("q2", 1000, 1060, 20, 21));

  @Test
  void of_twoQueries_namesTheSlowerOneAndMeans() {
    assertEquals(
        "bloomjoin: stock takes 1.94 times as long in geometric mean, 1.53 times in total; slower"
            + " than 1.05 times stock: 1 of 2 (q2 1.06); planning added: median 2 ms, largest"
            + " 3 ms",
        Summary.of(COMPARISONS));
  }

  @Test
  void resultTable_modesThatDidNotRun_haveNoColumns() {
    List<String> lines = ResultTable.of(COMPARISONS).lines().toList();
    assertEquals(
        List.of("query", "stock ms", "bloomjoin ms", "x stock"),
        List.of(lines.get(0).split("  +")).subList(0, 4));
    assertEquals(
        List.of("total, geometric mean", "2,000", "1,310", "1.94"),
        List.of(lines.get(3).split("  +")).subList(0, 4));
  }

  private static Comparison comparison(
      String name, long stock, long bloomjoin, long stockPlanning, long planning) {
    return new Comparison(
        new Query(name, "SELECT 1", Map.of()),
        Map.of(
            Mode.STOCK, new Outcome(List.of(run(stock, stockPlanning)), true),
            Mode.BLOOMJOIN, new Outcome(List.of(run(bloomjoin, planning)), true)));
  }

  private static Run run(long millis, long planningMillis) {
    return new Run(new Answer(List.of()), millis, 0, 0, 0, planningMillis, Optional.empty());
  }
}
