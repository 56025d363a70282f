package io.bloomjoin.hadoop.cli;

import io.bloomjoin.hadoop.job.BloomCounter;
import java.io.PrintWriter;
import java.util.Locale;
import org.apache.hadoop.mapreduce.Counters;

/** Prints what a job counted. */
final class Counts {

  private Counts() {}

  /** A line for each counter that is not 0. */
  static void print(Counters counters, PrintWriter out) {
    for (BloomCounter counter : BloomCounter.values()) {
      long value = counters.findCounter(counter).getValue();
      if (value != 0) {
        String name = counter.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        out.printf("%-20s %d%n", name, value);
      }
    }
  }
}
