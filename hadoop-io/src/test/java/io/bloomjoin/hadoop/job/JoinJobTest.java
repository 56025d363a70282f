package io.bloomjoin.hadoop.job;

import static io.bloomjoin.hadoop.job.LocalJobs.assertCounted;
import static io.bloomjoin.hadoop.job.LocalJobs.keyed;
import static io.bloomjoin.hadoop.job.LocalJobs.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.hadoop.job.JoinJob.JoinType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinJobTest {

  @TempDir java.nio.file.Path folder;
  private LocalJobs jobs;

  @BeforeEach
  void setUp() {
    jobs = new LocalJobs(folder);
  }

  @Test
  void joined_asAPlainJoin_withFewerRowsShuffled() throws IOException {
    Random random = new Random(1);
    List<String> large = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      large.add(random.nextInt(1000) + "\tlarge-" + i);
    }
    List<String> small = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      small.add("small-" + i + "," + random.nextInt(50));
    }
    List<String> expected = new ArrayList<>();
    for (String one : large) {
      for (String other : small) {
        if (other.endsWith("," + one.substring(0, one.indexOf('\t')))) {
          expected.add(one + "\t" + other);
        }
      }
    }
    expected.sort(null);
    KeyedInput largeInput = lines("large", large, TextLayout.TABS, "1");
    KeyedInput smallInput = lines("small", small, TextLayout.CSV, "2");
    Path filter = filter(smallInput);

    Counters plain = join(largeInput, smallInput, JoinType.INNER, Optional.empty(), "plain");
    Counters pruned = join(largeInput, smallInput, JoinType.INNER, Optional.of(filter), "pruned");
    assertTrue(expected.size() > 50);
    assertEquals(expected, jobs.output("plain"));
    assertEquals(expected, jobs.output("pruned"));
    assertCounted(plain, BloomCounter.TESTED, 0);
    assertCounted(plain, BloomCounter.SHUFFLED_LARGE, 2000);
    assertCounted(pruned, BloomCounter.TESTED, 2000);
    long passed = pruned.findCounter(BloomCounter.PASSED).getValue();
    assertCounted(pruned, BloomCounter.PRUNED, 2000 - passed);
    assertCounted(pruned, BloomCounter.SHUFFLED_LARGE, passed);
    assertCounted(pruned, BloomCounter.SHUFFLED_SMALL, 60);
    assertCounted(pruned, BloomCounter.JOINED, expected.size());
    assertTrue(passed < 200, passed + " rows passed");
  }

  @Test
  void semiJoin_givesEachLargeRowOnce() throws IOException {
    KeyedInput large = lines("large", List.of("1\ta", "2\tb", "1\tc"), TextLayout.TABS, "1");
    KeyedInput small = lines("small", List.of("1", "1", "3"), TextLayout.TABS, "1");
    join(large, small, JoinType.SEMI, Optional.of(filter(small)), "out");
    assertEquals(List.of("1\ta", "1\tc"), jobs.output("out"));
  }

  @Test
  void keysOfSeveralColumns_areNotGlued_andNullsMatchNothing() throws IOException {
    KeyedInput large =
        lines("large", List.of("a\tbc", "ab\tc", "\\N\tc", "\t"), TextLayout.TABS, "1,2");
    KeyedInput small = lines("small", List.of("ab,c", "\\N,c", ","), TextLayout.CSV, "1,2");
    join(large, small, JoinType.INNER, Optional.of(filter(small)), "out");
    assertEquals(List.of("\t\t,", "ab\tc\tab,c"), jobs.output("out"));
  }

  @Test
  void typedKeys_matchAcrossFormats() throws IOException {
    KeyedInput large =
        text(
            TextLayout.CSV,
            List.of(jobs.lines("large", "007,bond", "8,other", "9,none")),
            "1",
            "bigint");
    Path sequence =
        jobs.sequence(
            "small", new LongWritable(7), new Text("x"), new LongWritable(8), new Text("y"));
    KeyedInput small = keyed(InputFormatKind.SEQUENCE, sequence, "key");
    join(large, small, JoinType.INNER, Optional.of(filter(small)), "out");
    assertEquals(List.of("007,bond,7\tx", "8,other,8\ty"), jobs.output("out"));
  }

  @Test
  void keysOfDifferentTypes_areRefused() throws IOException {
    KeyedInput large = text(TextLayout.TABS, List.of(jobs.lines("large", "1")), "1", "int");
    KeyedInput small = text(TextLayout.TABS, List.of(jobs.lines("small", "1")), "1", "bigint");
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> join(large, small, JoinType.INNER, Optional.empty(), "out"))
            .getMessage();
    assertTrue(message.contains("[int]") && message.contains("[bigint]"), message);
  }

  @Test
  void aPathOnBothSides_isRefused() throws IOException {
    KeyedInput side = text(TextLayout.TABS, List.of(jobs.lines("large", "1")), "1");
    assertThrows(
        IllegalArgumentException.class,
        () -> join(side, side, JoinType.INNER, Optional.empty(), "out"));
  }

  private Counters join(
      KeyedInput large, KeyedInput small, JoinType type, Optional<Path> filter, String output)
      throws IOException {
    Configuration configuration = jobs.configuration();
    configuration.setInt("mapreduce.job.reduces", 3);
    return new JoinJob(configuration, large, small, type, filter).run(jobs.path(output));
  }

  private KeyedInput lines(String name, List<String> lines, TextLayout layout, String columns)
      throws IOException {
    return text(layout, List.of(jobs.lines(name, lines.toArray(String[]::new))), columns);
  }

  private Path filter(KeyedInput input) throws IOException {
    new FilterBuildJob(jobs.configuration(), input, FilterGoal.ofFpp(0.001))
        .run(jobs.path("filter"));
    return jobs.path("filter");
  }
}
