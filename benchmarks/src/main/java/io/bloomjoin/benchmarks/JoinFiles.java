package io.bloomjoin.benchmarks;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.LongFunction;

/**
 * Both sides of {@code bin/bench mapreduce}, as lines with tabs between their fields.
 *
 * @param largeRows lines of {@code id, k, pad, x}; {@code k} is spread over 20 times as many keys
 *     as the small side has, so that one line in twenty has a match
 * @param smallRows lines of {@code k, name}; each has a key of its own
 */
record JoinFiles(long largeRows, long smallRows) {
  private static final int KEYS_PER_SMALL_ROW = 20;

  private static final int LARGE_FILES = 4;

  JoinFiles {
    if (largeRows < 1) {
      throw new IllegalArgumentException(
          "The large side needs at least 1 row, but got " + largeRows + ".");
    }
    if (smallRows < 1) {
      throw new IllegalArgumentException(
          "The small side needs at least 1 row, but got " + smallRows + ".");
    }
  }

  /** Writes {@code <data>/mapreduce-<rows>-<rows>/} unless it is there, and returns it. */
  Path write(Path data, PrintStream progress) throws IOException {
    Path folder = data.resolve("mapreduce-" + largeRows + "-" + smallRows);
    progress.printf(
        "%,d large rows, %,d small rows: .data/%s%n", largeRows, smallRows, folder.getFileName());
    if (!Files.exists(folder)) {
      Path unfinished = data.resolve(folder.getFileName() + ".unfinished");
      long keys = KEYS_PER_SMALL_ROW * smallRows;
      for (int file = 0; file < LARGE_FILES; file++) {
        writeLines(
            large(unfinished).resolve("part-" + file),
            largeRows * file / LARGE_FILES,
            largeRows * (file + 1) / LARGE_FILES,
            id ->
                id
                    + "\t"
                    + id * 2654435761L % keys
                    + String.format("\t%020d\t%d", id % 1000, id % 1000));
      }
      writeLines(
          small(unfinished).resolve("part-0"),
          0,
          smallRows,
          id -> KEYS_PER_SMALL_ROW * id + "\tname-" + id);
      Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
    }
    return folder;
  }

  static Path large(Path folder) {
    return folder.resolve("large");
  }

  static Path small(Path folder) {
    return folder.resolve("small");
  }

  private static void writeLines(Path file, long from, long to, LongFunction<String> line)
      throws IOException {
    Files.createDirectories(file.getParent());
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (long id = from; id < to; id++) {
        out.write(line.apply(id));
        out.write('\n');
      }
    }
  }
}
