package io.bloomjoin.hadoop.job;

import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import io.bloomjoin.filter.SplitBlockSizing;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.BloomFilterWritable;
import io.bloomjoin.hadoop.FilterFiles;
import io.bloomjoin.key.KeyType;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
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
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs that build a filter over the keys of files, and save it.
 *
 * <p>Each map task fills a filter of its own; reducers unite {@link #FAN_IN} of them at a time, in
 * as many levels as it takes until one is left. That is folded to the size that its keys deserve.
 * If it proves too small for its keys, it is built once more at the size that they need.
 */
public final class FilterBuildJob {

  /** The setting for the most filters that one reduce task unites, at least 2; 64 by default. */
  public static final String FAN_IN = "bloomjoin.build.fanIn";

  private static final Logger LOG = LoggerFactory.getLogger(FilterBuildJob.class);

  static final String BLOCKS = "bloomjoin.build.blocks";
  static final String INPUT = "bloomjoin.build.input.";

  /** Without a number of keys: 16 MiB, which take 13 million keys at 1 %. */
  private static final long DEFAULT_BLOCKS = 1 << 19;

  /** A filter so much worse than asked for is built again. */
  private static final double TOLERANCE = 1.5;

  /** What the estimate of an overfull filter may be off by. */
  private static final double MARGIN = 1.1;

  private final Configuration configuration;
  private final KeyedInput input;
  private final double fpp;
  private final long expectedKeys;
  private final long maxBytes;

  /** What the jobs read and counted. */
  private long rows;

  private long nullKeys;

  /**
   * @param expectedKeys the number of distinct keys, or {@link FilterMetadata#UNKNOWN_KEY_COUNT};
   *     it may be wrong at the cost of time
   * @param fpp the false positive probability to reach, above 0 and below 1
   * @param maxBytes the largest filter, which may miss the probability, at least 32
   * @throws IllegalArgumentException if an argument is out of range
   */
  public FilterBuildJob(
      Configuration configuration, KeyedInput input, long expectedKeys, double fpp, long maxBytes) {
    this.configuration = new Configuration(configuration);
    this.input = input;
    this.fpp = fpp;
    this.expectedKeys = expectedKeys;
    this.maxBytes = maxBytes;
    if (expectedKeys < FilterMetadata.UNKNOWN_KEY_COUNT) {
      throw new IllegalArgumentException(
          "The number of expected keys is at least 0; got " + expectedKeys);
    }
    if (!(fpp > 0 && fpp < 1)) {
      throw new IllegalArgumentException(
          "A false positive probability is above 0 and below 1; got " + fpp);
    }
    if (maxBytes < SplitBlockSizing.BYTES_PER_BLOCK) {
      throw new IllegalArgumentException("A filter takes at least 32 bytes; got " + maxBytes);
    }
    if (configuration.getInt(FAN_IN, 64) < 2) {
      throw new IllegalArgumentException(
          FAN_IN + " is at least 2; got " + configuration.get(FAN_IN));
    }
  }

  /**
   * Builds the filter and saves it at the path, in place of a file that may be there.
   *
   * @throws IOException if the input cannot be read, a job fails, or the filter cannot be saved
   * @throws IllegalArgumentException if a column is not there or cannot be a key
   */
  public StoredFilter run(Path output) throws IOException {
    KeyedInput resolved = new InputFiles(input, configuration).resolved();
    long modified = lastModified();
    Path working =
        new Path(output.getParent(), "." + output.getName() + ".build." + UUID.randomUUID());
    FileSystem files = working.getFileSystem(configuration);
    try {
      SplitBlockBloomFilter filter = fold(build(resolved, working));
      StoredFilter stored = new StoredFilter(filter, metadata(resolved, filter, modified));
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

  private SplitBlockBloomFilter build(KeyedInput resolved, Path working) throws IOException {
    long most = Long.highestOneBit(maxBytes / SplitBlockSizing.BYTES_PER_BLOCK);
    long blocks = expectedKeys < 0 ? DEFAULT_BLOCKS : powerOfTwo(blocksFor(expectedKeys), most);
    SplitBlockBloomFilter filter = build(resolved, Math.min(blocks, most), new Path(working, "1"));
    if (filter.fpp() <= TOLERANCE * fpp || filter.blocks() >= most) {
      return filter;
    }
    long keys = filter.estimatedKeys();
    long needed =
        keys == Long.MAX_VALUE ? most : powerOfTwo(blocksFor((long) (MARGIN * keys)), most);
    LOG.info("{} blocks are too few for {} keys; building with {}", filter.blocks(), keys, needed);
    return build(resolved, needed, new Path(working, "2"));
  }

  private long blocksFor(long keys) {
    return SplitBlockSizing.blocksFor(keys, fpp);
  }

  private static long powerOfTwo(long atLeast, long most) {
    return Math.min(most, Long.highestOneBit(2 * atLeast - 1));
  }

  private SplitBlockBloomFilter build(KeyedInput resolved, long blocks, Path working)
      throws IOException {
    Path level = new Path(working, "level-0");
    Job job = Job.getInstance(configuration, "bloomjoin build of " + input.paths());
    job.setJarByClass(FilterBuildJob.class);
    resolved.store(job.getConfiguration(), INPUT);
    job.getConfiguration().setLong(BLOCKS, blocks);
    if (input.format() == InputFormatKind.PARQUET) {
      job.getConfiguration()
          .set("parquet.read.schema", new InputFiles(input, configuration).projection());
    }
    FileInputFormat.setInputPaths(job, input.paths().toArray(Path[]::new));
    job.setInputFormatClass(InputFiles.inputFormat(input.format()));
    job.setMapperClass(KeysToFilter.class);
    int partials = unite(job, level);
    rows = job.getCounters().findCounter(BloomCounter.ROWS).getValue();
    nullKeys = job.getCounters().findCounter(BloomCounter.NULL_KEYS).getValue();
    for (int i = 1; partials > 1; i++) {
      Job union = Job.getInstance(configuration, "bloomjoin union " + i + " of " + input.paths());
      union.setJarByClass(FilterBuildJob.class);
      FileInputFormat.setInputPaths(union, level);
      union.setInputFormatClass(SequenceFileInputFormat.class);
      union.setMapperClass(DealOutFilters.class);
      level = new Path(working, "level-" + i);
      partials = unite(union, level);
    }
    return result(level, blocks);
  }

  /** Runs a job whose mappers make filters, and returns the number of filters that are left. */
  private int unite(Job job, Path to) throws IOException {
    job.setReducerClass(UniteFilters.class);
    job.setMapOutputKeyClass(IntWritable.class);
    job.setMapOutputValueClass(BloomFilterWritable.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(BloomFilterWritable.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, to);
    // A task that is run twice would do no harm, but read its input twice.
    job.setSpeculativeExecution(false);
    int fanIn = configuration.getInt(FAN_IN, 64);
    int reducers = Math.max(1, (splits(job) + fanIn - 1) / fanIn);
    job.setNumReduceTasks(reducers);
    JobFailedException.run(job);
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

  /** The last filter that is left, or an empty one if there was no file to read. */
  private SplitBlockBloomFilter result(Path level, long blocks) throws IOException {
    BloomFilterWritable left = new BloomFilterWritable();
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(
            configuration, SequenceFile.Reader.file(new Path(level, "part-r-00000")))) {
      return reader.next(NullWritable.get(), left)
          ? (SplitBlockBloomFilter) left.filter()
          : SplitBlockBloomFilterBuilder.withBlocks(blocks).build();
    }
  }

  private SplitBlockBloomFilter fold(SplitBlockBloomFilter filter) {
    long keys = filter.estimatedKeys();
    long deserved = filter.blocks();
    while (deserved > 1 && SplitBlockSizing.fpp(keys, deserved / 2) <= fpp) {
      deserved /= 2;
    }
    return filter.fold(deserved);
  }

  private FilterMetadata metadata(
      KeyedInput resolved, SplitBlockBloomFilter filter, long modified) {
    List<String> types = resolved.types().stream().map(KeyType::toString).toList();
    String paths = input.paths().stream().map(Path::toString).collect(Collectors.joining(","));
    return new FilterMetadata(
        types,
        filter.estimatedKeys() == Long.MAX_VALUE
            ? FilterMetadata.UNKNOWN_KEY_COUNT
            : filter.estimatedKeys(),
        fpp,
        Map.of(
            FilterMetadata.SOURCE,
            paths,
            FilterMetadata.SOURCE_VERSION,
            String.valueOf(modified),
            FilterMetadata.BUILT,
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
            FilterMetadata.TOOL,
            "bloomjoin MapReduce"));
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
