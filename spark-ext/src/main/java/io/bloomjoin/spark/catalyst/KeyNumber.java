package io.bloomjoin.spark.catalyst;

import io.bloomjoin.key.KeyHash;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Whether a key is a number: one column of an integral, date or timestamp type, which fits a long
 * and equals another just where the longs are equal. Such a key may stand for itself; of all others
 * there is only a hash.
 */
public enum KeyNumber {
  /** Several columns, or one of another type. */
  NONE,
  /** Hashed as an int: tinyint, smallint, int, and the days of a date. */
  INT,
  /** Hashed as a long: bigint, and the microseconds of a timestamp. */
  LONG;

  public static KeyNumber of(List<Expression> keys) {
    return keys.size() == 1 ? of(keys.get(0).dataType()) : NONE;
  }

  public static KeyNumber of(DataType type) {
    if (type instanceof ByteType
        || type instanceof ShortType
        || type instanceof IntegerType
        || type instanceof DateType) {
      return INT;
    }
    return type instanceof LongType
            || type instanceof TimestampType
            || type instanceof TimestampNTZType
        ? LONG
        : NONE;
  }

  /** The hash of a key: of the number {@code key}, or {@code key} itself if that is a hash. */
  public long hash(long key) {
    return switch (this) {
      case NONE -> key;
      case INT -> KeyHash.ofInt((int) key);
      case LONG -> KeyHash.ofLong(key);
    };
  }
}
