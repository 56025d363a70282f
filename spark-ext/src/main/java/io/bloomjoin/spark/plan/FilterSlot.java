package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.probe.FilterHandle;
import io.bloomjoin.spark.probe.ProbeMetrics;
import io.bloomjoin.spark.probe.RowProbe;
import java.io.Serializable;

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

  public RowProbe newProbe(ProbeMetrics metrics, double maxPassRatio) {
    return handle.newProbe(metrics, maxPassRatio);
  }
}
