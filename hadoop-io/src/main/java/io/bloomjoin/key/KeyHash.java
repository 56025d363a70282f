package io.bloomjoin.key;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Turns a typed key into the 64-bit hash that filters hold: XXH64 over the key's canonical bytes.
 *
 * <p>Keys that a join takes for equal have equal hashes, on either side and in every program, so
 * this is the one place that knows how a type becomes bytes.
 *
 * <p>In a key of several columns the hash of one column is the seed of the next, and a null column
 * leaves the hash as it is:
 *
 * <pre>{@code
 * long hash = KeyHash.SEED;
 * hash = KeyHash.ofInt(year, hash);
 * hash = KeyHash.ofString(city, hash);
 * }</pre>
 *
 * <p>Spark's {@code xxhash64} expression with seed 0 gives the same numbers, and so does Parquet
 * for a single column of int, long, float, double or binary, except that Parquet hashes the bits of
 * -0.0 and of each NaN as they are.
 */
public final class KeyHash {

  /** The seed of the first column. */
  public static final long SEED = 0;

  /** Decimals of up to this many digits fit a long. */
  private static final int MAX_LONG_DIGITS = 18;

  private KeyHash() {}

  /** The hash of an int, short, byte, date (days since 1970) or boolean (1 or 0). */
  public static long ofInt(int value) {
    return ofInt(value, SEED);
  }

  /** As {@link #ofInt(int)}, after other columns. */
  public static long ofInt(int value, long seed) {
    return Xxh64.hashInt(value, seed);
  }

  /** The hash of a long or of a timestamp in microseconds. */
  public static long ofLong(long value) {
    return ofLong(value, SEED);
  }

  /** As {@link #ofLong(long)}, after other columns. */
  public static long ofLong(long value, long seed) {
    return Xxh64.hashLong(value, seed);
  }

  /** The hash of a float; -0.0 is 0.0, and every NaN is the same. */
  public static long ofFloat(float value) {
    return ofFloat(value, SEED);
  }

  /** As {@link #ofFloat(float)}, after other columns. */
  public static long ofFloat(float value, long seed) {
    return ofInt(Float.floatToIntBits(value == 0 ? 0f : value), seed);
  }

  /** The hash of a double; -0.0 is 0.0, and every NaN is the same. */
  public static long ofDouble(double value) {
    return ofDouble(value, SEED);
  }

  /** As {@link #ofDouble(double)}, after other columns. */
  public static long ofDouble(double value, long seed) {
    return ofLong(Double.doubleToLongBits(value == 0 ? 0.0 : value), seed);
  }

  /** The hash of the UTF-8 bytes of a string; {@link #SEED} if it is null. */
  public static long ofString(String value) {
    return ofString(value, SEED);
  }

  /** As {@link #ofString(String)}, after other columns; the seed if the string is null. */
  public static long ofString(String value, long seed) {
    return value == null ? seed : ofBytes(value.getBytes(StandardCharsets.UTF_8), seed);
  }

  /** The hash of a binary value, or of a string in UTF-8; {@link #SEED} if it is null. */
  public static long ofBytes(byte[] bytes) {
    return ofBytes(bytes, SEED);
  }

  /** As {@link #ofBytes(byte[])}, after other columns; the seed if the array is null. */
  public static long ofBytes(byte[] bytes, long seed) {
    return bytes == null ? seed : Xxh64.hashBytes(bytes, 0, bytes.length, seed);
  }

  /**
   * The hash of a part of an array.
   *
   * @throws IndexOutOfBoundsException if the part does not lie within the array
   */
  public static long ofBytes(byte[] bytes, int offset, int length) {
    return ofBytes(bytes, offset, length, SEED);
  }

  /** As {@link #ofBytes(byte[], int, int)}, after other columns. */
  public static long ofBytes(byte[] bytes, int offset, int length, long seed) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return Xxh64.hashBytes(bytes, offset, length, seed);
  }

  /**
   * The hash of a decimal of the type DECIMAL(precision, scale); {@link #SEED} if it is null.
   *
   * <p>The type decides, not the value: up to 18 digits the unscaled value is hashed as a long,
   * beyond that as its big-endian two's complement bytes, in the fewest that hold it.
   *
   * @throws IllegalArgumentException if the type cannot hold the value
   */
  public static long ofDecimal(BigDecimal value, int precision, int scale) {
    return ofDecimal(value, precision, scale, SEED);
  }

  /** As {@link #ofDecimal(BigDecimal, int, int)}, after other columns; the seed if it is null. */
  public static long ofDecimal(BigDecimal value, int precision, int scale, long seed) {
    if (value == null) {
      return seed;
    }
    BigDecimal scaled = rescale(value, precision, scale);
    return precision <= MAX_LONG_DIGITS
        ? ofLong(scaled.unscaledValue().longValueExact(), seed)
        : ofBytes(scaled.unscaledValue().toByteArray(), seed);
  }

  private static BigDecimal rescale(BigDecimal value, int precision, int scale) {
    try {
      BigDecimal scaled = value.setScale(scale, RoundingMode.UNNECESSARY);
      if (scaled.precision() <= precision) {
        return scaled;
      }
    } catch (ArithmeticException moreDigitsThanTheScale) {
      // Told below.
    }
    throw new IllegalArgumentException(
        "The key "
            + value
            + " is no DECIMAL("
            + precision
            + ", "
            + scale
            + "): rounding it would make it equal to other keys");
  }
}
