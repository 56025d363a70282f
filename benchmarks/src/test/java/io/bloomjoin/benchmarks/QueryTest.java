package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class QueryTest {
  @Test
  void withoutFinalLimit_dropsTheLastLimitOnly() {
    assertEquals(
        Optional.of("SELECT * FROM (SELECT 1 LIMIT 5) ORDER BY 1"),
        withoutFinalLimit("SELECT * FROM (SELECT 1 LIMIT 5) ORDER BY 1\nlimit 100 ;\n"));
  }

  @Test
  void withoutFinalLimit_noLimitAtTheEnd_isEmpty() {
    assertEquals(Optional.empty(), withoutFinalLimit("SELECT * FROM (SELECT 1 LIMIT 5)"));
    assertEquals(Optional.empty(), withoutFinalLimit("SELECT unlimited 3"));
  }

  private static Optional<String> withoutFinalLimit(String sql) {
    return new Query("q", sql, Map.of()).withoutFinalLimit().map(Query::sql);
  }
}
