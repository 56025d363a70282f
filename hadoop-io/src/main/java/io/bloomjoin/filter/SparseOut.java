package io.bloomjoin.filter;

import java.io.ByteArrayOutputStream;

/** The numbers of the sparse encoding, as bytes. */
final class SparseOut extends ByteArrayOutputStream {

  /** Seven bits a byte, lowest first, the top bit set on all but the last. */
  void putNumber(long number) {
    long rest = number;
    for (; rest > 0x7F; rest >>>= 7) {
      write((int) ((rest & 0x7F) | 0x80));
    }
    write((int) rest);
  }

  /** The lowest bytes of the value, lowest first. */
  void putBytes(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      write((int) (value >>> (8 * i)));
    }
  }
}
