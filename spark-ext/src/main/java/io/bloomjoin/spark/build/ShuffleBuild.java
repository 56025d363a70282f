package io.bloomjoin.spark.build;

import io.bloomjoin.spark.catalyst.KeyReader;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.MapOutputStatistics;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.CoalescedPartitionSpec;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike;

/**
 * Builds a filter from a shuffle: finishes the map stage, so that the row count is known, then
 * reads the shuffled rows on the executors once more and merges what they have up a tree.
 */
final class ShuffleBuild {
  private final ShuffleExchangeLike shuffle;
  private final List<Expression> keys;
  private final FilterSettings settings;

  ShuffleBuild(ShuffleExchangeLike shuffle, List<Expression> keys, FilterSettings settings) {
    this.shuffle = shuffle;
    this.keys = keys;
    this.settings = settings;
  }

  /** What the map stage wrote, waiting for it; null if it had no partition at all. */
  static MapOutputStatistics mapOutput(ShuffleExchangeLike shuffle) {
    return Scala.await(shuffle.submitShuffleJob());
  }

  BuiltFilter run() {
    MapOutputStatistics statistics = mapOutput(shuffle);
    long start = System.nanoTime();
    if (statistics == null) { // a shuffle without a single map partition
      return BuiltFilter.empty(0);
    }
    long rows = rowCount();
    long blocks = FilterMaker.blocksFor(rows, settings);
    if (blocks < 0) {
      return BuiltFilter.none(
          rows
              + " keys need more than spark.bloomjoin.maxFilterBytes="
              + settings.maxFilterBytes());
    }
    SparkContext context = ((SparkPlan) shuffle).sparkContext();
    ShufflePartitionSpec[] specs =
        split(statistics.bytesByPartitionId(), context.defaultParallelism());
    @SuppressWarnings("unchecked") // a row-based exchange shuffles rows
    RDD<InternalRow> shuffled = (RDD<InternalRow>) shuffle.getShuffleRDD(specs);
    if (shuffled.outputDeterministicLevel().equals(DeterministicLevel.INDETERMINATE())) {
      // A lost map output would be computed anew with other rows, behind the filter's back.
      return BuiltFilter.none("the build side is not deterministic");
    }
    CollectedKeys collected =
        KeyAggregation.run(
            shuffled.toJavaRDD(),
            new KeyReader.Factory(keys, List.of()),
            blocks,
            KeyCollector.Factory.of(keys, settings));
    if (collected.partitions() != specs.length) {
      return BuiltFilter.none("a partition is missing");
    }
    if (collected.count() == 0) {
      return BuiltFilter.empty((System.nanoTime() - start) / 1_000_000);
    }
    return FilterMaker.broadcast(context, collected, settings, start);
  }

  private long rowCount() {
    scala.Option<scala.math.BigInt> rows = shuffle.runtimeStatistics().rowCount();
    if (rows.isDefined()) {
      return rows.get().toLong();
    }
    return Long.MAX_VALUE;
  }

  /** Neighbouring reduce partitions put together, about equal in bytes, one per core. */
  static ShufflePartitionSpec[] split(long[] bytesByPartition, int parts) {
    long total = 0;
    for (long bytes : bytesByPartition) {
      total += bytes;
    }
    List<ShufflePartitionSpec> specs = new ArrayList<>();
    int start = 0;
    long sum = 0;
    for (int i = 0; i < bytesByPartition.length; i++) {
      sum += bytesByPartition[i];
      boolean full = sum * parts >= total * (specs.size() + 1) && specs.size() < parts - 1;
      if (full || i == bytesByPartition.length - 1) {
        specs.add(new CoalescedPartitionSpec(start, i + 1, scala.Option.empty()));
        start = i + 1;
      }
    }
    return specs.toArray(ShufflePartitionSpec[]::new);
  }
}
