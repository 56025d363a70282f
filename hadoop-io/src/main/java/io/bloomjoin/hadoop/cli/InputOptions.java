package io.bloomjoin.hadoop.cli;

import io.bloomjoin.hadoop.job.KeyedInput;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of commands that read one input. */
final class InputOptions {

  @Option(
      names = {"-i", "--input"},
      required = true,
      paramLabel = "PATH",
      description = "What to read: a file, a folder or a pattern. May be repeated.")
  private List<String> paths;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      description =
          "The format of the files: ${COMPLETION-CANDIDATES}. TEXT has fields between tabs, CSV"
              + " between commas and perhaps in quotes. Default: ${DEFAULT-VALUE}.")
  private Inputs.Format format;

  @Option(
      names = {"-k", "--key"},
      required = true,
      split = ",",
      paramLabel = "COLUMN",
      description =
          "The key columns. Of text: numbers from 1, or names with --header. Of SequenceFiles:"
              + " key, value, or value.2 for a field of a Text. Of Parquet: names.")
  private List<String> columns;

  @Option(
      names = {"-t", "--type"},
      split = ",",
      paramLabel = "TYPE",
      description =
          "The types of the key columns, for instance bigint,string,decimal(10,2). Text is"
              + " strings otherwise; other files know their types.")
  private List<String> types;

  @Option(
      names = "--delimiter",
      paramLabel = "CHAR",
      description = "The character between the fields of text; \\t for a tab.")
  private String delimiter;

  @Option(
      names = "--header",
      description = "The first line of each text file has the names of the columns.")
  private boolean header;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      description = "A text that stands for null in a key. May be repeated. Default: \\N.")
  private List<String> nulls;

  @Option(
      names = "--bad-keys",
      defaultValue = "FAIL",
      description =
          "What to do with a key that is no value of its type: ${COMPLETION-CANDIDATES}. NULL"
              + " takes it for null. Default: ${DEFAULT-VALUE}.")
  private Inputs.BadKeys badKeys;

  KeyedInput input() {
    return Inputs.of(format, paths, columns, types, delimiter, header, nulls, badKeys);
  }
}
