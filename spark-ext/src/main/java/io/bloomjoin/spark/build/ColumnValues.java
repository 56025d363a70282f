package io.bloomjoin.spark.build;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Collects the values of one key column: each of them while they are few, and their bounds. Strings
 * have no bounds. Floating-point keys are left out, since Spark takes -0.0 for 0.0 and sorts NaN
 * last, which files do not; decimals, since a file may hold them in fewer bytes than a bound needs.
 *
 * <p>The long form, for the way between tasks:
 *
 * <pre>
 *   NOTHING
 *   BOUNDS  least  greatest
 *   LIST    count  values: numbers; strings as their length in bytes and their bytes, zero-padded
 * </pre>
 */
final class ColumnValues {
  /** Keys of files are short; a list of longer ones costs more than it saves. */
  private static final int MAX_STRING_BYTES = 256;

  private static final long NOTHING = 0;
  private static final long BOUNDS = 1;
  private static final long LIST = 2;

  private final DataType type;
  private final boolean isString;
  private final boolean isIntegral;
  private final int maxListed;
  private Set<Object> listed;
  private long least = Long.MAX_VALUE;
  private long greatest = Long.MIN_VALUE;

  ColumnValues(DataType type, int maxListed) {
    this.type = type;
    this.isString = DataTypes.StringType.equals(type);
    this.isIntegral = isIntegral(type);
    this.maxListed = maxListed;
    this.listed = isString || isIntegral ? new HashSet<>() : null;
  }

  private static boolean isIntegral(DataType type) {
    return type instanceof LongType
        || type instanceof IntegerType
        || type instanceof ShortType
        || type instanceof ByteType
        || type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType;
  }

  /** Whether more values can still add to what is known. */
  boolean isOpen() {
    return listed != null || isIntegral;
  }

  /** Adds a value as Spark holds it; ignored unless {@link #isOpen}. */
  void add(Object value) {
    if (isString) {
      list(value);
    } else if (isIntegral) {
      addLong(((Number) value).longValue());
    }
  }

  private void addLong(long value) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
    list(value);
  }

  private void list(Object value) {
    if (listed == null || listed.contains(value)) {
      return;
    }
    boolean tooLong = value instanceof UTF8String text && text.numBytes() > MAX_STRING_BYTES;
    if (tooLong || listed.size() == maxListed) {
      listed = null;
    } else {
      listed.add(value instanceof UTF8String text ? text.copy() : value);
    }
  }

  KeyValues known() {
    if (listed != null) {
      return new KeyValues.Listed(listed.stream().map(this::inSpark).toList());
    }
    return least <= greatest
        ? new KeyValues.Between(inSpark(least), inSpark(greatest))
        : new KeyValues.Unknown();
  }

  private Object inSpark(Object value) {
    if (!(value instanceof Long number)) {
      return value;
    }
    if (type instanceof ByteType) {
      return number.byteValue();
    }
    if (type instanceof ShortType) {
      return number.shortValue();
    }
    return type instanceof IntegerType || type instanceof DateType ? number.intValue() : value;
  }

  // ---- the long form

  void writeTo(List<Long> out) {
    if (listed != null) {
      out.add(LIST);
      out.add((long) listed.size());
      listed.forEach(value -> write(value, out));
    } else if (least <= greatest) {
      out.addAll(List.of(BOUNDS, least, greatest));
    } else {
      out.add(NOTHING);
    }
  }

  private static void write(Object value, List<Long> out) {
    if (value instanceof UTF8String text) {
      byte[] bytes = text.getBytes();
      out.add((long) bytes.length);
      ByteBuffer padded = ByteBuffer.wrap(Arrays.copyOf(bytes, paddedLength(bytes.length)));
      while (padded.hasRemaining()) {
        out.add(padded.getLong());
      }
    } else {
      out.add((Long) value);
    }
  }

  /** Adds what {@link #writeTo} wrote at {@code from}; returns where that ends. */
  int addFrom(long[] in, int from) {
    int at = from;
    long form = in[at++];
    if (form == NOTHING) {
      listed = null;
    } else if (form == BOUNDS) {
      listed = null;
      addLong(in[at++]);
      addLong(in[at++]);
    } else {
      for (long left = in[at++]; left > 0; left--) {
        if (isString) {
          int length = (int) in[at++];
          ByteBuffer padded = ByteBuffer.allocate(paddedLength(length));
          while (padded.hasRemaining()) {
            padded.putLong(in[at++]);
          }
          list(UTF8String.fromBytes(padded.array(), 0, length));
        } else {
          addLong(in[at++]);
        }
      }
    }
    return at;
  }

  private static int paddedLength(int bytes) {
    return (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }

  /** Collectors for columns of {@code types}. */
  static List<ColumnValues> of(List<DataType> types, int maxListed) {
    List<ColumnValues> columns = new ArrayList<>();
    types.forEach(type -> columns.add(new ColumnValues(type, maxListed)));
    return columns;
  }
}
