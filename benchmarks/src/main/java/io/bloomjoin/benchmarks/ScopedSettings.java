package io.bloomjoin.benchmarks;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.RuntimeConfig;
import scala.Option;

/** Session settings that hold until {@link #close()}, which puts the former values back. */
final class ScopedSettings implements AutoCloseable {
  private final RuntimeConfig conf;
  private final Map<String, Option<String>> former = new HashMap<>();

  ScopedSettings(RuntimeConfig conf) {
    this.conf = conf;
  }

  /** Sets every entry; a key that is set twice goes back to its value before the first time. */
  ScopedSettings with(Map<String, String> settings) {
    settings.forEach(
        (key, value) -> {
          former.putIfAbsent(key, conf.getOption(key));
          conf.set(key, value);
        });
    return this;
  }

  @Override
  public void close() {
    former.forEach(
        (key, value) -> {
          if (value.isDefined()) {
            conf.set(key, value.get());
          } else {
            conf.unset(key);
          }
        });
  }
}
