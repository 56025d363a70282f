package io.bloomjoin.benchmarks;

import java.util.Locale;

/** The contestants of {@code bin/bench mapreduce}. */
enum MapReduceMode {
  /** Without a filter. */
  PLAIN,

  /** With a filter of the small side that is there already, as from a nightly build. */
  KEPT_FILTER,

  /** With a filter that is built first; the time and the shuffle of that count, too. */
  BUILT_FILTER;

  /** As in result files. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
