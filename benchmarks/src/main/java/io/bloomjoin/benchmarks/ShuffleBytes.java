package io.bloomjoin.benchmarks;

import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;

/** Bytes written to shuffles by all stages that the application has completed. */
final class ShuffleBytes extends SparkListener {
  private static final long DRAIN_MILLIS = 60_000;

  private final SparkContext context;
  private final AtomicLong written = new AtomicLong();

  private ShuffleBytes(SparkContext context) {
    this.context = context;
  }

  static ShuffleBytes of(SparkContext context) {
    ShuffleBytes listener = new ShuffleBytes(context);
    context.addSparkListener(listener);
    return listener;
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted event) {
    TaskMetrics metrics = event.stageInfo().taskMetrics();
    if (metrics != null) {
      written.addAndGet(metrics.shuffleWriteMetrics().bytesWritten());
    }
  }

  /** The sum so far; waits for events that are still on their way. */
  long written() {
    try {
      context.listenerBus().waitUntilEmpty(DRAIN_MILLIS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("Spark's listener bus did not come to rest.", e);
    }
    return written.get();
  }
}
