package io.bloomjoin.hadoop.job;

import io.bloomjoin.key.KeyBuffer;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.parquet.hadoop.example.ExampleOutputFormat;

/**
 * The job that copies the rows of files whose key a filter may hold; map tasks only.
 *
 * <p>The output has the format of the input: lines, the same keys and values, or the same columns.
 * Headers of text are left out. Rows with a null in the key match nothing in a join, and are left
 * out unless asked for.
 */
public final class PruneJob {

  private static final String INPUT = "bloomjoin.prune.input.";
  private static final String KEEPS_NULLS = "bloomjoin.prune.keepsNulls";

  private final Configuration configuration;
  private final KeyedInput input;
  private final Path filter;
  private final boolean keepsNulls;

  /**
   * @param filter the filter's file
   * @param keepsNulls whether rows with a null in the key are copied, too
   */
  public PruneJob(Configuration configuration, KeyedInput input, Path filter, boolean keepsNulls) {
    this.configuration = new Configuration(configuration);
    this.input = input;
    this.filter = filter;
    this.keepsNulls = keepsNulls;
  }

  /**
   * Runs the job, and returns what it counted.
   *
   * @param output a folder that does not exist yet
   * @throws IOException if the filter or the input cannot be read, or the job fails
   * @throws IllegalArgumentException if the filter holds keys of other types, or a column is not
   *     there or cannot be a key
   */
  public Counters run(Path output) throws IOException {
    InputFiles files = new InputFiles(input, configuration);
    KeyedInput resolved = files.resolved();
    KeptFilter.check(filter, resolved.types(), configuration);
    Job job = Job.getInstance(configuration, "bloomjoin prune of " + input.paths());
    job.setJarByClass(PruneJob.class);
    resolved.store(job.getConfiguration(), INPUT);
    job.getConfiguration().setBoolean(KEEPS_NULLS, keepsNulls);
    TaskFilter.send(filter, job);
    FileInputFormat.setInputPaths(job, input.paths().toArray(Path[]::new));
    job.setInputFormatClass(InputFiles.inputFormat(input.format()));
    job.setMapperClass(Prune.class);
    job.setNumReduceTasks(0);
    setOutput(job, files);
    FileOutputFormat.setOutputPath(job, output);
    JobFailedException.run(job);
    return job.getCounters();
  }

  private void setOutput(Job job, InputFiles files) throws IOException {
    switch (input.format()) {
      case TEXT -> {
        job.setOutputKeyClass(NullWritable.class);
        job.setOutputValueClass(Text.class);
        job.setOutputFormatClass(TextOutputFormat.class);
      }
      case SEQUENCE -> {
        try (SequenceFile.Reader reader = files.open()) {
          job.setOutputKeyClass(reader.getKeyClass());
          job.setOutputValueClass(reader.getValueClass());
        }
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
      }
      case PARQUET -> {
        ExampleOutputFormat.setSchema(job, files.schema());
        job.setOutputFormatClass(ExampleOutputFormat.class);
      }
    }
  }

  /** Copies the rows that may match. */
  static final class Prune extends Mapper<Object, Object, Object, Object> {

    private RowKeys keys;
    private TaskFilter filter;
    private boolean keepsNulls;
    private boolean isText;

    @Override
    protected void setup(Context context) throws IOException {
      keys = new RowKeys(INPUT, KeyBuffer.ofHashes(), context);
      filter = TaskFilter.of(context);
      keepsNulls = context.getConfiguration().getBoolean(KEEPS_NULLS, false);
      isText =
          context.getConfiguration().getEnum(INPUT + "format", InputFormatKind.TEXT)
              == InputFormatKind.TEXT;
    }

    @Override
    protected void map(Object key, Object value, Context context)
        throws IOException, InterruptedException {
      if (!keys.read(key, value)) {
        return;
      }
      boolean passes = keys.key().hasNull() ? keepsNulls : filter.mightContain(keys.key().hash());
      if (passes) {
        // Of a line, the key is its place in the file.
        context.write(isText ? NullWritable.get() : key, value);
      }
    }
  }
}
