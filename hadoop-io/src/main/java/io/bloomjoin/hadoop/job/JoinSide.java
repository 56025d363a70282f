package io.bloomjoin.hadoop.job;

import io.bloomjoin.key.KeyBuffer;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** Sends the rows of one side by their keys. */
abstract class JoinSide extends Mapper<Object, Object, JoinKey, Text> {

  private final boolean isLarge;
  private final JoinKey joinKey = new JoinKey();
  private RowKeys keys;
  private TaskFilter filter;

  JoinSide(boolean isLarge) {
    this.isLarge = isLarge;
  }

  @Override
  protected void setup(Context context) throws IOException {
    keys = new RowKeys(isLarge ? JoinJob.LARGE : JoinJob.SMALL, KeyBuffer.ofBytes(), context);
    if (isLarge) {
      filter = TaskFilter.of(context);
    }
  }

  @Override
  protected void map(Object key, Object value, Context context)
      throws IOException, InterruptedException {
    if (!keys.read(key, value) || keys.key().hasNull()) {
      return;
    }
    if (isLarge && !filter.mightContain(keys.key().hash())) {
      return;
    }
    joinKey.set(keys.key().toBytes(), isLarge);
    keys.count(isLarge ? BloomCounter.SHUFFLED_LARGE : BloomCounter.SHUFFLED_SMALL);
    context.write(joinKey, keys.line(key, value));
  }

  static final class LargeSide extends JoinSide {
    LargeSide() {
      super(true);
    }
  }

  static final class SmallSide extends JoinSide {
    SmallSide() {
      super(false);
    }
  }
}
