package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.key.KeyHash;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filters that were written once must be readable for ever, and be written the same way.
 *
 * <p>The keys are {@code key-0}, {@code key-1}, and so on. The files of a version never change; a
 * new version adds new files.
 */
class GoldenFilesTest {

  @ParameterizedTest
  @CsvSource({
    "v1-split-block-raw.bin, 200",
    "v1-split-block-sparse.bin, 20",
    "v1-split-block-empty.bin, 0"
  })
  void splitBlock(String file, int keys) throws IOException {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(8);
    keys(keys).forEach(key -> builder.add(KeyHash.ofString(key)));
    assertGolden(file, builder.build(), keys);
  }

  @ParameterizedTest
  @CsvSource({"v1-classic-raw.bin, 200", "v1-classic-sparse.bin, 10"})
  void classic(String file, int keys) throws IOException {
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.withBits(2001, 7);
    keys(keys).forEach(key -> builder.add(KeyHash.ofString(key)));
    assertGolden(file, builder.build(), keys);
  }

  @ParameterizedTest
  @CsvSource({"v2-counting-raw.bin, 200", "v2-counting-sparse.bin, 20"})
  void counting(String file, int keys) throws IOException {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(8);
    keys(keys).forEach(key -> builder.add(KeyHash.ofString(key)));
    assertGolden(file, builder.build(), keys);
  }

  @ParameterizedTest
  @CsvSource({"v2-scalable.bin, 200"})
  void scalable(String file, int keys) throws IOException {
    ScalableBloomFilterBuilder builder = ScalableBloomFilterBuilder.byAccuracy(30, 0.01);
    keys(keys).forEach(key -> builder.add(KeyHash.ofString(key)));
    assertGolden(file, builder.build(), keys);
  }

  private static void assertGolden(String file, BloomFilter filter, int keys) throws IOException {
    FilterMetadata metadata =
        new FilterMetadata(List.of("string"), keys, 0.01, Map.of("source", "golden"));
    byte[] golden = read(file);
    assertEquals(new StoredFilter(filter, metadata), FilterFormat.fromBytes(golden));
    assertArrayEquals(golden, FilterFormat.toBytes(filter, metadata));
    BloomFilter stored = FilterFormat.fromBytes(golden).filter();
    keys(keys).forEach(key -> assertTrue(stored.mightContain(KeyHash.ofString(key)), key));
  }

  private static List<String> keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> "key-" + i).toList();
  }

  private static byte[] read(String file) throws IOException {
    try (InputStream in = GoldenFilesTest.class.getResourceAsStream("/golden/" + file)) {
      return in.readAllBytes();
    }
  }
}
