package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomjoin.filter.ClassicBloomFilter;
import io.bloomjoin.filter.ClassicBloomFilterBuilder;
import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BulkFiltersTest {
  private static final long[] KEYS = hashes(1, 1000);
  private static final long[] OTHERS = hashes(2, 1000);

  @Test
  void classic_isThatOfItsBuilder() {
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.withBits(5000, 3);
    LongStream.of(KEYS).forEach(builder::add);
    ClassicBloomFilter expected = builder.build();
    assertEquals(expected, BulkFilters.classic(bytes(KEYS), 5000, 3));
    assertEquals(
        LongStream.of(OTHERS).filter(expected::mightContain).count(),
        BulkFilters.passed(expected, bytes(OTHERS)));
  }

  @Test
  void classicOfPairs_isThatOfItsBuilder() {
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.withBits(3000, 3);
    for (int i = 0; i < KEYS.length; i += 2) {
      builder.add(KEYS[i], KEYS[i + 1]);
    }
    assertEquals(builder.build(), BulkFilters.classicOfPairs(bytes(KEYS), 3000, 3));
  }

  @Test
  void passedPairs_asksPairByPair() {
    ClassicBloomFilter filter = BulkFilters.classicOfPairs(bytes(KEYS), 2000, 3);
    int expected = 0;
    for (int i = 0; i < OTHERS.length; i += 2) {
      expected += filter.mightContain(OTHERS[i], OTHERS[i + 1]) ? 1 : 0;
    }
    assertEquals(expected, BulkFilters.passedPairs(filter, bytes(OTHERS)));
    assertEquals(KEYS.length / 2, BulkFilters.passedPairs(filter, bytes(KEYS)));
  }

  @Test
  void splitBlock_isThatOfItsBuilder() {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(20);
    LongStream.of(KEYS).forEach(builder::add);
    SplitBlockBloomFilter expected = builder.build();
    assertEquals(expected, BulkFilters.splitBlock(bytes(KEYS), 20));
    assertEquals(KEYS.length, BulkFilters.passed(expected, bytes(KEYS)));
  }

  @Test
  void bytes_thatEndWithinAPair() {
    assertThrows(
        IllegalArgumentException.class, () -> BulkFilters.classicOfPairs(new byte[24], 1000, 3));
  }

  private static long[] hashes(long seed, int count) {
    return new Random(seed).longs(count).toArray();
  }

  private static byte[] bytes(long[] hashes) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * hashes.length).order(ByteOrder.LITTLE_ENDIAN);
    LongStream.of(hashes).forEach(bytes::putLong);
    return bytes.array();
  }
}
