package io.bloomjoin.hadoop.job;

import io.bloomjoin.hadoop.BloomFilterWritable;
import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Deals out the filters of the level before. */
final class DealOutFilters
    extends Mapper<NullWritable, BloomFilterWritable, IntWritable, BloomFilterWritable> {

  @Override
  protected void map(NullWritable key, BloomFilterWritable filter, Context context)
      throws IOException, InterruptedException {
    context.write(new IntWritable(context.getTaskAttemptID().getTaskID().getId()), filter);
  }
}
