package io.bloomjoin.spark.probe;

import io.bloomjoin.key.KeyHash;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A probe of the rows of columnar batches. The keys are read or hashed, and tested, in loops over
 * columns, so that the cache misses of many rows overlap and rows that do not pass are never made.
 * Not thread-safe.
 */
public final class BatchProbe {
  private final RowProbe probe;
  private final KeyColumn[] keys;
  private final ColumnVector[] columns;

  /** What the probe takes. */
  private long[] tested = new long[0];

  private int[] selected = new int[0];
  private int[] withKey = new int[0];

  public BatchProbe(RowProbe probe, List<KeyColumn> keys) {
    this.probe = probe;
    this.keys = keys.toArray(KeyColumn[]::new);
    this.columns = new ColumnVector[keys.size()];
  }

  /**
   * Tests the rows of {@code batch}.
   *
   * @return how many may match; {@link #selected} has their numbers
   */
  public int select(ColumnarBatch batch) {
    int rows = batch.numRows();
    if (tested.length < rows) {
      tested = new long[rows];
      selected = new int[rows];
      withKey = new int[rows];
    }
    boolean nulls = false;
    for (int i = 0; i < keys.length; i++) {
      columns[i] = batch.column(keys[i].ordinal());
      nulls |= columns[i].hasNull();
    }
    if (probe.takesNumbers()) {
      keys[0].read(columns[0], rows, tested);
    } else {
      Arrays.fill(tested, 0, rows, KeyHash.SEED);
      for (int i = 0; i < keys.length; i++) {
        keys[i].hash(columns[i], rows, tested);
      }
    }
    return nulls ? selectWithKey(rows) : probe.select(tested, rows, selected);
  }

  /** The numbers of the selected rows, in order; valid until the next batch. */
  public int[] selected() {
    return selected;
  }

  private int selectWithKey(int rows) {
    int keyed = 0;
    for (int i = 0; i < rows; i++) {
      if (anyNull(i)) {
        probe.dropNullKey();
      } else {
        tested[keyed] = tested[i];
        withKey[keyed++] = i;
      }
    }
    int count = probe.select(tested, keyed, selected);
    for (int i = 0; i < count; i++) {
      selected[i] = withKey[selected[i]];
    }
    return count;
  }

  private boolean anyNull(int row) {
    for (ColumnVector column : columns) {
      if (column.isNullAt(row)) {
        return true;
      }
    }
    return false;
  }
}
