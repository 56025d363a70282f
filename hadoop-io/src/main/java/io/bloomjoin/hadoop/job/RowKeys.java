package io.bloomjoin.hadoop.job;

import io.bloomjoin.key.KeyBuffer;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;

/** The keys of the rows that a task reads, one after the other. */
final class RowKeys {

  private final KeyReader reader;
  private final KeyBuffer key;
  private final boolean badKeysAreNull;
  private final TaskInputOutputContext<?, ?, ?, ?> context;

  /**
   * @param prefix of the input in the job's configuration
   */
  RowKeys(String prefix, KeyBuffer key, TaskInputOutputContext<?, ?, ?, ?> context)
      throws IOException {
    // The paths are the job's own; readers have no use for them but in messages.
    List<org.apache.hadoop.fs.Path> paths = List.of(new org.apache.hadoop.fs.Path("the input"));
    KeyedInput input = KeyedInput.load(context.getConfiguration(), prefix, paths);
    reader = KeyReader.of(input);
    badKeysAreNull = input.layout().badKeysAreNull();
    this.key = key;
    this.context = context;
  }

  /** Whether the record is a row; then {@link #key} is its key. */
  boolean read(Object recordKey, Object value) throws IOException {
    if (reader.isHeader(recordKey, value)) {
      return false;
    }
    count(BloomCounter.ROWS);
    key.clear();
    try {
      reader.read(recordKey, value, key);
    } catch (IllegalArgumentException e) {
      if (!badKeysAreNull) {
        throw new IOException(
            "The key of a row cannot be read: "
                + e.getMessage()
                + ". The row is: "
                + reader.line(recordKey, value),
            e);
      }
      count(BloomCounter.BAD_KEYS);
      key.putNull();
    }
    if (key.hasNull()) {
      count(BloomCounter.NULL_KEYS);
    }
    return true;
  }

  KeyBuffer key() {
    return key;
  }

  Text line(Object recordKey, Object value) {
    return reader.line(recordKey, value);
  }

  void count(BloomCounter counter) {
    context.getCounter(counter).increment(1);
  }
}
