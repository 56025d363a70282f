package io.bloomjoin.key;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;

/**
 * The key of one row, put column by column: its hash, whether a column is null, and, where keys are
 * to be compared, its bytes. Mutable; for one thread, and for one row after the other.
 */
public final class KeyBuffer {

  private final ByteArrayOutputStream bytes;
  private long hash = KeyHash.SEED;
  private boolean hasNull;

  private KeyBuffer(ByteArrayOutputStream bytes) {
    this.bytes = bytes;
  }

  /** A buffer that keeps the hash only. */
  public static KeyBuffer ofHashes() {
    return new KeyBuffer(null);
  }

  /** A buffer that keeps the bytes, too. */
  public static KeyBuffer ofBytes() {
    return new KeyBuffer(new ByteArrayOutputStream());
  }

  /** Makes it a key without columns. */
  public void clear() {
    clear(KeyHash.SEED);
  }

  /**
   * Makes it a key whose columns so far have that hash.
   *
   * @param seed the hash of the columns that are not put here
   */
  public void clear(long seed) {
    hash = seed;
    hasNull = false;
    if (bytes != null) {
      bytes.reset();
    }
  }

  /** The hash of the columns, as {@link KeyHash} defines it. */
  public long hash() {
    return hash;
  }

  /** Whether a column is null; such a key is equal to no other. */
  public boolean hasNull() {
    return hasNull;
  }

  /**
   * Bytes that are equal for equal keys of the same types, and for no others.
   *
   * @throws IllegalStateException if the buffer keeps hashes only
   */
  public byte[] toBytes() {
    if (bytes == null) {
      throw new IllegalStateException("This buffer keeps hashes only");
    }
    return bytes.toByteArray();
  }

  public void putNull() {
    hasNull = true;
  }

  /** Puts an int, short, byte, date (days since 1970) or boolean (1 or 0). */
  public void putInt(int value) {
    hash = KeyHash.ofInt(value, hash);
    append(value, Integer.BYTES);
  }

  /** Puts a long or a timestamp in microseconds. */
  public void putLong(long value) {
    hash = KeyHash.ofLong(value, hash);
    append(value, Long.BYTES);
  }

  /** Puts a float; -0.0 is 0.0, and every NaN is the same. */
  public void putFloat(float value) {
    putInt(Float.floatToIntBits(value == 0 ? 0f : value));
  }

  /** Puts a double; -0.0 is 0.0, and every NaN is the same. */
  public void putDouble(double value) {
    putLong(Double.doubleToLongBits(value == 0 ? 0.0 : value));
  }

  /** Puts a part of an array: a binary value, or a string in UTF-8. */
  public void putBytes(byte[] value, int offset, int length) {
    hash = KeyHash.ofBytes(value, offset, length, hash);
    // With its length, so that ("a", "bc") is not ("ab", "c").
    append(length, Integer.BYTES);
    if (bytes != null) {
      bytes.write(value, offset, length);
    }
  }

  /**
   * Puts a decimal of the type DECIMAL(precision, scale).
   *
   * @throws IllegalArgumentException if the type cannot hold the value
   */
  public void putDecimal(BigDecimal value, int precision, int scale) {
    hash = KeyHash.ofDecimal(value, precision, scale, hash);
    if (bytes != null) {
      byte[] unscaled = value.setScale(scale).unscaledValue().toByteArray();
      append(unscaled.length, Integer.BYTES);
      bytes.writeBytes(unscaled);
    }
  }

  private void append(long value, int length) {
    for (int i = 0; bytes != null && i < length; i++) {
      bytes.write((int) (value >>> (8 * i)));
    }
  }
}
