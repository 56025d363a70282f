package io.bloomjoin.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bin/demo}: a handful of join queries, each with stock Spark, with Spark's own runtime
 * filter forced open and with Bloomjoin, then the plan of one that Bloomjoin pruned.
 */
@Command(
    name = "bin/demo",
    description = "Shows what Bloomjoin does on generated data beside stock Spark.")
final class Demo implements Callable<Integer> {
  private static final List<Integer> TPCH_QUERIES = List.of(3, 4, 5, 12, 17, 20);
  private static final long FACT_ROWS_PER_SCALE_FACTOR = 10_000_000;

  @Option(
      names = "--sf",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Scale factor: 1 is about 1 GB of text (default: ${DEFAULT-VALUE}).")
  double scaleFactor;

  @Option(
      names = "--reps",
      paramLabel = "<n>",
      defaultValue = "2",
      description = "Measured runs per query and mode (default: ${DEFAULT-VALUE}).")
  int repetitions;

  @Mixin SessionOptions session;

  @Mixin HelpOption help;

  public static void main(String[] args) {
    Program.run(new Demo(), args);
  }

  @Override
  public Integer call() throws IOException {
    PrintStream out = System.out;
    Path data = Workspace.data();
    out.println(Machine.description() + "; " + session.description());
    try (SparkSession spark = session.open(data)) {
      TpchTables.register(spark, scaleFactor, data, out);
      factDimension().register(spark, data, out);
      List<Query> queries = new ArrayList<>(TpchQueries.numbered(TPCH_QUERIES));
      queries.add(FactDimension.query(5));
      Suite suite = new Suite(new QueryRunner(spark), Mode.USUAL, repetitions, out);
      List<Comparison> comparisons = suite.run(queries, sofar -> {});
      out.printf("%n%s%n", ResultTable.of(comparisons));
      out.println(prunedPlan(comparisons));
      return Program.exitCode(comparisons);
    }
  }

  private FactDimension factDimension() {
    long factRows = Math.max(1000, Math.round(scaleFactor * FACT_ROWS_PER_SCALE_FACTOR));
    return new FactDimension(factRows, factRows / 2);
  }

  /** The plan of the last query that was pruned; the last one of all has the shortest plan. */
  private static String prunedPlan(List<Comparison> comparisons) {
    for (int i = comparisons.size() - 1; i >= 0; i--) {
      Comparison comparison = comparisons.get(i);
      Optional<String> plan = comparison.in(Mode.BLOOMJOIN).last().prunedPlan();
      if (plan.isPresent()) {
        return "The executed plan of " + comparison.query().name() + ":\n" + plan.get();
      }
    }
    return "No executed plan holds a BloomPrune node: Bloomjoin pruned nothing.";
  }
}
