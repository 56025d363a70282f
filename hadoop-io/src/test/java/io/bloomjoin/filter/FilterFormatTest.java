package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FilterFormatTest {

  private static final FilterMetadata METADATA =
      new FilterMetadata(
          List.of("bigint", "string"), 100, 0.01, Map.of("table", "straße", "empty", ""));

  // Places of fields from the beginning of the bytes; docs/filter-format.md has them all.
  private static final int VERSION = 4;
  private static final int HEADER_LENGTH = 8;
  private static final int STRUCTURE = 12;
  private static final int HASH_FUNCTION = 13;
  private static final int HASHES = 14;
  private static final int NULLS = 15;
  private static final int ENCODING = 16;
  private static final int SEED = 17;
  private static final int SIZE = 25;
  private static final int KEY_COUNT = 33;
  private static final int TARGET_FPP = 41;
  private static final int PAYLOAD_LENGTH = 49;

  static List<BloomFilter> filters() {
    return List.of(
        splitBlock(1, 0),
        splitBlock(1, 1),
        splitBlock(3, 10_000),
        splitBlock(1000, 100),
        splitBlock(1000, 1000),
        SplitBlockBloomFilter.ofWords(Arrays.copyOf(new long[] {1, 1}, 64)),
        splitBlock(10_000, 30_000),
        splitBlock(40_000, 1_000_000),
        classic(1, 1, 1),
        classic(64, 7, 0),
        classic(1_000_001, 7, 100),
        classic(1_000_001, 7, 100_000),
        counting(1, 0, 0),
        counting(3, 10_000, 1),
        counting(1000, 100, 1),
        counting(1000, 100, 2),
        counting(1000, 10, 20),
        counting(1000, 20_000, 1),
        scalable(100, 0),
        scalable(100, 50),
        scalable(100, 10_000));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void roundTrip(BloomFilter filter) throws IOException {
    for (FilterMetadata metadata : List.of(METADATA, FilterMetadata.UNKNOWN)) {
      StoredFilter stored = new StoredFilter(filter, metadata);
      byte[] bytes = FilterFormat.toBytes(filter, metadata);
      assertEquals(stored, FilterFormat.fromBytes(bytes));
      assertArrayEquals(bytes, FilterFormat.toBytes(filter, metadata));
    }
  }

  @Test
  void roundTrip_filtersOneAfterAnother() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (BloomFilter filter : filters()) {
      FilterFormat.write(filter, METADATA, out);
    }
    ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
    for (BloomFilter filter : filters()) {
      assertEquals(filter, FilterFormat.read(in).filter());
    }
    assertEquals(-1, in.read());
  }

  @Test
  void aHundredKeys_takeLessThanOneKibibyte_inFiltersOfUpTo128Mebibytes() {
    LongStream.concat(
            LongStream.rangeClosed(1, 300),
            LongStream.of(10_000, SparseBits.MAX_FILTER_BYTES / SplitBlockSizing.BYTES_PER_BLOCK))
        .forEach(
            blocks -> {
              int length = FilterFormat.toBytes(splitBlock(blocks, 100), METADATA).length;
              assertTrue(length < 1024, blocks + " blocks took " + length);
            });
  }

  @ParameterizedTest
  @MethodSource("filters")
  void javaSerialisation_keepsTheFilter(BloomFilter filter) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(filter);
    ByteArrayInputStream in = new ByteArrayInputStream(bytes.toByteArray());
    assertEquals(filter, new ObjectInputStream(in).readObject());
  }

  @Test
  void fullFilters_takeTheirBitsAndLittleMore() {
    SplitBlockBloomFilter filter = splitBlock(1000, 25_000);
    int length = FilterFormat.toBytes(filter, FilterMetadata.UNKNOWN).length;
    assertEquals(filter.sizeInBytes() + 65, length);
  }

  private static List<BloomFilter> small() {
    return List.of(
        splitBlock(2, 50),
        splitBlock(100, 5),
        classic(99, 3, 2),
        counting(1, 50, 1),
        counting(100, 5, 2),
        scalable(2, 10));
  }

  @Test
  void truncated_anywhere_isRefused() {
    for (BloomFilter filter : small()) {
      byte[] bytes = FilterFormat.toBytes(filter, METADATA);
      for (int length = 0; length < bytes.length; length++) {
        refusal(Arrays.copyOf(bytes, length));
      }
    }
  }

  @Test
  void anyByteChanged_isRefused() {
    for (BloomFilter filter : small()) {
      byte[] bytes = FilterFormat.toBytes(filter, METADATA);
      for (int at = 0; at < bytes.length; at++) {
        for (int change : new int[] {1, 0x80, 0xFF}) {
          byte[] changed = bytes.clone();
          changed[at] ^= (byte) change;
          refusal(changed);
        }
      }
    }
  }

  @Test
  void trailingBytes_areRefused() {
    byte[] bytes = FilterFormat.toBytes(splitBlock(2, 5), METADATA);
    assertTrue(refusal(Arrays.copyOf(bytes, bytes.length + 1)).contains("1 bytes follow"));
  }

  @Test
  void unknownValues_areRefused_evenWithTheRightChecksum() {
    assertRefused("Magic", bytes -> bytes.putInt(0, 0x504D4C42));
    assertRefused("Version", bytes -> bytes.putInt(VERSION, 0));
    assertRefused("Version", bytes -> bytes.putInt(VERSION, 2));
    assertRefused("Version", bytes -> bytes.putInt(VERSION, 3));
    assertRefused("Version", bytes -> bytes.putInt(VERSION, -1));
    assertRefused("Header length", bytes -> bytes.putInt(HEADER_LENGTH, -1));
    assertRefused("Header length", bytes -> bytes.putInt(HEADER_LENGTH, Integer.MAX_VALUE));
    assertRefused("Header length", bytes -> bytes.putInt(HEADER_LENGTH, 0));
    assertRefused("Version", bytes -> bytes.put(STRUCTURE, (byte) 3));
    assertRefused("Structure", bytes -> bytes.put(STRUCTURE, (byte) 0));
    assertRefused("Structure", bytes -> bytes.put(STRUCTURE, (byte) 5));
    assertRefused("Hash function", bytes -> bytes.put(HASH_FUNCTION, (byte) 2));
    assertRefused("Hashes", bytes -> bytes.put(HASHES, (byte) 7));
    assertRefused("Null handling", bytes -> bytes.put(NULLS, (byte) 0));
    assertRefused("Encoding", bytes -> bytes.put(ENCODING, (byte) 2));
    assertRefused("Seed", bytes -> bytes.putLong(SEED, 1));
    assertRefused("blocks", bytes -> bytes.putLong(SIZE, 0));
    assertRefused("blocks", bytes -> bytes.putLong(SIZE, -1));
    assertRefused("blocks", bytes -> bytes.putLong(SIZE, Long.MAX_VALUE));
    assertRefused("Payload length", bytes -> bytes.putLong(SIZE, 3));
    assertRefused("key count", bytes -> bytes.putLong(KEY_COUNT, -2));
    assertRefused("probability", bytes -> bytes.putDouble(TARGET_FPP, 1));
    assertRefused("Payload length", bytes -> bytes.putLong(PAYLOAD_LENGTH, -1));
  }

  @Test
  void swappedFields_areRefused() {
    assertRefused(
        "blocks",
        bytes -> {
          long size = bytes.getLong(SIZE);
          bytes.putLong(SIZE, bytes.getLong(TARGET_FPP));
          bytes.putLong(TARGET_FPP, size);
        });
    assertRefused(
        "Payload length",
        bytes -> {
          long size = bytes.getLong(SIZE);
          bytes.putLong(SIZE, bytes.getLong(PAYLOAD_LENGTH));
          bytes.putLong(PAYLOAD_LENGTH, size);
        });
  }

  @Test
  void sizesThatDoNotArrive_areRefused_withoutTakingTheMemory() {
    for (long blocks : new long[] {1 << 20, SplitBlockSizing.MAX_BLOCKS}) {
      assertRefused(
          "end within the payload",
          bytes -> {
            bytes.putLong(SIZE, blocks);
            bytes.putLong(PAYLOAD_LENGTH, blocks * 32);
          });
    }
    assertRefused(
        "the sparse encoding ends",
        bytes -> {
          bytes.put(ENCODING, (byte) FilterHeader.SPARSE);
          bytes.putLong(SIZE, SplitBlockSizing.MAX_BLOCKS);
          bytes.putLong(PAYLOAD_LENGTH, 1);
        });
  }

  @Test
  void plainFilters_areOfVersion1_forOlderReaders() {
    for (BloomFilter filter : filters()) {
      boolean isPlain =
          filter instanceof SplitBlockBloomFilter || filter instanceof ClassicBloomFilter;
      byte[] bytes = FilterFormat.toBytes(filter, METADATA);
      assertEquals(isPlain ? 1 : 2, bytes[VERSION], filter.toString());
    }
  }

  @Test
  void aHundredKeys_takeLessThanOneKibibyte_countedOrInAChain() {
    for (BloomFilter filter : List.of(counting(100_000, 100, 1), scalable(100_000, 100))) {
      int length = FilterFormat.toBytes(filter, METADATA).length;
      assertTrue(length < 1024, filter + " took " + length);
    }
  }

  @Test
  void stages_thatDoNotFit_areRefused() {
    int stage = 61; // Behind the header of a filter without types and properties.
    assertChainRefused("blocks", bytes -> bytes.putLong(stage, 0));
    assertChainRefused("blocks", bytes -> bytes.putLong(stage, Long.MAX_VALUE));
    assertChainRefused("number of keys", bytes -> bytes.putLong(stage + 8, -1));
    assertChainRefused("probability", bytes -> bytes.putDouble(stage + 16, 2));
    assertChainRefused("Encoding", bytes -> bytes.put(stage + 24, (byte) 2));
    assertChainRefused("Payload length", bytes -> bytes.putLong(stage + 25, -1));
    assertChainRefused("stages", bytes -> bytes.putLong(SIZE, 33));
    assertChainRefused("stages", bytes -> bytes.putLong(SIZE, 0));
    assertChainRefused("left after the last stage", bytes -> bytes.putLong(SIZE, 1));
    assertChainRefused("take more", bytes -> bytes.putLong(PAYLOAD_LENGTH, 33));
    assertChainRefused("Encoding", bytes -> bytes.put(ENCODING, (byte) 1));
  }

  @Test
  void sparseRecords_thatDoNotFit_areRefused() {
    assertSparseRefused(splitBlockHeader(10), 81, 0, 0, 0, 0, 0); // skips ten blocks of ten
    assertSparseRefused(splitBlockHeader(10), 1, 0, 0, 0, 0); // four bytes of five
    assertSparseRefused(splitBlockHeader(10), 7, 0); // one byte of 32
    assertSparseRefused(splitBlockHeader(10), 0); // no pattern
    assertSparseRefused(splitBlockHeader(10), 0x80); // an unfinished number
    int[] endless = new int[11];
    Arrays.fill(endless, 0xFF);
    assertSparseRefused(splitBlockHeader(10), endless);
    assertSparseRefused(classicHeader(10), 10);
    assertSparseRefused(classicHeader(10), 9, 0);
    int[] negative = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01};
    assertSparseRefused(classicHeader(10), negative);
  }

  @Test
  void bitsBeyondTheFilter_areRefused() {
    byte[] bytes = FilterFormat.toBytes(classic(65, 1, 1000), FilterMetadata.UNKNOWN);
    bytes[bytes.length - 5] |= (byte) 0x80;
    assertTrue(refusal(withChecksum(bytes)).contains("beyond the 65 bits"));
  }

  @Test
  void metadata_tooLong_isRefused() {
    BloomFilter filter = splitBlock(1, 0);
    List<FilterMetadata> tooLong =
        List.of(
            metadata(List.of("x".repeat(65_536)), Map.of()),
            metadata(List.of(), Map.of("name", "é".repeat(32_768))),
            metadata(List.of(), numbered(65_536)),
            metadata(Collections.nCopies(20, "x".repeat(60_000)), Map.of()),
            metadata(Collections.nCopies(65_536, ""), Map.of()));
    for (FilterMetadata metadata : tooLong) {
      assertThrows(IllegalArgumentException.class, () -> FilterFormat.toBytes(filter, metadata));
    }
  }

  @Test
  void metadata_outOfRange_isRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new FilterMetadata(List.of(), -2, Double.NaN, Map.of()));
    assertThrows(
        IllegalArgumentException.class, () -> new FilterMetadata(List.of(), 0, 0, Map.of()));
  }

  private static SplitBlockBloomFilter splitBlock(long blocks, int keys) {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(blocks);
    Arrays.stream(Hashes.of(1, keys)).forEach(builder::add);
    return builder.build();
  }

  private static ClassicBloomFilter classic(long bits, int hashes, int keys) {
    ClassicBloomFilterBuilder builder = ClassicBloomFilterBuilder.withBits(bits, hashes);
    Arrays.stream(Hashes.of(1, keys)).forEach(builder::add);
    return builder.build();
  }

  private static CountingBloomFilter counting(long blocks, int keys, int times) {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(blocks);
    for (int i = 0; i < times; i++) {
      Arrays.stream(Hashes.of(1, keys)).forEach(builder::add);
    }
    return builder.build();
  }

  private static ScalableBloomFilter scalable(long firstKeys, int keys) {
    ScalableBloomFilterBuilder builder = ScalableBloomFilterBuilder.byAccuracy(firstKeys, 0.01);
    Arrays.stream(Hashes.of(1, keys)).forEach(builder::add);
    return builder.build();
  }

  private static FilterMetadata metadata(List<String> types, Map<String, String> properties) {
    return new FilterMetadata(types, 0, Double.NaN, properties);
  }

  private static Map<String, String> numbered(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toMap(String::valueOf, i -> ""));
  }

  private static FilterHeader splitBlockHeader(long blocks) {
    return new FilterHeader(
        FilterHeader.SPLIT_BLOCK, 8, blocks, FilterMetadata.UNKNOWN, FilterHeader.SPARSE, 0);
  }

  private static FilterHeader classicHeader(long bits) {
    return new FilterHeader(
        FilterHeader.CLASSIC, 1, bits, FilterMetadata.UNKNOWN, FilterHeader.SPARSE, 0);
  }

  private static void assertSparseRefused(FilterHeader header, int... payload) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Arrays.stream(payload).forEach(bytes::write);
    assertThrows(
        FilterFormatException.class,
        () ->
            SparseBits.decode(
                bytes.toByteArray(), header.structure(), header.size(), new long[header.words()]));
  }

  /**
   * Asserts that a raw split-block filter of two blocks, so changed, is refused for that reason.
   */
  private static void assertRefused(String reason, Consumer<ByteBuffer> change) {
    byte[] bytes = FilterFormat.toBytes(splitBlock(2, 50), FilterMetadata.UNKNOWN);
    change.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    String message = refusal(withChecksum(bytes));
    assertTrue(message.contains(reason), message);
  }

  private static void assertChainRefused(String reason, Consumer<ByteBuffer> change) {
    byte[] bytes = FilterFormat.toBytes(scalable(100, 1000), FilterMetadata.UNKNOWN);
    change.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    String message = refusal(withChecksum(bytes));
    assertTrue(message.contains(reason), message);
  }

  private static byte[] withChecksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, bytes.length - 4);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes.length - 4, (int) checksum.getValue());
    return bytes;
  }

  private static String refusal(byte[] bytes) {
    return assertThrows(FilterFormatException.class, () -> FilterFormat.fromBytes(bytes))
        .getMessage();
  }
}
