package io.bloomjoin.spark.build;

import java.io.Serializable;

/**
 * What shapes a filter and its use.
 *
 * @param fpp the target false positive probability, in (0, 1)
 * @param maxFilterBytes no filter is built that would need more bytes
 * @param maxPassRatio a task stops testing while more than this share of its rows passes
 * @param maxInListKeys how many keys a scan is given as a list; with more it is given their bounds;
 *     negative where no scan is given anything, so that nothing is learnt of the values of keys
 */
public record FilterSettings(
    double fpp, long maxFilterBytes, double maxPassRatio, int maxInListKeys)
    implements Serializable {

  FilterSettings withoutValues() {
    return new FilterSettings(fpp, maxFilterBytes, maxPassRatio, -1);
  }
}
