package io.bloomjoin.convert;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * MurmurHash3 of 32 bits as Spark's sketches have it: each byte after the last whole int is mixed
 * as an int of its own, with its sign, where Austin Appleby's original mixes the rest at once.
 */
final class Murmur3 {

  private Murmur3() {}

  static int ofLong(long value, int seed) {
    int hash = mix(seed, (int) value);
    return finish(mix(hash, (int) (value >>> 32)), Long.BYTES);
  }

  static int ofBytes(byte[] bytes, int seed) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int hash = seed;
    while (in.remaining() >= Integer.BYTES) {
      hash = mix(hash, in.getInt());
    }
    while (in.hasRemaining()) {
      hash = mix(hash, in.get());
    }
    return finish(hash, bytes.length);
  }

  private static int mix(int hash, int value) {
    int mixed = Integer.rotateLeft(value * 0xcc9e2d51, 15) * 0x1b873593;
    return Integer.rotateLeft(hash ^ mixed, 13) * 5 + 0xe6546b64;
  }

  private static int finish(int hash, int length) {
    int h = hash ^ length;
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }
}
