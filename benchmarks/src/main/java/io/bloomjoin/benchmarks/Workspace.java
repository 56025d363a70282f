package io.bloomjoin.benchmarks;

import java.nio.file.Path;

/** Folders of the checkout. */
final class Workspace {
  private Workspace() {}

  /** The root of the checkout, which bin/ hands over; else the working directory. */
  static Path root() {
    return Path.of(System.getProperty("bloomjoin.root", "")).toAbsolutePath();
  }

  /** Generated tables and Spark's scratch files; git ignores it. */
  static Path data() {
    return root().resolve(".data");
  }
}
