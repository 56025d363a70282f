package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.Blake2bDigest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every figure of the articles that the project began with, to the last digit that they print. */
class FoundingFiguresTest {

  private static final int KEYS = 100_000;
  private static final byte[] SALT = "bloom-filter-blo".getBytes(StandardCharsets.UTF_8);
  private static final Pair[] MEMBERS = pairs("member-", KEYS, SALT);
  private static final Pair[] NONMEMBERS = pairs("nonmember-", KEYS, SALT);

  /** The two hashes of a key. */
  private record Pair(long h1, long h2) {

    /** The pair whose indices do not wrap at 2^64, and whose step is odd. */
    Pair oddAndUnwrapped(long bits) {
      return new Pair(Long.remainderUnsigned(h1, bits), Long.remainderUnsigned(h2 | 1, bits));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2, 15300, 8012, 4733, 3303, 2275, 1376, 921",
    "4, 15991, 5606, 2358, 1210, 643, 199, 102",
    "6, 22097, 6422, 2214, 878, 375, 95, 43",
    "8, 31514, 8740, 2606, 852, 306, 58, 16"
  })
  void experiment1_hashesAgainstBitsPerKey(
      int hashes, long at4, long at6, long at8, long at10, long at12, long at16, long at20) {
    long[] bitsPerKey = {4, 6, 8, 10, 12, 16, 20};
    assertEquals(
        Arrays.asList(at4, at6, at8, at10, at12, at16, at20),
        Arrays.stream(bitsPerKey).mapToObj(bits -> falsePositives(bits, hashes)).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "1, 9572, 9.516",
    "2, 3303, 3.286",
    "3, 1805, 1.741",
    "4, 1210, 1.181",
    "5, 1023, 0.943",
    "6, 878, 0.844",
    "7, 852, 0.819",
    "8, 852, 0.846",
    "9, 930, 0.913",
    "10, 1036, 1.019"
  })
  void experiment2_theValleyOfHashes(int hashes, long falsePositives, double percent) {
    assertEquals(falsePositives, falsePositives(10, hashes));
    assertEquals(percent, 100 * ClassicSizing.fpp(KEYS, 10L * KEYS, hashes), 0.0005);
  }

  @ParameterizedTest
  @CsvSource({"5, 3, 18196, 9.1849", "10, 7, 1665, 0.8194", "15, 10, 156, 0.0744"})
  void experiment3_withoutWrapping(
      long bitsPerKey, int hashes, int falsePositives, double percent) {
    long bits = bitsPerKey * KEYS;
    Pair[] users = pairs("user:", KEYS, null);
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.withBits(bits, hashes);
    for (Pair user : users) {
      Pair pair = user.oddAndUnwrapped(bits);
      builder.add(pair.h1, pair.h2);
    }
    ClassicBloomFilter filter = builder.build();

    assertEquals(hashes, ClassicSizing.hashesFor(KEYS, bits));
    assertEquals(percent, 100 * ClassicSizing.fpp(KEYS, bits, hashes), 0.00005);
    assertEquals(KEYS, countUnwrapped(filter, users));
    assertEquals(falsePositives, countUnwrapped(filter, pairs("other:", 2 * KEYS, null)));
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 4.8, 3",
    "0.05, 6.2, 4",
    "0.02, 8.1, 6",
    "0.01, 9.6, 7",
    "0.001, 14.4, 10",
    "0.0001, 19.2, 13"
  })
  void sizingTable(double fpp, double bitsPerKey, int hashes) {
    long bits = ClassicSizing.bitsFor(1_000_000, fpp);
    assertEquals(bitsPerKey, bits / 1e6, 0.05);
    assertEquals(hashes, ClassicSizing.hashesFor(1_000_000, bits));
  }

  @Test
  void sizing_aHundredMillionKeys() {
    long bits = ClassicSizing.bitsFor(100_000_000, 0.01);
    assertEquals(9.6, bits / 1e8, 0.05);
    assertEquals(115, bits / 8.0 / (1 << 20), 1);
    assertEquals(7, ClassicSizing.hashesFor(100_000_000, bits));
  }

  @Test
  void overfill_twiceTheKeys() {
    long[] keys = Hashes.of(11, 2_000_000);
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.withBits(15_000_000, 10);
    Arrays.stream(keys).limit(1_000_000).forEach(builder::add);
    ClassicBloomFilter filled = builder.build();
    builder = ClassicBloomFilterBuilder.withBits(15_000_000, 10);
    builder.addAll(filled);
    Arrays.stream(keys).skip(1_000_000).forEach(builder::add);
    ClassicBloomFilter overfilled = builder.build();

    assertEquals(0.00075, ClassicSizing.fpp(1_000_000, 15_000_000, 10), 0.00001);
    assertEquals(0.00075, filled.fpp(), 0.00001);
    assertEquals(0.047, ClassicSizing.fpp(2_000_000, 15_000_000, 10), 0.0005);
    assertEquals(0.047, overfilled.fpp(), 0.0005);
  }

  @Test
  void toyTrace_sixteenBits() {
    long[] words = new long[1];
    set(words, 1, 6, 11); // apple
    set(words, 3, 6, 14); // kiwi
    assertFalse(allSet(words, 1, 3, 9), "grape is surely absent");
    assertTrue(allSet(words, 3, 11, 14), "melon is a false positive");
  }

  @Test
  void toyTrace_tenBits() {
    long[] words = new long[1];
    set(words, 1, 4, 8); // cat
    set(words, 2, 4, 9); // dog
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      row.append(Bits.isSet(words, i) ? 1 : 0);
    }
    assertEquals("0110100011", row.toString());
    assertFalse(allSet(words, 1, 3, 7), "fish is absent");
    assertTrue(allSet(words, 1, 2, 8), "fox is a false positive");
  }

  private static long falsePositives(long bitsPerKey, int hashes) {
    ClassicBloomFilterBuilder builder =
        ClassicBloomFilterBuilder.withBits(bitsPerKey * KEYS, hashes);
    for (Pair member : MEMBERS) {
      builder.add(member.h1, member.h2);
    }
    ClassicBloomFilter filter = builder.build();
    return Arrays.stream(NONMEMBERS).filter(key -> filter.mightContain(key.h1, key.h2)).count();
  }

  private static long countUnwrapped(ClassicBloomFilter filter, Pair[] keys) {
    return Arrays.stream(keys)
        .map(key -> key.oddAndUnwrapped(filter.bits()))
        .filter(key -> filter.mightContain(key.h1, key.h2))
        .count();
  }

  private static Pair[] pairs(String prefix, int count, byte[] salt) {
    Blake2bDigest blake = new Blake2bDigest(null, 16, salt, null);
    byte[] digest = new byte[16];
    Pair[] pairs = new Pair[count];
    for (int i = 0; i < count; i++) {
      byte[] key = (prefix + i).getBytes(StandardCharsets.UTF_8);
      blake.update(key, 0, key.length);
      blake.doFinal(digest, 0);
      ByteBuffer halves = ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN);
      pairs[i] = new Pair(halves.getLong(), halves.getLong());
    }
    return pairs;
  }

  private static void set(long[] words, long... indices) {
    Arrays.stream(indices).forEach(index -> Bits.set(words, index));
  }

  private static boolean allSet(long[] words, long... indices) {
    return Arrays.stream(indices).allMatch(index -> Bits.isSet(words, index));
  }
}
