package io.bloomjoin.hadoop.job;

import io.bloomjoin.key.KeyType;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.example.ExampleInputFormat;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;

/** What the first file of an input tells about all of them. */
final class InputFiles {

  private final KeyedInput input;
  private final Configuration configuration;

  InputFiles(KeyedInput input, Configuration configuration) {
    this.input = input;
    this.configuration = configuration;
  }

  /**
   * The input with numbers for names and a type for each column.
   *
   * @throws FileNotFoundException if a file is needed to tell, and the paths have none
   * @throws IllegalArgumentException if a column is not there or cannot be a key
   */
  KeyedInput resolved() throws IOException {
    return switch (input.format()) {
      case TEXT ->
          input.with(
              input.layout().header() ? numbers() : checkedNumbers(),
              input.types().isEmpty()
                  ? Collections.nCopies(input.columns().size(), KeyType.STRING)
                  : input.types());
      case SEQUENCE -> {
        try (SequenceFile.Reader reader = open()) {
          yield input.with(
              input.columns(),
              SequenceKeyReader.types(input, reader.getKeyClass(), reader.getValueClass()));
        }
      }
      case PARQUET -> input.with(input.columns(), ParquetKeyReader.types(input, schema()));
    };
  }

  static Class<? extends InputFormat<?, ?>> inputFormat(InputFormatKind format) {
    return switch (format) {
      case TEXT -> TextInputFormat.class;
      case SEQUENCE -> SequenceFiles.class;
      case PARQUET -> ExampleInputFormat.class;
    };
  }

  /** Only gives the class its parameters. */
  static final class SequenceFiles extends SequenceFileInputFormat<Object, Object> {}

  SequenceFile.Reader open() throws IOException {
    return new SequenceFile.Reader(configuration, SequenceFile.Reader.file(first()));
  }

  MessageType schema() throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromPath(first(), configuration))) {
      return reader.getFileMetaData().getSchema();
    }
  }

  /** The schema of the key columns alone, in Parquet's language. */
  String projection() throws IOException {
    MessageType schema = schema();
    return new MessageType(
            schema.getName(), input.columns().stream().distinct().map(schema::getType).toList())
        .toString();
  }

  private List<String> checkedNumbers() {
    input.columns().forEach(TextKeyReader::number);
    return input.columns();
  }

  private List<String> numbers() throws IOException {
    Fields names = new Fields(input.layout());
    names.split(new Text(firstLine()));
    List<String> header = new ArrayList<>();
    for (int i = 1; i <= names.count(); i++) {
      header.add(names.field(i));
    }
    List<String> numbers = new ArrayList<>();
    for (String column : input.columns()) {
      int index = header.indexOf(column);
      // A number will do, too.
      boolean isNumber = index < 0 && column.chars().allMatch(Character::isDigit);
      if (index < 0 && !isNumber) {
        throw new IllegalArgumentException(
            "There is no column \""
                + column
                + "\" in "
                + input.paths()
                + "; the columns are "
                + header);
      }
      numbers.add(isNumber ? column : String.valueOf(index + 1));
    }
    return numbers;
  }

  private String firstLine() throws IOException {
    Path first = first();
    CompressionCodec codec = new CompressionCodecFactory(configuration).getCodec(first);
    try (InputStream file = first.getFileSystem(configuration).open(first);
        InputStream in = codec == null ? file : codec.createInputStream(file);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      return line == null ? "" : line;
    }
  }

  private Path first() throws IOException {
    for (Path path : input.paths()) {
      FileSystem files = path.getFileSystem(configuration);
      FileStatus[] found = files.globStatus(path);
      if (found == null || found.length == 0) {
        throw new FileNotFoundException("There is nothing to read at " + path);
      }
      for (FileStatus status : found) {
        FileStatus[] inside =
            status.isDirectory()
                ? files.listStatus(status.getPath(), InputFiles::isVisible)
                : new FileStatus[] {status};
        for (FileStatus file : inside) {
          if (file.isFile() && file.getLen() > 0) {
            return file.getPath();
          }
        }
      }
    }
    throw new FileNotFoundException("There is no file with anything in it at " + input.paths());
  }

  private static boolean isVisible(Path path) {
    return !path.getName().startsWith("_") && !path.getName().startsWith(".");
  }
}
