package io.bloomjoin.hadoop.job;

import io.bloomjoin.hadoop.ParquetKeyTypes;
import io.bloomjoin.key.KeyBuffer;
import io.bloomjoin.key.KeyType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.hadoop.io.Text;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** Keys in columns of Parquet files. */
final class ParquetKeyReader extends KeyReader {

  private static final long JULIAN_DAY_OF_1970 = 2_440_588;
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private final KeyedInput input;
  private final CSVFormat csv;
  private final Text line = new Text();

  /** The last schema that was found to have the right types. */
  private GroupType checked;

  ParquetKeyReader(KeyedInput input) {
    this.input = input;
    csv = CSVFormat.DEFAULT.builder().setDelimiter(input.layout().delimiter()).build();
  }

  /**
   * The types of the columns in files of that schema.
   *
   * @throws IllegalArgumentException if a column cannot be a key, or has another type than stated
   */
  static List<KeyType> types(KeyedInput input, GroupType schema) {
    List<KeyType> types = new ArrayList<>();
    for (int i = 0; i < input.columns().size(); i++) {
      String column = input.columns().get(i);
      if (!schema.containsField(column)) {
        throw new IllegalArgumentException(
            String.format(
                "There is no column \"%s\" in %s; the columns are %s",
                column, input.paths(), names(schema)));
      }
      KeyType found = ParquetKeyTypes.of(schema.getType(column));
      if (!input.types().isEmpty() && !input.types().get(i).equals(found)) {
        throw new IllegalArgumentException(
            String.format(
                "Column %s of %s is %s, not %s",
                column, input.paths(), found, input.types().get(i)));
      }
      types.add(found);
    }
    return types;
  }

  private static List<String> names(GroupType schema) {
    return schema.getFields().stream().map(Type::getName).toList();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Rows of a file have one schema, and comparing it costs.
  void read(Object key, Object value, KeyBuffer into) {
    Group row = (Group) value;
    if (row.getType() != checked) {
      check(row.getType());
    }
    for (String column : input.columns()) {
      int index = row.getType().getFieldIndex(column);
      if (row.getFieldRepetitionCount(index) == 0) {
        into.putNull();
      } else {
        put(row, index, into);
      }
    }
  }

  /** A file with other types would have other hashes for the same keys. */
  private void check(GroupType schema) {
    try {
      types(input, schema);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("The files differ in the type of the key", e);
    }
    checked = schema;
  }

  private static void put(Group row, int index, KeyBuffer into) {
    PrimitiveType type = row.getType().getType(index).asPrimitiveType();
    if (type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal) {
      into.putDecimal(
          new BigDecimal(unscaled(row, index, type), decimal.getScale()),
          decimal.getPrecision(),
          decimal.getScale());
      return;
    }
    switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> into.putInt(row.getBoolean(index, 0) ? 1 : 0);
      case INT32 -> into.putInt(row.getInteger(index, 0));
      case INT64 -> into.putLong(micros(row.getLong(index, 0), type.getLogicalTypeAnnotation()));
      case INT96 -> into.putLong(micros(row.getInt96(index, 0)));
      case FLOAT -> into.putFloat(row.getFloat(index, 0));
      case DOUBLE -> into.putDouble(row.getDouble(index, 0));
      case BINARY, FIXED_LEN_BYTE_ARRAY -> {
        byte[] bytes = row.getBinary(index, 0).getBytesUnsafe();
        into.putBytes(bytes, 0, bytes.length);
      }
    }
  }

  private static BigInteger unscaled(Group row, int index, PrimitiveType type) {
    return switch (type.getPrimitiveTypeName()) {
      case INT32 -> BigInteger.valueOf(row.getInteger(index, 0));
      case INT64 -> BigInteger.valueOf(row.getLong(index, 0));
      default -> new BigInteger(row.getBinary(index, 0).getBytesUnsafe());
    };
  }

  private static long micros(long value, LogicalTypeAnnotation logical) {
    boolean isMillis =
        logical instanceof TimestampLogicalTypeAnnotation time && time.getUnit() == TimeUnit.MILLIS;
    return isMillis ? Math.multiplyExact(value, 1000) : value;
  }

  /** Nanoseconds of the day, then the Julian day. */
  private static long micros(Binary time) {
    ByteBuffer bytes = time.toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    long nanos = bytes.getLong();
    long days = bytes.getInt() - JULIAN_DAY_OF_1970;
    return Math.addExact(Math.multiplyExact(days, MICROS_PER_DAY), nanos / 1000);
  }

  /**
   * The columns in the order of the schema, as Parquet's tools show their values; null is empty.
   */
  @Override
  Text line(Object key, Object value) {
    Group row = (Group) value;
    List<String> values = new ArrayList<>();
    for (int i = 0; i < row.getType().getFieldCount(); i++) {
      values.add(row.getFieldRepetitionCount(i) > 0 ? row.getValueToString(i, 0) : "");
    }
    line.set(
        input.layout().quoted()
            ? csv.format(values.toArray())
            : String.join(String.valueOf(input.layout().delimiter()), values));
    return line;
  }
}
