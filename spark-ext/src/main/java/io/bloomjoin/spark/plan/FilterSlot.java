package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.probe.BatchProbe;
import io.bloomjoin.spark.probe.FilterHandle;
import io.bloomjoin.spark.probe.KeyColumn;
import io.bloomjoin.spark.probe.ProbeMetrics;
import io.bloomjoin.spark.probe.RowProbe;
import java.io.Serializable;
import java.util.List;

/**
 * The place in generated code where the filter will be: code is generated before the build is done,
 * tasks are sent after.
 */
public final class FilterSlot implements Serializable {
  private static final long serialVersionUID = 1L;

  private volatile FilterHandle handle = FilterHandle.passesAll();
  private transient volatile boolean filled;

  /** Puts the filter in; true for the first time. */
  boolean fill(FilterHandle filter) {
    boolean first = !filled;
    handle = filter;
    filled = true;
    return first;
  }

  public boolean isRejectsAll() {
    return handle.isRejectsAll();
  }

  public BatchProbe newBatchProbe(ProbeMetrics metrics, double maxPassRatio, List<KeyColumn> keys) {
    return new BatchProbe(newProbe(metrics, maxPassRatio), keys);
  }

  public RowProbe newProbe(ProbeMetrics metrics, double maxPassRatio) {
    return handle.newProbe(metrics, maxPassRatio);
  }
}
