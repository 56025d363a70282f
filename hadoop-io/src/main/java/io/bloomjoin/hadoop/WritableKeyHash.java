package io.bloomjoin.hadoop;

import io.bloomjoin.key.KeyBuffer;
import io.bloomjoin.key.KeyHash;
import io.bloomjoin.key.KeyType;
import io.bloomjoin.key.KeyType.Kind;
import java.util.Map;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.ShortWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VIntWritable;
import org.apache.hadoop.io.VLongWritable;
import org.apache.hadoop.io.Writable;

/**
 * The hashes of Hadoop's own values: those that {@link KeyHash} gives to the Java values in them,
 * and Spark SQL to its own.
 *
 * <p>{@code Text} is a string, {@code BytesWritable} binary, {@code IntWritable} and {@code
 * VIntWritable} an int, {@code LongWritable} and {@code VLongWritable} a bigint, and so on. The
 * type matters: the int 7 and the bigint 7 have different hashes.
 */
public final class WritableKeyHash {

  private static final Map<Class<?>, Kind> KINDS =
      Map.ofEntries(
          Map.entry(Text.class, Kind.STRING),
          Map.entry(BytesWritable.class, Kind.BINARY),
          Map.entry(BooleanWritable.class, Kind.BOOLEAN),
          Map.entry(ByteWritable.class, Kind.TINYINT),
          Map.entry(ShortWritable.class, Kind.SMALLINT),
          Map.entry(IntWritable.class, Kind.INT),
          Map.entry(VIntWritable.class, Kind.INT),
          Map.entry(LongWritable.class, Kind.BIGINT),
          Map.entry(VLongWritable.class, Kind.BIGINT),
          Map.entry(FloatWritable.class, Kind.FLOAT),
          Map.entry(DoubleWritable.class, Kind.DOUBLE));

  private WritableKeyHash() {}

  /**
   * The hash of a key of one column; {@link KeyHash#SEED} if it is null or a {@code NullWritable}.
   *
   * @throws IllegalArgumentException if values of that class cannot be hashed
   */
  public static long of(Writable key) {
    return of(key, KeyHash.SEED);
  }

  /**
   * As {@link #of(Writable)}, after other columns; the seed if the key is null.
   *
   * @param seed the hash of the columns before
   */
  public static long of(Writable key, long seed) {
    return key instanceof Text text
        ? KeyHash.ofBytes(text.getBytes(), 0, text.getLength(), seed)
        : hashOther(key, seed);
  }

  private static long hashOther(Writable key, long seed) {
    KeyBuffer buffer = KeyBuffer.ofHashes();
    buffer.clear(seed);
    put(key, buffer);
    return buffer.hash();
  }

  /**
   * The type of keys in values of that class.
   *
   * @throws IllegalArgumentException if values of that class cannot be hashed
   */
  public static KeyType typeOf(Class<?> writable) {
    Kind kind = KINDS.get(writable);
    if (kind == null) {
      throw refusal(writable);
    }
    return KeyType.of(kind);
  }

  private static IllegalArgumentException refusal(Class<?> writable) {
    return new IllegalArgumentException(
        "Values of "
            + writable.getName()
            + " cannot be keys, as it is not known when they are equal. Put what they stand for"
            + " into one of Hadoop's own, for instance Text or LongWritable");
  }

  /**
   * Puts a key of one column, or one column of a key.
   *
   * @throws IllegalArgumentException if values of that class cannot be hashed
   */
  public static void put(Writable key, KeyBuffer buffer) {
    if (key == null || key instanceof NullWritable) {
      buffer.putNull();
    } else if (key instanceof Text text) {
      buffer.putBytes(text.getBytes(), 0, text.getLength());
    } else if (key instanceof LongWritable value) {
      buffer.putLong(value.get());
    } else if (key instanceof IntWritable value) {
      buffer.putInt(value.get());
    } else if (key instanceof BytesWritable value) {
      buffer.putBytes(value.getBytes(), 0, value.getLength());
    } else if (key instanceof DoubleWritable value) {
      buffer.putDouble(value.get());
    } else if (key instanceof FloatWritable value) {
      buffer.putFloat(value.get());
    } else if (key instanceof BooleanWritable value) {
      buffer.putInt(value.get() ? 1 : 0);
    } else if (key instanceof ByteWritable value) {
      buffer.putInt(value.get());
    } else if (key instanceof ShortWritable value) {
      buffer.putInt(value.get());
    } else if (key instanceof VIntWritable value) {
      buffer.putInt(value.get());
    } else if (key instanceof VLongWritable value) {
      buffer.putLong(value.get());
    } else {
      throw refusal(key.getClass());
    }
  }
}
