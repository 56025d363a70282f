package io.bloomjoin.hadoop.job;

import io.bloomjoin.key.KeyBuffer;
import io.bloomjoin.key.KeyType;
import java.util.List;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;

/** Keys in fields of lines. */
final class TextKeyReader extends KeyReader {

  private final int[] columns;
  private final List<KeyType> types;
  private final boolean header;
  private final Fields fields;

  TextKeyReader(KeyedInput input) {
    columns = input.columns().stream().mapToInt(TextKeyReader::number).toArray();
    types = input.types();
    header = input.layout().header();
    fields = new Fields(input.layout());
  }

  /** A number of a field, from 1. */
  static int number(String column) {
    try {
      int number = Integer.parseInt(column);
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new IllegalArgumentException(
        "Key columns of text are numbers from 1, or names if the files have a header; got \""
            + column
            + "\"");
  }

  @Override
  boolean isHeader(Object offset, Object line) {
    return header && ((LongWritable) offset).get() == 0;
  }

  @Override
  void read(Object offset, Object line, KeyBuffer into) {
    fields.split((Text) line);
    for (int i = 0; i < columns.length; i++) {
      fields.put(columns[i], types.get(i), into);
    }
  }

  @Override
  Text line(Object offset, Object line) {
    return (Text) line;
  }
}
