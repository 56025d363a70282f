package io.bloomjoin.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a suite shows as a whole, mode by mode beside stock Spark, in a few lines for people. */
final class Summary {
  /** A query counts as slower than stock Spark from this share of its median time on. */
  private static final double SLOWER = 1.05;

  private Summary() {}

  /** All comparisons must have the same modes. */
  static String of(List<Comparison> comparisons) {
    return comparisons.get(0).outcomes().keySet().stream()
        .filter(mode -> mode != Mode.STOCK)
        .sorted()
        .map(mode -> lines(comparisons, mode))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  /** How many times as long the rival takes as the mode, over all queries. */
  static double geometricMean(List<Comparison> comparisons, Mode mode, Mode rival) {
    return Math.exp(
        comparisons.stream()
            .mapToDouble(comparison -> Math.log(comparison.speedUp(mode, rival)))
            .average()
            .orElse(0));
  }

  private static String lines(List<Comparison> comparisons, Mode mode) {
    List<Comparison> slower =
        comparisons.stream().filter(comparison -> isSlower(comparison, mode)).toList();
    long[] planning =
        comparisons.stream().mapToLong(comparison -> planningAdded(comparison, mode)).toArray();
    return String.format(
        Locale.ROOT,
        "%s: stock takes %.2f times as long in geometric mean, %.2f times in total;"
            + " slower than %.2f times stock: %d of %d%s;"
            + " planning added: median %d ms, largest %d ms",
        mode.label(),
        geometricMean(comparisons, mode, Mode.STOCK),
        (double) totalMillis(comparisons, Mode.STOCK) / Math.max(1, totalMillis(comparisons, mode)),
        SLOWER,
        slower.size(),
        comparisons.size(),
        slower.isEmpty() ? "" : names(slower, mode),
        Outcome.median(planning),
        Arrays.stream(planning).max().orElseThrow());
  }

  private static String names(List<Comparison> slower, Mode mode) {
    return slower.stream()
        .map(
            comparison ->
                String.format(
                    Locale.ROOT,
                    "%s %.2f",
                    comparison.query().name(),
                    1 / comparison.speedUp(mode, Mode.STOCK)))
        .collect(Collectors.joining(", ", " (", ")"));
  }

  private static boolean isSlower(Comparison comparison, Mode mode) {
    return comparison.in(mode).medianMillis() > SLOWER * comparison.in(Mode.STOCK).medianMillis();
  }

  private static long planningAdded(Comparison comparison, Mode mode) {
    return comparison.in(mode).median(Run::planningMillis)
        - comparison.in(Mode.STOCK).median(Run::planningMillis);
  }

  private static long totalMillis(List<Comparison> comparisons, Mode mode) {
    return comparisons.stream().mapToLong(comparison -> comparison.in(mode).medianMillis()).sum();
  }
}
