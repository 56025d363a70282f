package io.bloomjoin.filter;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Reads the numbers of the sparse encoding from bytes that nobody vouches for; throws {@link
 * BufferUnderflowException} where they end too early.
 */
final class SparseIn {

  private final ByteBuffer in;

  SparseIn(byte[] bytes) {
    in = ByteBuffer.wrap(bytes);
  }

  boolean hasMore() {
    return in.hasRemaining();
  }

  long readNumber() throws FilterFormatException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.get();
      number |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new FilterFormatException("Payload: a variable-length number has more than 64 bits");
  }

  long readBytes(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= Byte.toUnsignedLong(in.get()) << (8 * i);
    }
    return value;
  }

  /**
   * The place so many after the next one.
   *
   * @throws FilterFormatException if it does not lie before the end
   */
  static long skip(long next, long skipped, long end) throws FilterFormatException {
    if (skipped < 0 || skipped >= end - next) {
      throw new FilterFormatException(
          "Payload: a sparse record lies beyond the filter's end, " + end);
    }
    return next + skipped;
  }
}
