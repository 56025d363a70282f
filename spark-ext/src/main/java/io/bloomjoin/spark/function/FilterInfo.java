package io.bloomjoin.spark.function;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.ClassicBloomFilter;
import io.bloomjoin.filter.CountingBloomFilter;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.ScalableBloomFilter;
import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.StoredFilter;
import java.util.Collection;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** A filter's properties as a row. */
public final class FilterInfo {
  static final StructType TYPE =
      StructType.fromDDL(
          "structure string not null, key_types array<string> not null, keys bigint,"
              + " estimated_keys bigint, target_fpp double, fpp double not null,"
              + " fill double not null, size_bytes bigint not null, stored_bytes bigint not null,"
              + " hashes int not null, properties map<string, string> not null");

  /** Of a split block, and of the structures that are made of such blocks. */
  private static final int BLOCK_HASHES = 8;

  private FilterInfo() {}

  /**
   * The row of a filter in its bytes.
   *
   * @throws IllegalArgumentException if the bytes are no filter
   */
  public static InternalRow of(byte[] bytes) {
    StoredFilter stored = FilterArgument.parse(Functions.INFO, bytes);
    BloomFilter filter = stored.filter();
    FilterMetadata metadata = stored.metadata();
    long estimatedKeys = filter.estimatedKeys();
    return new GenericInternalRow(
        new Object[] {
          UTF8String.fromString(structure(filter)),
          strings(metadata.keyTypes()),
          metadata.keyCount() == FilterMetadata.UNKNOWN_KEY_COUNT ? null : metadata.keyCount(),
          estimatedKeys == Long.MAX_VALUE ? null : estimatedKeys,
          Double.isNaN(metadata.targetFpp()) ? null : metadata.targetFpp(),
          filter.fpp(),
          filter.fillRatio(),
          filter.sizeInBytes(),
          (long) bytes.length,
          filter instanceof ClassicBloomFilter classic ? classic.hashes() : BLOCK_HASHES,
          new ArrayBasedMapData(
              strings(metadata.properties().keySet()), strings(metadata.properties().values()))
        });
  }

  private static String structure(BloomFilter filter) {
    if (filter instanceof SplitBlockBloomFilter) {
      return "split-block";
    }
    if (filter instanceof CountingBloomFilter) {
      return "counting";
    }
    return filter instanceof ScalableBloomFilter ? "scalable" : "classic";
  }

  private static GenericArrayData strings(Collection<String> strings) {
    return new GenericArrayData(
        strings.stream().map(UTF8String::fromString).toArray(Object[]::new));
  }
}
