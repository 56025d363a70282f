package io.bloomjoin.hadoop;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.StoredFilter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.io.Writable;

/**
 * A filter as a Hadoop value, in the bytes of {@link FilterFormat}: for {@code SequenceFile}s,
 * {@code MapFile}s and the values of MapReduce jobs.
 *
 * <p>As every {@code Writable} it is a mutable holder for one thread; the filter in it is not.
 */
public final class BloomFilterWritable implements Writable {

  /** Null until set or read. */
  private StoredFilter stored;

  /** A holder of nothing, to be set or read into. */
  public BloomFilterWritable() {}

  public BloomFilterWritable(StoredFilter stored) {
    set(stored);
  }

  public BloomFilterWritable(BloomFilter filter, FilterMetadata metadata) {
    this(new StoredFilter(filter, metadata));
  }

  public void set(StoredFilter stored) {
    this.stored = Objects.requireNonNull(stored, "stored");
  }

  /**
   * The filter with its metadata.
   *
   * @throws IllegalStateException if none was set or read
   */
  public StoredFilter stored() {
    if (stored == null) {
      throw new IllegalStateException("There is no filter in this holder yet; set or read one");
    }
    return stored;
  }

  /**
   * The filter.
   *
   * @throws IllegalStateException if none was set or read
   */
  public BloomFilter filter() {
    return stored().filter();
  }

  /**
   * What is stored beside the filter's bits.
   *
   * @throws IllegalStateException if no filter was set or read
   */
  public FilterMetadata metadata() {
    return stored().metadata();
  }

  /**
   * @throws IllegalStateException if no filter was set or read
   */
  @Override
  public void write(DataOutput out) throws IOException {
    FilterFormat.write(filter(), metadata(), new DataStreams.Out(out));
  }

  /**
   * Reads one filter and no byte more. If that fails, the holder keeps what it had.
   *
   * @throws io.bloomjoin.filter.FilterFormatException if the bytes do not begin with a filter
   */
  @Override
  public void readFields(DataInput in) throws IOException {
    stored = FilterFormat.read(new DataStreams.In(in));
  }

  /** Whether the other object holds an equal filter with equal metadata. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BloomFilterWritable that && Objects.equals(stored, that.stored);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(stored);
  }

  @Override
  public String toString() {
    return "BloomFilterWritable[" + stored + "]";
  }
}
