package io.bloomjoin.hadoop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.filter.CountingBloomFilter;
import io.bloomjoin.filter.CountingBloomFilterBuilder;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.FilterFiles;
import io.bloomjoin.key.KeyHash;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  @TempDir Path folder;
  private StringWriter out;
  private StringWriter err;

  @BeforeEach
  void setUp() throws IOException {
    out = new StringWriter();
    err = new StringWriter();
    Files.write(folder.resolve("small.csv"), List.of("id,name", "1,one", "2,\"t,wo\"", ",none"));
    List<String> large = new ArrayList<>(List.of("key|row"));
    IntStream.range(0, 100).forEach(i -> large.add(i + "|row " + i));
    Files.write(folder.resolve("large.txt"), large);
  }

  @Test
  void build_info_probe_prune_join() throws IOException {
    assertExit(
        0,
        "build",
        "-i",
        file("small.csv"),
        "--format",
        "csv",
        "--header",
        "-k",
        "id",
        "-t",
        "bigint",
        "-p",
        "0.001",
        "-o",
        file("dim.bloom"));
    assertTrue(
        printed().contains("about 2 keys of 3 rows (1 with a null key), 32 bytes"), printed());

    assertExit(0, "info", file("dim.bloom"));
    assertTrue(printed().matches("(?s).*structure +split-block\\n.*"), printed());
    assertTrue(printed().matches("(?s).*keyTypes +bigint\\n.*"), printed());
    assertTrue(printed().matches("(?s).*estimatedKeys +2\\n.*"), printed());
    assertTrue(printed().matches("(?s).* source +\\S+small.csv\\n.*"), printed());

    assertExit(0, "info", "--format", "json", file("dim.bloom"));
    assertTrue(printed().startsWith("{\"structure\":\"split-block\",\"blocks\":1,"), printed());
    assertTrue(printed().contains("\"keyTypes\":[\"bigint\"]"), printed());

    assertExit(0, "probe", file("dim.bloom"), "1", "2");
    assertEquals("1\tperhaps\n2\tperhaps\n", printed());
    assertExit(3, "probe", file("dim.bloom"), "1", "3");
    assertEquals("1\tperhaps\n3\tno\n", printed());

    assertExit(
        0,
        "prune",
        "-i",
        file("large.txt"),
        "--header",
        "--delimiter",
        "|",
        "-k",
        "key",
        "-t",
        "bigint",
        "-f",
        file("dim.bloom"),
        "-o",
        file("pruned"));
    assertEquals(List.of("1|row 1", "2|row 2"), lines("pruned"));
    assertTrue(printed().matches("(?s).*tested +100\\npruned +98\\npassed +2\\n.*"), printed());

    String[] join = {
      "join",
      "-D",
      "mapreduce.job.reduces=2",
      "--large",
      file("large.txt"),
      "--large-header",
      "--large-delimiter",
      "|",
      "--large-key",
      "key",
      "--small",
      file("small.csv"),
      "--small-format",
      "csv",
      "--small-header",
      "--small-key",
      "id",
      "-t",
      "bigint"
    };
    List<String> expected = List.of("1|row 1|1,one", "2|row 2|2,\"t,wo\"");
    assertExit(0, with(join, "-f", file("dim.bloom"), "-o", file("joined")));
    assertTrue(printed().matches("(?s).*shuffled large +2\\n.*"), printed());
    assertEquals(expected, lines("joined"));
    assertExit(0, with(join, "-o", file("joined-2")));
    assertTrue(printed().matches("(?s).*shuffled large +2\\n.*"), printed());
    assertEquals(expected, lines("joined-2"));
    assertExit(0, with(join, "--no-filter", "-o", file("joined-3")));
    assertTrue(printed().matches("(?s).*shuffled large +100\\n.*"), printed());
    assertEquals(expected, lines("joined-3"));
    assertExit(2, with(join, "--no-filter", "-f", file("dim.bloom"), "-o", file("no")));
    try (var left = Files.list(folder)) {
      assertFalse(left.anyMatch(path -> path.getFileName().toString().startsWith(".joined")));
    }
  }

  @Test
  void probe_ofFiltersOfOthers() throws IOException {
    org.apache.spark.util.sketch.BloomFilter spark =
        org.apache.spark.util.sketch.BloomFilter.create(100);
    spark.putLong(7);
    spark.putString("é");
    try (OutputStream to = Files.newOutputStream(folder.resolve("spark"))) {
      spark.writeTo(to);
    }
    assertExit(3, "probe", "--from", "spark", "-t", "bigint", file("spark"), "7", "8");
    assertEquals("7\tperhaps\n8\tno\n", printed());
    assertExit(0, "probe", "--from", "spark", file("spark"), "é");
    assertExit(2, "probe", "--from", "spark", "-t", "date", file("spark"), "2026-01-01");
    assertExit(1, "probe", "--from", "hadoop", file("small.csv"), "é");
    assertTrue(error().startsWith("bloomjoin probe: Hashes: "), error());

    BloomFilter hadoop = new BloomFilter(1000, 5, Hash.MURMUR_HASH);
    hadoop.add(new Key("é".getBytes(StandardCharsets.UTF_8)));
    try (DataOutputStream to =
        new DataOutputStream(Files.newOutputStream(folder.resolve("hadoop")))) {
      hadoop.write(to);
    }
    assertExit(3, "probe", "--from", "hadoop", file("hadoop"), "é", "e");
    assertEquals("é\tperhaps\ne\tno\n", printed());
    assertExit(2, "probe", "--from", "hadoop", "-t", "bigint", file("hadoop"), "7");
  }

  @Test
  void merge() throws IOException {
    build("one", "a", "b");
    build("two", IntStream.range(0, 5000).mapToObj(String::valueOf).toArray(String[]::new));
    assertExit(0, "merge", "-o", file("both.bloom"), file("one.bloom"), file("two.bloom"));
    StoredFilter both = FilterFiles.load(file("both.bloom"), new Configuration());
    assertTrue(both.filter().mightContain(KeyHash.ofString("a")));
    assertTrue(both.filter().mightContain(KeyHash.ofString("4999")));
    StoredFilter two = FilterFiles.load(file("two.bloom"), new Configuration());
    assertEquals(two.filter().sizeInBytes(), both.filter().sizeInBytes());
    assertEquals(5002.0, (double) both.metadata().keyCount(), 100.0);
    assertTrue(both.filter().fpp() < 0.02, () -> "fpp " + both.filter().fpp());
    // Over one of its inputs.
    assertExit(0, "merge", "-o", file("one.bloom"), file("one.bloom"), file("one.bloom"));
    assertTrue(printed().contains("about 2 keys"), printed());
  }

  @Test
  void merge_ofOtherTypes_isRefused() throws IOException {
    build("one", "1");
    Files.write(folder.resolve("keys"), List.of("1"));
    assertExit(0, "build", "-i", file("keys"), "-k", "1", "-t", "int", "-o", file("two.bloom"));
    assertExit(2, "merge", "-o", file("both.bloom"), file("one.bloom"), file("two.bloom"));
    assertTrue(error().contains("two.bloom: "), error());
    assertTrue(error().contains("(string)") && error().contains("(int)"), error());
  }

  @Test
  void merge_ofCountingFilters_addsTheirCounters() throws IOException {
    saveCounting("one.bloom", 100, "a", "b");
    saveCounting("two.bloom", 100, "b", "c");
    saveCounting("other.bloom", 200, "c");
    assertExit(0, "merge", "-o", file("both.bloom"), file("one.bloom"), file("two.bloom"));
    assertTrue(printed().contains("about 3 keys"), printed());
    CountingBloomFilterBuilder both =
        CountingBloomFilterBuilder.of(
            (CountingBloomFilter)
                FilterFiles.load(file("both.bloom"), new Configuration()).filter());
    assertTrue(both.remove(KeyHash.ofString("b")));
    assertTrue(both.remove(KeyHash.ofString("b")));
    assertFalse(both.remove(KeyHash.ofString("b")));
    assertTrue(both.remove(KeyHash.ofString("a")) && both.remove(KeyHash.ofString("c")));
    assertTrue(both.build().isEmpty());
    assertExit(2, "merge", "-o", file("no.bloom"), file("one.bloom"), file("other.bloom"));
    assertTrue(error().contains("100 blocks") && error().contains("200 blocks"), error());
    build("plain", "a");
    assertExit(2, "merge", "-o", file("no.bloom"), file("one.bloom"), file("plain.bloom"));
    assertTrue(error().contains("plain.bloom: Filters of different structures"), error());
    assertFalse(Files.exists(folder.resolve("no.bloom")));
  }

  private void saveCounting(String name, long blocks, String... keys) throws IOException {
    CountingBloomFilterBuilder builder = CountingBloomFilterBuilder.withBlocks(blocks);
    for (String key : keys) {
      builder.add(KeyHash.ofString(key));
    }
    FilterMetadata metadata = new FilterMetadata(List.of("string"), keys.length, 0.01, Map.of());
    FilterFiles.save(new StoredFilter(builder.build(), metadata), file(name), new Configuration());
  }

  @ParameterizedTest
  @ValueSource(strings = {"build", "prune", "join", "info", "merge", "probe"})
  void help(String command) {
    assertExit(0, command, "--help");
    assertTrue(printed().startsWith("Usage: bloomjoin " + command), printed());
    assertExit(0, "--help");
    assertTrue(printed().contains("  " + command + " "), printed());
  }

  @Test
  void wrongUsage_isTold() {
    assertExit(2);
    assertTrue(error().startsWith("Usage: bloomjoin"), error());
    assertExit(2, "burn");
    assertExit(2, "build", "-i", file("small.csv"));
    assertTrue(error().contains("Missing required options"), error());
    String[] build = {"build", "-i", file("small.csv"), "-o", file("f")};
    assertExit(2, with(build, "-k", "1", "-t", "varchar"));
    assertTrue(error().contains("There is no key type \"varchar\""), error());
    assertExit(2, with(build, "-k", "1", "-t", "int,int"));
    assertExit(2, with(build, "-k", "1", "-p", "2"));
    assertExit(2, with(build, "-k", "name"));
    assertTrue(error().contains("numbers from 1, or names if the files have a header"), error());
    assertExit(2, with(build, "-k", "nme", "--header", "--format", "csv"));
    assertTrue(error().contains("the columns are [id, name]"), error());
    assertExit(2, with(build, "-k", "1", "--delimiter", "ab"));
  }

  @Test
  void failures_areTold_inALine() throws IOException {
    assertExit(1, "info", file("none.bloom"));
    assertTrue(error().startsWith("bloomjoin info: "), error());
    assertExit(1, "info", file("large.txt"));
    assertTrue(error().contains("large.txt is no filter. Magic: "), error());
    assertExit(1, "build", "-i", file("nowhere"), "-k", "1", "-o", file("f"));
    assertTrue(error().contains("nowhere"), error());
    assertExit(1, "build", "-i", file("large.txt"), "-k", "9", "-o", file("f"));
    assertTrue(error().contains("failed"), error());
    assertEquals(1, error().lines().count());
  }

  private void build(String name, String... keys) throws IOException {
    Files.write(folder.resolve(name), List.of(keys));
    assertExit(0, "build", "-i", file(name), "-k", "1", "-o", file(name + ".bloom"));
  }

  private void assertExit(int expected, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    Configuration configuration = new Configuration();
    configuration.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    configuration.setInt("mapreduce.client.completion.pollinterval", 10);
    int exit = Main.run(configuration, new PrintWriter(out), new PrintWriter(err), arguments);
    assertEquals(expected, exit, () -> printed() + error());
  }

  private static String[] with(String[] some, String... more) {
    List<String> all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private String printed() {
    return out.toString();
  }

  private String error() {
    return err.toString();
  }

  private String file(String name) {
    return folder.resolve(name).toUri().toString();
  }

  private List<String> lines(String output) throws IOException {
    List<String> lines = new ArrayList<>();
    try (var files = Files.newDirectoryStream(folder.resolve(output), "part-*")) {
      for (Path file : files) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    lines.sort(null);
    return lines;
  }
}
