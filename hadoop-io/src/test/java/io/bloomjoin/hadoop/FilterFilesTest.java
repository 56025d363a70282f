package io.bloomjoin.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.FilterFormatException;
import io.bloomjoin.filter.StoredFilter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilterFilesTest {

  @TempDir static java.nio.file.Path folder;

  private static MiniDFSCluster hdfs;
  private static Configuration configuration;

  @BeforeAll
  static void start() throws IOException {
    configuration = new Configuration();
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString());
    hdfs = new MiniDFSCluster.Builder(configuration).numDataNodes(1).build();
    hdfs.waitActive();
  }

  @AfterAll
  static void stop() {
    hdfs.shutdown();
  }

  @Test
  void saveAndLoad() throws IOException {
    for (String path : paths("saved").toList()) {
      for (StoredFilter filter : BloomFilterWritableTest.filters()) {
        FilterFiles.save(filter, path, configuration);
        assertEquals(filter, FilterFiles.load(path, configuration));
      }
      assertEquals(1, files(path).length, "only the filter is left in the folder");
    }
  }

  @Test
  void interruptedWriter_leavesTheOldFile() throws IOException {
    for (String path : paths("interrupted").toList()) {
      StoredFilter old = Filters.splitBlock(100);
      FilterFiles.save(old, path, configuration);
      Configuration failing = new Configuration(configuration);
      String scheme = new Path(path).toUri().getScheme();
      failing.set("fs." + scheme + ".impl", FailingFileSystem.class.getName());
      failing.setBoolean("fs." + scheme + ".impl.disable.cache", true);
      IOException failure =
          assertThrows(
              IOException.class,
              () -> FilterFiles.save(Filters.splitBlock(100_000), path, failing));
      assertEquals(FailingFileSystem.MESSAGE, failure.getMessage());
      assertEquals(old, FilterFiles.load(path, configuration));
      assertEquals(1, files(path).length, "nothing is left behind");
    }
  }

  @Test
  void killedWriter_leavesTheOldFile() throws IOException {
    String path = paths("killed").findFirst().orElseThrow();
    StoredFilter old = Filters.splitBlock(100);
    FilterFiles.save(old, path, configuration);
    // What a writer that was killed leaves: a hidden file that was never renamed.
    FileSystem files = hdfs.getFileSystem();
    try (FSDataOutputStream out =
        files.create(new Path(new Path(path).getParent(), ".filter.bloom.killed"))) {
      out.write(Arrays.copyOf(FilterFormat.toBytes(old.filter(), old.metadata()), 50));
    }
    assertEquals(old, FilterFiles.load(path, configuration));
    StoredFilter next = Filters.splitBlock(200);
    FilterFiles.save(next, path, configuration);
    assertEquals(next, FilterFiles.load(path, configuration));
  }

  @Test
  void readers_findTheOldFilterOrTheNewOne_whileWritersReplaceIt() throws IOException {
    String path = paths("replaced").findFirst().orElseThrow();
    StoredFilter one = Filters.splitBlock(1000);
    StoredFilter two = Filters.splitBlock(2000);
    FilterFiles.save(one, path, configuration);
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 20; i++) {
                try {
                  FilterFiles.save(i % 2 == 0 ? two : one, path, configuration);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              }
            });
    int reads = 0;
    while (!writer.isDone()) {
      StoredFilter read = FilterFiles.load(path, configuration);
      assertTrue(read.equals(one) || read.equals(two));
      reads++;
    }
    writer.join();
    assertTrue(reads > 0);
  }

  @Test
  void fileSystems_withoutTheNewerInterface_areWrittenTo() throws IOException {
    Configuration old = new Configuration();
    old.set("fs.old.impl", OldFileSystem.class.getName());
    String path = "old://" + Files.createTempDirectory(folder, "old").resolve("filter.bloom");
    for (StoredFilter filter : BloomFilterWritableTest.filters()) {
      FilterFiles.save(filter, path, old);
      assertEquals(filter, FilterFiles.load(path, old));
    }
  }

  /** The local file system, under a name that {@code FileContext} does not know. */
  public static final class OldFileSystem extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("old:///");
    }
  }

  @Test
  void load_tellsThePath() throws IOException {
    String path = paths("broken").findFirst().orElseThrow();
    assertThrows(FileNotFoundException.class, () -> FilterFiles.load(path, configuration));
    FileSystem files = hdfs.getFileSystem();
    for (byte[] bytes : new byte[][] {{}, {1, 2, 3}, new byte[100], withTrailingByte()}) {
      try (FSDataOutputStream out = files.create(new Path(path), true)) {
        out.write(bytes);
      }
      String message =
          assertThrows(FilterFormatException.class, () -> FilterFiles.load(path, configuration))
              .getMessage();
      assertTrue(message.startsWith(path + " is no filter. "), message);
    }
  }

  @Test
  void save_overAFolder_isRefused() throws IOException {
    String path = paths("folder").findFirst().orElseThrow();
    FileSystem files = hdfs.getFileSystem();
    files.mkdirs(new Path(path));
    assertThrows(
        IOException.class, () -> FilterFiles.save(Filters.classic(5), path, configuration));
    assertTrue(files.getFileStatus(new Path(path)).isDirectory());
  }

  private static byte[] withTrailingByte() {
    StoredFilter filter = Filters.splitBlock(10);
    byte[] bytes = FilterFormat.toBytes(filter.filter(), filter.metadata());
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  /** A file on HDFS, then one on the local disk. */
  private static Stream<String> paths(String test) throws IOException {
    java.nio.file.Path local = Files.createTempDirectory(folder, test);
    return Stream.of(
        hdfs.getFileSystem().getUri() + "/" + test + "/filter.bloom",
        "file://" + local.resolve("filter.bloom"));
  }

  private static FileStatus[] files(String path) throws IOException {
    Path parent = new Path(path).getParent();
    return parent.getFileSystem(configuration).listStatus(parent);
  }
}
