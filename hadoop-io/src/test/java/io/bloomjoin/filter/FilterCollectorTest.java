package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FilterCollectorTest {
  private static final FilterGoal ONE_PERCENT = FilterGoal.ofFpp(0.01);

  /** More than are kept as hashes. */
  private static final int MANY = FilterCollector.MAX_EXACT + 100_000;

  @Test
  void finish_noKeys_rejectsAll() {
    StoredFilter stored = new FilterCollector(ONE_PERCENT).finish(List.of("bigint"));
    assertEquals(32, stored.filter().sizeInBytes());
    assertTrue(stored.filter().isEmpty());
    assertEquals(0, stored.metadata().keyCount());
  }

  @Test
  void finish_extremeHashes_holdsThemOnce() {
    FilterCollector collector = new FilterCollector(ONE_PERCENT);
    long[] extremes = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE};
    for (int i = 0; i < 3; i++) {
      LongStream.of(extremes).forEach(collector::add);
    }
    StoredFilter stored = collector.finish(List.of());
    assertEquals(extremes.length, stored.metadata().keyCount());
    for (long hash : extremes) {
      assertTrue(stored.filter().mightContain(hash));
    }
  }

  @Test
  void finish_anyNumberOfKeys_reachesTheFpp() {
    for (double fpp : new double[] {0.1, 0.01, 0.0001}) {
      for (int keys : new int[] {1, 10, 100, 1000, 3000, 100_000, 1_000_000}) {
        SplitBlockBloomFilter filter = filter(FilterGoal.ofFpp(fpp), 1, keys);
        assertTrue(SplitBlockSizing.fpp(keys, filter.blocks()) <= fpp);
        long needed = SplitBlockSizing.blocksFor(keys, fpp);
        assertTrue(filter.blocks() <= Math.max(2, needed * 1.5), keys + " keys: " + filter);
      }
    }
  }

  @Test
  void finish_manyKeys_reachesTheFppAndDeniesNone() {
    SplitBlockBloomFilter filter = filter(ONE_PERCENT, 1, MANY);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < MANY; i++) {
      assertTrue(filter.mightContain(random.nextLong()));
    }
    assertTrue(passing(filter) <= 0.0102, "fpp " + passing(filter));
    assertTrue(filter.blocks() <= SplitBlockSizing.blocksFor(MANY, 0.01) * 1.5);
  }

  @Test
  void addAll_anyPartsInAnyOrder_givesTheSameFilter() throws IOException {
    for (int keys : new int[] {50, 5000, MANY}) {
      StoredFilter whole = collector(ONE_PERCENT, 1, keys).finish(List.of("int"));
      byte[] expected = FilterFormat.toBytes(whole.filter(), whole.metadata());
      for (int parts : new int[] {2, 5}) {
        List<FilterCollector> collectors = parts(keys, parts);
        for (int i = 1; i < parts; i++) {
          collectors.get(i % 2 == 0 ? 0 : 1).addAll(sent(collectors.get(i)));
        }
        FilterCollector merged = new FilterCollector(ONE_PERCENT);
        merged.addAll(collectors.get(1));
        merged.addAll(sent(collectors.get(0)));
        StoredFilter stored = merged.finish(List.of("int"));
        assertArrayEquals(expected, FilterFormat.toBytes(stored.filter(), stored.metadata()));
      }
    }
  }

  @Test
  void addAll_bitsIntoHashesAndBack_areTheSame() throws IOException {
    SplitBlockBloomFilter expected = filter(ONE_PERCENT, 1, MANY);
    for (boolean bitsFirst : new boolean[] {true, false}) {
      FilterCollector bits = collector(ONE_PERCENT, 1, MANY);
      FilterCollector few = collector(ONE_PERCENT, 1, 1000);
      FilterCollector target = bitsFirst ? bits : few;
      target.addAll(sent(bitsFirst ? few : bits));
      assertEquals(expected, target.finish(List.of()).filter());
    }
  }

  @Test
  void addAll_otherGoal_isRefused() {
    FilterCollector collector = new FilterCollector(ONE_PERCENT);
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class,
            () -> collector.addAll(new FilterCollector(FilterGoal.ofFpp(0.02))));
    assertTrue(error.getMessage().contains("fpp=0.02"));
  }

  @Test
  void expectedKeys_areTheRoomOfEveryFilter() {
    FilterGoal goal = new FilterGoal(1_000_000, 0.01);
    SplitBlockBloomFilter monday = filter(goal, 1, 1000);
    SplitBlockBloomFilter tuesday = filter(goal, 2, 900_000);
    assertEquals(monday.blocks(), tuesday.blocks());
    assertTrue(monday.union(tuesday).fpp() <= 0.01);
  }

  @Test
  void expectedKeys_farTooMany_takeLittleRoomInStore() {
    StoredFilter stored = collector(new FilterGoal(500_000_000, 0.01), 1, 1000).finish(List.of());
    assertEquals(128 << 20, stored.filter().sizeInBytes());
    assertTrue(FilterFormat.toBytes(stored.filter(), stored.metadata()).length < 10_000);
  }

  @Test
  void expectedKeys_farTooFew_stillReachTheFpp() {
    SplitBlockBloomFilter filter = filter(new FilterGoal(10, 0.01), 1, MANY);
    assertTrue(passing(filter) <= 0.0102);
  }

  @Test
  void add_moreThanTheBitsAreFor_unfoldsThem() throws IOException {
    FilterGoal strict = FilterGoal.ofFpp(1e-12); // needs so many bits that they are at their most
    assertEquals(FilterGoal.MAX_BLOCKS, strict.gatheringBlocks());
    FilterGoal lax = FilterGoal.ofFpp(0.5); // few bits, so that the test is quick
    long capacity = (long) (lax.gatheringBlocks() / 2 * 256 / SplitBlockSizing.bitsPerKey(0.5));
    int keys = Math.toIntExact(capacity + capacity / 4);
    FilterCollector collector = collector(lax, 1, keys);
    StoredFilter stored = sent(collector, lax).finish(List.of());
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < keys; i++) {
      assertTrue(stored.filter().mightContain(random.nextLong()));
    }
    assertTrue(passing(stored.filter()) <= 0.51, "fpp " + passing(stored.filter()));
    assertEquals((double) keys, (double) stored.metadata().keyCount(), keys * 0.02);
  }

  @Test
  void fromBytes_damaged_isRefused() {
    byte[] odd = {1, 2, 3};
    byte[] unknown = {9, 0, 0, 0, 0, 0, 0, 0, 0};
    byte[] otherSize = new byte[9 + 100];
    for (byte[] bytes : List.of(new byte[0], odd, unknown, otherSize)) {
      assertThrows(IOException.class, () -> FilterCollector.fromBytes(bytes, ONE_PERCENT));
    }
  }

  @Test
  void goal_outOfRange_namesTheValue() {
    for (double fpp : new double[] {0, 1, -0.5, 2, Double.NaN, 1e-13}) {
      IllegalArgumentException error =
          assertThrows(IllegalArgumentException.class, () -> FilterGoal.ofFpp(fpp));
      assertTrue(error.getMessage().endsWith("got " + fpp));
    }
    assertThrows(IllegalArgumentException.class, () -> new FilterGoal(-1, 0.01));
    assertThrows(IllegalArgumentException.class, () -> new FilterGoal(Long.MAX_VALUE, 0.01));
  }

  @Test
  void goal_sizes_areSteps() {
    for (long keys = 0; keys < 100_000_000; keys = keys * 5 / 4 + 1) {
      long blocks = ONE_PERCENT.blocksFor(keys);
      long odd = blocks >> Long.numberOfTrailingZeros(blocks);
      assertTrue(odd == 1 || odd == 3, keys + " keys: " + blocks);
      assertTrue(blocks >= SplitBlockSizing.blocksFor(keys, 0.01));
      assertTrue(blocks <= Math.max(1, SplitBlockSizing.blocksFor(keys, 0.01) * 3 / 2));
    }
  }

  private static SplitBlockBloomFilter filter(FilterGoal goal, long seed, int keys) {
    return (SplitBlockBloomFilter) collector(goal, seed, keys).finish(List.of()).filter();
  }

  private static FilterCollector collector(FilterGoal goal, long seed, int keys) {
    FilterCollector collector = new FilterCollector(goal);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < keys; i++) {
      collector.add(random.nextLong());
    }
    return collector;
  }

  /** The keys of seed 1 dealt out to several collectors, with an overlap. */
  private static List<FilterCollector> parts(int keys, int parts) {
    List<FilterCollector> collectors = new ArrayList<>();
    IntStream.range(0, parts).forEach(i -> collectors.add(new FilterCollector(ONE_PERCENT)));
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < keys; i++) {
      long hash = random.nextLong();
      collectors.get(i % parts).add(hash);
      if (i % 10 == 0) {
        collectors.get((i + 1) % parts).add(hash);
      }
    }
    return collectors;
  }

  private static FilterCollector sent(FilterCollector collector) throws IOException {
    return sent(collector, ONE_PERCENT);
  }

  private static FilterCollector sent(FilterCollector collector, FilterGoal goal)
      throws IOException {
    return FilterCollector.fromBytes(collector.toBytes(), goal);
  }

  /** The share of foreign keys that pass. */
  private static double passing(BloomFilter filter) {
    SplittableRandom random = new SplittableRandom(99);
    int asked = 1_000_000;
    int passed = 0;
    for (int i = 0; i < asked; i++) {
      passed += filter.mightContain(random.nextLong()) ? 1 : 0;
    }
    return passed / (double) asked;
  }
}
