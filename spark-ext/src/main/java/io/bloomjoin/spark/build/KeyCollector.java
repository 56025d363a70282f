package io.bloomjoin.spark.build;

import io.bloomjoin.spark.catalyst.KeyReader;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;

/**
 * Collects what is known of the values of all key columns. Between tasks that is a plain {@code
 * long[]}, which every Spark serializer takes; the empty array is the zero of the merge.
 */
final class KeyCollector {
  static final long[] ZERO = {};

  private final List<ColumnValues> columns;

  private KeyCollector(List<ColumnValues> columns) {
    this.columns = columns;
  }

  void add(KeyReader keys) {
    for (int i = 0; i < columns.size(); i++) {
      ColumnValues column = columns.get(i);
      if (column.isOpen()) {
        column.add(keys.value(i));
      }
    }
  }

  List<KeyValues> known() {
    return columns.stream().map(ColumnValues::known).toList();
  }

  long[] finish() {
    List<Long> out = new ArrayList<>();
    columns.forEach(column -> column.writeTo(out));
    return out.stream().mapToLong(Long::longValue).toArray();
  }

  private KeyCollector addAll(long[] finished) {
    int at = 0;
    for (int i = 0; i < columns.size() && finished.length > 0; i++) {
      at = columns.get(i).addFrom(finished, at);
    }
    return this;
  }

  /**
   * Makes collectors.
   *
   * @param types the types of the key columns; none to collect nothing
   * @param maxListed how many different values of a column are kept
   */
  record Factory(List<DataType> types, int maxListed) implements Serializable {

    static Factory of(List<Expression> keys, FilterSettings settings) {
      if (settings.maxInListKeys() < 0) {
        return none();
      }
      List<DataType> types = new ArrayList<>();
      keys.forEach(key -> types.add(key.dataType()));
      return new Factory(types, settings.maxInListKeys());
    }

    static Factory none() {
      return new Factory(new ArrayList<>(), 0);
    }

    KeyCollector collector() {
      return new KeyCollector(ColumnValues.of(types, maxListed));
    }

    long[] merge(long[] a, long[] b) {
      if (a.length == 0 || b.length == 0) {
        return a.length == 0 ? b : a;
      }
      return collector().addAll(a).addAll(b).finish();
    }

    /** What the merge of all partitions knows. */
    List<KeyValues> known(long[] merged) {
      return merged.length == 0 ? List.of() : collector().addAll(merged).known();
    }
  }
}
