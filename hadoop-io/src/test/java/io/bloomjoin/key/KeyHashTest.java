package io.bloomjoin.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;

class KeyHashTest {

  @Test
  void numbers_asParquet() {
    BlockSplitBloomFilter parquet = new BlockSplitBloomFilter(32);
    Random random = new Random(3);
    for (int i = 0; i < 1000; i++) {
      long bits = random.nextLong();
      float aFloat = Float.intBitsToFloat((int) bits);
      double aDouble = Double.longBitsToDouble(bits);
      assertEquals(parquet.hash((int) bits), KeyHash.ofInt((int) bits));
      assertEquals(parquet.hash(bits), KeyHash.ofLong(bits));
      if (!Float.isNaN(aFloat)) {
        assertEquals(parquet.hash(aFloat), KeyHash.ofFloat(aFloat));
      }
      if (!Double.isNaN(aDouble)) {
        assertEquals(parquet.hash(aDouble), KeyHash.ofDouble(aDouble));
      }
    }
  }

  @Test
  void strings_asParquet() {
    BlockSplitBloomFilter parquet = new BlockSplitBloomFilter(32);
    for (String value :
        new String[] {"", "a", "é", "naïve", "東京", "🙂", "\u0000", "x".repeat(99)}) {
      assertEquals(parquet.hash(Binary.fromString(value)), KeyHash.ofString(value));
      assertEquals(
          KeyHash.ofBytes(value.getBytes(StandardCharsets.UTF_8)), KeyHash.ofString(value));
    }
  }

  @Test
  void publishedVectors() {
    // What every implementation of XXH64 gives with seed 0, as xxhsum -H64 prints it.
    assertEquals(0xEF46DB3751D8E999L, KeyHash.ofString(""));
    assertEquals(0xD24EC4F1A98C6E5BL, KeyHash.ofString("a"));
    assertEquals(0x44BC2CF5AD770999L, KeyHash.ofString("abc"));
  }

  @Test
  void floats_zerosAreEqual_andSoAreNaNs() {
    assertEquals(KeyHash.ofFloat(0f), KeyHash.ofFloat(-0f));
    assertEquals(KeyHash.ofDouble(0.0), KeyHash.ofDouble(-0.0));
    assertEquals(KeyHash.ofFloat(Float.NaN), KeyHash.ofFloat(Float.intBitsToFloat(0xFFC00001)));
    assertEquals(
        KeyHash.ofDouble(Double.NaN),
        KeyHash.ofDouble(Double.longBitsToDouble(0xFFF8000000000001L)));
  }

  @Test
  void decimals_theTypeDecides() {
    BigDecimal price = new BigDecimal("12.30");
    assertEquals(KeyHash.ofLong(1230), KeyHash.ofDecimal(price, 18, 2));
    assertEquals(KeyHash.ofLong(1230), KeyHash.ofDecimal(new BigDecimal("12.3"), 18, 2));
    assertEquals(
        KeyHash.ofBytes(BigInteger.valueOf(1230).toByteArray()), KeyHash.ofDecimal(price, 19, 2));
    assertEquals(KeyHash.ofLong(-5), KeyHash.ofDecimal(new BigDecimal("-5"), 1, 0));
  }

  @Test
  void decimals_refusedIfTheTypeCannotHoldThem() {
    BigDecimal value = new BigDecimal("12.345");
    String message =
        assertThrows(IllegalArgumentException.class, () -> KeyHash.ofDecimal(value, 18, 2))
            .getMessage();
    assertTrue(message.contains("12.345") && message.contains("DECIMAL(18, 2)"), message);
    assertThrows(IllegalArgumentException.class, () -> KeyHash.ofDecimal(value, 4, 3));
  }

  @Test
  void composite_theHashOfOneColumnSeedsTheNext() {
    assertEquals(
        Xxh64.hashLong(7, Xxh64.hashInt(3, 0)), KeyHash.ofLong(7, KeyHash.ofInt(3, KeyHash.SEED)));
    assertNotEquals(
        KeyHash.ofInt(1, KeyHash.ofInt(2)), KeyHash.ofInt(2, KeyHash.ofInt(1)), "order matters");
  }

  @Test
  void nulls_leaveTheHashAsItIs() {
    assertEquals(KeyHash.SEED, KeyHash.ofString(null));
    assertEquals(9, KeyHash.ofString(null, 9));
    assertEquals(9, KeyHash.ofBytes(null, 9));
    assertEquals(9, KeyHash.ofDecimal(null, 38, 0, 9));
  }

  @Test
  void ofBytes_refusesAPartOutsideTheArray() {
    assertThrows(IndexOutOfBoundsException.class, () -> KeyHash.ofBytes(new byte[3], 2, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> KeyHash.ofBytes(new byte[3], -1, 1));
  }
}
