package io.bloomjoin.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.filter.FilterFormatException;
import io.bloomjoin.key.KeyHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.util.sketch.BloomFilter;
import org.apache.spark.util.sketch.BloomFilter.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With Spark's own filters as the witness. */
class SparkSketchFilterTest {

  private static final int KEYS = 2000;

  @ParameterizedTest
  @EnumSource(Version.class)
  void answers_areSparks(Version version) throws IOException {
    BloomFilter spark = BloomFilter.create(version, KEYS, 20_000, 17);
    for (int i = 0; i < KEYS; i++) {
      spark.putLong(i * 1_000_003L - 77);
      spark.putString("é😀-" + i);
      spark.putBinary(bytes(i));
    }
    SparkSketchFilter read = read(bytes(spark));
    assertEquals(spark.bitSize(), read.bits());
    for (int i = 0; i < 20 * KEYS; i++) {
      assertEquals(
          spark.mightContainLong(i * 1_000_003L - 77), read.mightContain(i * 1_000_003L - 77));
      assertEquals(spark.mightContainLong(i), read.mightContain((long) i));
      assertEquals(spark.mightContainString("é😀-" + i), read.mightContain("é😀-" + i));
      assertEquals(spark.mightContainBinary(bytes(i)), read.mightContain(bytes(i)));
    }
    assertEquals(spark.expectedFpp(), read.fpp(), 1e-9);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void read_takesNoByteMore(Version version) throws IOException {
    byte[] bytes = bytes(BloomFilter.create(version, 10, 1000, 0));
    ByteArrayInputStream in = new ByteArrayInputStream(Arrays.copyOf(bytes, bytes.length + 3));
    SparkSketchFilter.read(in);
    assertEquals(3, in.available());
  }

  @Test
  void filtersOfHashes_areAskedWithSparksSeed() throws IOException {
    BloomFilter spark = BloomFilter.create(1000, 20_000);
    // What Spark's xxhash64 gives for the string 'Spark'.
    spark.putLong(-4294468057691064905L);
    SparkSketchFilter read = read(bytes(spark));
    assertEquals(-4294468057691064905L, KeyHash.ofString("Spark", SparkSketchFilter.seed()));
    assertTrue(read.mightContainHash(KeyHash.ofString("Spark", SparkSketchFilter.seed())));
  }

  @Test
  void damagedBytes_areRefused_withoutTakingTheMemory() throws IOException {
    for (Version version : Version.values()) {
      byte[] bytes = bytes(BloomFilter.create(version, 10, 1000, 0));
      int size = version == Version.V1 ? 8 : 12;
      for (int length = 0; length < bytes.length; length++) {
        assertRefused(Arrays.copyOf(bytes, length));
      }
      for (int value : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 30}) {
        assertRefused(with(bytes, size, value));
      }
      assertRefused(with(bytes, 0, 3));
      assertRefused(with(bytes, 4, 0));
      assertRefused(with(bytes, 4, -5));
    }
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] changed = bytes.clone();
    ByteBuffer.wrap(changed).putInt(at, value);
    return changed;
  }

  private static void assertRefused(byte[] bytes) {
    assertThrows(FilterFormatException.class, () -> read(bytes));
  }

  private static byte[] bytes(int i) {
    return Arrays.copyOf(("b" + i).getBytes(StandardCharsets.UTF_8), i % 13);
  }

  private static byte[] bytes(BloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  private static SparkSketchFilter read(byte[] bytes) throws IOException {
    return SparkSketchFilter.read(new ByteArrayInputStream(bytes));
  }
}
