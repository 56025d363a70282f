package io.bloomjoin.filter;

import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Streams of hashes for tests, the same on every run. */
final class Hashes {

  private Hashes() {}

  /** Distinct seeds give streams without a hash in common, but for a chance of about 10^-7. */
  static long[] of(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    return LongStream.generate(random::nextLong).limit(count).toArray();
  }
}
