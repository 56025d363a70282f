package io.bloomjoin.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The comparisons as a table for people, with totals and geometric means at its foot. */
final class ResultTable {
  private record Column(
      String head, Function<Comparison, String> cell, Function<List<Comparison>, String> foot) {
    Stream<String> cells(List<Comparison> comparisons) {
      return Stream.of(
              Stream.of(head), comparisons.stream().map(cell), Stream.of(foot.apply(comparisons)))
          .flatMap(Function.identity());
    }
  }

  private ResultTable() {}

  /** All comparisons must have the same modes. */
  static String of(List<Comparison> comparisons) {
    List<List<String>> columns =
        columns(comparisons.get(0).outcomes().keySet()).stream()
            .map(column -> column.cells(comparisons).toList())
            .toList();
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < columns.get(0).size(); line++) {
      for (int i = 0; i < columns.size(); i++) {
        int width = columns.get(i).stream().mapToInt(String::length).max().orElseThrow();
        text.append(String.format((i == 0 ? "%-" : "  %") + width + "s", columns.get(i).get(line)));
      }
      text.append(System.lineSeparator());
    }
    return text.toString();
  }

  private static List<Column> columns(Set<Mode> modes) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("query", c -> c.query().name(), all -> "total, geometric mean"));
    for (Mode mode : Mode.values()) {
      if (modes.contains(mode)) {
        columns.add(sum(mode.label() + " ms", c -> c.in(mode).medianMillis()));
      }
    }
    if (modes.contains(Mode.BLOOMJOIN)) {
      columns.add(speedUp("x stock", Mode.STOCK));
      if (modes.contains(Mode.FORCED_OPEN)) {
        columns.add(speedUp("x forced open", Mode.FORCED_OPEN));
      }
    }
    columns.add(shuffled(Mode.STOCK));
    if (modes.contains(Mode.BLOOMJOIN)) {
      columns.add(shuffled(Mode.BLOOMJOIN));
      columns.add(sum("rows pruned", c -> c.in(Mode.BLOOMJOIN).last().rowsPruned()));
    }
    columns.add(
        new Column(
            "answers",
            c -> answers(c.answersEqual()),
            all -> answers(all.stream().allMatch(Comparison::answersEqual))));
    return columns;
  }

  private static Column sum(String head, ToLongFunction<Comparison> figure) {
    return new Column(
        head,
        c -> whole(figure.applyAsLong(c)),
        all -> whole(all.stream().mapToLong(figure).sum()));
  }

  private static Column shuffled(Mode mode) {
    ToLongFunction<Comparison> bytes = c -> c.in(mode).last().shuffleBytes();
    return new Column(
        "shuffled " + mode.label(),
        c -> megabytes(bytes.applyAsLong(c)),
        all -> megabytes(all.stream().mapToLong(bytes).sum()));
  }

  private static Column speedUp(String head, Mode rival) {
    return new Column(
        head,
        c -> ratio(c.speedUp(Mode.BLOOMJOIN, rival)),
        all -> ratio(Summary.geometricMean(all, Mode.BLOOMJOIN, rival)));
  }

  private static String answers(boolean equal) {
    return equal ? "equal" : "DIFFER";
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
