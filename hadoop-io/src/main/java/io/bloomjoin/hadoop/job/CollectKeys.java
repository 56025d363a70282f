package io.bloomjoin.hadoop.job;

import io.bloomjoin.filter.FilterCollector;
import io.bloomjoin.key.KeyBuffer;
import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Collects the keys of a split. */
final class CollectKeys extends Mapper<Object, Object, IntWritable, CollectedKeys> {

  private RowKeys keys;
  private FilterCollector collector;

  @Override
  protected void setup(Context context) throws IOException {
    keys = new RowKeys(FilterBuildJob.INPUT, KeyBuffer.ofHashes(), context);
    collector = new FilterCollector(CollectedKeys.goal(context.getConfiguration()));
  }

  @Override
  protected void map(Object key, Object value, Context context) throws IOException {
    if (keys.read(key, value) && !keys.key().hasNull()) {
      collector.add(keys.key().hash());
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    context.write(
        new IntWritable(context.getTaskAttemptID().getTaskID().getId()),
        new CollectedKeys(collector));
  }
}
