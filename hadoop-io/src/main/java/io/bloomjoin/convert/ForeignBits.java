package io.bloomjoin.convert;

import io.bloomjoin.filter.FilterFormatException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bits out of bytes that nobody vouches for, as longs with the lowest bit first. */
final class ForeignBits {

  private static final int CHUNK_LONGS = 8 * 1024;

  private ForeignBits() {}

  /** Reads so many longs; memory is taken as bytes arrive, not as they are announced. */
  static long[] read(DataInputStream in, int count, ByteOrder order) throws IOException {
    long[] longs = new long[Math.min(count, CHUNK_LONGS)];
    byte[] chunk = new byte[longs.length * Long.BYTES];
    int read = 0;
    while (read < count) {
      if (read == longs.length) {
        longs = Arrays.copyOf(longs, (int) Math.min(count, 2L * longs.length));
      }
      int next = Math.min(CHUNK_LONGS, longs.length - read);
      readFully(in, chunk, next * Long.BYTES);
      ByteBuffer.wrap(chunk).order(order).asLongBuffer().get(longs, read, next);
      read += next;
    }
    return longs;
  }

  static void readFully(DataInputStream in, byte[] into, int length) throws IOException {
    try {
      in.readFully(into, 0, length);
    } catch (EOFException end) {
      throw ended();
    }
  }

  static int readInt(DataInputStream in) throws IOException {
    try {
      return in.readInt();
    } catch (EOFException end) {
      throw ended();
    }
  }

  private static FilterFormatException ended() {
    return new FilterFormatException("The bytes end within the filter");
  }

  static boolean isSet(long[] bits, long index) {
    return (bits[(int) (index >>> 6)] >>> index & 1) != 0;
  }

  static long count(long[] bits) {
    return Arrays.stream(bits).map(Long::bitCount).sum();
  }
}
