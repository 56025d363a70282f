package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SplitBlockBloomFilterTest {

  private static final int KEYS = 100_000;
  private static final int PROBES = 4_000_000;

  @Test
  void mightContain_everyAddedKey() {
    for (long blocks : new long[] {1, 2, 3, 100, 4097}) {
      long[] keys = Hashes.of(1, KEYS);
      SplitBlockBloomFilter filter = build(blocks, keys);
      for (long key : keys) {
        assertTrue(filter.mightContain(key));
      }
    }
  }

  @Test
  void mightContain_extremeHashes() {
    long[] extremes = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 0, 1, 0xFFFFFFFFL, 0xFFFFFFFF00000000L};
    SplitBlockBloomFilter filter = build(1000, extremes);
    for (long key : extremes) {
      assertTrue(filter.mightContain(key));
    }
    assertEquals(0, falsePositives(filter, 10_000));
  }

  @Test
  void mightContain_nothingWhenEmpty() {
    SplitBlockBloomFilter filter = build(3);
    assertTrue(filter.isEmpty());
    assertEquals(0, falsePositives(filter, 10_000));
    assertEquals(0, filter.fpp());
    assertEquals(0, filter.fillRatio());
    assertEquals(0, filter.estimatedKeys());
    assertFalse(filter.isSaturated());
  }

  @Test
  void fpp_promisedComputedAndMeasuredAgree() {
    for (double target : new double[] {0.1, 0.01, 0.001}) {
      SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.byAccuracy(KEYS, target);
      Arrays.stream(Hashes.of(2, KEYS)).forEach(builder::add);
      SplitBlockBloomFilter filter = builder.build();
      double measured = (double) falsePositives(filter, PROBES) / PROBES;
      assertEquals(target, filter.fpp(), target * 0.05);
      assertEquals(target, measured, target * 0.1);
    }
  }

  @Test
  void fpp_ofALargeFilter_fromSomeOfItsBlocks() {
    long[] tile = build(1000, Hashes.of(6, 25_000)).words();
    long[] words = new long[(3 << 20) * SplitBlockBloomFilter.LONGS_PER_BLOCK];
    for (int i = 0; i < words.length; i++) {
      words[i] = tile[i % tile.length];
    }
    double expected = SplitBlockBloomFilter.ofWords(tile).fpp();
    assertEquals(expected, SplitBlockBloomFilter.ofWords(words).fpp(), expected * 0.001);
  }

  @Test
  void estimatedKeys_withinTwoPerCent() {
    for (int keys : new int[] {1000, 20_000, KEYS}) {
      SplitBlockBloomFilter filter = build(3000, Hashes.of(3, keys));
      assertEquals(1.0, (double) filter.estimatedKeys() / keys, 0.02);
    }
  }

  @Test
  void everyBitSet_isSaturated_andKeysAreUnknown() {
    long[] words = new long[8];
    Arrays.fill(words, -1);
    SplitBlockBloomFilter filter = SplitBlockBloomFilter.ofWords(words);
    assertTrue(filter.isSaturated());
    assertEquals(1, filter.fpp());
    assertEquals(Long.MAX_VALUE, filter.estimatedKeys());
    assertEquals(1000, falsePositives(filter, 1000));
  }

  @Test
  void union_isTheFilterOfAllKeys() {
    long[] keys = Hashes.of(4, KEYS);
    SplitBlockBloomFilter left = build(999, Arrays.copyOf(keys, KEYS / 3));
    SplitBlockBloomFilter right = build(999, Arrays.copyOfRange(keys, KEYS / 4, KEYS));
    SplitBlockBloomFilter whole = build(999, keys);
    assertEquals(whole, left.union(right));
    assertEquals(whole, right.union(left));

    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(999);
    builder.addAll(left);
    builder.addAll(right);
    assertEquals(whole, builder.build());
  }

  @Test
  void union_leavesBothAsTheyAre() {
    SplitBlockBloomFilter left = build(2, 1);
    SplitBlockBloomFilter right = build(2, 2);
    assertNotEquals(left, left.union(right));
    assertEquals(build(2, 1), left);
    assertEquals(build(2, 2), right);
  }

  @Test
  void union_refusesAnotherSize_andTellsBoth() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> build(7).union(build(12)));
    assertTrue(refused.getMessage().contains("7 and 12 blocks"), refused.getMessage());
  }

  @Test
  void fold_isTheFilterBuiltAtThatSize() {
    long[] keys = Hashes.of(5, KEYS);
    SplitBlockBloomFilter filter = build(12 * 1024, keys);
    for (long blocks : new long[] {12 * 1024, 6 * 1024, 4 * 1024, 1024, 96, 12, 3, 1}) {
      assertEquals(build(blocks, keys), filter.fold(blocks));
    }
  }

  @Test
  void fold_refusesWhatIsNoDivisor() {
    for (long blocks : new long[] {0, -1, 5, 7, 24, Long.MIN_VALUE}) {
      assertThrows(IllegalArgumentException.class, () -> build(12).fold(blocks));
    }
  }

  @Test
  void ofWords_sharesTheArray() {
    long[] words = new long[8];
    assertSame(words, SplitBlockBloomFilter.ofWords(words).words());
    assertEquals(2, SplitBlockBloomFilter.ofWords(words).blocks());
    assertEquals(64, SplitBlockBloomFilter.ofWords(words).sizeInBytes());
  }

  @Test
  void ofWords_refusesPartsOfBlocks() {
    for (int length : new int[] {0, 1, 6}) {
      assertThrows(
          IllegalArgumentException.class, () -> SplitBlockBloomFilter.ofWords(new long[length]));
    }
  }

  @Test
  void blockOf_staysInRange_beyondIntArithmetic() {
    for (long blocks : new long[] {1, SplitBlockSizing.MAX_BLOCKS, Integer.MAX_VALUE}) {
      assertEquals(0, SplitBlockBloomFilter.blockOf(0, blocks));
      assertEquals(0, SplitBlockBloomFilter.blockOf(0xFFFFFFFFL, blocks));
      assertEquals(blocks / 2, SplitBlockBloomFilter.blockOf(Long.MIN_VALUE, blocks));
      assertEquals(blocks - 1, SplitBlockBloomFilter.blockOf(-1, blocks));
    }
  }

  @Test
  void builder_handsOverItsArrayOnce() {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.bySize(95);
    assertEquals(2, builder.build().blocks());
    assertThrows(IllegalStateException.class, () -> builder.add(1));
    assertThrows(IllegalStateException.class, () -> builder.addAll(build(2)));
    assertThrows(IllegalStateException.class, builder::build);
  }

  @Test
  void builder_refusesSizesOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> SplitBlockBloomFilterBuilder.withBlocks(0));
    assertThrows(
        IllegalArgumentException.class,
        () -> SplitBlockBloomFilterBuilder.withBlocks(SplitBlockSizing.MAX_BLOCKS + 1));
    assertThrows(IllegalArgumentException.class, () -> SplitBlockBloomFilterBuilder.bySize(31));
    assertThrows(
        IllegalArgumentException.class, () -> SplitBlockBloomFilterBuilder.bySize(Long.MAX_VALUE));
  }

  @Test
  void resize_toADivisor_isTheFold() {
    SplitBlockBloomFilter filter = build(96, Hashes.of(1, 500));
    for (long blocks : new long[] {1, 2, 3, 32, 48, 96}) {
      assertEquals(filter.fold(blocks), filter.resize(blocks));
    }
  }

  @Test
  void resize_toAMultiple_answersTheSame() {
    SplitBlockBloomFilter filter = build(48, Hashes.of(1, 500));
    SplitBlockBloomFilter larger = filter.resize(48 * 5);
    for (long hash : Hashes.of(2, 100_000)) {
      assertEquals(filter.mightContain(hash), larger.mightContain(hash));
    }
    assertEquals(filter, larger.fold(48));
  }

  @Test
  void resize_toAnySize_deniesNoKey() {
    long[] edges = {0, -1, 1L << 32, 0xFFFFFFFF00000000L, Long.MAX_VALUE, Long.MIN_VALUE};
    long[] keys = Hashes.of(1, 2000);
    System.arraycopy(edges, 0, keys, 0, edges.length);
    for (long from : new long[] {1, 3, 7, 100, 1000}) {
      SplitBlockBloomFilter filter = build(from, keys);
      for (long to : new long[] {1, 2, 5, 7, 99, 101, 1000, 1001}) {
        SplitBlockBloomFilter resized = filter.resize(to);
        for (long key : keys) {
          assertTrue(resized.mightContain(key), from + " to " + to);
        }
      }
    }
    assertThrows(IllegalArgumentException.class, () -> build(1).resize(0));
  }

  private static SplitBlockBloomFilter build(long blocks, long... keys) {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(blocks);
    Arrays.stream(keys).forEach(builder::add);
    return builder.build();
  }

  private static long falsePositives(SplitBlockBloomFilter filter, int probes) {
    return Arrays.stream(Hashes.of(99, probes)).filter(filter::mightContain).count();
  }

  @Test
  void selectsWhatMightBeContained() {
    for (int keys : new int[] {0, 1, 1000, 100_000}) {
      SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(1024);
      long[] hashes = new long[5000];
      SplittableRandom random = new SplittableRandom(keys);
      for (int i = 0; i < keys; i++) {
        long hash = random.nextLong();
        builder.add(hash);
        hashes[i * 7 % hashes.length] = hash;
      }
      SplitBlockBloomFilter filter = builder.build();
      for (int i = 0; i < hashes.length; i += 2) {
        hashes[i] = random.nextLong();
      }
      int[] selected = new int[hashes.length + 3];
      int count = filter.select(hashes, 10, 4990, selected, 3);
      int next = 3;
      for (int i = 10; i < 4990; i++) {
        if (filter.mightContain(hashes[i])) {
          assertEquals(i, selected[next++]);
        }
      }
      assertEquals(next, count);
      assertEquals(count, filter.select(hashes, 7, 7, selected, count));
    }
  }
}
