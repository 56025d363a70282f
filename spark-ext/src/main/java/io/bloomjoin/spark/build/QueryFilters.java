package io.bloomjoin.spark.build;

import java.util.Collections;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.SQLExecution$;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;

/**
 * The filters of one query (one SQL execution). When the query ends, running builds are cancelled
 * and broadcasts destroyed. Plans that run outside a SQL execution, such as {@code df.rdd}, have no
 * such end; Spark's context cleaner frees theirs with the plan.
 */
final class QueryFilters {
  private static final Map<SparkContext, Registry> REGISTRIES =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final SparkContext context;
  private final String jobTag;
  private final Queue<CompletableFuture<BuiltFilter>> builds = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  private QueryFilters(SparkContext context, String execution) {
    this.context = context;
    this.jobTag = "bloomjoin-" + execution;
  }

  /** The filters of the SQL execution that the current thread works for. */
  static QueryFilters ofCurrentQuery(SparkContext context) {
    String execution = context.getLocalProperty(SQLExecution$.MODULE$.EXECUTION_ID_KEY());
    if (execution == null || !isRunning(Long.parseLong(execution))) {
      return new QueryFilters(context, "none");
    }
    return registry(context).filters(Long.parseLong(execution));
  }

  private static boolean isRunning(long execution) {
    return SQLExecution$.MODULE$.getQueryExecution(execution) != null;
  }

  /** The tag of the build jobs of this query. */
  String jobTag() {
    return jobTag;
  }

  boolean isOver() {
    return over;
  }

  void add(CompletableFuture<BuiltFilter> build) {
    builds.add(build);
    if (over) {
      destroy(build);
    }
  }

  private void end() {
    over = true;
    if (!context.isStopped() && builds.stream().anyMatch(build -> !build.isDone())) {
      context.cancelJobsWithTag(jobTag);
    }
    builds.forEach(QueryFilters::destroy);
  }

  private static void destroy(CompletableFuture<BuiltFilter> build) {
    CompletableFuture<?> unused = build.thenAccept(filter -> filter.handle().destroy());
  }

  private static Registry registry(SparkContext context) {
    synchronized (REGISTRIES) {
      Registry registry = REGISTRIES.get(context);
      if (registry == null) {
        registry = new Registry();
        context.addSparkListener(registry.listener(context));
        REGISTRIES.put(context, registry);
      }
      return registry;
    }
  }

  /** The running queries of one Spark context; refers to it only from its listener. */
  private static final class Registry {
    private final Map<Long, QueryFilters> queries = new ConcurrentHashMap<>();
    private java.lang.ref.WeakReference<SparkContext> context;

    QueryFilters filters(long execution) {
      return queries.computeIfAbsent(
          execution, id -> new QueryFilters(context.get(), Long.toString(id)));
    }

    SparkListener listener(SparkContext owner) {
      context = new java.lang.ref.WeakReference<>(owner);
      return new SparkListener() {
        @Override
        public void onOtherEvent(SparkListenerEvent event) {
          if (event instanceof SparkListenerSQLExecutionEnd end) {
            end(end.executionId());
            // Filters that came when the end of their query was already on its way.
            queries.keySet().stream().filter(id -> !isRunning(id)).forEach(Registry.this::end);
          }
        }
      };
    }

    private void end(long execution) {
      QueryFilters ended = queries.remove(execution);
      if (ended != null) {
        ended.end();
      }
    }
  }
}
