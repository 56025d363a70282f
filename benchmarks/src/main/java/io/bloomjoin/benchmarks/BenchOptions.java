package io.bloomjoin.benchmarks;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
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
      names = "--modes",
      paramLabel = "<mode>",
      split = ",",
      converter = ModeConverter.class,
      description =
          "stock, forced_open and bloomjoin are compared by default; stock always takes part.")
  List<Mode> modes = Mode.USUAL;

  @Option(
      names = "--noise",
      description = "Adds the mode stock_again: how far two measurements of the same are apart.")
  boolean noise;

  @Option(
      names = "--out",
      paramLabel = "<file>",
      description = "The CSV file (default: benchmarks/results/<suite>.csv).")
  Path out;

  @Mixin SessionOptions session;

  @Mixin HelpOption help;

  /** Stock Spark first. */
  List<Mode> allModes() {
    EnumSet<Mode> all = EnumSet.of(Mode.STOCK);
    all.addAll(modes);
    if (noise) {
      all.add(Mode.STOCK_AGAIN);
    }
    return List.copyOf(all);
  }

  /** Modes are spelt on the command line as in results files. */
  static final class ModeConverter implements ITypeConverter<Mode> {
    @Override
    public Mode convert(String id) {
      return Mode.of(id);
    }
  }
}
