package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.build.BuiltFilter;
import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.probe.ProbeMetrics;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics$;
import scala.collection.immutable.Map;

/** The metrics of {@link BloomPruneExec} in Spark's UI. */
final class PruneMetrics {
  private static final String ROWS_TESTED = "rowsTested";
  private static final String ROWS_PRUNED = "rowsPruned";
  private static final String UNFILTERED_TASKS = "unfilteredTasks";
  private static final String SKIPPED_PARTITIONS = "skippedPartitions";
  private static final String KEYS = "filterKeys";
  private static final String FILTER_BYTES = "filterSize";
  private static final String BUILD_TIME = "buildTime";
  private static final String BROADCAST_TIME = "broadcastTime";

  private PruneMetrics() {}

  static Map<String, SQLMetric> create(SparkContext context) {
    SQLMetrics$ metrics = SQLMetrics$.MODULE$;
    return Scala.map(
        java.util.Map.of(
            ROWS_TESTED, metrics.createMetric(context, "rows tested"),
            ROWS_PRUNED, metrics.createMetric(context, "rows pruned"),
            UNFILTERED_TASKS, metrics.createMetric(context, "tasks without a filter"),
            SKIPPED_PARTITIONS, metrics.createMetric(context, "partitions skipped"),
            KEYS, metrics.createMetric(context, "keys in filter"),
            FILTER_BYTES, metrics.createSizeMetric(context, "filter size", -1),
            BUILD_TIME, metrics.createTimingMetric(context, "build time", -1),
            BROADCAST_TIME, metrics.createTimingMetric(context, "broadcast time", -1)));
  }

  /** Sets what the driver knows after the build; the metrics that changed. */
  static List<SQLMetric> record(Map<String, SQLMetric> metrics, BuiltFilter built) {
    set(metrics, KEYS, built.keys());
    set(metrics, FILTER_BYTES, built.sizeInBytes());
    set(metrics, BUILD_TIME, built.buildMillis());
    set(metrics, BROADCAST_TIME, built.broadcastMillis());
    return List.of(
        metrics.apply(KEYS),
        metrics.apply(FILTER_BYTES),
        metrics.apply(BUILD_TIME),
        metrics.apply(BROADCAST_TIME));
  }

  /** Sets how many partitions a source left out; the metrics that changed. */
  static List<SQLMetric> recordSkipped(Map<String, SQLMetric> metrics, long partitions) {
    set(metrics, SKIPPED_PARTITIONS, partitions);
    return List.of(metrics.apply(SKIPPED_PARTITIONS));
  }

  static ProbeMetrics probeMetrics(Map<String, SQLMetric> metrics) {
    return new ProbeMetrics(
        metrics.apply(ROWS_TESTED), metrics.apply(ROWS_PRUNED), metrics.apply(UNFILTERED_TASKS));
  }

  private static void set(Map<String, SQLMetric> metrics, String name, long value) {
    metrics.apply(name).set(value);
  }
}
