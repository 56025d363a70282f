package io.bloomjoin.spark.build;

import io.bloomjoin.spark.catalyst.Scala;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SQLExecution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts builds on threads of their own, shares them among the nodes that read the same keys of the
 * same exchange, and ends them with their query.
 *
 * <p>A build that fails yields a filter that passes every row. Two failures are the query's own and
 * are handed on: the build side cannot be computed, and the query was cancelled.
 */
public final class FilterBuilds {
  private static final Logger LOG = LoggerFactory.getLogger(FilterBuilds.class);

  /** Builds in waiting nest (a build side may itself be pruned), so threads are not bounded. */
  private static final ExecutorService THREADS = Executors.newCachedThreadPool(daemons());

  private static final TreeNodeTag<SharedBuilds> SHARED = new TreeNodeTag<>("bloomjoin.builds");

  private FilterBuilds() {}

  /**
   * Starts the build of the filter over {@code keys} of {@code small}, or joins one that runs.
   *
   * @param small an exchange, or a query stage, a read or a reuse of one
   * @param keys the key columns, over the output of {@code small}
   * @param withValues whether the values of the keys are of use, beside the filter
   */
  public static CompletableFuture<BuiltFilter> start(
      SparkPlan small, List<Expression> keys, FilterSettings settings, boolean withValues) {
    KeySource source = KeySource.of(small, keys);
    FilterSettings wanted = withValues ? settings : settings.withoutValues();
    return sharedBuilds(source.exchange())
        .startOnce(source.keys(), settings, wanted, () -> submit(source, wanted));
  }

  private static SharedBuilds sharedBuilds(Exchange exchange) {
    synchronized (SHARED) {
      scala.Option<SharedBuilds> present = exchange.getTagValue(SHARED);
      if (present.isDefined() && present.get().belongsTo(exchange)) {
        return present.get();
      }
      SharedBuilds fresh = new SharedBuilds(exchange);
      exchange.setTagValue(SHARED, fresh);
      return fresh;
    }
  }

  private static CompletableFuture<BuiltFilter> submit(KeySource source, FilterSettings settings) {
    SparkContext context = source.exchange().sparkContext();
    QueryFilters query = QueryFilters.ofCurrentQuery(context);
    CompletableFuture<BuiltFilter> build =
        SQLExecution$.MODULE$.withThreadLocalCaptured(
            source.exchange().session(),
            THREADS,
            Scala.function(() -> build(source, settings, query)));
    query.add(build);
    return build;
  }

  private static BuiltFilter build(KeySource source, FilterSettings settings, QueryFilters query) {
    source.finish();
    if (query.isOver()) {
      throw new CancellationException("The query ended before its filter was built.");
    }
    SparkContext context = source.exchange().sparkContext();
    context.addJobTag(query.jobTag());
    context.setJobDescription("Bloomjoin: build the filter");
    try {
      return source.build(settings);
    } catch (Throwable failure) { // Scala code throws checked exceptions undeclared
      if (query.isOver() || isCancelled(failure)) {
        throw failure;
      }
      LOG.warn("A Bloom filter could not be built; the query goes on without it.", failure);
      return BuiltFilter.none("the build failed: " + failure.getMessage());
    } finally {
      context.removeJobTag(query.jobTag());
    }
  }

  private static boolean isCancelled(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InterruptedException
          || cause instanceof CancellationException
          || (cause.getMessage() != null && cause.getMessage().contains("SPARK_JOB_CANCELLED"))) {
        return true;
      }
    }
    return false;
  }

  private static java.util.concurrent.ThreadFactory daemons() {
    AtomicInteger count = new AtomicInteger();
    return runnable -> {
      Thread thread = new Thread(runnable, "bloomjoin-build-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
