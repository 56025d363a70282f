package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MapReduceJoinsTest {
  @Test
  void run_writesALineForEachMode(@TempDir Path folder) throws IOException {
    JoinFiles files = new JoinFiles(4000, 50);
    Path written = files.write(folder, TestSession.SILENT);
    MapReduceJoin join = new MapReduceJoin(written, folder.resolve("scratch"), 2);
    Path csv = folder.resolve("new/mapreduce.csv");
    assertTrue(
        new MapReduceJoins(files, join, 2, TestSession.SILENT).run(csv, List.of("machine: a")));
    List<String> lines = Files.readAllLines(csv);
    assertEquals(List.of("# machine: a", MapReduceJoins.COLUMNS), lines.subList(0, 2));
    assertEquals(2 + MapReduceMode.values().length, lines.size());
    String[] plain = cells(lines, "plain");
    String[] kept = cells(lines, "kept_filter");
    String[] built = cells(lines, "built_filter");
    assertEquals("0", plain[7]);
    assertEquals("4050", plain[9]);
    assertEquals("4000", kept[7]);
    assertEquals(List.of("200", "true"), List.of(kept[10], kept[11]));
    long pruned = Long.parseLong(kept[8]);
    assertTrue(pruned > 3500 && pruned <= 3800, kept[8]);
    assertEquals(4050 - pruned, Long.parseLong(kept[9]));
    assertEquals(kept[8], built[8]);
    assertTrue(Long.parseLong(kept[6]) > 0 && Long.parseLong(kept[6]) < bytes(plain) / 5);
    assertTrue(bytes(built) > bytes(kept), "the build shuffles partial filters");
    try (var left = Files.list(folder.resolve("scratch"))) {
      assertFalse(left.anyMatch(path -> path.endsWith("joined")));
    }
  }

  @Test
  void hasAnswerOf_otherRows_isFalse(@TempDir Path folder) throws IOException {
    MapReduceRun few = run(new JoinFiles(1000, 20), folder);
    MapReduceRun more = run(new JoinFiles(1020, 20), folder);
    assertTrue(few.hasAnswerOf(run(new JoinFiles(1000, 20), folder)));
    assertFalse(few.hasAnswerOf(more));
  }

  @Test
  void new_noRows_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> new JoinFiles(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new JoinFiles(1, 0));
  }

  private static MapReduceRun run(JoinFiles files, Path folder) throws IOException {
    Path written = files.write(folder, TestSession.SILENT);
    return new MapReduceJoin(written, folder.resolve("scratch"), 2).run(MapReduceMode.PLAIN);
  }

  private static long bytes(String[] cells) {
    return Long.parseLong(cells[6]);
  }

  private static String[] cells(List<String> lines, String mode) {
    return lines.stream()
        .map(line -> line.split(",", -1))
        .filter(cells -> cells.length == 12 && cells[2].equals(mode))
        .findFirst()
        .orElseThrow();
  }
}
