package io.bloomjoin.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;

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

  /**
   * The commit checked out at the root, marked if sources differ from it; "unknown" without git.
   * Figures of other suites, which may wait to be committed, do not count as differing.
   */
  static String commit(Path root) {
    try {
      String commit = git(root, "rev-parse", "--short", "HEAD");
      String changes =
          git(root, "status", "--porcelain", "--untracked-files=no", ".", ":!benchmarks/results");
      return changes.isEmpty() ? commit : commit + "-dirty";
    } catch (IOException e) {
      return "unknown";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }

  private static String git(Path root, String... arguments)
      throws IOException, InterruptedException {
    Process git =
        new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(arguments)).toList())
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (git.waitFor() != 0) {
      throw new IOException("git " + arguments[0] + " fails");
    }
    return output.strip();
  }
}
