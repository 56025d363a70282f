package io.bloomjoin.spark.probe;

import io.bloomjoin.key.KeyHash;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal$;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A key column of a columnar batch. It reads a whole column in one loop, or hashes it, to the
 * numbers that {@link KeyHash} defines.
 *
 * @param ordinal the column's place in the batch
 * @param type one that {@link #isSupported} accepts
 */
public record KeyColumn(int ordinal, DataType type) implements Serializable {

  public static boolean isSupported(DataType type) {
    return type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType
        || type instanceof IntegerType
        || type instanceof DateType
        || type instanceof ShortType
        || type instanceof ByteType
        || (type instanceof DecimalType decimal
            && decimal.precision() <= Decimal$.MODULE$.MAX_LONG_DIGITS())
        || (type instanceof StringType string && string.supportsBinaryEquality());
  }

  /**
   * Reads the first {@code rows} values of a column whose values are numbers. A null leaves its
   * number as it was.
   */
  void read(ColumnVector column, int rows, long[] numbers) {
    boolean nulls = column.hasNull();
    if (type instanceof IntegerType || type instanceof DateType) {
      for (int i = 0; i < rows; i++) {
        if (!nulls || !column.isNullAt(i)) {
          numbers[i] = column.getInt(i);
        }
      }
    } else if (type instanceof ShortType) {
      for (int i = 0; i < rows; i++) {
        if (!nulls || !column.isNullAt(i)) {
          numbers[i] = column.getShort(i);
        }
      }
    } else if (type instanceof ByteType) {
      for (int i = 0; i < rows; i++) {
        if (!nulls || !column.isNullAt(i)) {
          numbers[i] = column.getByte(i);
        }
      }
    } else {
      for (int i = 0; i < rows; i++) {
        if (!nulls || !column.isNullAt(i)) {
          numbers[i] = column.getLong(i);
        }
      }
    }
  }

  /**
   * Replaces each of the first {@code rows} hashes, those of the columns before this one, by the
   * hash with this column. A null leaves its hash as it was.
   */
  void hash(ColumnVector column, int rows, long[] hashes) {
    boolean nulls = column.hasNull();
    if (type instanceof IntegerType || type instanceof DateType) {
      for (int i = 0; i < rows; i++) {
        if (!nulls || !column.isNullAt(i)) {
          hashes[i] = KeyHash.ofInt(column.getInt(i), hashes[i]);
        }
      }
    } else if (type instanceof ShortType) {
      for (int i = 0; i < rows; i++) {
        if (!nulls || !column.isNullAt(i)) {
          hashes[i] = KeyHash.ofInt(column.getShort(i), hashes[i]);
        }
      }
    } else if (type instanceof ByteType) {
      for (int i = 0; i < rows; i++) {
        if (!nulls || !column.isNullAt(i)) {
          hashes[i] = KeyHash.ofInt(column.getByte(i), hashes[i]);
        }
      }
    } else if (type instanceof DecimalType decimal) {
      for (int i = 0; i < rows; i++) {
        if (!nulls || !column.isNullAt(i)) {
          long unscaled =
              column.getDecimal(i, decimal.precision(), decimal.scale()).toUnscaledLong();
          hashes[i] = KeyHash.ofLong(unscaled, hashes[i]);
        }
      }
    } else if (type instanceof StringType) {
      for (int i = 0; i < rows; i++) {
        if (!nulls || !column.isNullAt(i)) {
          UTF8String value = column.getUTF8String(i);
          hashes[i] = XXH64.hashUTF8String(value, hashes[i]);
        }
      }
    } else {
      for (int i = 0; i < rows; i++) {
        if (!nulls || !column.isNullAt(i)) {
          hashes[i] = KeyHash.ofLong(column.getLong(i), hashes[i]);
        }
      }
    }
  }
}
