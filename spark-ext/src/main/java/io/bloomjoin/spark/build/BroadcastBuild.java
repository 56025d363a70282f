package io.bloomjoin.spark.build;

import io.bloomjoin.spark.catalyst.KeyReader;
import io.bloomjoin.spark.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeLike;
import org.apache.spark.sql.execution.joins.HashJoin$;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.LongHashedRelation;
import scala.collection.Iterator;

/**
 * Builds a filter from the hash table that a broadcast join has made anyway, at the driver: the
 * table is there, and it is small.
 */
final class BroadcastBuild {
  private final BroadcastExchangeLike exchange;
  private final List<Expression> keys;
  private final FilterSettings settings;

  BroadcastBuild(BroadcastExchangeLike exchange, List<Expression> keys, FilterSettings settings) {
    this.exchange = exchange;
    this.keys = keys;
    this.settings = settings;
  }

  BuiltFilter run() {
    Broadcast<Object> broadcast = ((SparkPlan) exchange).executeBroadcast();
    long start = System.nanoTime();
    if (!(broadcast.value() instanceof HashedRelation relation)) {
      return BuiltFilter.none("the broadcast holds no hash table");
    }
    long rows = exchange.runtimeStatistics().rowCount().get().toLong();
    long blocks = FilterMaker.blocksFor(rows, settings);
    if (blocks < 0) {
      return BuiltFilter.none(
          rows
              + " keys need more than spark.bloomjoin.maxFilterBytes="
              + settings.maxFilterBytes());
    }
    KeyReader.Factory readers = new KeyReader.Factory(tableKeys(relation), List.of());
    KeyReader reader = readers.reader();
    PartialFilter form = PartialFilter.ofBlocks(blocks, readers.number());
    PartialFilter.Collector collector = form.collector();
    KeyCollector values = KeyCollector.Factory.of(keys, settings).collector();
    Iterator<InternalRow> rowsOfKeys = relation.keys();
    while (rowsOfKeys.hasNext()) {
      if (reader.read(rowsOfKeys.next())) {
        collector.add(reader.numberOrHash());
        values.add(reader);
      }
    }
    CollectedKeys collected = new CollectedKeys(form, collector.finish(), values.known());
    if (collected.count() == 0) {
      return BuiltFilter.empty((System.nanoTime() - start) / 1_000_000);
    }
    return FilterMaker.broadcast(((SparkPlan) exchange).sparkContext(), collected, settings, start);
  }

  /** The join's key columns as expressions over the key rows of its hash table. */
  private List<Expression> tableKeys(HashedRelation relation) {
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Expression key = keys.get(i);
      columns.add(
          relation instanceof LongHashedRelation
              ? HashJoin$.MODULE$.extractKeyExprAt(Scala.seq(keys), i)
              : new BoundReference(i, key.dataType(), key.nullable()));
    }
    return columns;
  }
}
