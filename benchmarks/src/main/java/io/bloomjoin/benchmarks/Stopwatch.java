package io.bloomjoin.benchmarks;

import java.util.concurrent.TimeUnit;

/** Wall time since its start. */
final class Stopwatch {
  private final long startNanos = System.nanoTime();

  private Stopwatch() {}

  static Stopwatch start() {
    return new Stopwatch();
  }

  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }
}
