package io.bloomjoin.hadoop.job;

import static io.bloomjoin.hadoop.job.LocalJobs.assertCounted;
import static io.bloomjoin.hadoop.job.LocalJobs.keyed;
import static io.bloomjoin.hadoop.job.LocalJobs.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.filter.FilterFormatException;
import io.bloomjoin.filter.FilterGoal;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PruneJobTest {

  @TempDir java.nio.file.Path folder;
  private LocalJobs jobs;

  @BeforeEach
  void setUp() {
    jobs = new LocalJobs(folder);
  }

  @Test
  void text_keepsTheLinesThatMayMatch() throws IOException {
    Path filter = filter("string", "", "é", "😀");
    jobs.lines("in/1", "a\t1", "é\t2", "\t3", "\\N\t4");
    jobs.lines("in/2", "😀\t5", "b\t6");
    jobs.lines("in/3", "c\t7", "é\t8");
    KeyedInput input = text(TextLayout.TABS, List.of(jobs.path("in")), "1");
    Counters counters = prune(input, filter, "out");
    assertEquals(List.of("\t3", "é\t2", "é\t8", "😀\t5"), jobs.output("out"));
    assertCounted(counters, BloomCounter.ROWS, 8);
    assertCounted(counters, BloomCounter.NULL_KEYS, 1);
    assertCounted(counters, BloomCounter.TESTED, 7);
    assertCounted(counters, BloomCounter.PRUNED, 3);
    assertCounted(counters, BloomCounter.PASSED, 4);
    // Three tasks in one virtual machine.
    assertCounted(counters, BloomCounter.FILTERS_READ, 1);
    assertCounted(counters, BloomCounter.FILTERS_UNREADABLE, 0);
  }

  @Test
  void nulls_areKept_ifAskedFor() throws IOException {
    Path filter = filter("string", "a");
    KeyedInput input =
        text(TextLayout.TABS, List.of(jobs.lines("in", "a\t1", "\\N\t2", "b\t3")), "1");
    new PruneJob(jobs.configuration(), input, filter, true).run(jobs.path("out"));
    assertEquals(List.of("\\N\t2", "a\t1"), jobs.output("out"));
  }

  @Test
  void aNewFilterAtTheSamePath_isReadAgain() throws IOException {
    KeyedInput input = text(TextLayout.TABS, List.of(jobs.lines("in", "a", "bb")), "1");
    prune(input, filter("string", "a"), "1");
    prune(input, filter("string", "bb", "c", "d", "e"), "2");
    assertEquals(List.of("a"), jobs.output("1"));
    assertEquals(List.of("bb"), jobs.output("2"));
  }

  @Test
  void sequenceFile_keepsItsClasses() throws IOException {
    Path in =
        jobs.sequence(
            "in", new LongWritable(7), new Text("seven"), new LongWritable(8), new Text("eight"));
    prune(keyed(InputFormatKind.SEQUENCE, in, "key"), filter("bigint", "8"), "out");
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(
            jobs.configuration(), SequenceFile.Reader.file(jobs.path("out/part-m-00000")))) {
      LongWritable key = new LongWritable();
      Text value = new Text();
      assertTrue(reader.next(key, value));
      assertEquals("8 eight", key + " " + value);
      assertTrue(!reader.next(key, value));
    }
  }

  @Test
  void parquet_keepsItsColumns() throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message rows { optional int64 id; repeated binary names (STRING); }");
    List<Group> rows = new ArrayList<>();
    for (long i = 0; i < 10; i++) {
      rows.add(
          new SimpleGroup(schema).append("id", i).append("names", "a" + i).append("names", "b"));
    }
    rows.add(new SimpleGroup(schema));
    Path in = jobs.parquet("in.parquet", schema, rows);
    prune(keyed(InputFormatKind.PARQUET, in, "id"), filter("bigint", "3"), "out");
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), jobs.path("out/part-m-00000.parquet"))
            .build()) {
      assertEquals(rows.get(3).toString(), reader.read().toString());
      assertEquals(null, reader.read());
    }
  }

  @Test
  void aFilterOfOtherTypes_isRefused_withBoth() throws IOException {
    Path filter = filter("bigint", "1");
    KeyedInput input = text(TextLayout.TABS, List.of(jobs.lines("in", "1")), "1");
    String message =
        assertThrows(IllegalArgumentException.class, () -> prune(input, filter, "out"))
            .getMessage();
    assertTrue(message.contains("(bigint)") && message.contains("(string)"), message);
  }

  @Test
  void aFileThatIsNoFilter_isRefused_beforeTheJob() throws IOException {
    KeyedInput input = text(TextLayout.TABS, List.of(jobs.lines("in", "1")), "1");
    assertThrows(
        FilterFormatException.class, () -> prune(input, jobs.lines("no", "filter"), "out"));
  }

  @Test
  void aFilterThatTasksCannotRead_letsEveryRowPass() throws IOException {
    Path filter = filter("string", "a");
    KeyedInput input = text(TextLayout.TABS, List.of(jobs.lines("in", "a", "b")), "1");
    Configuration spoiling = jobs.configuration();
    spoiling.set("fs.file.impl", SpoilingFileSystem.class.getName());
    spoiling.setBoolean("fs.file.impl.disable.cache", true);
    spoiling.set(SpoilingFileSystem.PATH, filter.toUri().getPath());
    Counters counters = new PruneJob(spoiling, input, filter, false).run(jobs.path("out"));
    assertEquals(List.of("a", "b"), jobs.output("out"));
    assertCounted(counters, BloomCounter.FILTERS_UNREADABLE, 1);
    assertCounted(counters, BloomCounter.TESTED, 0);
  }

  private Counters prune(KeyedInput input, Path filter, String output) throws IOException {
    return new PruneJob(jobs.configuration(), input, filter, false).run(jobs.path(output));
  }

  private Path filter(String type, String... keys) throws IOException {
    Files.deleteIfExists(folder.resolve(".filter.crc"));
    new FilterBuildJob(
            jobs.configuration(),
            text(TextLayout.TABS, List.of(jobs.lines("keys", keys)), "1", type),
            new FilterGoal(1000, 0.0001))
        .run(jobs.path("filter"));
    return jobs.path("filter");
  }
}
