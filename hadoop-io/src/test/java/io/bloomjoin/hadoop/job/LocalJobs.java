package io.bloomjoin.hadoop.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomjoin.key.KeyType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;

/** Files of rows on the local disk, and the local runner of MapReduce. */
final class LocalJobs {

  private final java.nio.file.Path folder;

  LocalJobs(java.nio.file.Path folder) {
    this.folder = folder;
  }

  Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    // Milliseconds; five seconds otherwise.
    configuration.setInt("mapreduce.client.completion.pollinterval", 10);
    return configuration;
  }

  Path path(String name) {
    return new Path(folder.resolve(name).toUri());
  }

  /** Writes a file of lines. */
  Path lines(String name, String... lines) throws IOException {
    java.nio.file.Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
    return path(name);
  }

  /** Writes a {@code SequenceFile}; keys and values take turns. */
  Path sequence(String name, Writable... keysAndValues) throws IOException {
    Path file = path(name);
    try (SequenceFile.Writer writer =
        SequenceFile.createWriter(
            configuration(),
            SequenceFile.Writer.file(file),
            SequenceFile.Writer.keyClass(keysAndValues[0].getClass()),
            SequenceFile.Writer.valueClass(keysAndValues[1].getClass()))) {
      for (int i = 0; i < keysAndValues.length; i += 2) {
        writer.append(keysAndValues[i], keysAndValues[i + 1]);
      }
    }
    return file;
  }

  /** Writes a Parquet file. */
  Path parquet(String name, MessageType schema, List<Group> rows) throws IOException {
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(path(name))
            .withConf(configuration())
            .withType(schema)
            .build()) {
      for (Group row : rows) {
        writer.write(row);
      }
    }
    return path(name);
  }

  /** The sorted lines of a job's output. */
  List<String> output(String name) throws IOException {
    List<String> lines = new ArrayList<>();
    try (var files = Files.list(folder.resolve(name))) {
      for (java.nio.file.Path file : files.toList()) {
        if (file.getFileName().toString().startsWith("part-")) {
          lines.addAll(Files.readAllLines(file, StandardCharsets.UTF_8));
        }
      }
    }
    lines.sort(null);
    return lines;
  }

  static KeyedInput text(TextLayout layout, List<Path> paths, String columns, String... types) {
    return new KeyedInput(
        InputFormatKind.TEXT,
        paths,
        List.of(columns.split(",")),
        Arrays.stream(types).map(KeyType::parse).toList(),
        layout);
  }

  static KeyedInput keyed(InputFormatKind format, Path path, String columns) {
    return new KeyedInput(
        format, List.of(path), List.of(columns.split(",")), List.of(), TextLayout.TABS);
  }

  static void assertCounted(Counters counters, BloomCounter counter, long expected) {
    assertEquals(expected, counters.findCounter(counter).getValue(), counter.toString());
  }
}
