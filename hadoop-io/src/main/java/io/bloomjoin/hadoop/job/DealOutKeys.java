package io.bloomjoin.hadoop.job;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Deals out what the tasks of the level before have collected. */
final class DealOutKeys extends Mapper<NullWritable, CollectedKeys, IntWritable, CollectedKeys> {

  @Override
  protected void map(NullWritable key, CollectedKeys keys, Context context)
      throws IOException, InterruptedException {
    context.write(new IntWritable(context.getTaskAttemptID().getTaskID().getId()), keys);
  }
}
