package io.bloomjoin.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash function XXH64 by Yann Collet, after its <a
 * href="https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md">specification</a>.
 */
final class Xxh64 {

  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Xxh64() {}

  /** Hashes the four little-endian bytes of the value. */
  static long hashInt(int value, long seed) {
    return avalanche(mixInt(seed + PRIME_5 + Integer.BYTES, value));
  }

  /** Hashes the eight little-endian bytes of the value. */
  static long hashLong(long value, long seed) {
    return avalanche(mixLong(seed + PRIME_5 + Long.BYTES, value));
  }

  static long hashBytes(byte[] bytes, int offset, int length, long seed) {
    int at = offset;
    int end = offset + length;
    long hash = length < 32 ? seed + PRIME_5 : hashStripes(bytes, offset, length, seed);
    at += length & ~31;
    hash += length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = mixLong(hash, (long) LONGS.get(bytes, at));
    }
    if (at + Integer.BYTES <= end) {
      hash = mixInt(hash, (int) INTS.get(bytes, at));
      at += Integer.BYTES;
    }
    for (; at < end; at++) {
      hash = Long.rotateLeft(hash ^ ((bytes[at] & 0xFF) * PRIME_5), 11) * PRIME_1;
    }
    return avalanche(hash);
  }

  /** Hashes all whole stripes of 32 bytes. */
  private static long hashStripes(byte[] bytes, int offset, int length, long seed) {
    long a = seed + PRIME_1 + PRIME_2;
    long b = seed + PRIME_2;
    long c = seed;
    long d = seed - PRIME_1;
    int end = offset + (length & ~31);
    for (int at = offset; at < end; at += 32) {
      a = round(a, (long) LONGS.get(bytes, at));
      b = round(b, (long) LONGS.get(bytes, at + 8));
      c = round(c, (long) LONGS.get(bytes, at + 16));
      d = round(d, (long) LONGS.get(bytes, at + 24));
    }
    long hash =
        Long.rotateLeft(a, 1)
            + Long.rotateLeft(b, 7)
            + Long.rotateLeft(c, 12)
            + Long.rotateLeft(d, 18);
    hash = merge(hash, a);
    hash = merge(hash, b);
    hash = merge(hash, c);
    return merge(hash, d);
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long lane) {
    return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
  }

  private static long mixLong(long hash, long input) {
    return Long.rotateLeft(hash ^ round(0, input), 27) * PRIME_1 + PRIME_4;
  }

  private static long mixInt(long hash, int input) {
    return Long.rotateLeft(hash ^ ((input & 0xFFFFFFFFL) * PRIME_1), 23) * PRIME_2 + PRIME_3;
  }

  private static long avalanche(long hash) {
    hash = (hash ^ (hash >>> 33)) * PRIME_2;
    hash = (hash ^ (hash >>> 29)) * PRIME_3;
    return hash ^ (hash >>> 32);
  }
}
