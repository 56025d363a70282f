package io.bloomjoin.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** The comparisons as a table for people, with totals and geometric means at its foot. */
final class ResultTable {
  private static final List<String> HEADER =
      List.of(
          "query",
          "stock ms",
          "forced open ms",
          "bloomjoin ms",
          "x stock",
          "x forced open",
          "shuffled stock",
          "shuffled bloomjoin",
          "rows pruned",
          "answers");

  private ResultTable() {}

  static String of(List<Comparison> comparisons) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(HEADER);
    comparisons.forEach(comparison -> lines.add(line(comparison)));
    lines.add(foot(comparisons));
    int[] widths =
        IntStream.range(0, HEADER.size())
            .map(i -> lines.stream().mapToInt(line -> line.get(i).length()).max().orElseThrow())
            .toArray();
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        text.append(String.format((i == 0 ? "%-" : "  %") + widths[i] + "s", line.get(i)));
      }
      text.append(System.lineSeparator());
    }
    return text.toString();
  }

  private static List<String> line(Comparison comparison) {
    Outcome stock = comparison.in(Mode.STOCK);
    Outcome bloomjoin = comparison.in(Mode.BLOOMJOIN);
    return List.of(
        comparison.query().name(),
        whole(stock.medianMillis()),
        whole(comparison.in(Mode.FORCED_OPEN).medianMillis()),
        whole(bloomjoin.medianMillis()),
        ratio(comparison.speedUpOver(Mode.STOCK)),
        ratio(comparison.speedUpOver(Mode.FORCED_OPEN)),
        megabytes(stock.last().shuffleBytes()),
        megabytes(bloomjoin.last().shuffleBytes()),
        whole(bloomjoin.last().rowsPruned()),
        comparison.answersEqual() ? "equal" : "DIFFER");
  }

  private static List<String> foot(List<Comparison> comparisons) {
    return List.of(
        "total, geometric mean",
        whole(sum(comparisons, c -> c.in(Mode.STOCK).medianMillis())),
        whole(sum(comparisons, c -> c.in(Mode.FORCED_OPEN).medianMillis())),
        whole(sum(comparisons, c -> c.in(Mode.BLOOMJOIN).medianMillis())),
        ratio(geometricMean(comparisons, Mode.STOCK)),
        ratio(geometricMean(comparisons, Mode.FORCED_OPEN)),
        megabytes(sum(comparisons, c -> c.in(Mode.STOCK).last().shuffleBytes())),
        megabytes(sum(comparisons, c -> c.in(Mode.BLOOMJOIN).last().shuffleBytes())),
        whole(sum(comparisons, c -> c.in(Mode.BLOOMJOIN).last().rowsPruned())),
        comparisons.stream().allMatch(Comparison::answersEqual) ? "equal" : "DIFFER");
  }

  private static double geometricMean(List<Comparison> comparisons, Mode rival) {
    return Math.exp(
        comparisons.stream()
            .mapToDouble(comparison -> Math.log(comparison.speedUpOver(rival)))
            .average()
            .orElse(0));
  }

  private static long sum(List<Comparison> comparisons, ToLongFunction<Comparison> figure) {
    return comparisons.stream().mapToLong(figure).sum();
  }

  private static String whole(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%,.1f MB", bytes / 1e6);
  }
}
