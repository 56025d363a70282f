package io.bloomjoin.filter;

import java.nio.ByteBuffer;

/**
 * What stands before the bits of a stage of a scalable filter.
 *
 * @param keys that were added
 * @param length of the bits, in bytes
 */
record StageHeader(long blocks, long keys, double fpp, int encoding, long length) {

  /** The bytes that it takes. */
  static final int LENGTH = 4 * Long.BYTES + 1;

  byte[] toBytes() {
    byte[] bytes = new byte[LENGTH];
    LittleEndian.wrap(bytes)
        .putLong(blocks)
        .putLong(keys)
        .putDouble(fpp)
        .put((byte) encoding)
        .putLong(length);
    return bytes;
  }

  static StageHeader fromBytes(byte[] bytes) throws FilterFormatException {
    ByteBuffer in = LittleEndian.wrap(bytes);
    StageHeader header =
        new StageHeader(in.getLong(), in.getLong(), in.getDouble(), in.get(), in.getLong());
    try {
      SplitBlockSizing.checkBlocks(header.blocks);
      Arguments.checkKeys(header.keys);
      Arguments.checkFpp(header.fpp);
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException("Stage: " + e.getMessage());
    }
    FilterHeader.checkPayload(
        header.encoding, header.blocks * SplitBlockSizing.BYTES_PER_BLOCK, header.length);
    return header;
  }

  int words() {
    return (int) blocks * SplitBlockBloomFilter.LONGS_PER_BLOCK;
  }
}
