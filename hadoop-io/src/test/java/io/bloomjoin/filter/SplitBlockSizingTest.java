package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SplitBlockSizingTest {

  @Test
  void bitsPerKey_asVelox() {
    // Velox, SplitBlockBloomFilter.h: 10.5 bits at 1 %, 16.9 at 0.1 %.
    assertEquals(10.5, SplitBlockSizing.bitsPerKey(0.01), 0.05);
    assertEquals(16.9, SplitBlockSizing.bitsPerKey(0.001), 0.05);
  }

  @Test
  void blocksFor_isTheSmallestThatReachesTheProbability() {
    for (long keys : new long[] {100, 12_345, 1_000_000, 100_000_000}) {
      for (double fpp : new double[] {0.9, 0.5, 0.1, 0.03, 0.01, 0.001, 1e-6}) {
        long blocks = SplitBlockSizing.blocksFor(keys, fpp);
        assertTrue(SplitBlockSizing.fpp(keys, blocks) <= fpp);
        assertTrue(blocks == 1 || SplitBlockSizing.fpp(keys, blocks - 1) > fpp);
      }
    }
  }

  @Test
  void blocksFor_fewKeys() {
    assertEquals(1, SplitBlockSizing.blocksFor(0, 0.01));
    assertEquals(1, SplitBlockSizing.blocksFor(1, 0.01));
    assertEquals(1, SplitBlockSizing.blocksFor(24, 0.01));
    assertEquals(2, SplitBlockSizing.blocksFor(25, 0.01));
  }

  @Test
  void blocksFor_tellsTheLimit() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> SplitBlockSizing.blocksFor(Long.MAX_VALUE, 0.01))
            .getMessage();
    assertTrue(message.contains("at most " + SplitBlockSizing.MAX_BLOCKS), message);
  }

  @Test
  void fpp_atTheEdges() {
    assertEquals(0, SplitBlockSizing.fpp(0, 1));
    assertEquals(1, SplitBlockSizing.fpp(Long.MAX_VALUE, 1));
    assertEquals(1, SplitBlockSizing.fpp(700, 1), 1e-7);
    assertEquals(1, SplitBlockSizing.fpp(699, 1), 1e-7);
  }

  @Test
  void argumentsOutOfRange_areRefused() {
    for (double fpp : new double[] {0, 1, -0.1, 1.1, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> SplitBlockSizing.blocksFor(1, fpp));
      assertThrows(IllegalArgumentException.class, () -> SplitBlockSizing.bitsPerKey(fpp));
    }
    assertThrows(IllegalArgumentException.class, () -> SplitBlockSizing.blocksFor(-1, 0.01));
    assertThrows(IllegalArgumentException.class, () -> SplitBlockSizing.fpp(-1, 1));
    assertThrows(IllegalArgumentException.class, () -> SplitBlockSizing.fpp(1, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> SplitBlockSizing.fpp(1, SplitBlockSizing.MAX_BLOCKS + 1));
  }
}
