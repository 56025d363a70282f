package io.bloomjoin.hadoop.job;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.Partitioner;

/** The bytes of a key, and the side that the row is from: the small side's rows come first. */
final class JoinKey implements WritableComparable<JoinKey> {

  private static final byte SMALL = 0;
  private static final byte LARGE = 1;

  private byte[] key = {};
  private byte side;

  JoinKey() {}

  void set(byte[] bytes, boolean isLarge) {
    key = bytes;
    side = isLarge ? LARGE : SMALL;
  }

  boolean isLarge() {
    return side == LARGE;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeByte(side);
    WritableUtils.writeVInt(out, key.length);
    out.write(key);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    side = in.readByte();
    key = new byte[WritableUtils.readVInt(in)];
    in.readFully(key);
  }

  @Override
  public int compareTo(JoinKey other) {
    int keys = compareKeys(other);
    return keys != 0 ? keys : Byte.compare(side, other.side);
  }

  private int compareKeys(JoinKey other) {
    return Arrays.compareUnsigned(key, other.key);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JoinKey that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(key) + side;
  }

  /** Sends both sides of a key to the same task. */
  static final class ByKey extends Partitioner<JoinKey, Object> {
    @Override
    public int getPartition(JoinKey key, Object row, int partitions) {
      return (Arrays.hashCode(key.key) & Integer.MAX_VALUE) % partitions;
    }
  }

  /** Puts both sides of a key into one group. */
  static final class Grouping extends WritableComparator {
    Grouping() {
      super(JoinKey.class, true);
    }

    @Override
    @SuppressWarnings("rawtypes") // As the overridden method has it.
    public int compare(WritableComparable one, WritableComparable other) {
      return ((JoinKey) one).compareKeys((JoinKey) other);
    }
  }
}
