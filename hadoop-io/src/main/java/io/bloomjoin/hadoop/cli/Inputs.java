package io.bloomjoin.hadoop.cli;

import io.bloomjoin.hadoop.job.InputFormatKind;
import io.bloomjoin.hadoop.job.KeyedInput;
import io.bloomjoin.hadoop.job.TextLayout;
import io.bloomjoin.key.KeyType;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** From options to what jobs read. */
final class Inputs {

  /** The formats of files, as people call them. */
  enum Format {
    TEXT,
    CSV,
    SEQUENCE,
    PARQUET;

    private InputFormatKind kind() {
      return switch (this) {
        case TEXT, CSV -> InputFormatKind.TEXT;
        case SEQUENCE -> InputFormatKind.SEQUENCE;
        case PARQUET -> InputFormatKind.PARQUET;
      };
    }
  }

  /** What to do with a key that is no value of its type. */
  enum BadKeys {
    FAIL,
    NULL
  }

  private Inputs() {}

  static KeyedInput of(
      Format format,
      List<String> paths,
      List<String> columns,
      List<String> types,
      String delimiter,
      boolean header,
      List<String> nulls,
      BadKeys badKeys) {
    TextLayout usual = format == Format.CSV ? TextLayout.CSV : TextLayout.TABS;
    TextLayout layout =
        new TextLayout(
            delimiter == null ? usual.delimiter() : delimiter(delimiter),
            usual.quoted(),
            header,
            nulls == null ? usual.nulls() : nulls,
            badKeys == BadKeys.NULL);
    return new KeyedInput(
        format.kind(), paths.stream().map(Path::new).toList(), columns, types(types), layout);
  }

  /** The types of those names; a decimal's comma splits it into two of them. */
  static List<KeyType> types(List<String> names) {
    List<KeyType> types = new ArrayList<>();
    for (int i = 0; names != null && i < names.size(); i++) {
      String name = names.get(i);
      if (name.contains("(") && !name.contains(")") && i + 1 < names.size()) {
        name += "," + names.get(++i);
      }
      types.add(KeyType.parse(name));
    }
    return types;
  }

  /** The character that is meant, where {@code \t} is a tab. */
  static char delimiter(String text) {
    if (text.equals("\\t")) {
      return '\t';
    }
    if (text.length() != 1) {
      throw new IllegalArgumentException(
          "A delimiter is one character, or \\t for a tab; got \"" + text + "\"");
    }
    return text.charAt(0);
  }
}
