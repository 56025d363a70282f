package io.bloomjoin.hadoop.job;

import static io.bloomjoin.hadoop.job.LocalJobs.assertCounted;
import static io.bloomjoin.hadoop.job.LocalJobs.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.FilterFiles;
import io.bloomjoin.hadoop.job.JoinJob.JoinType;
import io.bloomjoin.key.KeyHash;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jobs on YARN and HDFS, where every task has a virtual machine of its own. */
class ClusterTest {

  private static final String[] KEYS = {"", "é", "😀", "𐍈", "plain"};

  @TempDir static java.nio.file.Path folder;

  private static MiniDFSCluster hdfs;
  private static MiniMRYarnCluster yarn;
  private static FileSystem files;

  @BeforeAll
  static void start() throws IOException {
    Configuration configuration = new Configuration();
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
    hdfs = new MiniDFSCluster.Builder(configuration).numDataNodes(1).build();
    hdfs.waitActive();
    files = hdfs.getFileSystem();
    yarn = new MiniMRYarnCluster("bloomjoin");
    Configuration onHdfs = new Configuration();
    onHdfs.set("fs.defaultFS", files.getUri().toString());
    onHdfs.set("yarn.app.mapreduce.am.staging-dir", "/staging");
    onHdfs.setInt("yarn.nodemanager.resource.memory-mb", 2048);
    onHdfs.setInt("yarn.scheduler.minimum-allocation-mb", 128);
    onHdfs.setFloat(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", 100);
    // Milliseconds; seconds otherwise.
    onHdfs.setInt("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 100);
    onHdfs.setInt("yarn.nodemanager.sleep-delay-before-sigkill.ms", 10);
    yarn.init(onHdfs);
    yarn.start();
  }

  @AfterAll
  static void stop() throws IOException {
    yarn.stop();
    hdfs.shutdown();
  }

  @Test
  void build_thenJoin() throws IOException {
    Configuration configuration = configuration();
    lines(
        "/small/1",
        KEYS[0] + "\t0",
        KEYS[1] + "\t1",
        KEYS[2] + "\t2",
        KEYS[3] + "\t3",
        KEYS[4] + "\t4",
        "\\N\t9");
    KeyedInput small = text(TextLayout.TABS, List.of(new Path("/small")), "1");
    FilterBuildJob build = new FilterBuildJob(configuration, small, new FilterGoal(1000, 0.001));
    StoredFilter built = build.run(new Path("/filters/small.bloom"));
    assertEquals(6, build.rows());
    assertEquals(1, build.nullKeys());
    assertEquals(built, FilterFiles.load("/filters/small.bloom", configuration));
    for (String key : KEYS) {
      assertTrue(built.filter().mightContain(KeyHash.ofString(key)), key);
    }
    assertEquals(KEYS.length, built.filter().estimatedKeys());

    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rows.add("a" + i + "\tother-" + i);
    }
    for (String key : KEYS) {
      rows.add(key + "\tmatch");
    }
    rows.add("\\N\tnull");
    lines("/large/1", rows.toArray(String[]::new));
    KeyedInput large = text(TextLayout.TABS, List.of(new Path("/large")), "1");
    Counters counters =
        new JoinJob(
                configuration,
                large,
                small,
                JoinType.INNER,
                Optional.of(new Path("/filters/small.bloom")))
            .run(new Path("/joined"));
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < KEYS.length; i++) {
      expected.add(KEYS[i] + "\tmatch\t" + KEYS[i] + "\t" + i);
    }
    expected.sort(null);
    assertEquals(expected, output("/joined"));
    assertCounted(counters, BloomCounter.FILTERS_READ, 1);
    assertCounted(counters, BloomCounter.TESTED, 205);
    long passed = counters.findCounter(BloomCounter.PASSED).getValue();
    assertTrue(passed >= 5 && passed < 15, passed + " rows passed");
    assertCounted(counters, BloomCounter.PRUNED, 205 - passed);
    assertCounted(counters, BloomCounter.SHUFFLED_LARGE, passed);
    assertCounted(counters, BloomCounter.NULL_KEYS, 2);
  }

  private static Configuration configuration() {
    Configuration configuration = new Configuration(yarn.getConfig());
    configuration.setInt("yarn.app.mapreduce.am.resource.mb", 256);
    configuration.set("yarn.app.mapreduce.am.command-opts", "-Xmx200m -XX:TieredStopAtLevel=1");
    configuration.setInt("mapreduce.map.memory.mb", 256);
    configuration.setInt("mapreduce.reduce.memory.mb", 256);
    configuration.setInt("mapreduce.task.io.sort.mb", 20);
    configuration.set("mapred.child.java.opts", "-Xmx200m -XX:TieredStopAtLevel=1");
    configuration.setInt("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", 100);
    configuration.setInt("mapreduce.client.completion.pollinterval", 100);
    return configuration;
  }

  private static void lines(String path, String... lines) throws IOException {
    try (FSDataOutputStream out = files.create(new Path(path))) {
      out.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static List<String> output(String path) throws IOException {
    List<String> lines = new ArrayList<>();
    for (FileStatus file : files.globStatus(new Path(path, "part-*"))) {
      try (BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(files.open(file.getPath()), StandardCharsets.UTF_8))) {
        reader.lines().forEach(lines::add);
      }
    }
    lines.sort(null);
    return lines;
  }
}
