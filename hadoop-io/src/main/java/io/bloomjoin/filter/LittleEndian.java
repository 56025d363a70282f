package io.bloomjoin.filter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The byte order of Parquet's bitsets and of the filter format. */
final class LittleEndian {

  private LittleEndian() {}

  static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
