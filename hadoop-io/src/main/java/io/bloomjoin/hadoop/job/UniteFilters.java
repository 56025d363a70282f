package io.bloomjoin.hadoop.job;

import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import io.bloomjoin.hadoop.BloomFilterWritable;
import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Makes one filter of all that come to this task; only one of them is in memory at a time. */
final class UniteFilters
    extends Reducer<IntWritable, BloomFilterWritable, NullWritable, BloomFilterWritable> {

  private SplitBlockBloomFilterBuilder union;

  @Override
  protected void reduce(IntWritable task, Iterable<BloomFilterWritable> filters, Context context) {
    for (BloomFilterWritable writable : filters) {
      SplitBlockBloomFilter filter = (SplitBlockBloomFilter) writable.filter();
      if (union == null) {
        union = SplitBlockBloomFilterBuilder.withBlocks(filter.blocks());
      }
      union.addAll(filter);
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    if (union != null) {
      context.write(
          NullWritable.get(), new BloomFilterWritable(union.build(), FilterMetadata.UNKNOWN));
    }
  }
}
