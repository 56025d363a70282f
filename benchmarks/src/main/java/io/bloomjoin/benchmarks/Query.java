package io.bloomjoin.benchmarks;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query of a suite.
 *
 * @param settings session settings that this query runs with in every mode
 */
record Query(String name, String sql, Map<String, String> settings) {
  private static final Pattern FINAL_LIMIT =
      Pattern.compile("\\sLIMIT\\s+\\d+\\s*;?\\s*\\z", Pattern.CASE_INSENSITIVE);

  Query {
    settings = Map.copyOf(settings);
  }

  /** The query with all its rows; empty if it does not end with a limit. */
  Optional<Query> withoutFinalLimit() {
    Matcher limit = FINAL_LIMIT.matcher(sql);
    return limit.find()
        ? Optional.of(new Query(name, sql.substring(0, limit.start()), settings))
        : Optional.empty();
  }
}
