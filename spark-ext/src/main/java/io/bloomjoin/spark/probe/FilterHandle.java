package io.bloomjoin.spark.probe;

import io.bloomjoin.filter.SplitBlockBloomFilter;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filter as tasks see it: a broadcast, or the knowledge that all rows or none may match.
 *
 * <p>A handle whose broadcast is gone passes every row. That happens when rows are computed again
 * after the query has ended (a cached table that lost a partition), and costs time, never rows.
 */
public final class FilterHandle implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(FilterHandle.class);

  private enum Kind {
    PASSES_ALL,
    REJECTS_ALL,
    BLOOM,
    BITMAP,
    TABLE
  }

  private Kind kind;
  private Broadcast<long[]> words;

  /** That of an exact set. */
  private final long parameter;

  private FilterHandle(Kind kind, Broadcast<long[]> words, long parameter) {
    this.kind = kind;
    this.words = words;
    this.parameter = parameter;
  }

  /** The handle of a filter that could not or should not be built. */
  public static FilterHandle passesAll() {
    return new FilterHandle(Kind.PASSES_ALL, null, 0);
  }

  /** The handle of a build side without keys. */
  public static FilterHandle rejectsAll() {
    return new FilterHandle(Kind.REJECTS_ALL, null, 0);
  }

  /** The handle of the split-block filter with these words. */
  public static FilterHandle of(Broadcast<long[]> words) {
    return new FilterHandle(Kind.BLOOM, words, 0);
  }

  /** The handle of an exact set, whose words are broadcast as {@code words}. */
  public static FilterHandle of(KeySet set, Broadcast<long[]> words) {
    Kind kind = set instanceof KeyBitmap ? Kind.BITMAP : Kind.TABLE;
    return new FilterHandle(kind, words, set.parameter());
  }

  public boolean isRejectsAll() {
    return kind == Kind.REJECTS_ALL;
  }

  /** Frees the broadcast everywhere; tasks that start later pass every row. */
  public synchronized void destroy() {
    if (words != null) {
      words.destroy(false);
      words = null;
      kind = Kind.PASSES_ALL;
    }
  }

  /** A probe for the current task; never fails, at worst it passes every row. */
  public RowProbe newProbe(ProbeMetrics metrics, double maxPassRatio) {
    RowProbe probe = createProbe(metrics.unfilteredTasks(), maxPassRatio);
    TaskContext task = TaskContext.get();
    if (task != null) {
      task.addTaskCompletionListener(
          (org.apache.spark.util.TaskCompletionListener) context -> probe.report(metrics));
    }
    return probe;
  }

  private RowProbe createProbe(SQLMetric unfilteredTasks, double maxPassRatio) {
    if (kind == Kind.REJECTS_ALL) {
      return RowProbe.rejectingAll();
    }
    if (kind != Kind.PASSES_ALL) {
      try {
        return switch (kind) {
          case BITMAP -> RowProbe.of(new KeyBitmap(words.value(), parameter), maxPassRatio);
          case TABLE -> RowProbe.of(new KeyTable(words.value(), parameter), maxPassRatio);
          default -> RowProbe.of(SplitBlockBloomFilter.ofWords(words.value()), maxPassRatio);
        };
      } catch (Exception | Error unreadable) { // Scala code throws checked exceptions undeclared
        if (TaskContext.get() != null) {
          TaskContext.get().killTaskIfInterrupted();
        }
        LOG.warn("The broadcast filter cannot be read; this task passes every row.", unreadable);
      }
    }
    unfilteredTasks.add(1);
    return RowProbe.passingAll();
  }

  private synchronized void writeObject(ObjectOutputStream out) throws IOException {
    if (words != null && !words.isValid()) {
      words = null;
      kind = Kind.PASSES_ALL;
    }
    out.defaultWriteObject();
  }
}
