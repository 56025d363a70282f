package io.bloomjoin.benchmarks;

import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.QueryPlanningTracker;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Runs a query once and observes it. One query at a time: shuffle bytes are those of the whole
 * application.
 */
final class QueryRunner {
  private static final long SETTLE_MILLIS = 300;

  private final SparkSession spark;
  private final ShuffleBytes shuffleBytes;

  QueryRunner(org.apache.spark.sql.SparkSession spark) {
    this.spark = (SparkSession) spark;
    this.shuffleBytes = ShuffleBytes.of(spark.sparkContext());
  }

  /**
   * @throws IllegalStateException if the query fails; says which query in which mode
   */
  Run run(Query query, Mode mode) {
    settle();
    try {
      return observe(session(query, mode), query);
    } catch (Exception e) { // Spark throws checked exceptions, too, without declaring them.
      throw new IllegalStateException(
          query.name() + " failed in mode " + mode.label() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Keeps a run from paying for the one before it: Spark deletes the shuffle files of earlier runs
   * once their objects are collected, in a thread of its own.
   */
  private static void settle() {
    System.gc();
    try {
      Thread.sleep(SETTLE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A session of its own, so that no setting outlives the run; it sees the same tables. */
  private SparkSession session(Query query, Mode mode) {
    SparkSession session = spark.cloneSession();
    query.settings().forEach(session.conf()::set);
    mode.settings().forEach(session.conf()::set);
    return session;
  }

  private Run observe(SparkSession session, Query query) {
    Dataset<Row> rows = session.sql(query.sql());
    long bytesBefore = shuffleBytes.written();
    Stopwatch watch = Stopwatch.start();
    List<Row> answer = rows.collectAsList();
    long millis = watch.millis();
    ExecutedPlan plan = new ExecutedPlan(rows.queryExecution().executedPlan(), "BloomPrune");
    return new Run(
        new Answer(answer),
        millis,
        shuffleBytes.written() - bytesBefore,
        plan.total("rows tested"),
        plan.total("rows pruned"),
        planningMillis(rows.queryExecution().tracker()),
        plan.holdsNode() ? Optional.of(plan.formatted()) : Optional.empty());
  }

  private static long planningMillis(QueryPlanningTracker tracker) {
    return CollectionConverters.asJava(tracker.phases()).values().stream()
        .mapToLong(QueryPlanningTracker.PhaseSummary::durationMs)
        .sum();
  }
}
