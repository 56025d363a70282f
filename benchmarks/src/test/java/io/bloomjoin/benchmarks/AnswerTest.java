package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;

final class AnswerTest {
  @Test
  void matches_sameRowsInAnotherOrder() {
    assertTrue(answer(row(1, "a"), row(2, null)).matches(answer(row(2, null), row(1, "a"))));
  }

  @Test
  void matches_rowMissing_isFalse() {
    assertFalse(answer(row(1, "a"), row(2, "b")).matches(answer(row(1, "a"))));
  }

  @Test
  void matches_otherValue_isFalse() {
    assertFalse(answer(row(1, "a")).matches(answer(row(1, "b"))));
    assertFalse(answer(row(1, "a")).matches(answer(row(1, null))));
  }

  @Test
  void matches_sameRowsOtherTimes_isFalse() {
    assertFalse(answer(row(1), row(1), row(2)).matches(answer(row(1), row(2), row(2))));
  }

  @Test
  void matches_decimals_comparesExactly() {
    assertFalse(answer(row(decimal("0.10"))).matches(answer(row(decimal("0.11")))));
    assertTrue(answer(row(decimal("0.10"))).matches(answer(row(decimal("0.10")))));
  }

  @Test
  void matches_doubles_allowsForTheOrderOfAddition() {
    assertTrue(answer(row(1, 1e6)).matches(answer(row(1, 1e6 + 1e-5))));
    assertFalse(answer(row(1, 1e6)).matches(answer(row(1, 1e6 + 1))));
    assertTrue(
        answer(row(1, 0.1 + 0.2), row(2, Double.NaN))
            .matches(answer(row(2, Double.NaN), row(1, 0.3))));
  }

  private static Answer answer(Row... rows) {
    return new Answer(List.of(rows));
  }

  private static Row row(Object... values) {
    return RowFactory.create(values);
  }

  private static BigDecimal decimal(String value) {
    return new BigDecimal(value);
  }
}
