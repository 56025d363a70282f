package io.bloomjoin.hadoop.job;

import io.bloomjoin.filter.FilterCollector;
import io.bloomjoin.filter.FilterGoal;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;

/** The keys that a task has collected, on their way to the next. */
final class CollectedKeys implements Writable {

  private static final String EXPECTED_KEYS = "bloomjoin.build.expectedKeys";
  private static final String FPP = "bloomjoin.build.fpp";

  private byte[] state;

  /** To be read into. */
  CollectedKeys() {}

  CollectedKeys(FilterCollector collector) {
    state = collector.toBytes();
  }

  /** Where tasks find the goal of their collectors. */
  static void store(FilterGoal goal, Configuration configuration) {
    configuration.setLong(EXPECTED_KEYS, goal.expectedKeys());
    configuration.setDouble(FPP, goal.fpp());
  }

  static FilterGoal goal(Configuration configuration) {
    return new FilterGoal(
        configuration.getLong(EXPECTED_KEYS, 0),
        configuration.getDouble(FPP, FilterGoal.DEFAULT_FPP));
  }

  FilterCollector collector(FilterGoal goal) throws IOException {
    return FilterCollector.fromBytes(state, goal);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(state.length);
    out.write(state);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    state = new byte[in.readInt()];
    in.readFully(state);
  }
}
