package io.bloomjoin.hadoop.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;

/** Pairs the rows of a key. */
final class Joiner extends Reducer<JoinKey, Text, NullWritable, Text> {

  private final List<Text> smallRows = new ArrayList<>();
  private final Text joined = new Text();
  private byte[] delimiter;
  private boolean isSemi;

  @Override
  protected void setup(Context context) {
    Configuration configuration = context.getConfiguration();
    delimiter = new byte[] {(byte) configuration.getInt(JoinJob.LARGE + "delimiter", '\t')};
    isSemi = configuration.getEnum(JoinJob.TYPE, JoinJob.JoinType.INNER) == JoinJob.JoinType.SEMI;
  }

  @Override
  protected void reduce(JoinKey key, Iterable<Text> rows, Context context)
      throws IOException, InterruptedException {
    smallRows.clear();
    for (Text row : rows) {
      // The key changes with each row.
      if (!key.isLarge()) {
        if (!isSemi || smallRows.isEmpty()) {
          smallRows.add(new Text(row));
        }
        continue;
      }
      if (smallRows.isEmpty()) {
        return;
      }
      for (Text small : smallRows) {
        write(row, small, context);
      }
    }
  }

  private void write(Text large, Text small, Context context)
      throws IOException, InterruptedException {
    joined.set(large);
    if (!isSemi) {
      joined.append(delimiter, 0, delimiter.length);
      joined.append(small.getBytes(), 0, small.getLength());
    }
    context.getCounter(BloomCounter.JOINED).increment(1);
    context.write(NullWritable.get(), joined);
  }
}
