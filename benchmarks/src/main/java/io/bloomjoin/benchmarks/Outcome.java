package io.bloomjoin.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The measured runs of one query in one mode.
 *
 * @param answersEqual whether every run, the warm-up too, gave the answer of stock Spark
 */
record Outcome(List<Run> runs, boolean answersEqual) {
  Outcome {
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("An outcome needs at least one run.");
    }
    runs = List.copyOf(runs);
  }

  /** The last run, which stands for what does not vary between runs. */
  Run last() {
    return runs.get(runs.size() - 1);
  }

  long medianMillis() {
    return median(Run::millis);
  }

  long minMillis() {
    return runs.stream().mapToLong(Run::millis).min().orElseThrow();
  }

  long maxMillis() {
    return runs.stream().mapToLong(Run::millis).max().orElseThrow();
  }

  /** The median over the runs. */
  long median(ToLongFunction<Run> figure) {
    return median(runs.stream().mapToLong(figure).toArray());
  }

  /** Halfway between the two in the middle of an even number. */
  static long median(long[] figures) {
    long[] sorted = Arrays.stream(figures).sorted().toArray();
    long upper = sorted[sorted.length / 2];
    long lower = sorted[(sorted.length - 1) / 2];
    return lower + (upper - lower) / 2;
  }
}
