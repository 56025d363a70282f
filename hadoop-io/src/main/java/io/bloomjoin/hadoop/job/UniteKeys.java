package io.bloomjoin.hadoop.job;

import io.bloomjoin.filter.FilterCollector;
import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.hadoop.BloomFilterWritable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Makes one of all collections that come to this task, two of which are in memory at a time; and
 * the filter, if there is no other task.
 */
final class UniteKeys extends Reducer<IntWritable, CollectedKeys, NullWritable, Writable> {

  private FilterGoal goal;
  private FilterCollector union;

  @Override
  protected void setup(Context context) {
    goal = CollectedKeys.goal(context.getConfiguration());
    union = new FilterCollector(goal);
  }

  @Override
  protected void reduce(IntWritable task, Iterable<CollectedKeys> collections, Context context)
      throws IOException {
    for (CollectedKeys keys : collections) {
      union.addAll(keys.collector(goal));
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    Writable result =
        context.getNumReduceTasks() == 1
            ? new BloomFilterWritable(union.finish(List.of()))
            : new CollectedKeys(union);
    context.write(NullWritable.get(), result);
  }
}
