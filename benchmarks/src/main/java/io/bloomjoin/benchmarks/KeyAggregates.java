package io.bloomjoin.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.BloomFilterAggregate;
import org.apache.spark.sql.classic.SparkSession;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * {@code bin/bench functions}: the aggregates side by side over the same keys, a warm-up and then
 * the repetitions, taking turns within each.
 */
final class KeyAggregates {
  static final String COLUMNS =
      "keys,aggregate,median_ms,min_ms,max_ms,shuffle_bytes,result_bytes,fpp";

  /** As many partials as a table of some files has. */
  private static final int PARTITIONS = 8;

  private final SparkSession spark;
  private final ShuffleBytes shuffleBytes;
  private final int repetitions;
  private final PrintStream progress;

  /**
   * @param repetitions measured runs per aggregate and number of keys, at least 1
   */
  KeyAggregates(org.apache.spark.sql.SparkSession spark, int repetitions, PrintStream progress) {
    if (repetitions < 1) {
      throw new IllegalArgumentException(
          "There must be at least 1 repetition, but got " + repetitions + ".");
    }
    this.spark = (SparkSession) spark;
    this.shuffleBytes = ShuffleBytes.of(spark.sparkContext());
    registerSparksAggregate(this.spark);
    this.repetitions = repetitions;
    this.progress = progress;
  }

  /** Measures all and replaces the file after each number of keys. */
  void run(List<Long> keyCounts, Path csv, List<String> comments) throws IOException {
    List<String> lines = new ArrayList<>();
    comments.forEach(comment -> lines.add("# " + comment));
    lines.add(COLUMNS);
    Files.createDirectories(csv.toAbsolutePath().getParent());
    for (long keys : keyCounts) {
      lines.addAll(measure(keys));
      Files.write(csv, lines);
    }
  }

  private List<String> measure(long keys) throws IOException {
    admitLargeFiltersOfSpark(keys);
    Map<KeyAggregate, List<Long>> times = new EnumMap<>(KeyAggregate.class);
    Map<KeyAggregate, Long> shuffled = new EnumMap<>(KeyAggregate.class);
    Map<KeyAggregate, KeyAggregateAnswer> answers = new EnumMap<>(KeyAggregate.class);
    for (int repetition = 0; repetition <= repetitions; repetition++) {
      progress.printf("%,15d keys  %-9s", keys, repetition == 0 ? "warm-up" : "run " + repetition);
      for (KeyAggregate aggregate : KeyAggregate.values()) {
        System.gc();
        long before = shuffleBytes.written();
        Stopwatch watch = Stopwatch.start();
        Row row = spark.sql(query(aggregate, keys)).head();
        long millis = watch.millis();
        shuffled.put(aggregate, shuffleBytes.written() - before);
        if (repetition == 0) {
          answers.put(aggregate, aggregate.check(row, keys));
        } else {
          times.computeIfAbsent(aggregate, a -> new ArrayList<>()).add(millis);
        }
        progress.printf("%s %d ms   ", aggregate.label(), millis);
        progress.flush();
      }
      progress.println();
    }
    List<String> lines = new ArrayList<>();
    for (KeyAggregate aggregate : KeyAggregate.values()) {
      long[] sorted = times.get(aggregate).stream().mapToLong(Long::longValue).sorted().toArray();
      KeyAggregateAnswer answer = answers.get(aggregate);
      lines.add(
          String.format(
              Locale.ROOT,
              "%d,%s,%d,%d,%d,%d,%d,%.5f",
              keys,
              aggregate.label(),
              sorted[sorted.length / 2],
              sorted[0],
              sorted[sorted.length - 1],
              shuffled.get(aggregate),
              answer.bytes(),
              answer.fpp()));
    }
    return lines;
  }

  /** The keys from 0 to {@code keys - 1}; computed, so that Spark does not take them as sorted. */
  private static String query(KeyAggregate aggregate, long keys) {
    return String.format(
        Locale.ROOT,
        "SELECT %s FROM (SELECT %d - id AS id FROM range(0, %d, 1, %d))",
        aggregate.sql(keys),
        keys - 1,
        keys,
        PARTITIONS);
  }

  /** Spark keeps its aggregate to 4 million keys, and to itself. */
  private void admitLargeFiltersOfSpark(long keys) {
    String settings = "spark.sql.optimizer.runtime.bloomFilter.";
    spark.conf().set(settings + "maxNumItems", keys);
    spark.conf().set(settings + "maxNumBits", (long) (keys * KeyAggregate.BITS_PER_KEY) + 1);
  }

  private static void registerSparksAggregate(SparkSession spark) {
    spark
        .sessionState()
        .functionRegistry()
        .createOrReplaceTempFunction(
            "bloom_filter_agg",
            new AbstractFunction1<Seq<Expression>, Expression>() {
              @Override
              public Expression apply(Seq<Expression> arguments) {
                return new BloomFilterAggregate(
                    arguments.apply(0), arguments.apply(1), arguments.apply(2));
              }
            },
            "scala_udf");
  }
}
