package io.bloomjoin.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs queries in several modes side by side: a warm-up and then the repetitions, the modes taking
 * turns within each and the first of them changing from one repetition to the next.
 */
final class Suite {
  private final QueryRunner runner;
  private final List<Mode> modes;
  private final int repetitions;
  private final PrintStream progress;

  /**
   * @param modes stock Spark first, since its answer is the one to match
   * @param repetitions measured runs per query and mode, at least 1
   */
  Suite(QueryRunner runner, List<Mode> modes, int repetitions, PrintStream progress) {
    if (modes.isEmpty() || modes.get(0) != Mode.STOCK) {
      throw new IllegalArgumentException(
          "The first mode must be stock, whose answers are the ones to match, but the modes are "
              + modes
              + ".");
    }
    if (repetitions < 1) {
      throw new IllegalArgumentException(
          "There must be at least 1 repetition, but got " + repetitions + ".");
    }
    this.runner = runner;
    this.modes = List.copyOf(modes);
    this.repetitions = repetitions;
    this.progress = progress;
  }

  /**
   * @param afterEach is handed all comparisons so far whenever a query is done
   */
  List<Comparison> run(List<Query> queries, Consumer<List<Comparison>> afterEach) {
    List<Comparison> comparisons = new ArrayList<>();
    TimeLeft timeLeft = new TimeLeft(queries.size() * (repetitions + 1));
    for (Query query : queries) {
      comparisons.add(compare(query, timeLeft));
      afterEach.accept(comparisons);
    }
    return List.copyOf(comparisons);
  }

  private Comparison compare(Query query, TimeLeft timeLeft) {
    Map<Mode, List<Run>> runs = new EnumMap<>(Mode.class);
    Set<Mode> differing = EnumSet.noneOf(Mode.class);
    Answer expected = null;
    for (int repetition = 0; repetition <= repetitions; repetition++) {
      progress.printf(
          "%-16s%-12s", query.name(), repetition == 0 ? "warm-up" : "run " + repetition);
      for (Mode mode : inTurn(repetition)) {
        Run run = runner.run(query, mode);
        // The warm-up starts with stock Spark, so its first answer is the one to match.
        expected = expected == null ? run.answer() : expected;
        if (!run.answer().matches(expected) && !matchesInFull(query, mode)) {
          differing.add(mode);
        }
        if (repetition > 0) {
          runs.computeIfAbsent(mode, m -> new ArrayList<>()).add(run);
        }
        progress.printf("%s %d ms   ", mode.label(), run.millis());
        progress.flush();
      }
      progress.println(timeLeft.afterStep());
    }
    Map<Mode, Outcome> outcomes = new EnumMap<>(Mode.class);
    runs.forEach((mode, list) -> outcomes.put(mode, new Outcome(list, !differing.contains(mode))));
    return new Comparison(query, outcomes);
  }

  /**
   * Whether the answers match once the query's final limit is gone: with rows that tie at the limit
   * stock Spark, too, may keep others from one run to the next.
   */
  private boolean matchesInFull(Query query, Mode mode) {
    Optional<Query> full = query.withoutFinalLimit();
    return full.isPresent()
        && runner
            .run(full.get(), mode)
            .answer()
            .matches(runner.run(full.get(), Mode.STOCK).answer());
  }

  private List<Mode> inTurn(int repetition) {
    List<Mode> turn = new ArrayList<>(modes);
    Collections.rotate(turn, -repetition);
    return turn;
  }
}
