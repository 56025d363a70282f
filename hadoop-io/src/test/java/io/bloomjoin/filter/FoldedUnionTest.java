package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FoldedUnionTest {

  private static final long[] SOME = Hashes.of(1, 500);
  private static final long[] OTHERS = Hashes.of(2, 500);

  @Test
  void splitBlocks_ofDifferentSizes_areFoldedToTheSmallest() {
    SplitBlockBloomFilterBuilder expected = SplitBlockBloomFilterBuilder.withBlocks(16);
    Arrays.stream(SOME).forEach(expected::add);
    Arrays.stream(OTHERS).forEach(expected::add);
    SplitBlockBloomFilter union = expected.build();
    assertEquals(union, FoldedUnion.of(List.of(splitBlock(64, SOME), splitBlock(16, OTHERS))));
    assertEquals(
        union,
        FoldedUnion.of(
            List.of(splitBlock(16, SOME), splitBlock(128, OTHERS), splitBlock(32, SOME))));
  }

  @Test
  void whatCannotBeUnited_isRefused_withBothSizes() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> FoldedUnion.of(List.of(splitBlock(6, SOME), splitBlock(4, SOME))))
            .getMessage();
    assertTrue(message.contains("6 and 4 blocks"), message);
    BloomFilter classic = ClassicBloomFilterBuilder.withBits(100, 3).build();
    BloomFilter scalable = ScalableBloomFilterBuilder.byAccuracy(10, 0.1).build();
    for (List<BloomFilter> filters :
        List.of(
            List.<BloomFilter>of(),
            List.of(classic, splitBlock(4, SOME)),
            List.of(classic, ClassicBloomFilterBuilder.withBits(100, 4).build()),
            List.of(scalable, scalable))) {
      assertThrows(IllegalArgumentException.class, () -> FoldedUnion.of(filters));
    }
  }

  @Test
  void aBuilderForEachThread_losesNoBit() {
    List<SplitBlockBloomFilter> parts =
        IntStream.range(0, 8).parallel().mapToObj(thread -> splitBlock(64, SOME)).toList();
    assertEquals(splitBlock(64, SOME), FoldedUnion.of(parts));
  }

  private static SplitBlockBloomFilter splitBlock(long blocks, long[] hashes) {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(blocks);
    Arrays.stream(hashes).forEach(builder::add);
    return builder.build();
  }
}
