package io.bloomjoin.hadoop.job;

/** The formats of files that jobs read and write. */
public enum InputFormatKind {
  /** Lines of fields; key columns are numbers from 1, or names if there is a header. */
  TEXT,
  /**
   * {@code SequenceFile}s; key columns are {@code key} and {@code value}, or {@code key.2} and
   * {@code value.2} for a field in a {@code Text}.
   */
  SEQUENCE,
  /** Parquet files; key columns are names of columns that are not nested or repeated. */
  PARQUET
}
