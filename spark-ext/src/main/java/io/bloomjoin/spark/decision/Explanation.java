package io.bloomjoin.spark.decision;

import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.execution.SparkPlan;

/** The decisions of one plan as text: a paragraph for each join. */
public final class Explanation {
  private Explanation() {}

  /** The decisions of {@code plan}, before or after it ran. */
  public static String of(SparkPlan plan) {
    List<Decision> decisions = DecisionReader.read(plan);
    return decisions.isEmpty()
        ? "No join was looked at: the query has none that Bloomjoin knows, or Bloomjoin is off.\n"
        : of(decisions);
  }

  /** The decisions as text; empty where there are none. */
  static String of(List<Decision> decisions) {
    StringBuilder text = new StringBuilder();
    for (Decision decision : decisions) {
      if (decision.side().equals("left")) {
        text.append(
            "Join %d: %s on %s%n".formatted(decision.join(), decision.operator(), decision.keys()));
      }
      text.append("  %-6s %s%n".formatted(decision.side() + ":", side(decision)));
    }
    return text.toString();
  }

  private static String side(Decision decision) {
    String rows = rows(decision.estimatedRows(), decision.actualRows());
    String verdict =
        "%s, %s. %s [%s]"
            .formatted(
                rows,
                decision.pruned() ? "pruned" : "not pruned",
                decision.reason().sentence(),
                decision.reason());
    if (!decision.pruned()) {
      return verdict;
    }
    Decision.FilterUse filter = decision.filter();
    return "%s%n         filter: %s; %,d rows tested, %,d pruned, built in %,d ms"
        .formatted(
            verdict,
            filter.state(),
            filter.rowsTested(),
            filter.rowsPruned(),
            filter.buildMillis());
  }

  private static String rows(long estimated, OptionalLong actual) {
    return actual.isPresent()
        ? "%,d rows (estimated %,d)".formatted(actual.getAsLong(), estimated)
        : "about %,d rows".formatted(estimated);
  }
}
