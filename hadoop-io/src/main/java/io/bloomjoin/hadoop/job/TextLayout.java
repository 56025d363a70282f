package io.bloomjoin.hadoop.job;

import java.util.List;

/**
 * How text becomes fields.
 *
 * @param delimiter the character between fields, in ASCII
 * @param quoted whether fields may stand in double quotes, as in CSV; a field may then hold
 *     delimiters and, doubled, quotes, but no line break
 * @param header whether the first line of every file has the names of the columns
 * @param nulls the texts that stand for null in a key
 * @param badKeysAreNull whether a key that is no value of its type is taken for null; otherwise it
 *     ends the job
 */
public record TextLayout(
    char delimiter, boolean quoted, boolean header, List<String> nulls, boolean badKeysAreNull) {

  /** Fields between tabs, {@code \N} for null. */
  public static final TextLayout TABS = new TextLayout('\t', false, false, List.of("\\N"), false);

  /** Fields between commas, perhaps in quotes, {@code \N} for null. */
  public static final TextLayout CSV = new TextLayout(',', true, false, List.of("\\N"), false);

  /**
   * @throws IllegalArgumentException if the delimiter is no ASCII character, or a quote or line
   *     break
   */
  public TextLayout {
    if (delimiter > 127 || delimiter == '"' || delimiter == '\n' || delimiter == '\r') {
      throw new IllegalArgumentException(
          "Fields are separated by one ASCII character other than a quote or line break; got '"
              + delimiter
              + "'");
    }
    nulls = List.copyOf(nulls);
  }
}
