package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFileTest {
  @Test
  void write_putsOriginAboveOneRowPerMode(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("new/suite.csv");
    Comparison comparison =
        new Comparison(
            new Query("q3", "SELECT 1", Map.of()),
            Map.of(
                Mode.STOCK, new Outcome(List.of(run(30, 0), run(10, 0), run(20, 0)), true),
                Mode.FORCED_OPEN, new Outcome(List.of(run(15, 0), run(16, 0)), true),
                Mode.BLOOMJOIN, new Outcome(List.of(run(5, 70)), false)));
    new ResultFile(path, List.of("machine: a", "commit: b")).write(List.of(comparison));
    assertEquals(
        List.of(
            "# machine: a",
            "# commit: b",
            "query,mode,median_ms,min_ms,max_ms,shuffle_bytes,rows_tested,rows_pruned,planning_ms,"
                + "answers_equal",
            "q3,stock,20,10,30,1000,100,0,7,true",
            "q3,forced_open,15,15,16,1000,100,0,7,true",
            "q3,bloomjoin,5,5,5,1000,100,70,7,false"),
        Files.readAllLines(path));
  }

  private static Run run(long millis, long rowsPruned) {
    return new Run(new Answer(List.of()), millis, 1000, 100, rowsPruned, 7, Optional.empty());
  }
}
