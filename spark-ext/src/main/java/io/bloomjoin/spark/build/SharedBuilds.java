package io.bloomjoin.spark.build;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.exchange.Exchange;

/** The builds over one exchange; hangs on the exchange as a tag and lives as long as it. */
final class SharedBuilds {
  private record Key(List<Expression> keys, FilterSettings settings) {}

  private final Exchange exchange;
  private final Map<Key, CompletableFuture<BuiltFilter>> builds = new ConcurrentHashMap<>();

  SharedBuilds(Exchange exchange) {
    this.exchange = exchange;
  }

  /** A copied plan node carries its original's tags, so a tag must be asked whose it is. */
  boolean belongsTo(Exchange candidate) {
    return exchange == candidate;
  }

  /**
   * @param wanted those of {@code settings}, or the same without values of keys; a build that has
   *     them serves both
   */
  CompletableFuture<BuiltFilter> startOnce(
      List<Expression> keys,
      FilterSettings settings,
      FilterSettings wanted,
      Supplier<CompletableFuture<BuiltFilter>> start) {
    CompletableFuture<BuiltFilter> knowsAll = builds.get(new Key(keys, settings));
    return knowsAll != null ? knowsAll : startOnce(keys, wanted, start);
  }

  private CompletableFuture<BuiltFilter> startOnce(
      List<Expression> keys,
      FilterSettings settings,
      Supplier<CompletableFuture<BuiltFilter>> start) {
    return builds.computeIfAbsent(new Key(keys, settings), key -> start.get());
  }
}
