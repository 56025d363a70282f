package io.bloomjoin.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.util.VersionInfo;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/bench}: a suite of queries in all modes, the figures kept as CSV and charted. */
@Command(
    name = "bin/bench",
    synopsisSubcommandLabel = "tpch|tpcds|joins|functions|mapreduce|decisions|chart",
    description =
        "Measures Bloomjoin beside stock Spark, keeps the figures as CSV and charts them.")
final class Bench {
  @Spec CommandSpec spec;

  @Mixin HelpOption help;

  private final PrintStream out = System.out;

  public static void main(String[] args) {
    Program.run(new Bench(), args);
  }

  @Command(description = "The queries of TPC-H.")
  int tpch(
      @Option(
              names = "--queries",
              paramLabel = "<n>",
              split = ",",
              description = "Numbers of the queries, as in 3,4 (default: all 22).")
          List<Integer> numbers,
      @Mixin TpcOptions tpc,
      @Mixin BenchOptions options)
      throws IOException {
    List<Query> queries = numbers == null ? TpchQueries.all() : TpchQueries.numbered(numbers);
    return measure(
        "tpch" + tpc.suffix(),
        "TPC-H at scale factor " + tpc.scaleFactor,
        options,
        queries,
        spark -> {
          TpchTables.register(spark, tpc.scaleFactor, Workspace.data(), out);
          tpc.set(spark);
        });
  }

  @Command(description = "The queries of TPC-DS.")
  int tpcds(
      @Option(
              names = "--queries",
              paramLabel = "<name>",
              split = ",",
              description =
                  "Names of the queries, as in q3,q14a,q5a-v2.7; v2.7 for all of that version"
                      + " (default: the 103 of version 1.4).")
          List<String> names,
      @Mixin TpcOptions tpc,
      @Mixin BenchOptions options)
      throws IOException {
    List<Query> queries = names == null ? TpcdsQueries.all() : TpcdsQueries.named(names);
    return measure(
        "tpcds" + tpc.suffix(),
        "TPC-DS at scale factor " + tpc.scaleFactor,
        options,
        queries,
        spark -> {
          TpcdsTables.register(spark, tpc.scaleFactor, Workspace.data(), out);
          tpc.set(spark);
        });
  }

  @Command(description = "A fact table joined to a part of a dimension.")
  int joins(
      @Option(
              names = "--fact-rows",
              paramLabel = "<n>",
              defaultValue = "40000000",
              description = "Rows of the fact table (default: ${DEFAULT-VALUE}).")
          long factRows,
      @Option(
              names = "--dim-rows",
              paramLabel = "<n>",
              defaultValue = "20000000",
              description = "Rows of the dimension (default: ${DEFAULT-VALUE}).")
          long dimensionRows,
      @Option(
              names = "--keep",
              paramLabel = "<percent>",
              split = ",",
              defaultValue = "5",
              description =
                  "How much of the dimension the query's filter leaves, 1 to 100, one query for each"
                      + " (default: ${DEFAULT-VALUE}).")
          List<Integer> percents,
      @Mixin BenchOptions options)
      throws IOException {
    FactDimension tables = new FactDimension(factRows, dimensionRows);
    return measure(
        "joins",
        String.format("%,d fact rows, %,d dimension rows", factRows, dimensionRows),
        options,
        percents.stream().map(FactDimension::query).toList(),
        spark -> tables.register(spark, Workspace.data(), out));
  }

  @Command(description = "bloom_agg beside Spark's bloom_filter_agg and count(distinct).")
  int functions(
      @Option(
              names = "--keys",
              paramLabel = "<n>",
              split = ",",
              defaultValue = "1000000,10000000",
              description = "Numbers of distinct keys (default: ${DEFAULT-VALUE}).")
          List<Long> keys,
      @Mixin BenchOptions options)
      throws IOException {
    Path csv = options.out == null ? results("functions.csv") : options.out;
    List<String> origin = origin("8 partitions", options);
    try (SparkSession spark = options.session.open(Workspace.data())) {
      new KeyAggregates(spark, options.repetitions, out).run(keys, csv, origin);
    }
    out.println("Written to " + csv);
    return CommandLine.ExitCode.OK;
  }

  @Command(description = "MapReduce's join with and without a filter, by Hadoop's local runner.")
  int mapreduce(
      @Option(
              names = "--large-rows",
              paramLabel = "<n>",
              defaultValue = "1000000",
              description = "Rows of the large side (default: ${DEFAULT-VALUE}).")
          long largeRows,
      @Option(
              names = "--small-rows",
              paramLabel = "<n>",
              defaultValue = "100000",
              description =
                  "Rows of the small side, which match one large row in twenty"
                      + " (default: ${DEFAULT-VALUE}).")
          long smallRows,
      @Option(
              names = "--reps",
              paramLabel = "<n>",
              defaultValue = "3",
              description = "Measured runs per mode (default: ${DEFAULT-VALUE}).")
          int repetitions,
      @Option(
              names = "--cores",
              paramLabel = "<n>",
              defaultValue = "2",
              description = "Tasks at a time, and reduce tasks (default: ${DEFAULT-VALUE}).")
          int cores,
      @Option(
              names = "--out",
              paramLabel = "<file>",
              description = "The CSV file (default: benchmarks/results/mapreduce.csv).")
          Path chosenOut,
      @Mixin HelpOption mapreduceHelp)
      throws IOException {
    Path csv = chosenOut == null ? results("mapreduce.csv") : chosenOut;
    JoinFiles files = new JoinFiles(largeRows, smallRows);
    List<String> origin =
        origin(
            String.format(
                "Hadoop %s, local runner, %d cores, heap %d MiB, repetitions %d",
                VersionInfo.getVersion(),
                cores,
                Runtime.getRuntime().maxMemory() >> 20,
                repetitions));
    Path written = files.write(Workspace.data(), out);
    MapReduceJoin join =
        new MapReduceJoin(written, Workspace.data().resolve("mapreduce-scratch"), cores);
    boolean answersEqual = new MapReduceJoins(files, join, repetitions, out).run(csv, origin);
    out.println("Written to " + csv);
    return answersEqual ? CommandLine.ExitCode.OK : Program.ANSWERS_DIFFER;
  }

  @Command(description = "What Bloomjoin decides on each join of TPC-H queries, in words.")
  int decisions(
      @Option(
              names = "--queries",
              paramLabel = "<n>",
              split = ",",
              defaultValue = "5,8,9,17,21",
              description = "Numbers of the queries (default: ${DEFAULT-VALUE}).")
          List<Integer> numbers,
      @Option(
              names = "--out",
              paramLabel = "<file>",
              description = "The text file (default: benchmarks/results/tpch-decisions.txt).")
          Path chosenOut,
      @Mixin TpcOptions tpc,
      @Mixin SessionOptions session,
      @Mixin HelpOption decisionsHelp)
      throws IOException {
    Path file = chosenOut == null ? results("tpch-decisions.txt") : chosenOut;
    List<Query> queries = TpchQueries.numbered(numbers);
    List<String> origin = origin(session.description(), "TPC-H at scale factor " + tpc.scaleFactor);
    try (SparkSession spark = session.open(Workspace.data())) {
      TpchTables.register(spark, tpc.scaleFactor, Workspace.data(), out);
      tpc.set(spark);
      new QueryDecisions(spark, out).write(queries, file, origin);
    }
    out.println("Written to " + file);
    return CommandLine.ExitCode.OK;
  }

  @Command(description = "Draws the median times of a results file as bars.")
  int chart(
      @Option(
              names = "--in",
              paramLabel = "<file>",
              description = "The CSV file (default: benchmarks/results/tpch.csv).")
          Path in,
      @Option(
              names = "--out",
              paramLabel = "<file>",
              description = "The PNG file (default: benchmarks/results/tpch.png).")
          Path chosenOut,
      @Mixin HelpOption chartHelp)
      throws IOException {
    Path csv = in == null ? results("tpch.csv") : in;
    Path png = chosenOut == null ? results("tpch.png") : chosenOut;
    new Chart(MedianTimes.read(csv)).write(png);
    out.println("Written to " + png);
    return CommandLine.ExitCode.OK;
  }

  private int measure(
      String suite,
      String data,
      BenchOptions options,
      List<Query> queries,
      Consumer<SparkSession> tables)
      throws IOException {
    Path csv = options.out == null ? results(suite + ".csv") : options.out;
    List<String> origin = origin(data, options);
    ResultFile file = new ResultFile(csv, origin);
    try (SparkSession spark = options.session.open(Workspace.data())) {
      tables.accept(spark);
      List<Comparison> comparisons =
          new Suite(new QueryRunner(spark), options.allModes(), options.repetitions, out)
              .run(queries, file::write);
      out.printf(
          "%n%s%n%s%nWritten to %s%n", ResultTable.of(comparisons), Summary.of(comparisons), csv);
      return Program.exitCode(comparisons);
    }
  }

  private List<String> origin(String data, BenchOptions options) {
    return origin(options.session.description(), data, "repetitions " + options.repetitions);
  }

  private List<String> origin(String... settings) {
    List<String> origin =
        List.of(
            "machine: " + Machine.description(),
            "commit: " + Machine.commit(Workspace.root()),
            "command: bin/bench "
                + String.join(" ", spec.commandLine().getParseResult().originalArgs()),
            "settings: " + String.join(", ", settings));
    origin.forEach(out::println);
    return origin;
  }

  private static Path results(String name) {
    return Workspace.root().resolve("benchmarks/results").resolve(name);
  }
}
