package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.junit.jupiter.api.Test;

/** Our split-block filter has the bits of parquet-java's, and each reads the other's. */
class ParquetWitnessTest {

  private static final int BLOCKS = 1 << 10;
  private static final long[] KEYS = Hashes.of(1, 20_000);
  private static final long[] PROBES = Hashes.of(2, 100_000);

  @Test
  void sameBits() throws IOException {
    assertArrayEquals(bitset(parquet()), bitset(ours()));
  }

  @Test
  void weReadParquets() throws IOException {
    BlockSplitBloomFilter parquet = parquet();
    SplitBlockBloomFilter read = SplitBlockBloomFilter.ofBitset(bitset(parquet));
    assertEquals(ours(), read);
    for (long probe : PROBES) {
      assertEquals(parquet.findHash(probe), read.mightContain(probe));
    }
  }

  @Test
  void parquetReadsOurs() {
    SplitBlockBloomFilter ours = ours();
    BlockSplitBloomFilter read = new BlockSplitBloomFilter(bitset(ours));
    for (long probe : PROBES) {
      assertEquals(ours.mightContain(probe), read.findHash(probe));
    }
  }

  @Test
  void ofBitset_refusesPartsOfBlocks() {
    assertThrows(
        IllegalArgumentException.class, () -> SplitBlockBloomFilter.ofBitset(new byte[33]));
    assertThrows(IllegalArgumentException.class, () -> SplitBlockBloomFilter.ofBitset(new byte[0]));
  }

  private static SplitBlockBloomFilter ours() {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(BLOCKS);
    Arrays.stream(KEYS).forEach(builder::add);
    return builder.build();
  }

  private static BlockSplitBloomFilter parquet() {
    BlockSplitBloomFilter parquet = new BlockSplitBloomFilter(BLOCKS * 32);
    Arrays.stream(KEYS).forEach(parquet::insertHash);
    return parquet;
  }

  private static byte[] bitset(BlockSplitBloomFilter parquet) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    parquet.writeTo(bytes);
    return bytes.toByteArray();
  }

  private static byte[] bitset(SplitBlockBloomFilter ours) {
    ByteBuffer bytes = ByteBuffer.allocate((int) ours.sizeInBytes());
    bytes.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(ours.words());
    return bytes.array();
  }
}
