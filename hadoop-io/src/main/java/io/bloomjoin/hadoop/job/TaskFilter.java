package io.bloomjoin.hadoop.job;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.hadoop.FilterFiles;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.net.URI;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filter as a task sees it, out of the distributed cache. It lets every row pass if there is no
 * filter, or none that can be read.
 */
final class TaskFilter {

  private static final Logger LOG = LoggerFactory.getLogger(TaskFilter.class);

  private static final String FILE = "bloomjoin.filter.file";
  private static final String VERSION = "bloomjoin.filter.version";

  /** The last filter that this virtual machine read, for the tasks that come after. */
  private static SoftReference<Read> last = new SoftReference<>(null);

  private record Read(String version, BloomFilter filter) {}

  private final BloomFilter filter;
  private final Counter tested;
  private final Counter pruned;
  private final Counter passed;

  private TaskFilter(BloomFilter filter, TaskInputOutputContext<?, ?, ?, ?> context) {
    this.filter = filter;
    tested = context.getCounter(BloomCounter.TESTED);
    pruned = context.getCounter(BloomCounter.PRUNED);
    passed = context.getCounter(BloomCounter.PASSED);
  }

  /** Sends the file to the tasks of a job. */
  static void send(Path path, Job job) throws IOException {
    Configuration configuration = job.getConfiguration();
    FileStatus status = path.getFileSystem(configuration).getFileStatus(path);
    URI uri = status.getPath().toUri();
    job.addCacheFile(uri);
    configuration.set(FILE, uri.toString());
    configuration.set(VERSION, uri + " " + status.getLen() + " " + status.getModificationTime());
  }

  static TaskFilter of(TaskInputOutputContext<?, ?, ?, ?> context) {
    if (context.getConfiguration().get(FILE) == null) {
      return new TaskFilter(null, context);
    }
    try {
      return new TaskFilter(read(context), context);
    } catch (IOException e) {
      LOG.warn("The filter cannot be read; every row passes", e);
      context.getCounter(BloomCounter.FILTERS_UNREADABLE).increment(1);
      return new TaskFilter(null, context);
    }
  }

  private static synchronized BloomFilter read(TaskInputOutputContext<?, ?, ?, ?> context)
      throws IOException {
    String version = context.getConfiguration().get(VERSION);
    Read read = last.get();
    if (read == null || !read.version().equals(version)) {
      Path file = localFile(context);
      read = new Read(version, FilterFiles.load(file, context.getConfiguration()).filter());
      last = new SoftReference<>(read);
      context.getCounter(BloomCounter.FILTERS_READ).increment(1);
    }
    return read.filter();
  }

  /** The copy on this machine. */
  @SuppressWarnings("deprecation") // No other call tells the place without links in this folder.
  private static Path localFile(TaskInputOutputContext<?, ?, ?, ?> context) throws IOException {
    URI wanted = URI.create(context.getConfiguration().get(FILE));
    int index = Arrays.asList(context.getCacheFiles()).indexOf(wanted);
    Path[] local = context.getLocalCacheFiles();
    if (index < 0 || local == null || local.length <= index) {
      throw new IOException("The filter is not in the distributed cache: " + wanted);
    }
    return new Path("file", null, local[index].toUri().getPath());
  }

  /**
   * Whether a row may match, and counts the answer.
   *
   * @param hash of a key without a null
   */
  boolean mightContain(long hash) {
    if (filter == null) {
      return true;
    }
    tested.increment(1);
    boolean found = filter.mightContain(hash);
    (found ? passed : pruned).increment(1);
    return found;
  }
}
