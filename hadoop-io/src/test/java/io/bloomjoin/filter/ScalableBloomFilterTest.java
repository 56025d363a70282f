package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ScalableBloomFilterTest {

  @Test
  void fpp_staysBelowTheTarget_howeverManyKeysCome() {
    long[] hashes = Hashes.of(1, 300_000);
    long[] others = Hashes.of(2, 200_000);
    ScalableBloomFilterBuilder builder = ScalableBloomFilterBuilder.byAccuracy(1000, 0.01);
    Arrays.stream(hashes).forEach(builder::add);
    ScalableBloomFilter filter = builder.build();
    assertTrue(filter.stages() >= 8, filter.toString());
    Arrays.stream(hashes).forEach(hash -> assertTrue(filter.mightContain(hash)));
    double measured =
        Arrays.stream(others).filter(filter::mightContain).count() / (double) others.length;
    assertTrue(measured <= 0.01, "measured " + measured);
    assertEquals(measured, filter.fpp(), 0.001);
    assertEquals(300_000.0, (double) filter.estimatedKeys(), 6000.0);
    long plain = SplitBlockSizing.blocksFor(300_000, 0.01) * 32;
    assertTrue(filter.sizeInBytes() < 4 * plain, filter.sizeInBytes() + " against " + plain);
    assertTrue(filter.fillRatio() > 0.1 && filter.fillRatio() < 0.6);
  }

  @Test
  void fewKeys_stayInOneStage() {
    ScalableBloomFilterBuilder builder = ScalableBloomFilterBuilder.byAccuracy(1000, 0.01);
    for (int i = 0; i < 10; i++) {
      Arrays.stream(Hashes.of(1, 1000)).forEach(builder::add);
    }
    assertEquals(1, builder.build().stages());
  }

  @Test
  void goneOnWith_isAsIfNeverInterrupted() {
    long[] hashes = Hashes.of(1, 20_000);
    ScalableBloomFilterBuilder whole = ScalableBloomFilterBuilder.byAccuracy(100, 0.01);
    Arrays.stream(hashes).forEach(whole::add);
    ScalableBloomFilter kept = ScalableBloomFilterBuilder.byAccuracy(100, 0.01).build();
    for (int i = 0; i < 20; i++) {
      ScalableBloomFilter before = kept;
      int stages = before.stages();
      ScalableBloomFilterBuilder next = ScalableBloomFilterBuilder.of(kept);
      Arrays.stream(hashes, 1000 * i, 1000 * (i + 1)).forEach(next::add);
      kept = next.build();
      assertEquals(stages, before.stages());
    }
    assertEquals(whole.build(), kept);
  }

  @Test
  void noKeys_isEmpty() {
    ScalableBloomFilter filter = ScalableBloomFilterBuilder.byAccuracy(1, 0.5).build();
    assertTrue(filter.isEmpty());
    assertFalse(filter.mightContain(0));
    assertEquals(0, filter.fpp());
    assertEquals(0, filter.estimatedKeys());
  }

  @Test
  void wrongArguments_areRefused() {
    for (double fpp : new double[] {0, 1, -1, Double.NaN}) {
      assertThrows(
          IllegalArgumentException.class, () -> ScalableBloomFilterBuilder.byAccuracy(1, fpp));
    }
    assertThrows(
        IllegalArgumentException.class, () -> ScalableBloomFilterBuilder.byAccuracy(0, 0.1));
  }

  @Test
  void aBuiltFilter_cannotChange() {
    ScalableBloomFilterBuilder builder = ScalableBloomFilterBuilder.byAccuracy(1, 0.1);
    builder.build();
    assertThrows(IllegalStateException.class, () -> builder.add(1));
    assertThrows(IllegalStateException.class, builder::build);
  }
}
