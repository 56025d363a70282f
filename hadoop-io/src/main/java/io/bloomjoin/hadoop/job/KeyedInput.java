package io.bloomjoin.hadoop.job;

import io.bloomjoin.key.KeyType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * What a job reads, and where the key is in it.
 *
 * @param paths files, folders or patterns of them
 * @param columns the key columns, as {@link InputFormatKind} tells for each format
 * @param types the types of the key columns; empty to take them from the files, where text is
 *     strings
 * @param layout of text, and of fields in {@code SequenceFile}s
 */
public record KeyedInput(
    InputFormatKind format,
    List<Path> paths,
    List<String> columns,
    List<KeyType> types,
    TextLayout layout) {

  /**
   * @throws IllegalArgumentException if there is no path or no column, or not a type for each
   */
  public KeyedInput {
    paths = List.copyOf(paths);
    columns = List.copyOf(columns);
    types = List.copyOf(types);
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("There is nothing to read: no input path is given");
    }
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("A key has at least one column; none is given");
    }
    if (!types.isEmpty() && types.size() != columns.size()) {
      throw new IllegalArgumentException(
          "Give a type for each of the key columns "
              + columns
              + ", or none at all; got "
              + types.size()
              + ", "
              + types);
    }
  }

  /** Writes all but the paths into a job's configuration, where tasks find it. */
  void store(Configuration configuration, String prefix) {
    configuration.setEnum(prefix + "format", format);
    configuration.setStrings(prefix + "columns", escaped(columns));
    configuration.setStrings(
        prefix + "types", escaped(types.stream().map(KeyType::toString).toList()));
    configuration.setInt(prefix + "delimiter", layout.delimiter());
    configuration.setBoolean(prefix + "quoted", layout.quoted());
    configuration.setBoolean(prefix + "header", layout.header());
    configuration.setStrings(prefix + "nulls", escaped(layout.nulls()));
    configuration.setBoolean(prefix + "badKeysAreNull", layout.badKeysAreNull());
  }

  /** What was stored; its paths are those of the job. */
  static KeyedInput load(Configuration configuration, String prefix, List<Path> paths) {
    TextLayout layout =
        new TextLayout(
            (char) configuration.getInt(prefix + "delimiter", '\t'),
            configuration.getBoolean(prefix + "quoted", false),
            configuration.getBoolean(prefix + "header", false),
            unescaped(configuration, prefix + "nulls"),
            configuration.getBoolean(prefix + "badKeysAreNull", false));
    return new KeyedInput(
        configuration.getEnum(prefix + "format", InputFormatKind.TEXT),
        paths,
        unescaped(configuration, prefix + "columns"),
        unescaped(configuration, prefix + "types").stream().map(KeyType::parse).toList(),
        layout);
  }

  KeyedInput with(List<String> otherColumns, List<KeyType> otherTypes) {
    return new KeyedInput(format, paths, otherColumns, otherTypes, layout);
  }

  /** Without what configurations give a meaning to: blanks, commas, dollars; and never empty. */
  private static String[] escaped(List<String> strings) {
    List<String> escaped = new ArrayList<>();
    for (String string : strings) {
      StringBuilder hex = new StringBuilder("x");
      string.chars().forEach(character -> hex.append(String.format("%04x", character)));
      escaped.add(hex.toString());
    }
    return escaped.toArray(String[]::new);
  }

  private static List<String> unescaped(Configuration configuration, String name) {
    return Arrays.stream(configuration.getTrimmedStrings(name)).map(KeyedInput::unhex).toList();
  }

  private static String unhex(String hex) {
    StringBuilder string = new StringBuilder();
    for (int at = 1; at < hex.length(); at += 4) {
      string.append((char) Integer.parseInt(hex, at, at + 4, 16));
    }
    return string.toString();
  }
}
