package io.bloomjoin.benchmarks;

import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that all suites of {@code bin/bench} share. */
final class BenchOptions {
  @Option(
      names = "--reps",
      paramLabel = "<n>",
      defaultValue = "5",
      description = "Measured runs per query and mode (default: ${DEFAULT-VALUE}).")
  int repetitions;

  @Option(
      names = "--out",
      paramLabel = "<file>",
      description = "The CSV file (default: benchmarks/results/<suite>.csv).")
  Path out;

  @Mixin SessionOptions session;

  @Mixin HelpOption help;
}
