package io.bloomjoin.hadoop.job;

import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import io.bloomjoin.hadoop.BloomFilterWritable;
import io.bloomjoin.key.KeyBuffer;
import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Puts the keys of a split into one filter. */
final class KeysToFilter extends Mapper<Object, Object, IntWritable, BloomFilterWritable> {

  private RowKeys keys;
  private SplitBlockBloomFilterBuilder builder;

  @Override
  protected void setup(Context context) throws IOException {
    keys = new RowKeys(FilterBuildJob.INPUT, KeyBuffer.ofHashes(), context);
    builder =
        SplitBlockBloomFilterBuilder.withBlocks(
            context.getConfiguration().getLong(FilterBuildJob.BLOCKS, 0));
  }

  @Override
  protected void map(Object key, Object value, Context context) throws IOException {
    if (keys.read(key, value) && !keys.key().hasNull()) {
      builder.add(keys.key().hash());
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    context.write(
        new IntWritable(context.getTaskAttemptID().getTaskID().getId()),
        new BloomFilterWritable(builder.build(), FilterMetadata.UNKNOWN));
  }
}
