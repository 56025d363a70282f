package io.bloomjoin.hadoop.job;

import static io.bloomjoin.hadoop.job.LocalJobs.keyed;
import static io.bloomjoin.hadoop.job.LocalJobs.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import io.bloomjoin.filter.SplitBlockSizing;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.FilterFiles;
import io.bloomjoin.key.KeyHash;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilterBuildJobTest {

  @TempDir java.nio.file.Path folder;
  private LocalJobs jobs;

  @BeforeEach
  void setUp() {
    jobs = new LocalJobs(folder);
  }

  @Test
  void text_hasTheBytesOfTheFields_inUtf8() throws IOException {
    Path lines = jobs.lines("keys", "1\t\tx", "2\té\tx", "3\t😀\tx", "4\t𐍈\tx", "5\t\\N\tx");
    FilterBuildJob job = build(text(TextLayout.TABS, List.of(lines), "2"), 10);
    StoredFilter stored = job.run(jobs.path("filter"));
    assertHolds(
        stored,
        KeyHash.ofString(""),
        KeyHash.ofString("é"),
        KeyHash.ofString("😀"),
        KeyHash.ofString("𐍈"));
    assertEquals(5, job.rows());
    assertEquals(1, job.nullKeys());
    assertEquals(List.of("string"), stored.metadata().keyTypes());
    assertEquals(stored, FilterFiles.load(jobs.path("filter"), jobs.configuration()));
    assertEquals(List.of("filter", "keys", "tmp"), names());
  }

  @Test
  void nulls_areWhatIsAskedFor() throws IOException {
    Path lines = jobs.lines("keys", "", "NULL", "-", "\\N");
    TextLayout layout = new TextLayout(',', true, false, List.of("", "-"), false);
    FilterBuildJob job = build(text(layout, List.of(lines), "1"), 10);
    assertHolds(job.run(jobs.path("filter")), KeyHash.ofString("NULL"), KeyHash.ofString("\\N"));
    assertEquals(2, job.nullKeys());
  }

  @Test
  void csv_withQuotesAndHeader() throws IOException {
    Path lines =
        jobs.lines("keys.csv", "name,\"the id\"", "\"a, \"\"b\"\"\",1", "c,2", "\"d\", 3 ");
    TextLayout layout = new TextLayout(',', true, true, List.of("\\N"), false);
    StoredFilter names = build(text(layout, List.of(lines), "name"), 10).run(jobs.path("1"));
    assertHolds(names, KeyHash.ofString("a, \"b\""), KeyHash.ofString("c"), KeyHash.ofString("d"));
    StoredFilter ids =
        build(text(layout, List.of(lines), "the id,name", "int", "string"), 10).run(jobs.path("2"));
    assertHolds(
        ids,
        KeyHash.ofString("a, \"b\"", KeyHash.ofInt(1)),
        KeyHash.ofString("c", KeyHash.ofInt(2)),
        KeyHash.ofString("d", KeyHash.ofInt(3)));
  }

  @Test
  void text_ofEveryType() throws IOException {
    assertTyped("boolean", "true", KeyHash.ofInt(1));
    assertTyped("tinyint", "-128", KeyHash.ofInt(-128));
    assertTyped("smallint", "-300", KeyHash.ofInt(-300));
    assertTyped("int", " 7 ", KeyHash.ofInt(7));
    assertTyped("bigint", "-9223372036854775808", KeyHash.ofLong(Long.MIN_VALUE));
    assertTyped("float", "-0.0", KeyHash.ofFloat(0));
    assertTyped("double", "NaN", KeyHash.ofDouble(Double.NaN));
    assertTyped("date", "1970-01-03", KeyHash.ofInt(2));
    assertTyped("timestamp", "1970-01-01 01:00:00.000001+01:00", KeyHash.ofLong(1));
    assertTyped("timestamp_ntz", "1970-01-01T00:00:01", KeyHash.ofLong(1_000_000));
    assertTyped("timestamp_ntz", "1969-12-31T23:59:59.9999995", KeyHash.ofLong(-1));
    assertTyped("timestamp", "0001-01-01T00:00:00Z", KeyHash.ofLong(-62_135_596_800_000_000L));
    assertTyped("timestamp", "-290308-12-21T19:59:05.224192Z", KeyHash.ofLong(Long.MIN_VALUE));
    assertTyped("timestamp", "+294247-01-10T04:00:54.775807Z", KeyHash.ofLong(Long.MAX_VALUE));
    assertTyped("decimal(10,2)", "1.5", KeyHash.ofDecimal(new BigDecimal("1.50"), 10, 2));
    assertTyped("decimal(38,0)", "1", KeyHash.ofDecimal(BigDecimal.ONE, 38, 0));
  }

  @Test
  void badKeys_endTheJob_orAreNullIfAskedFor() throws IOException {
    Path lines = jobs.lines("keys", "1", "one", "", "2");
    IOException failure =
        assertThrows(
            IOException.class,
            () -> build(text(TextLayout.TABS, List.of(lines), "1", "int"), 9).run(jobs.path("f")));
    assertTrue(failure.getMessage().contains("failed"), failure.getMessage());
    assertFalse(Files.exists(folder.resolve("f")));
    TextLayout lenient = new TextLayout('\t', false, false, List.of(), true);
    FilterBuildJob job = build(text(lenient, List.of(lines), "1", "int"), 10);
    assertHolds(job.run(jobs.path("f")), KeyHash.ofInt(1), KeyHash.ofInt(2));
    assertEquals(2, job.nullKeys());
  }

  @Test
  void sequenceFiles() throws IOException {
    Path longs =
        jobs.sequence(
            "longs", new LongWritable(7), new Text("a\tb"), new LongWritable(-1), new Text("c\td"));
    assertHolds(
        build(keyed(InputFormatKind.SEQUENCE, longs, "key"), 10).run(jobs.path("1")),
        KeyHash.ofLong(7),
        KeyHash.ofLong(-1));
    assertHolds(
        build(keyed(InputFormatKind.SEQUENCE, longs, "value.2,key"), 10).run(jobs.path("2")),
        KeyHash.ofLong(7, KeyHash.ofString("b")),
        KeyHash.ofLong(-1, KeyHash.ofString("d")));
    Path doubles = jobs.sequence("doubles", NullWritable.get(), new DoubleWritable(-0.0));
    assertHolds(
        build(keyed(InputFormatKind.SEQUENCE, doubles, "value"), 10).run(jobs.path("3")),
        KeyHash.ofDouble(0.0));
    Path texts =
        jobs.sequence(
            "texts", new Text(""), NullWritable.get(), new Text("\\N"), NullWritable.get());
    FilterBuildJob ofTexts = build(keyed(InputFormatKind.SEQUENCE, texts, "key"), 10);
    assertHolds(ofTexts.run(jobs.path("0")), KeyHash.ofString(""));
    assertEquals(1, ofTexts.nullKeys());
    Path ints = jobs.sequence("ints", new IntWritable(7), NullWritable.get());
    StoredFilter stored =
        build(keyed(InputFormatKind.SEQUENCE, ints, "key"), 10).run(jobs.path("4"));
    assertHolds(stored, KeyHash.ofInt(7));
    assertEquals(List.of("int"), stored.metadata().keyTypes());
    assertThrows(
        IllegalArgumentException.class,
        () -> build(keyed(InputFormatKind.SEQUENCE, ints, "value"), 10).run(jobs.path("5")));
  }

  @Test
  void parquet() throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            """
            message rows {
              required int64 id;
              optional binary name (STRING);
              required int32 day (DATE);
              required int64 time (TIMESTAMP(MILLIS,true));
              required int32 price (DECIMAL(9,2));
              repeated int32 many;
            }
            """);
    List<Group> rows = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Group row = new SimpleGroup(schema).append("id", (long) i);
      if (i > 0) {
        row.append("name", "é" + i);
      }
      rows.add(row.append("day", i).append("time", (long) i).append("price", 100 * i));
    }
    Path file = jobs.parquet("rows.parquet", schema, rows);
    assertParquet(file, "id", KeyHash.ofLong(0), KeyHash.ofLong(1), KeyHash.ofLong(2));
    assertParquet(file, "name", KeyHash.ofString("é1"), KeyHash.ofString("é2"));
    assertParquet(file, "day", KeyHash.ofInt(0), KeyHash.ofInt(1), KeyHash.ofInt(2));
    assertParquet(file, "time", KeyHash.ofLong(0), KeyHash.ofLong(1000), KeyHash.ofLong(2000));
    assertParquet(
        file,
        "price",
        KeyHash.ofDecimal(new BigDecimal("0"), 9, 2),
        KeyHash.ofDecimal(new BigDecimal("1"), 9, 2),
        KeyHash.ofDecimal(new BigDecimal("2"), 9, 2));
    assertThrows(IllegalArgumentException.class, () -> assertParquet(file, "many"));
    assertThrows(IllegalArgumentException.class, () -> assertParquet(file, "none"));
  }

  @Test
  void manyMappers_areUnitedInSeveralLevels_toTheSameFilter() throws IOException {
    String[] all = IntStream.range(0, 5000).mapToObj(i -> "key-" + i).toArray(String[]::new);
    for (int i = 0; i < 5; i++) {
      jobs.lines("in/" + i, Arrays.copyOfRange(all, 1000 * i, 1000 * (i + 1)));
    }
    KeyedInput input = text(TextLayout.TABS, List.of(jobs.path("in")), "1");
    StoredFilter atOnce = build(input, 5000).run(jobs.path("1"));
    Configuration narrow = jobs.configuration();
    narrow.setInt(FilterBuildJob.FAN_IN, 2);
    StoredFilter inLevels =
        new FilterBuildJob(narrow, input, new FilterGoal(5000, 0.01)).run(jobs.path("2"));
    assertEquals(atOnce.filter(), inLevels.filter());
    SplitBlockBloomFilterBuilder expected = SplitBlockBloomFilterBuilder.withBlocks(256);
    Arrays.stream(all).mapToLong(KeyHash::ofString).forEach(expected::add);
    assertEquals(expected.build(), inLevels.filter());
  }

  @Test
  void expectedKeys_areTheRoomAtLeast_asInSql() throws IOException {
    String[] keys = IntStream.range(0, 20_000).mapToObj(String::valueOf).toArray(String[]::new);
    KeyedInput input = text(TextLayout.TABS, List.of(jobs.lines("keys", keys)), "1", "bigint");
    for (long expectedKeys : new long[] {0, 1, 100, 20_000, 5_000_000}) {
      StoredFilter stored = build(input, expectedKeys).run(jobs.path("filter"));
      assertTrue(stored.filter().fpp() <= 0.0102, expectedKeys + ": " + stored.filter().fpp());
      long room = SplitBlockSizing.blocksFor(Math.max(20_000, expectedKeys), 0.01) * 32;
      long size = stored.filter().sizeInBytes();
      assertTrue(size >= room && size <= 1.5 * room, expectedKeys + ": " + size);
      assertEquals(20_000, stored.metadata().keyCount());
      IntStream.range(0, 20_000)
          .forEach(i -> assertTrue(stored.filter().mightContain(KeyHash.ofLong(i))));
    }
  }

  @Test
  void theLargestSize_isKept() throws IOException {
    String[] keys = IntStream.range(0, 20_000).mapToObj(String::valueOf).toArray(String[]::new);
    KeyedInput input = text(TextLayout.TABS, List.of(jobs.lines("keys", keys)), "1", "bigint");
    for (long[] sizes :
        new long[][] {{32_768, 32_768}, {32_767, 16_384}, {9000, 8192}, {95, 64}, {32, 32}}) {
      StoredFilter stored =
          new FilterBuildJob(jobs.configuration(), input, FilterGoal.ofFpp(0.01), sizes[0])
              .run(jobs.path("f"));
      assertEquals(sizes[1], stored.filter().sizeInBytes());
      IntStream.range(0, 20_000)
          .forEach(i -> assertTrue(stored.filter().mightContain(KeyHash.ofLong(i))));
    }
  }

  @Test
  void noRows_giveAnEmptyFilter_thatRejectsEveryKey() throws IOException {
    Path empty = jobs.lines("empty");
    StoredFilter stored =
        build(text(TextLayout.TABS, List.of(empty), "1"), 0).run(jobs.path("filter"));
    assertTrue(FilterFiles.load(jobs.path("filter"), jobs.configuration()).filter().isEmpty());
    assertEquals(0, stored.metadata().keyCount());
    IntStream.range(0, 1000)
        .forEach(i -> assertFalse(stored.filter().mightContain(KeyHash.ofInt(i))));
  }

  @Test
  void wrongArguments_areRefused() {
    KeyedInput input = text(TextLayout.TABS, List.of(jobs.path("none")), "1");
    Configuration configuration = jobs.configuration();
    assertThrows(
        IllegalArgumentException.class,
        () -> new FilterBuildJob(configuration, input, FilterGoal.ofFpp(0.1), 31));
    configuration.setInt(FilterBuildJob.FAN_IN, 1);
    assertThrows(
        IllegalArgumentException.class,
        () -> new FilterBuildJob(configuration, input, FilterGoal.ofFpp(0.1)));
    assertThrows(IOException.class, () -> build(input, 10).run(jobs.path("filter")));
  }

  private void assertTyped(String type, String value, long hash) throws IOException {
    Path lines = jobs.lines("typed", value);
    StoredFilter stored =
        build(text(TextLayout.TABS, List.of(lines), "1", type), 10).run(jobs.path("filter"));
    assertHolds(stored, hash);
    assertEquals(List.of(type), stored.metadata().keyTypes());
  }

  private void assertParquet(Path file, String column, long... hashes) throws IOException {
    assertHolds(
        build(keyed(InputFormatKind.PARQUET, file, column), 10).run(jobs.path("f")), hashes);
  }

  /** Asserts that the filter has the bits of exactly these hashes. */
  private static void assertHolds(StoredFilter stored, long... hashes) {
    long blocks = stored.filter().sizeInBytes() / SplitBlockSizing.BYTES_PER_BLOCK;
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(blocks);
    LongConsumer add = builder::add;
    Arrays.stream(hashes).forEach(add);
    assertEquals(builder.build(), stored.filter());
    assertEquals(hashes.length, stored.filter().estimatedKeys());
  }

  private FilterBuildJob build(KeyedInput input, long expectedKeys) {
    return new FilterBuildJob(jobs.configuration(), input, new FilterGoal(expectedKeys, 0.01));
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .sorted()
          .toList();
    }
  }
}
