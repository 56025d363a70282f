package io.bloomjoin.benchmarks;

/** An estimate of the time left: the steps to come take as long as those done did. */
final class TimeLeft {
  private final Stopwatch watch = Stopwatch.start();
  private final int steps;
  private int done;

  TimeLeft(int steps) {
    this.steps = steps;
  }

  /** Counts a step as done. */
  String afterStep() {
    done++;
    long seconds = watch.millis() * (steps - done) / done / 1000;
    return String.format("about %d:%02d left", seconds / 60, seconds % 60);
  }
}
