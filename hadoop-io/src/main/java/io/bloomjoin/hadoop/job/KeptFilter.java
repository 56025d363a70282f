package io.bloomjoin.hadoop.job;

import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.FilterFiles;
import io.bloomjoin.key.KeyType;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Looks at a filter before a job is sent out with it. */
final class KeptFilter {

  private KeptFilter() {}

  /**
   * @throws IOException if there is no filter at the path
   * @throws IllegalArgumentException if it holds keys of other types
   */
  static void check(Path path, List<KeyType> types, Configuration configuration)
      throws IOException {
    StoredFilter stored = FilterFiles.load(path, configuration);
    List<String> held = stored.metadata().keyTypes();
    List<String> asked = types.stream().map(KeyType::toString).toList();
    if (!held.isEmpty() && !held.equals(asked)) {
      throw new IllegalArgumentException(
          String.format(
              "The filter %s holds keys of type (%s), but the input has keys of type (%s). State"
                  + " the filter's types for text, or build the filter over the input's types",
              path, String.join(", ", held), String.join(", ", asked)));
    }
  }
}
