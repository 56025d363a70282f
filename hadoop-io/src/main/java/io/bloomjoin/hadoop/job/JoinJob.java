package io.bloomjoin.hadoop.job;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/**
 * The join of a large input with a small one by equal keys, in the reducers; rows of the large side
 * that a filter of the small side's keys proves to match nothing are dropped before the shuffle.
 *
 * <p>A row of the output is the line of the large side, the large side's delimiter, and the line of
 * the small side; of a semi-join, the line of the large side. Keys with a null match nothing. A
 * reduce task holds the small side's rows of one key in memory.
 */
public final class JoinJob {

  /** Which rows the join gives. */
  public enum JoinType {
    /** Each pair of rows with equal keys. */
    INNER,
    /** Each row of the large side whose key the small side has, once. */
    SEMI
  }

  static final String LARGE = "bloomjoin.join.large.";
  static final String SMALL = "bloomjoin.join.small.";
  static final String TYPE = "bloomjoin.join.type";

  private final Configuration configuration;
  private final KeyedInput large;
  private final KeyedInput small;
  private final JoinType type;
  private final Optional<Path> filter;

  /**
   * @param filter the file of a filter over the keys of the small side, or of more keys; empty for
   *     a join without one
   */
  public JoinJob(
      Configuration configuration,
      KeyedInput large,
      KeyedInput small,
      JoinType type,
      Optional<Path> filter) {
    this.configuration = new Configuration(configuration);
    this.large = large;
    this.small = small;
    this.type = type;
    this.filter = filter;
  }

  /**
   * Runs the job, and returns what it counted. The number of reduce tasks is the configuration's.
   *
   * @param output a folder that does not exist yet
   * @throws IOException if the filter or an input cannot be read, or the job fails
   * @throws IllegalArgumentException if both sides have a path in common, their keys or the
   *     filter's are of different types, or a column is not there or cannot be a key
   */
  public Counters run(Path output) throws IOException {
    KeyedInput largeResolved = new InputFiles(large, configuration).resolved();
    KeyedInput smallResolved = new InputFiles(small, configuration).resolved();
    if (!largeResolved.types().equals(smallResolved.types())) {
      throw new IllegalArgumentException(
          "The large side's key is of the types "
              + largeResolved.types()
              + ", the small side's of "
              + smallResolved.types()
              + "; state the types of text, or convert one side");
    }
    checkPaths();
    Job job = Job.getInstance(configuration, "bloomjoin join of " + large.paths());
    job.setJarByClass(JoinJob.class);
    if (filter.isPresent()) {
      KeptFilter.check(filter.get(), largeResolved.types(), configuration);
      TaskFilter.send(filter.get(), job);
    }
    largeResolved.store(job.getConfiguration(), LARGE);
    smallResolved.store(job.getConfiguration(), SMALL);
    job.getConfiguration().setEnum(TYPE, type);
    addInput(job, large, JoinSide.LargeSide.class);
    addInput(job, small, JoinSide.SmallSide.class);
    job.setMapOutputKeyClass(JoinKey.class);
    job.setMapOutputValueClass(Text.class);
    job.setPartitionerClass(JoinKey.ByKey.class);
    job.setGroupingComparatorClass(JoinKey.Grouping.class);
    job.setReducerClass(Joiner.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(Text.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, output);
    JobFailedException.run(job);
    return job.getCounters();
  }

  /** {@code MultipleInputs} knows a path's mapper by the path. */
  private void checkPaths() throws IOException {
    Set<Path> both = new HashSet<>();
    for (KeyedInput side : List.of(large, small)) {
      for (Path path : side.paths()) {
        Path qualified = path.getFileSystem(configuration).makeQualified(path);
        if (!both.add(qualified)) {
          throw new IllegalArgumentException(
              "A path is read once in a join, but " + qualified + " is given twice");
        }
      }
    }
  }

  private void addInput(Job job, KeyedInput side, Class<? extends JoinSide> mapper)
      throws IOException {
    for (Path path : side.paths()) {
      Path qualified = path.getFileSystem(configuration).makeQualified(path);
      MultipleInputs.addInputPath(job, qualified, InputFiles.inputFormat(side.format()), mapper);
    }
  }
}
