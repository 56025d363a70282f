package io.bloomjoin.spark.probe;

import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.key.KeyHash;

/**
 * One task's view of a filter: tests keys, counts, and rests while testing does not pay.
 *
 * <p>Rows are tested in windows. A window that passes more than the allowed share of its rows makes
 * the probe rest for {@link #REST_WINDOWS} windows, in which every row passes untested; then it
 * looks again, since data is often clustered. (ClickHouse rests 30 blocks likewise.) Not
 * thread-safe.
 */
public final class RowProbe {
  /** Rows in a window: enough for a steady ratio, few enough to notice a change. */
  static final int WINDOW_ROWS = 8192;

  /** How many windows a rest lasts; a useless filter then costs a thirtieth of its probes. */
  static final int REST_WINDOWS = 30;

  private static final SplitBlockBloomFilter NOTHING = SplitBlockBloomFilter.ofWords(new long[4]);

  private final SplitBlockBloomFilter filter;

  /** Asked in place of the filter, if not null. */
  private final KeySet exact;

  private final long maxPassedRows;

  private boolean testing;
  private long rowsLeft;
  private long passedInWindow;

  private long testedBefore;
  private long prunedBefore;
  private long nullKeys;

  private RowProbe(
      SplitBlockBloomFilter filter, KeySet exact, double maxPassRatio, boolean testing) {
    this.filter = filter;
    this.exact = exact;
    this.maxPassedRows = (long) (maxPassRatio * WINDOW_ROWS);
    this.testing = testing;
    this.rowsLeft = testing ? WINDOW_ROWS : Long.MAX_VALUE;
  }

  static RowProbe of(SplitBlockBloomFilter filter, double maxPassRatio) {
    return new RowProbe(filter, null, maxPassRatio, true);
  }

  /** A probe of keys that are numbers. */
  static RowProbe of(KeySet exact, double maxPassRatio) {
    return new RowProbe(NOTHING, exact, maxPassRatio, true);
  }

  static RowProbe passingAll() {
    return new RowProbe(NOTHING, null, 1.0, false);
  }

  static RowProbe rejectingAll() {
    return new RowProbe(NOTHING, null, 1.0, true);
  }

  /** Whether the probe asks for keys that are numbers by themselves, and not by their hashes. */
  boolean takesNumbers() {
    return exact != null;
  }

  /** Whether a row whose key is this number, hashed as an int, may match; called once per row. */
  public boolean mightContainInt(int key) {
    return mightContain(exact == null ? KeyHash.ofInt(key) : key);
  }

  /** As {@link #mightContainInt} for a number that is hashed as a long. */
  public boolean mightContainLong(long key) {
    return mightContain(exact == null ? KeyHash.ofLong(key) : key);
  }

  /**
   * Whether a row may match; called once per row.
   *
   * @param key the key's hash; if the probe {@link #takesNumbers}, the key
   */
  public boolean mightContain(long key) {
    if (rowsLeft == 0) {
      endWindow();
    }
    rowsLeft--;
    if (!testing) {
      return true;
    }
    boolean passes = exact == null ? filter.mightContain(key) : exact.contains(key);
    if (passes) {
      passedInWindow++;
    }
    return passes;
  }

  /**
   * As {@link #mightContain} for the first {@code rows} of {@code keys}.
   *
   * @param selected gets the indexes of the rows that may match; as long as {@code rows} at least
   * @return how many there are
   */
  int select(long[] keys, int rows, int[] selected) {
    int count = 0;
    int from = 0;
    while (from < rows) {
      if (rowsLeft == 0) {
        endWindow();
      }
      int to = (int) Math.min(rows, from + rowsLeft);
      if (testing) {
        int passing =
            exact == null
                ? filter.select(keys, from, to, selected, count)
                : exact.select(keys, from, to, selected, count);
        passedInWindow += passing - count;
        count = passing;
      } else {
        for (int i = from; i < to; i++) {
          selected[count++] = i;
        }
      }
      rowsLeft -= to - from;
      from = to;
    }
    return count;
  }

  /** Counts a row that is dropped because a column of its key is null. */
  public void dropNullKey() {
    nullKeys++;
  }

  private void endWindow() {
    if (testing) {
      testedBefore += WINDOW_ROWS;
      prunedBefore += WINDOW_ROWS - passedInWindow;
      if (passedInWindow > maxPassedRows) {
        testing = false;
        rowsLeft = (long) REST_WINDOWS * WINDOW_ROWS;
      } else {
        rowsLeft = WINDOW_ROWS;
      }
    } else {
      testing = true;
      rowsLeft = WINDOW_ROWS;
    }
    passedInWindow = 0;
  }

  long rowsTested() {
    return testedBefore + nullKeys + (testing ? WINDOW_ROWS - rowsLeft : 0);
  }

  long rowsPruned() {
    return prunedBefore + nullKeys + (testing ? WINDOW_ROWS - rowsLeft - passedInWindow : 0);
  }

  void report(ProbeMetrics metrics) {
    metrics.rowsTested().add(rowsTested());
    metrics.rowsPruned().add(rowsPruned());
  }
}
