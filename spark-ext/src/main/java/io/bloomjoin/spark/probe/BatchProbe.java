package io.bloomjoin.spark.probe;

import io.bloomjoin.key.KeyHash;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A probe of the rows of columnar batches. The keys are hashed and tested in loops over columns, so
 * that the cache misses of many rows overlap and rows that do not pass are never made. Not
 * thread-safe.
 */
public final class BatchProbe {
  private final RowProbe probe;
  private final KeyColumn[] keys;
  private final ColumnVector[] columns;
  private long[] hashes = new long[0];
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
    if (hashes.length < rows) {
      hashes = new long[rows];
      selected = new int[rows];
      withKey = new int[rows];
    }
    Arrays.fill(hashes, 0, rows, KeyHash.SEED);
    boolean nulls = false;
    for (int i = 0; i < keys.length; i++) {
      columns[i] = batch.column(keys[i].ordinal());
      keys[i].hash(columns[i], rows, hashes);
      nulls |= columns[i].hasNull();
    }
    return nulls ? selectWithKey(rows) : probe.select(hashes, rows, selected);
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
        hashes[keyed] = hashes[i];
        withKey[keyed++] = i;
      }
    }
    int count = probe.select(hashes, keyed, selected);
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
