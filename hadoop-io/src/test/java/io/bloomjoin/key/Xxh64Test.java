package io.bloomjoin.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import net.openhft.hashing.LongHashFunction;
import org.apache.parquet.column.values.bloomfilter.XxHash;
import org.junit.jupiter.api.Test;

class Xxh64Test {

  private static final int LONGEST = 200;

  @Test
  void hashBytes_asZeroAllocationHashing_allLengthsAndOffsets() {
    byte[] bytes = randomBytes(LONGEST + 8);
    for (long seed : new long[] {0, 1, -1, 42, Long.MIN_VALUE, 0x9E3779B185EBCA87L}) {
      LongHashFunction witness = LongHashFunction.xx(seed);
      for (int length = 0; length <= LONGEST; length++) {
        for (int offset = 0; offset < 8; offset++) {
          assertEquals(
              witness.hashBytes(bytes, offset, length),
              Xxh64.hashBytes(bytes, offset, length, seed));
        }
      }
    }
  }

  @Test
  void hashBytes_asParquet_allLengths() {
    byte[] bytes = randomBytes(LONGEST);
    for (int length = 0; length <= LONGEST; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertEquals(new XxHash().hashBytes(part), Xxh64.hashBytes(part, 0, length, 0));
    }
  }

  @Test
  void hashIntAndLong_asTheirLittleEndianBytes() {
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      long value = random.nextLong();
      long seed = random.nextLong();
      LongHashFunction witness = LongHashFunction.xx(seed);
      assertEquals(witness.hashLong(value), Xxh64.hashLong(value, seed));
      assertEquals(witness.hashInt((int) value), Xxh64.hashInt((int) value, seed));
    }
  }

  private static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    new Random(2).nextBytes(bytes);
    return bytes;
  }
}
