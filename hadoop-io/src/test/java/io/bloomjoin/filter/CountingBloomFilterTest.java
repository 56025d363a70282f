package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CountingBloomFilterTest {

  private static final long[] HASHES = Hashes.of(1, 2000);

  @Test
  void plain_isTheFilterOfTheKeys_thatAreLeft() {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.byAccuracy(2000, 0.01);
    Arrays.stream(HASHES).forEach(builder::add);
    for (int i = 0; i < 1000; i++) {
      assertTrue(builder.remove(HASHES[i]));
    }
    CountingBloomFilter filter = builder.build();
    SplitBlockBloomFilterBuilder left = SplitBlockBloomFilterBuilder.byAccuracy(2000, 0.01);
    Arrays.stream(HASHES, 1000, 2000).forEach(left::add);
    SplitBlockBloomFilter expected = left.build();
    assertEquals(expected, filter.toPlain());
    LongStream.concat(Arrays.stream(HASHES), Arrays.stream(Hashes.of(2, 100_000)))
        .forEach(hash -> assertEquals(expected.mightContain(hash), filter.mightContain(hash)));
    assertEquals(expected.fpp(), filter.fpp());
    assertEquals(expected.fillRatio(), filter.fillRatio());
    assertEquals(expected.estimatedKeys(), filter.estimatedKeys());
    assertEquals(4 * expected.sizeInBytes(), filter.sizeInBytes());
  }

  @Test
  void allTakenOut_isEmpty() {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(100);
    Arrays.stream(HASHES).forEach(builder::add);
    Arrays.stream(HASHES).forEach(builder::remove);
    assertTrue(builder.build().isEmpty());
  }

  @Test
  void aKeyThatWasNeverAdded_isNotTakenOut() {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(1000);
    builder.add(42);
    assertFalse(builder.remove(43));
    CountingBloomFilter filter = builder.build();
    assertTrue(filter.mightContain(42));
    assertEquals(1, filter.estimatedKeys());
  }

  @Test
  void aKeyAddedTwice_isTakenOutTwice() {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(1);
    builder.add(-1);
    builder.add(-1);
    assertTrue(builder.remove(-1));
    assertTrue(builder.remove(-1));
    assertFalse(builder.remove(-1));
  }

  @Test
  void saturatedCounters_stay_andNoKeyIsMissed() {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(1);
    for (int i = 0; i < 16; i++) {
      builder.add(Long.MIN_VALUE);
    }
    for (int i = 0; i < 20; i++) {
      assertTrue(builder.remove(Long.MIN_VALUE));
    }
    assertTrue(builder.build().mightContain(Long.MIN_VALUE));
    CountingBloomFilterBuilder fourteen = CountingBloomFilterBuilder.withBlocks(1);
    for (int i = 0; i < 14; i++) {
      fourteen.add(7);
    }
    for (int i = 0; i < 14; i++) {
      assertTrue(fourteen.remove(7));
    }
    assertTrue(fourteen.build().isEmpty());
  }

  @Test
  void builderOfAFilter_leavesItAsItIs() {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(10);
    builder.add(1);
    CountingBloomFilter first = builder.build();
    CountingBloomFilterBuilder next = CountingBloomFilterBuilder.of(first);
    next.add(2);
    next.remove(1);
    CountingBloomFilter second = next.build();
    assertTrue(first.mightContain(1) && !first.mightContain(2));
    assertTrue(second.mightContain(2) && !second.mightContain(1));
  }

  @Test
  void union_countsBoth_upToFifteen() {
    CountingBloomFilter one = of(10, HASHES);
    CountingBloomFilter both = one.union(one);
    CountingBloomFilterBuilder twice = CountingBloomFilterBuilder.withBlocks(10);
    Arrays.stream(HASHES).forEach(twice::add);
    Arrays.stream(HASHES).forEach(twice::add);
    assertEquals(twice.build(), both);
    assertThrows(IllegalArgumentException.class, () -> one.union(of(11, HASHES)));
  }

  @Test
  void wrongSizes_areRefused() {
    for (long blocks : new long[] {0, -1, CountingBloomFilter.MAX_BLOCKS + 1}) {
      assertThrows(
          IllegalArgumentException.class, () -> CountingBloomFilterBuilder.withBlocks(blocks));
    }
    assertThrows(
        IllegalArgumentException.class, () -> CountingBloomFilter.ofCounters(new long[15]));
  }

  @Test
  void aBuiltFilter_cannotChange() {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(1);
    builder.build();
    assertThrows(IllegalStateException.class, () -> builder.add(1));
    assertThrows(IllegalStateException.class, () -> builder.remove(1));
    assertThrows(IllegalStateException.class, builder::build);
  }

  private static CountingBloomFilter of(long blocks, long... hashes) {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(blocks);
    Arrays.stream(hashes).forEach(builder::add);
    return builder.build();
  }
}
