package io.bloomjoin.hadoop.job;

import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockSizing;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.BloomFilterWritable;
import io.bloomjoin.hadoop.FilterFiles;
import io.bloomjoin.key.KeyType;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * The jobs that build a filter over the keys of files, and save it.
 *
 * <p>Each map task collects the keys of its rows; reducers unite {@link #FAN_IN} of these
 * collections at a time, in as many levels as it takes until one is left, which becomes the filter.
 * Its bytes follow from the keys and the goal alone: they are those of {@code bloom_agg} in Spark
 * SQL, however many tasks there are.
 */
public final class FilterBuildJob {

  /** The setting for the most filters that one reduce task unites, at least 2; 64 by default. */
  public static final String FAN_IN = "bloomjoin.build.fanIn";

  static final String INPUT = "bloomjoin.build.input.";

  private final Configuration configuration;
  private final KeyedInput input;
  private final FilterGoal goal;
  private final long maxBytes;

  /** What the jobs read and counted. */
  private long rows;

  private long nullKeys;

  private long shuffledBytes;

  /** A build of the size that the keys deserve. */
  public FilterBuildJob(Configuration configuration, KeyedInput input, FilterGoal goal) {
    this(configuration, input, goal, Long.MAX_VALUE);
  }

  /**
   * @param maxBytes the largest filter, at least 32; one that would be larger is folded to it, and
   *     misses its false positive probability
   * @throws IllegalArgumentException if it is out of range
   */
  public FilterBuildJob(
      Configuration configuration, KeyedInput input, FilterGoal goal, long maxBytes) {
    this.configuration = new Configuration(configuration);
    this.input = input;
    this.goal = goal;
    this.maxBytes = maxBytes;
    if (maxBytes < SplitBlockSizing.BYTES_PER_BLOCK) {
      throw new IllegalArgumentException("A filter takes at least 32 bytes; got " + maxBytes);
    }
    if (configuration.getInt(FAN_IN, 64) < 2) {
      throw new IllegalArgumentException(
          FAN_IN + " is at least 2; got " + configuration.get(FAN_IN));
    }
  }

  /**
   * Builds the filter and saves it at the path, in place of a file that may be there. Its
   * properties tell what it was built from, when, and by what.
   *
   * @throws IOException if the input cannot be read, a job fails, or the filter cannot be saved
   * @throws IllegalArgumentException if a column is not there or cannot be a key
   */
  public StoredFilter run(Path output) throws IOException {
    String paths = input.paths().stream().map(Path::toString).collect(Collectors.joining(","));
    return run(
        output,
        Map.of(
            FilterMetadata.SOURCE,
            paths,
            FilterMetadata.SOURCE_VERSION,
            String.valueOf(lastModified()),
            FilterMetadata.BUILT,
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
            FilterMetadata.TOOL,
            "bloomjoin MapReduce"));
  }

  /**
   * As {@link #run(Path)}, with properties of one's own. Without any the file has the bytes that
   * {@code bloom_agg} gives for the same keys.
   */
  public StoredFilter run(Path output, Map<String, String> properties) throws IOException {
    KeyedInput resolved = new InputFiles(input, configuration).resolved();
    Path working =
        new Path(output.getParent(), "." + output.getName() + ".build." + UUID.randomUUID());
    FileSystem files = working.getFileSystem(configuration);
    shuffledBytes = 0;
    try {
      StoredFilter built = build(resolved, working);
      StoredFilter stored =
          new StoredFilter(
              capped((SplitBlockBloomFilter) built.filter()),
              new FilterMetadata(
                  resolved.types().stream().map(KeyType::toString).toList(),
                  built.metadata().keyCount(),
                  goal.fpp(),
                  properties));
      FilterFiles.save(stored, output, configuration);
      return stored;
    } finally {
      files.delete(working, true);
    }
  }

  /** Rows that the last {@link #run} read. */
  public long rows() {
    return rows;
  }

  /** Rows of the last {@link #run} that have a null in the key, and are not in the filter. */
  public long nullKeys() {
    return nullKeys;
  }

  /** Bytes that the reduce tasks of the last {@link #run} fetched, in all levels. */
  public long shuffledBytes() {
    return shuffledBytes;
  }

  private StoredFilter build(KeyedInput resolved, Path working) throws IOException {
    Path level = new Path(working, "level-0");
    Job job = Job.getInstance(configuration, "bloomjoin build of " + input.paths());
    job.setJarByClass(FilterBuildJob.class);
    resolved.store(job.getConfiguration(), INPUT);
    if (input.format() == InputFormatKind.PARQUET) {
      job.getConfiguration()
          .set("parquet.read.schema", new InputFiles(input, configuration).projection());
    }
    FileInputFormat.setInputPaths(job, input.paths().toArray(Path[]::new));
    job.setInputFormatClass(InputFiles.inputFormat(input.format()));
    job.setMapperClass(CollectKeys.class);
    int partials = unite(job, level);
    rows = job.getCounters().findCounter(BloomCounter.ROWS).getValue();
    nullKeys = job.getCounters().findCounter(BloomCounter.NULL_KEYS).getValue();
    for (int i = 1; partials > 1; i++) {
      Job union = Job.getInstance(configuration, "bloomjoin union " + i + " of " + input.paths());
      union.setJarByClass(FilterBuildJob.class);
      FileInputFormat.setInputPaths(union, level);
      union.setInputFormatClass(SequenceFileInputFormat.class);
      union.setMapperClass(DealOutKeys.class);
      level = new Path(working, "level-" + i);
      partials = unite(union, level);
    }
    return result(level);
  }

  /** Runs a job whose mappers collect keys, and returns the number of collections that are left. */
  private int unite(Job job, Path to) throws IOException {
    CollectedKeys.store(goal, job.getConfiguration());
    job.setReducerClass(UniteKeys.class);
    job.setMapOutputKeyClass(IntWritable.class);
    job.setMapOutputValueClass(CollectedKeys.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, to);
    // A task that is run twice would do no harm, but read its input twice.
    job.setSpeculativeExecution(false);
    int fanIn = configuration.getInt(FAN_IN, 64);
    int reducers = Math.max(1, (splits(job) + fanIn - 1) / fanIn);
    job.setNumReduceTasks(reducers);
    job.setOutputValueClass(reducers == 1 ? BloomFilterWritable.class : CollectedKeys.class);
    JobFailedException.run(job);
    shuffledBytes += job.getCounters().findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).getValue();
    return reducers;
  }

  private static int splits(Job job) throws IOException {
    try {
      InputFormat<?, ?> format =
          ReflectionUtils.newInstance(job.getInputFormatClass(), job.getConfiguration());
      return format.getSplits(job).size();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the input was looked at", e);
    } catch (ClassNotFoundException e) {
      throw new IOException("The input format is not on the class path", e);
    }
  }

  private StoredFilter result(Path level) throws IOException {
    BloomFilterWritable result = new BloomFilterWritable();
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(
            configuration, SequenceFile.Reader.file(new Path(level, "part-r-00000")))) {
      if (!reader.next(NullWritable.get(), result)) {
        throw new IOException("The job has left no filter in " + level);
      }
    }
    return result.stored();
  }

  /** Folded to its largest divisor that is not above the largest size. */
  private SplitBlockBloomFilter capped(SplitBlockBloomFilter filter) {
    long blocks = Math.min(filter.blocks(), maxBytes / SplitBlockSizing.BYTES_PER_BLOCK);
    while (filter.blocks() % blocks != 0) {
      blocks--;
    }
    return filter.fold(blocks);
  }

  private long lastModified() throws IOException {
    long last = 0;
    for (Path path : input.paths()) {
      FileSystem files = path.getFileSystem(configuration);
      FileStatus[] matches = files.globStatus(path);
      if (matches == null || matches.length == 0) {
        throw new FileNotFoundException("There is nothing to read at " + path);
      }
      for (FileStatus found : matches) {
        last = Math.max(last, found.getModificationTime());
        if (found.isDirectory()) {
          for (FileStatus inside : files.listStatus(found.getPath())) {
            last = Math.max(last, inside.getModificationTime());
          }
        }
      }
    }
    return last;
  }
}
