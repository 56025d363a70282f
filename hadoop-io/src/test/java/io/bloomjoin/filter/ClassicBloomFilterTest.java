package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ClassicBloomFilterTest {

  private static final int KEYS = 100_000;
  private static final int PROBES = 4_000_000;

  @Test
  void mightContain_everyAddedKey() {
    for (long bits : new long[] {1, 63, 64, 65, 999_983, 1 << 20}) {
      long[] keys = Hashes.of(1, KEYS);
      ClassicBloomFilter filter = build(bits, 7, keys);
      for (long key : keys) {
        assertTrue(filter.mightContain(key));
      }
    }
  }

  @Test
  void mightContain_extremeHashes() {
    long[] extremes = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 0, 1};
    ClassicBloomFilter filter = build(100_000, 7, extremes);
    for (long key : extremes) {
      assertTrue(filter.mightContain(key));
    }
    assertEquals(0, falsePositives(filter, 10_000));
  }

  @Test
  void mightContain_nothingWhenEmpty() {
    ClassicBloomFilter filter = build(100, 3);
    assertTrue(filter.isEmpty());
    assertEquals(0, falsePositives(filter, 10_000));
    assertEquals(0, filter.fpp());
    assertEquals(0, filter.estimatedKeys());
    assertFalse(filter.isSaturated());
  }

  @Test
  void fpp_promisedComputedAndMeasuredAgree() {
    for (double target : new double[] {0.1, 0.01, 0.001}) {
      ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.byAccuracy(KEYS, target);
      Arrays.stream(Hashes.of(2, KEYS)).forEach(builder::add);
      ClassicBloomFilter filter = builder.build();
      double measured = (double) falsePositives(filter, PROBES) / PROBES;
      assertEquals(target, filter.fpp(), target * 0.05);
      assertEquals(target, measured, target * 0.1);
    }
  }

  @Test
  void estimatedKeys_withinTwoPerCent() {
    for (int keys : new int[] {1000, 20_000, KEYS}) {
      ClassicBloomFilter filter = build(960_000, 7, Hashes.of(3, keys));
      assertEquals(1.0, (double) filter.estimatedKeys() / keys, 0.02);
    }
  }

  @Test
  void everyBitSet_isSaturated_andKeysAreUnknown() {
    ClassicBloomFilter filter = ClassicBloomFilter.ofWords(new long[] {-1, 1}, 65, 3);
    assertTrue(filter.isSaturated());
    assertEquals(1, filter.fpp());
    assertEquals(Long.MAX_VALUE, filter.estimatedKeys());
  }

  @Test
  void union_isTheFilterOfAllKeys() {
    long[] keys = Hashes.of(4, KEYS);
    ClassicBloomFilter left = build(999_999, 5, Arrays.copyOf(keys, KEYS / 3));
    ClassicBloomFilter right = build(999_999, 5, Arrays.copyOfRange(keys, KEYS / 4, KEYS));
    assertEquals(build(999_999, 5, keys), left.union(right));
  }

  @Test
  void union_refusesAnotherGeometry_andTellsBoth() {
    String bits = refusal(build(70, 3), build(71, 3));
    assertTrue(bits.contains("70 and 71 bits"), bits);
    String hashes = refusal(build(70, 3), build(70, 4));
    assertTrue(hashes.contains("3 and 4 hashes"), hashes);
  }

  @Test
  void moreBitsThanAnIntCounts() {
    // 384 MiB.
    long bits = 3L << 30;
    long[] keys = Hashes.of(5, 1000);
    ClassicBloomFilter filter = build(bits, 7, keys);
    assertTrue(Arrays.stream(keys).allMatch(filter::mightContain));
    assertTrue(
        Arrays.stream(filter.words()).skip(1 << 25).anyMatch(word -> word != 0),
        "bits beyond 2^31 are in use");
    assertEquals(0, falsePositives(filter, 10_000));
  }

  @Test
  void ofWords_refusesWhatIsNoFilter() {
    assertThrows(
        IllegalArgumentException.class, () -> ClassicBloomFilter.ofWords(new long[1], 65, 3));
    assertThrows(
        IllegalArgumentException.class, () -> ClassicBloomFilter.ofWords(new long[2], 64, 3));
    assertThrows(
        IllegalArgumentException.class, () -> ClassicBloomFilter.ofWords(new long[] {16}, 4, 3));
  }

  @Test
  void builder_handsOverItsArrayOnce() {
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.withBits(10, 3);
    assertEquals(10, builder.build().bits());
    assertThrows(IllegalStateException.class, () -> builder.add(1));
    assertThrows(IllegalStateException.class, builder::build);
  }

  @Test
  void geometryOutOfRange_isRefused() {
    for (long bits : new long[] {0, -1, ClassicSizing.MAX_BITS + 1}) {
      assertThrows(
          IllegalArgumentException.class, () -> ClassicBloomFilterBuilder.withBits(bits, 1));
    }
    for (int hashes : new int[] {0, -1, 65}) {
      assertThrows(
          IllegalArgumentException.class, () -> ClassicBloomFilterBuilder.withBits(1, hashes));
    }
    assertThrows(IllegalArgumentException.class, () -> ClassicSizing.bitsFor(Long.MAX_VALUE, 0.01));
  }

  @Test
  void sizing_atTheEdges() {
    assertEquals(1, ClassicSizing.bitsFor(0, 0.01));
    assertEquals(1, ClassicSizing.hashesFor(1000, 1));
    assertEquals(64, ClassicSizing.hashesFor(1, 1000));
    assertEquals(1, ClassicSizing.fpp(Long.MAX_VALUE, 1, 64));
    assertEquals(0, ClassicSizing.fpp(0, 1, 1));
  }

  private static ClassicBloomFilter build(long bits, int hashes, long... keys) {
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.withBits(bits, hashes);
    Arrays.stream(keys).forEach(builder::add);
    return builder.build();
  }

  private static long falsePositives(ClassicBloomFilter filter, int probes) {
    return Arrays.stream(Hashes.of(99, probes)).filter(filter::mightContain).count();
  }

  private static String refusal(ClassicBloomFilter left, ClassicBloomFilter right) {
    return assertThrows(IllegalArgumentException.class, () -> left.union(right)).getMessage();
  }
}
