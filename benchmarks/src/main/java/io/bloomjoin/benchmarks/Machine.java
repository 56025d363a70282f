package io.bloomjoin.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Where figures were measured and on which state of the sources. */
final class Machine {
  private Machine() {}

  static String description() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return String.format(
        "%d cores, %d GiB memory, JDK %s, %s %s",
        Runtime.getRuntime().availableProcessors(),
        Math.round(system.getTotalMemorySize() / (double) (1L << 30)),
        System.getProperty("java.version"),
        System.getProperty("os.name"),
        System.getProperty("os.arch"));
  }

  /** The commit checked out at the root, marked if there are changes; "unknown" without git. */
  static String commit(Path root) {
    try {
      Process git =
          new ProcessBuilder(
                  List.of("git", "-C", root.toString(), "describe", "--always", "--dirty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean done = git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0;
      return done ? output.strip() : "unknown";
    } catch (IOException e) {
      return "unknown";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }
}
