package io.bloomjoin.benchmarks;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The median times of a file that {@link ResultFile} wrote.
 *
 * @param title the suite and its settings, from the comment lines
 * @param millis by query, in the file's order; every query has the same modes
 */
record MedianTimes(String title, Map<String, Map<Mode, Long>> millis) {
  private static final String COMMENT = "# ";

  /**
   * @throws IllegalArgumentException if there is no such file, or one that {@code bin/bench} cannot
   *     have written; the message names the line
   */
  static MedianTimes read(Path csv) throws IOException {
    if (!Files.isRegularFile(csv)) {
      throw new IllegalArgumentException(
          "There is no results file " + csv + ". Write one with bin/bench tpch, or name one.");
    }
    List<String> lines = lines(csv);
    Map<String, Map<Mode, Long>> millis = new LinkedHashMap<>();
    boolean headerSeen = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("#")) {
        continue;
      }
      try {
        if (headerSeen) {
          add(line, millis);
        } else {
          checkHeader(line);
          headerSeen = true;
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            String.format("%s, line %d: %s", csv, i + 1, e.getMessage()), e);
      }
    }
    if (millis.isEmpty()) {
      throw new IllegalArgumentException(csv + " has no row. Did bin/bench finish a query?");
    }
    Set<Mode> modes = EnumSet.noneOf(Mode.class);
    millis.values().forEach(byMode -> modes.addAll(byMode.keySet()));
    millis.forEach((query, byMode) -> checkModes(csv, query, byMode, modes));
    return new MedianTimes(title(csv, lines), millis);
  }

  /** In the order of {@link Mode}. */
  Set<Mode> modes() {
    return millis.values().iterator().next().keySet();
  }

  private static List<String> lines(Path csv) throws IOException {
    try {
      return Files.readAllLines(csv);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(csv + " is not a text file in UTF-8.", e);
    }
  }

  private static void checkHeader(String line) {
    if (!line.equals(ResultFile.COLUMNS)) {
      throw new IllegalArgumentException(
          "The columns must be " + ResultFile.COLUMNS + ", but are " + line + ".");
    }
  }

  private static void add(String line, Map<String, Map<Mode, Long>> millis) {
    String[] cells = line.split(",", -1);
    int columns = ResultFile.COLUMNS.split(",", -1).length;
    if (cells.length != columns) {
      throw new IllegalArgumentException(
          String.format("There must be %d cells, but are %d: %s", columns, cells.length, line));
    }
    Mode mode = Mode.of(cells[1]);
    Long former =
        millis
            .computeIfAbsent(cells[0], query -> new EnumMap<>(Mode.class))
            .put(mode, median(cells[2]));
    if (former != null) {
      throw new IllegalArgumentException(
          String.format("There is a second row of %s for %s.", cells[0], cells[1]));
    }
  }

  private static long median(String cell) {
    if (!cell.matches("[0-9]{1,18}")) {
      throw new IllegalArgumentException(
          "median_ms must be a whole number of milliseconds, but is '" + cell + "'.");
    }
    return Long.parseLong(cell);
  }

  private static void checkModes(
      Path csv, String query, Map<Mode, Long> byMode, Set<Mode> expected) {
    for (Mode mode : expected) {
      if (!byMode.containsKey(mode)) {
        throw new IllegalArgumentException(
            String.format("%s has no row of %s for %s.", csv, query, mode.id()));
      }
    }
  }

  private static String title(Path csv, List<String> lines) {
    String command = comment(lines, "command: bin/bench ");
    String settings = comment(lines, "settings: ");
    String suite = command.isEmpty() ? csv.getFileName().toString() : command.split(" ", 2)[0];
    return settings.isEmpty() ? suite : suite + ": " + settings;
  }

  /** What follows the name in the comment that starts with it; empty if there is none. */
  private static String comment(List<String> lines, String name) {
    String start = COMMENT + name;
    return lines.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst()
        .orElse("");
  }
}
