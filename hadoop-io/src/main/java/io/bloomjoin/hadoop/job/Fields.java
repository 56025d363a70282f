package io.bloomjoin.hadoop.job;

import io.bloomjoin.key.KeyBuffer;
import io.bloomjoin.key.KeyType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.hadoop.io.Text;

/** The fields of a line. Not thread-safe. */
final class Fields {

  private final TextLayout layout;
  private final CSVFormat csv;
  private final byte[][] nulls;

  private byte[] line;

  /** Where each field begins and ends, two numbers a field. */
  private int[] ends = new int[32];

  private int count;

  Fields(TextLayout layout) {
    this.layout = layout;
    csv = CSVFormat.DEFAULT.builder().setDelimiter(layout.delimiter()).build();
    nulls =
        layout.nulls().stream()
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
  }

  /**
   * @throws IllegalArgumentException if the line has quotes that do not fit
   */
  void split(Text text) {
    line = text.getBytes();
    count = 0;
    int length = text.getLength();
    if (layout.quoted() && indexOf(line, 0, length, '"') < length) {
      splitQuoted(text);
      return;
    }
    int start = 0;
    while (true) {
      int end = indexOf(line, start, length, layout.delimiter());
      add(start, end);
      if (end == length) {
        return;
      }
      start = end + 1;
    }
  }

  private void splitQuoted(Text text) {
    List<byte[]> fields = new ArrayList<>();
    int length = 0;
    try (CSVParser parser = CSVParser.parse(text.toString(), csv)) {
      for (CSVRecord record : parser) {
        for (String field : record) {
          fields.add(field.getBytes(StandardCharsets.UTF_8));
          length += fields.get(fields.size() - 1).length;
        }
      }
    } catch (IOException | IllegalStateException e) {
      throw new IllegalArgumentException("The quotes of the line do not fit: " + text, e);
    }
    line = new byte[length];
    int at = 0;
    for (byte[] field : fields) {
      System.arraycopy(field, 0, line, at, field.length);
      add(at, at + field.length);
      at += field.length;
    }
  }

  int count() {
    return count;
  }

  String field(int number) {
    return new String(line, start(number), end(number) - start(number), StandardCharsets.UTF_8);
  }

  /**
   * Puts a field, a number from 1.
   *
   * @throws IllegalArgumentException if there is no such field, or it is no value of the type
   */
  void put(int number, KeyType type, KeyBuffer key) {
    if (number > count) {
      throw new IllegalArgumentException(
          "There is no field " + number + " in a line of " + count + " fields");
    }
    put(line, start(number), end(number), type, key);
  }

  /**
   * Puts the text between two places of an array.
   *
   * @throws IllegalArgumentException if it is no value of the type
   */
  void put(byte[] text, int start, int end, KeyType type, KeyBuffer key) {
    for (byte[] nullText : nulls) {
      if (Arrays.equals(nullText, 0, nullText.length, text, start, end)) {
        key.putNull();
        return;
      }
    }
    type.putText(text, start, end - start, key);
  }

  private int start(int number) {
    return ends[2 * number - 2];
  }

  private int end(int number) {
    return ends[2 * number - 1];
  }

  private void add(int start, int end) {
    if (2 * count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * ends.length);
    }
    ends[2 * count] = start;
    ends[2 * count + 1] = end;
    count++;
  }

  private static int indexOf(byte[] bytes, int start, int end, char wanted) {
    int at = start;
    while (at < end && bytes[at] != wanted) {
      at++;
    }
    return at;
  }
}
