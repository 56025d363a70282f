package io.bloomjoin.spark.decision;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decisions of the recent queries of each session: the last {@value #MAX_DECISIONS} of each of
 * the last {@value #MAX_SESSIONS} sessions that joined something.
 */
public final class DecisionLog {
  static final int MAX_DECISIONS = 1000;
  static final int MAX_SESSIONS = 100;

  /** How long a reader waits for the queries that have just ended. */
  private static final long MAX_WAIT_MILLIS = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);

  private static final Map<String, Deque<Decision>> SESSIONS =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<Decision>> eldest) {
          return size() > MAX_SESSIONS;
        }
      };

  private DecisionLog() {}

  /** Keeps the decisions of every query that ends from now on; once for a Spark context. */
  public static void listen(SparkContext context) {
    context.addSparkListener(
        new SparkListener() {
          @Override
          public void onOtherEvent(SparkListenerEvent event) {
            if (event instanceof SparkListenerSQLExecutionEnd end && end.qe() != null) {
              keep(end.executionId(), end.qe());
            }
          }
        });
  }

  private static void keep(long id, QueryExecution query) {
    try {
      List<Decision> decisions = DecisionReader.read(query.executedPlan());
      if (!decisions.isEmpty()) {
        keep(query.sparkSession().sessionUUID(), id, decisions);
      }
    } catch (Exception | LinkageError trouble) {
      LOG.debug("The decisions of query {} are lost.", id, trouble);
    }
  }

  static void keep(String session, long id, List<Decision> decisions) {
    synchronized (SESSIONS) {
      Deque<Decision> kept = SESSIONS.computeIfAbsent(session, s -> new ArrayDeque<>());
      decisions.forEach(decision -> kept.addLast(decision.ofQuery(id)));
      while (kept.size() > MAX_DECISIONS) {
        kept.removeFirst();
      }
    }
  }

  /** The decisions of the session's recent queries, the oldest first. */
  public static List<Decision> of(SparkSession session) {
    try {
      session.sparkContext().listenerBus().waitUntilEmpty(MAX_WAIT_MILLIS);
    } catch (TimeoutException busy) {
      LOG.debug("The listener bus is busy; the last queries may be missing.", busy);
    }
    return of(session.sessionUUID());
  }

  static List<Decision> of(String session) {
    synchronized (SESSIONS) {
      return new ArrayList<>(SESSIONS.getOrDefault(session, new ArrayDeque<>()));
    }
  }
}
