package io.bloomjoin.hadoop.job;

import io.bloomjoin.hadoop.WritableKeyHash;
import io.bloomjoin.key.KeyBuffer;
import io.bloomjoin.key.KeyType;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/** Keys in the keys and values of {@code SequenceFile}s. */
final class SequenceKeyReader extends KeyReader {

  /**
   * A column of the key.
   *
   * @param ofKey whether it is in the record's key, not its value
   * @param field the number of the field in a {@code Text}, or 0 for the whole
   */
  record Column(boolean ofKey, int field) {

    static Column parse(String name) {
      int dot = name.indexOf('.');
      String part = dot < 0 ? name : name.substring(0, dot);
      if (!part.equals("key") && !part.equals("value")) {
        throw new IllegalArgumentException(
            "Key columns of SequenceFiles are key or value, or key.2 or value.2 for a field in a"
                + " Text; got \""
                + name
                + "\"");
      }
      return new Column(
          part.equals("key"), dot < 0 ? 0 : TextKeyReader.number(name.substring(dot + 1)));
    }
  }

  private final List<Column> columns;
  private final List<KeyType> types;
  private final Fields keyFields;
  private final Fields valueFields;
  private final boolean splitsKeys;
  private final boolean splitsValues;
  private final Text line = new Text();
  private final char delimiter;

  SequenceKeyReader(KeyedInput input) {
    columns = input.columns().stream().map(Column::parse).toList();
    types = input.types();
    keyFields = new Fields(input.layout());
    valueFields = new Fields(input.layout());
    splitsKeys = columns.stream().anyMatch(column -> column.field() > 0 && column.ofKey());
    splitsValues = columns.stream().anyMatch(column -> column.field() > 0 && !column.ofKey());
    delimiter = input.layout().delimiter();
  }

  /**
   * The types of the columns in files of those classes.
   *
   * @throws IllegalArgumentException if a column cannot be a key, or has another type than stated
   */
  static List<KeyType> types(KeyedInput input, Class<?> key, Class<?> value) {
    List<KeyType> types = new ArrayList<>();
    for (int i = 0; i < input.columns().size(); i++) {
      Column column = Column.parse(input.columns().get(i));
      Class<?> writable = column.ofKey() ? key : value;
      KeyType found = WritableKeyHash.typeOf(writable);
      KeyType stated = input.types().isEmpty() ? found : input.types().get(i);
      boolean isText = found.equals(KeyType.STRING);
      if (column.field() > 0 && !isText) {
        throw new IllegalArgumentException(
            "There are no fields in the " + writable.getName() + " of " + input.paths());
      }
      if (!isText && !stated.equals(found)) {
        throw new IllegalArgumentException(
            String.format(
                "Column %s of %s is %s, not %s",
                input.columns().get(i), input.paths(), found, stated));
      }
      types.add(stated);
    }
    return types;
  }

  @Override
  void read(Object key, Object value, KeyBuffer into) {
    if (splitsKeys) {
      keyFields.split((Text) key);
    }
    if (splitsValues) {
      valueFields.split((Text) value);
    }
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      Object writable = column.ofKey() ? key : value;
      if (column.field() > 0) {
        (column.ofKey() ? keyFields : valueFields).put(column.field(), types.get(i), into);
      } else if (writable instanceof Text text) {
        keyFields.put(text.getBytes(), 0, text.getLength(), types.get(i), into);
      } else {
        WritableKeyHash.put((Writable) writable, into);
      }
    }
  }

  /** Key and value with the delimiter between them; what is a {@code NullWritable} is left out. */
  @Override
  Text line(Object key, Object value) {
    if (key instanceof NullWritable) {
      line.set(value.toString());
    } else if (value instanceof NullWritable) {
      line.set(key.toString());
    } else {
      line.set(key.toString() + delimiter + value);
    }
    return line;
  }
}
