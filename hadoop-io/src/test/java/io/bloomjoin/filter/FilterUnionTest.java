package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class FilterUnionTest {
  private static final int KEYS = 20_000;

  @Test
  void finish_nothing_isEmpty() throws IOException {
    assertTrue(new FilterUnion().finish().isEmpty());
    assertTrue(FilterUnion.fromBytes(new FilterUnion().toBytes()).finish().isEmpty());
  }

  @Test
  void finish_sameSize_isTheFilterOfAllKeys() {
    FilterGoal goal = new FilterGoal(2 * KEYS, 0.01);
    FilterUnion union = new FilterUnion();
    union.add(split(goal, 1));
    union.add(split(goal, 2));
    FilterCollector both = new FilterCollector(goal);
    Arrays.stream(Hashes.of(1, KEYS)).forEach(both::add);
    Arrays.stream(Hashes.of(2, KEYS)).forEach(both::add);
    StoredFilter united = union.finish().orElseThrow();
    assertEquals(both.finish(List.of()).filter(), united.filter());
    assertEquals(2.0 * KEYS, (double) united.metadata().keyCount(), KEYS * 0.02);
  }

  @Test
  void finish_anySizes_denyNoKeyInAnyOrder() throws IOException {
    long[] sizes = {1000, 1024, 1536, 4096, 5, 1};
    FilterUnion forwards = new FilterUnion();
    FilterUnion backwards = new FilterUnion();
    for (int i = 0; i < sizes.length; i++) {
      forwards.add(sized(sizes[i], i));
      FilterUnion one = new FilterUnion();
      one.add(sized(sizes[sizes.length - 1 - i], sizes.length - 1 - i));
      backwards.addAll(FilterUnion.fromBytes(one.toBytes()));
    }
    StoredFilter united = forwards.finish().orElseThrow();
    assertEquals(4096 * 32, united.filter().sizeInBytes());
    assertEquals(united.filter(), backwards.finish().orElseThrow().filter());
    for (int i = 0; i < sizes.length; i++) {
      for (long hash : Hashes.of(i, 100)) {
        assertTrue(united.filter().mightContain(hash));
      }
    }
  }

  @Test
  void finish_classic_isTheirUnion() {
    FilterUnion union = new FilterUnion();
    union.add(classic(1000, 1));
    union.add(classic(1000, 2));
    BloomFilter filter = union.finish().orElseThrow().filter();
    for (long seed = 1; seed <= 2; seed++) {
      for (long hash : Hashes.of(seed, 100)) {
        assertTrue(filter.mightContain(hash));
      }
    }
  }

  @Test
  void finishFolded_sizesThatDivide_isTheFilterOfAllKeysAtTheSmallest() {
    FilterUnion union = new FilterUnion();
    long[] sizes = {16, 128, 32, 16};
    SplitBlockBloomFilterBuilder expected = SplitBlockBloomFilterBuilder.withBlocks(16);
    for (int i = 0; i < sizes.length; i++) {
      union.add(sized(sizes[i], i));
      Arrays.stream(Hashes.of(i, 100)).forEach(expected::add);
    }
    StoredFilter folded = union.finishFolded().orElseThrow();
    assertEquals(expected.build(), folded.filter());
    assertEquals(400.0, (double) folded.metadata().keyCount(), 20.0);
    assertEquals(128 * 32, union.finish().orElseThrow().filter().sizeInBytes());
    assertTrue(new FilterUnion().finishFolded().isEmpty());
  }

  @Test
  void finishFolded_sizesThatDoNotDivide_deniesNoKey() {
    FilterUnion union = new FilterUnion();
    union.add(sized(60, 1));
    union.add(sized(40, 2));
    BloomFilter folded = union.finishFolded().orElseThrow().filter();
    assertEquals(40 * 32, folded.sizeInBytes());
    for (long seed = 1; seed <= 2; seed++) {
      for (long hash : Hashes.of(seed, 100)) {
        assertTrue(folded.mightContain(hash));
      }
    }
    assertTrue(folded.fpp() < 0.5, () -> "fpp " + folded.fpp());
  }

  @Test
  void finish_counting_addsTheCounters_upToFifteen() throws IOException {
    FilterUnion union = new FilterUnion();
    union.add(counting(100, 1));
    union.add(counting(100, 2));
    FilterUnion again = new FilterUnion();
    again.add(counting(100, 1));
    union.addAll(FilterUnion.fromBytes(again.toBytes()));
    StoredFilter united = union.finish().orElseThrow();
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(100);
    Arrays.stream(Hashes.of(1, 100)).forEach(builder::add);
    Arrays.stream(Hashes.of(1, 100)).forEach(builder::add);
    Arrays.stream(Hashes.of(2, 100)).forEach(builder::add);
    assertEquals(builder.build(), united.filter());
    assertEquals(200.0, (double) united.metadata().keyCount(), 10.0);
    assertEquals(united.filter(), union.finishFolded().orElseThrow().filter());
    FilterUnion often = new FilterUnion();
    for (int i = 0; i < 16; i++) {
      often.add(counting(100, 1));
    }
    CountingBloomFilterBuilder saturated =
        CountingBloomFilterBuilder.of((CountingBloomFilter) often.finish().orElseThrow().filter());
    for (int i = 0; i < 16; i++) {
      Arrays.stream(Hashes.of(1, 100)).forEach(saturated::remove);
    }
    CountingBloomFilter left = saturated.build();
    assertTrue(Arrays.stream(Hashes.of(1, 100)).allMatch(left::mightContain));
  }

  @Test
  void finish_aBuilderForEachThread_losesNoBit() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      Callable<StoredFilter> build = () -> sized(64, 1);
      FilterUnion union = new FilterUnion();
      for (Future<StoredFilter> part : threads.invokeAll(Collections.nCopies(8, build))) {
        union.add(part.get());
      }
      assertEquals(sized(64, 1).filter(), union.finish().orElseThrow().filter());
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void add_whatDoesNotFit_namesBoth() {
    FilterUnion split = new FilterUnion();
    split.add(split(FilterGoal.ofFpp(0.01), 1));
    assertRefused(split, classic(1000, 1), "SplitBlock", "Classic");
    FilterUnion classic = new FilterUnion();
    classic.add(classic(1000, 1));
    assertRefused(classic, split(FilterGoal.ofFpp(0.01), 1), "Classic", "SplitBlock");
    assertRefused(classic, classic(2000, 1), "Classic");
    FilterUnion counting = new FilterUnion();
    counting.add(counting(10, 1));
    assertRefused(counting, counting(20, 1), "10 blocks", "20 blocks");
    assertRefused(counting, sized(10, 1), "Counting", "SplitBlock");
    assertRefused(split, counting(10, 1), "SplitBlock", "Counting");
    assertRefused(new FilterUnion(), scalable(), "Scalable");
    FilterUnion bigint = new FilterUnion();
    bigint.add(typed("bigint"));
    assertRefused(bigint, typed("string"), "bigint", "string");
  }

  @Test
  void add_filterWithoutTypes_fitsAll() {
    FilterUnion union = new FilterUnion();
    union.add(typed());
    union.add(typed("bigint"));
    union.add(typed());
    assertEquals(List.of("bigint"), union.finish().orElseThrow().metadata().keyTypes());
  }

  @Test
  void fromBytes_damaged_isRefused() {
    byte[] bytes = {1, 2, 3};
    assertThrows(IOException.class, () -> FilterUnion.fromBytes(bytes));
  }

  private static void assertRefused(FilterUnion union, StoredFilter other, String... names) {
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> union.add(other));
    for (String name : names) {
      assertTrue(error.getMessage().contains(name), error.getMessage());
    }
  }

  private static StoredFilter split(FilterGoal goal, long seed) {
    FilterCollector collector = new FilterCollector(goal);
    Arrays.stream(Hashes.of(seed, KEYS)).forEach(collector::add);
    return collector.finish(List.of());
  }

  private static StoredFilter sized(long blocks, long seed) {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(blocks);
    Arrays.stream(Hashes.of(seed, 100)).forEach(builder::add);
    return new StoredFilter(builder.build(), FilterMetadata.UNKNOWN);
  }

  private static StoredFilter classic(long expectedKeys, long seed) {
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.byAccuracy(expectedKeys, 0.01);
    Arrays.stream(Hashes.of(seed, 100)).forEach(builder::add);
    return new StoredFilter(builder.build(), FilterMetadata.UNKNOWN);
  }

  private static StoredFilter counting(long blocks, long seed) {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(blocks);
    Arrays.stream(Hashes.of(seed, 100)).forEach(builder::add);
    return new StoredFilter(builder.build(), FilterMetadata.UNKNOWN);
  }

  private static StoredFilter scalable() {
    return new StoredFilter(
        ScalableBloomFilterBuilder.byAccuracy(10, 0.1).build(), FilterMetadata.UNKNOWN);
  }

  private static StoredFilter typed(String... types) {
    return new StoredFilter(
        sized(1, 1).filter(), new FilterMetadata(List.of(types), 100, 0.01, Map.of()));
  }
}
