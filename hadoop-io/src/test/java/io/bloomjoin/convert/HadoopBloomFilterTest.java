package io.bloomjoin.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.filter.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With Hadoop's own filters as the witness. */
class HadoopBloomFilterTest {

  @ParameterizedTest
  @CsvSource({"10007, 7, 0", "10007, 7, 1", "64, 1, 1", "65, 3, 1", "1, 1, 0", "71, 2, 0"})
  void answers_areHadoops(int bits, int hashes, int type) throws IOException {
    BloomFilter hadoop = new BloomFilter(bits, hashes, type);
    for (int i = 0; i < bits / 15; i++) {
      hadoop.add(key("é😀-" + i));
    }
    for (HadoopBloomFilter read :
        new HadoopBloomFilter[] {HadoopBloomFilter.of(hadoop), read(bytes(hadoop))}) {
      assertEquals(bits, read.bits());
      assertEquals(hashes, read.hashes());
      for (int i = 0; i < 5000; i++) {
        assertEquals(hadoop.membershipTest(key("é😀-" + i)), read.mightContain("é😀-" + i));
      }
      assertFalse(read.mightContain(""));
    }
  }

  @Test
  void writables_areAskedByWhatTheyWrite() {
    BloomFilter hadoop = new BloomFilter(10_007, 7, Hash.MURMUR_HASH);
    hadoop.add(new Key(new byte[] {1, 'a'}));
    HadoopBloomFilter read = HadoopBloomFilter.of(hadoop);
    assertTrue(read.mightContain(new Text("a")));
    assertFalse(read.mightContain(new Text("b")));
    assertFalse(read.mightContain("a"));
  }

  @Test
  void theFormatWithoutAVersion_isRead() throws IOException {
    BloomFilter hadoop = new BloomFilter(1000, 3, Hash.JENKINS_HASH);
    hadoop.add(key("old"));
    byte[] now = bytes(hadoop);
    // Hashes, bits; neither version nor hash type.
    byte[] old = new byte[now.length - 5];
    ByteBuffer.wrap(old).putInt(3).putInt(1000).put(now, 13, now.length - 13);
    HadoopBloomFilter read = read(old);
    assertTrue(read.mightContain("old"));
    assertFalse(read.mightContain("new"));
  }

  @Test
  void damagedBytes_areRefused_withoutTakingTheMemory() throws IOException {
    byte[] bytes = bytes(new BloomFilter(1001, 3, Hash.MURMUR_HASH));
    for (int length = 0; length < bytes.length; length++) {
      assertRefused(Arrays.copyOf(bytes, length));
    }
    for (int bits : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 30}) {
      assertRefused(with(bytes, 9, bits));
    }
    assertRefused(with(bytes, 4, 0));
    assertRefused(with(bytes, 4, -1));
    assertRefused(with(bytes, 0, -2));
    byte[] otherHash = bytes.clone();
    otherHash[8] = 7;
    assertRefused(otherHash);
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] changed = bytes.clone();
    ByteBuffer.wrap(changed).putInt(at, value);
    return changed;
  }

  private static void assertRefused(byte[] bytes) {
    assertThrows(FilterFormatException.class, () -> read(bytes));
  }

  private static Key key(String text) {
    return new Key(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] bytes(BloomFilter filter) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    filter.write(out);
    return Arrays.copyOf(out.getData(), out.getLength());
  }

  private static HadoopBloomFilter read(byte[] bytes) throws IOException {
    return HadoopBloomFilter.read(new ByteArrayInputStream(bytes));
  }
}
