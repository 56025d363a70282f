package io.bloomjoin.hadoop.job;

import io.bloomjoin.key.KeyBuffer;
import java.io.IOException;
import org.apache.hadoop.io.Text;

/** Takes the key out of the records of one format. */
abstract class KeyReader {

  /** Whether the record is no row: the header of a text file. */
  boolean isHeader(Object key, Object value) {
    return false;
  }

  /**
   * Puts the key of a record.
   *
   * @throws IllegalArgumentException if a column is missing or is no value of its type
   */
  abstract void read(Object key, Object value, KeyBuffer into);

  /** The record as a line of text. */
  abstract Text line(Object key, Object value);

  static KeyReader of(KeyedInput input) throws IOException {
    return switch (input.format()) {
      case TEXT -> new TextKeyReader(input);
      case SEQUENCE -> new SequenceKeyReader(input);
      case PARQUET -> new ParquetKeyReader(input);
    };
  }
}
