package io.bloomjoin.filter;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The header of format versions 1 and 2, everything that stands before the bits; {@code
 * docs/filter-format.md} tells it field by field.
 *
 * @param size the number of blocks (split-block, counting), of bits (classic) or of stages
 *     (scalable)
 * @param hashes the bits that each key sets, 8 for split-block
 * @param payloadLength in bytes
 */
record FilterHeader(
    int structure,
    int hashes,
    long size,
    FilterMetadata metadata,
    int encoding,
    long payloadLength) {

  /** The most bytes of a header; far more than names need, and little to allocate in vain. */
  static final int MAX_LENGTH = 1 << 20;

  static final int SPLIT_BLOCK = 1;
  static final int CLASSIC = 2;
  static final int COUNTING = 3;
  static final int SCALABLE = 4;

  static final int RAW = 0;
  static final int SPARSE = 1;

  private static final int XXH64 = 1;
  private static final int NULL_KEEPS_THE_HASH = 1;
  private static final long SEED = 0;
  private static final int SPLIT_BLOCK_HASHES = 8;

  /** All fields but the strings: five bytes, five times eight bytes, two counts. */
  private static final int FIXED_LENGTH = 5 + 5 * Long.BYTES + 2 * Short.BYTES;

  private static final int MAX_UNSIGNED_SHORT = 0xFFFF;

  static FilterHeader of(
      BloomFilter filter, FilterMetadata metadata, int encoding, long payloadLength) {
    if (filter instanceof ClassicBloomFilter classic) {
      return new FilterHeader(
          CLASSIC, classic.hashes(), classic.bits(), metadata, encoding, payloadLength);
    }
    int structure = SPLIT_BLOCK;
    long size = filter.sizeInBytes() / SplitBlockSizing.BYTES_PER_BLOCK;
    if (filter instanceof CountingBloomFilter counting) {
      structure = COUNTING;
      size = counting.blocks();
    } else if (filter instanceof ScalableBloomFilter scalable) {
      structure = SCALABLE;
      size = scalable.stages();
    }
    return new FilterHeader(structure, SPLIT_BLOCK_HASHES, size, metadata, encoding, payloadLength);
  }

  /** The version that knows the structure: the lowest, for the sake of older readers. */
  int version() {
    return structure <= CLASSIC ? 1 : 2;
  }

  /** The number of longs that the bits or counters take, of a filter that is no chain. */
  int words() {
    return switch (structure) {
      case CLASSIC -> ClassicBloomFilter.wordsFor(size);
      case COUNTING -> (int) size * CountingBloomFilter.LONGS_PER_BLOCK;
      default -> (int) size * SplitBlockBloomFilter.LONGS_PER_BLOCK;
    };
  }

  /**
   * The filter of that size around the bits or counters, if it is no chain.
   *
   * @throws IllegalArgumentException if bits are set that the filter does not have
   */
  BloomFilter filterOf(long[] words) {
    return switch (structure) {
      case CLASSIC -> ClassicBloomFilter.ofWords(words, size, hashes);
      case COUNTING -> CountingBloomFilter.ofCounters(words);
      default -> SplitBlockBloomFilter.ofWords(words);
    };
  }

  /** Throws an {@link IllegalArgumentException} if the metadata are longer than a header may be. */
  byte[] toBytes() {
    checkCount("key types", metadata.keyTypes().size());
    checkCount("properties", metadata.properties().size());
    List<byte[]> types = metadata.keyTypes().stream().map(FilterHeader::utf8).toList();
    List<byte[]> properties = new ArrayList<>();
    metadata
        .properties()
        .forEach(
            (name, value) -> {
              properties.add(utf8(name));
              properties.add(utf8(value));
            });
    byte[] header = new byte[lengthWith(types, properties)];
    ByteBuffer out = LittleEndian.wrap(header);
    out.put((byte) structure).put((byte) XXH64).put((byte) hashes);
    out.put((byte) NULL_KEEPS_THE_HASH).put((byte) encoding);
    out.putLong(SEED).putLong(size);
    out.putLong(metadata.keyCount()).putDouble(metadata.targetFpp());
    out.putLong(payloadLength);
    out.putShort((short) types.size());
    types.forEach(type -> out.putShort((short) type.length).put(type));
    out.putShort((short) (properties.size() / 2));
    properties.forEach(string -> out.putShort((short) string.length).put(string));
    return header;
  }

  static FilterHeader fromBytes(byte[] bytes, int version) throws FilterFormatException {
    ByteBuffer in = LittleEndian.wrap(bytes);
    try {
      FilterHeader header = read(in);
      if (in.hasRemaining()) {
        throw new FilterFormatException(
            "Header length: " + in.remaining() + " bytes are left after the last property");
      }
      header.check(version);
      return header;
    } catch (BufferUnderflowException e) {
      throw new FilterFormatException(
          "Header length: the header ends after " + bytes.length + " bytes, within its fields");
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException("Header: " + e.getMessage());
    }
  }

  private static FilterHeader read(ByteBuffer in) throws FilterFormatException {
    int structure = in.get();
    require("Hash function", XXH64, in.get());
    int hashes = in.get();
    require("Null handling", NULL_KEEPS_THE_HASH, in.get());
    int encoding = in.get();
    require("Seed", SEED, in.getLong());
    long size = in.getLong();
    long keyCount = in.getLong();
    double targetFpp = in.getDouble();
    long payloadLength = in.getLong();
    int types = Short.toUnsignedInt(in.getShort());
    List<String> keyTypes = new ArrayList<>();
    for (int i = 0; i < types; i++) {
      keyTypes.add(string(in));
    }
    int count = Short.toUnsignedInt(in.getShort());
    Map<String, String> properties = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      String name = string(in);
      if (properties.put(name, string(in)) != null) {
        throw new FilterFormatException("Properties: \"" + name + "\" occurs twice");
      }
    }
    FilterMetadata metadata = new FilterMetadata(keyTypes, keyCount, targetFpp, properties);
    return new FilterHeader(structure, hashes, size, metadata, encoding, payloadLength);
  }

  private void check(int version) throws FilterFormatException {
    switch (structure) {
      case SPLIT_BLOCK -> {
        require("Hashes", SPLIT_BLOCK_HASHES, hashes);
        SplitBlockSizing.checkBlocks(size);
      }
      case CLASSIC -> ClassicSizing.checkGeometry(size, hashes);
      case COUNTING -> {
        require("Hashes", SPLIT_BLOCK_HASHES, hashes);
        CountingBloomFilterBuilder.checkBlocks(size);
      }
      case SCALABLE -> {
        require("Hashes", SPLIT_BLOCK_HASHES, hashes);
        ScalableBloomFilter.checkStages(size);
      }
      default -> throw new FilterFormatException("Structure: expected 1 to 4, got " + structure);
    }
    if (version != version()) {
      throw new FilterFormatException(
          "Version: structure " + structure + " is of version " + version() + ", not " + version);
    }
    if (structure == SCALABLE) {
      require("Encoding", RAW, encoding);
    } else {
      checkPayload(encoding, (long) words() * Long.BYTES, payloadLength);
    }
  }

  /** Checks the encoding and length of bits that take so many bytes raw. */
  static void checkPayload(int encoding, long rawLength, long payloadLength)
      throws FilterFormatException {
    switch (encoding) {
      case RAW -> require("Payload length", rawLength, payloadLength);
      case SPARSE -> {
        if (rawLength > SparseBits.MAX_FILTER_BYTES) {
          throw new FilterFormatException(
              "Encoding: a filter of "
                  + rawLength
                  + " bytes is stored raw; the sparse encoding ends at "
                  + SparseBits.MAX_FILTER_BYTES);
        }
        if (payloadLength < 0 || payloadLength >= rawLength) {
          throw new FilterFormatException(
              "Payload length: sparse bits take less than the "
                  + rawLength
                  + " bytes of the filter; got "
                  + payloadLength);
        }
      }
      default -> throw new FilterFormatException("Encoding: expected 0 or 1, got " + encoding);
    }
  }

  private static int lengthWith(List<byte[]> types, List<byte[]> properties) {
    long length = FIXED_LENGTH;
    for (List<byte[]> strings : List.of(types, properties)) {
      for (byte[] string : strings) {
        length += Short.BYTES + string.length;
      }
    }
    if (length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "A filter's header has at most "
              + MAX_LENGTH
              + " bytes, but takes "
              + length
              + " with these metadata; store less in the properties");
    }
    return (int) length;
  }

  private static void checkCount(String what, int count) {
    if (count > MAX_UNSIGNED_SHORT) {
      throw new IllegalArgumentException(
          "A filter is stored with at most 65535 " + what + "; got " + count);
    }
  }

  private static byte[] utf8(String string) {
    byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_UNSIGNED_SHORT) {
      throw new IllegalArgumentException(
          "A type name, property name or property value has at most 65535 bytes in UTF-8; got "
              + bytes.length);
    }
    return bytes;
  }

  private static String string(ByteBuffer in) {
    byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void require(String field, long expected, long actual)
      throws FilterFormatException {
    if (actual != expected) {
      throw new FilterFormatException(field + ": expected " + expected + ", got " + actual);
    }
  }
}
