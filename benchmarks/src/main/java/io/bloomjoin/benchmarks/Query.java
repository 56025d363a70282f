package io.bloomjoin.benchmarks;

import java.util.Map;

/**
 * A query of a suite.
 *
 * @param settings session settings that this query runs with in every mode
 */
record Query(String name, String sql, Map<String, String> settings) {
  Query {
    settings = Map.copyOf(settings);
  }
}
