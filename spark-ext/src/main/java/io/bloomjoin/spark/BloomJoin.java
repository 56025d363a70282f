package io.bloomjoin.spark;

import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.FilterUnion;
import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.FilterFiles;
import io.bloomjoin.spark.build.KeyAggregation;
import io.bloomjoin.spark.build.KeyCollection;
import io.bloomjoin.spark.decision.Explanation;
import io.bloomjoin.spark.function.FilterCondition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Filters by hand: built once from a table, kept, and used by many queries.
 *
 * <p>A filter is the bytes of the filter format, which the SQL functions and Hadoop jobs take too.
 * All methods throw {@link IllegalArgumentException} if bytes are not a filter, or a filter is over
 * other key types than it is asked for.
 */
public final class BloomJoin {
  private BloomJoin() {}

  /**
   * Builds the filter over the keys of {@code source}, as large as they need: the bytes that {@code
   * bloom_agg} gives. The rows are read once; those with a null in a key column are left out.
   *
   * @param fpp the false positive probability not to exceed, from 1e-12 to below 1
   * @param keyColumns the columns of the key, in the order in which the filter will be asked
   * @throws IllegalArgumentException if there is no key column, one is of a type that cannot be
   *     hashed, or {@code fpp} is out of range
   */
  public static byte[] build(Dataset<?> source, double fpp, String... keyColumns) {
    return build(source, FilterGoal.ofFpp(fpp), keyColumns);
  }

  /**
   * As {@link #build(Dataset, double, String...)}, with room for at least {@code expectedKeys}
   * distinct keys, so that more can be added later.
   *
   * @param expectedKeys at least 1
   * @throws IllegalArgumentException also if so many keys need a filter of more than 1.5 GiB
   */
  public static byte[] build(
      Dataset<?> source, long expectedKeys, double fpp, String... keyColumns) {
    if (expectedKeys < 1) {
      throw new IllegalArgumentException("The expected keys are at least 1; got " + expectedKeys);
    }
    return build(source, new FilterGoal(expectedKeys, fpp), keyColumns);
  }

  private static byte[] build(Dataset<?> source, FilterGoal goal, String... keyColumns) {
    KeyColumns keys = KeyColumns.of(source, keyColumns);
    return bytes(KeyCollection.run(keys.rows(), keys.reader(), goal).finish(keys.types()));
  }

  /**
   * The filter over the keys of a column, united from the Bloom filters that its Parquet files have
   * ({@code parquet.bloom.filter.enabled#column=true} when they are written). Reads footers and
   * filters at the driver, and no row. Its false positive probability is what the files' filters
   * give, and higher the more of them there are: {@code bloom_info} tells.
   *
   * @param source a dataset that reads all rows of Parquet files: columns may be chosen and
   *     renamed, but no row dropped
   * @param keyColumn a column of the files, of integers, dates, timestamps in microseconds,
   *     decimals in 64 bits, strings or binary values
   * @return empty if some row group has no filter; {@code ParquetBloomFilters} lists those
   * @throws IllegalArgumentException if it is another dataset or column, or the files have the
   *     column in another type than the dataset
   * @throws UncheckedIOException if there is no file, or one cannot be read
   */
  public static Optional<byte[]> harvest(Dataset<?> source, String keyColumn) {
    KeyColumns keys = KeyColumns.of(source, keyColumn);
    try {
      return ParquetColumn.of(keys.plan())
          .harvest()
          .filter()
          .map(
              found -> {
                if (!found.metadata().keyTypes().equals(keys.types())) {
                  throw new IllegalArgumentException(
                      String.format(
                          "Column %s is %s in the dataset and %s in the files, which have other"
                              + " hashes. Build a filter.",
                          keyColumn,
                          String.join("", keys.types()),
                          String.join("", found.metadata().keyTypes())));
                }
                return bytes(
                    new StoredFilter(
                        found.filter(),
                        new FilterMetadata(
                            keys.types(), found.metadata().keyCount(), Double.NaN, Map.of())));
              });
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The Bloom filters of column " + keyColumn + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * The filter with the keys of {@code source} added to it. Its size stays: beyond the keys that it
   * was built or given room for, its false positive probability rises; {@code bloom_info} tells.
   * Properties about its source are dropped, others kept.
   *
   * @param filter a split-block filter
   * @throws IllegalArgumentException also if the columns are not of the types of the filter's keys,
   *     or it is a classic filter
   */
  public static byte[] add(byte[] filter, Dataset<?> source, String... keyColumns) {
    StoredFilter stored = parse(filter);
    if (!(stored.filter() instanceof SplitBlockBloomFilter old)) {
      throw new IllegalArgumentException(
          "Keys can be added to split-block filters only; got a " + stored.filter());
    }
    KeyColumns keys = KeyColumns.of(source, keyColumns);
    keys.checkTypes(stored.metadata().keyTypes());
    SplitBlockBloomFilter added =
        KeyAggregation.bloomFilter(keys.rows(), keys.reader(), old.blocks());
    SplitBlockBloomFilter union = old.union(added);
    Map<String, String> properties = new TreeMap<>(stored.metadata().properties());
    properties.keySet().removeIf(BloomJoin::isAboutSource);
    FilterMetadata metadata =
        new FilterMetadata(
            keys.types(), keyCount(union), stored.metadata().targetFpp(), properties);
    return bytes(new StoredFilter(union, metadata));
  }

  private static long keyCount(SplitBlockBloomFilter filter) {
    long keys = filter.estimatedKeys();
    return keys == Long.MAX_VALUE ? FilterMetadata.UNKNOWN_KEY_COUNT : keys;
  }

  /**
   * The filter of the keys of all filters, as {@code bloom_union_agg} gives it; without properties.
   *
   * @throws IllegalArgumentException also if there is no filter, or the filters do not fit together
   */
  public static byte[] union(byte[]... filters) {
    FilterUnion union = new FilterUnion();
    for (byte[] filter : filters) {
      union.add(parse(filter));
    }
    return bytes(
        union
            .finish()
            .orElseThrow(() -> new IllegalArgumentException("A union needs at least one filter.")));
  }

  /**
   * The rows of {@code dataset} whose key may be in the filter: all that have a partner there, and
   * a few more. Rows with a null in a key column are dropped, as an inner or semi join would. The
   * filter is broadcast; it needs no extension in the session.
   *
   * <p>Columns of narrower types than the filter's keys are cast, such as int to bigint.
   *
   * @param keyColumns the columns of the key, in the filter's order
   */
  public static Dataset<Row> prune(Dataset<?> dataset, byte[] filter, String... keyColumns) {
    StoredFilter stored = parse(filter);
    KeyColumns keys = KeyColumns.of(dataset, keyColumns);
    return dataset
        .toDF()
        .where(
            FilterCondition.mightContain(
                dataset.sparkSession(), stored, filter, keys.expressions()));
  }

  /**
   * The filter with the state of {@code source} among its properties, for {@link #isStale}: paths,
   * sizes and times of the files that the dataset reads, and versions of tables that have them.
   *
   * <p>The state is that in which the dataset was made, so that a file that is changed during the
   * build makes the filter stale.
   *
   * @throws IllegalArgumentException also if the source is neither files nor a table with versions
   */
  public static byte[] withSource(byte[] filter, Dataset<?> source) {
    StoredFilter stored = parse(filter);
    FilterMetadata metadata = stored.metadata();
    Map<String, String> properties = new TreeMap<>(metadata.properties());
    properties.keySet().removeIf(BloomJoin::isAboutSource);
    properties.putAll(SourceState.of(source).properties());
    properties.put(FilterMetadata.BUILT, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return bytes(
        new StoredFilter(
            stored.filter(),
            new FilterMetadata(
                metadata.keyTypes(), metadata.keyCount(), metadata.targetFpp(), properties)));
  }

  /**
   * Whether the files or tables that {@code source} reads are not in the state that {@link
   * #withSource} noted: one was added, removed or written anew. Looks at the file system; reads no
   * data.
   *
   * @throws IllegalArgumentException also if no state is noted in the filter, or the source is
   *     neither files nor a table with versions
   */
  public static boolean isStale(byte[] filter, Dataset<?> source) {
    String noted = parse(filter).metadata().properties().get(SourceState.DIGEST);
    if (noted == null) {
      throw new IllegalArgumentException(
          "The filter does not say what it was built from. Note it after the build, by"
              + " BloomJoin.withSource.");
    }
    return !noted.equals(SourceState.now(source).digest());
  }

  private static boolean isAboutSource(String property) {
    return property.equals(FilterMetadata.BUILT)
        || property.equals(FilterMetadata.SOURCE)
        || property.startsWith(FilterMetadata.SOURCE + ".");
  }

  /**
   * Writes the filter to a file, in place of one that may be there; a reader never sees half of it.
   *
   * @param path on any file system that the session's Hadoop configuration knows
   * @throws UncheckedIOException if it cannot be written
   */
  public static void save(SparkSession session, byte[] filter, String path) {
    StoredFilter stored = parse(filter);
    try {
      FilterFiles.save(stored, path, hadoop(session));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The filter cannot be written to " + path + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads the filter of a file.
   *
   * @throws UncheckedIOException if the file cannot be read, or is not a filter
   */
  public static byte[] load(SparkSession session, String path) {
    try {
      return bytes(FilterFiles.load(path, hadoop(session)));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "There is no filter to read in " + path + ": " + e.getMessage(), e);
    }
  }

  private static org.apache.hadoop.conf.Configuration hadoop(SparkSession session) {
    return ((org.apache.spark.sql.classic.SparkSession) session).sessionState().newHadoopConf();
  }

  private static StoredFilter parse(byte[] filter) {
    try {
      return FilterFormat.fromBytes(filter);
    } catch (IOException e) {
      throw new IllegalArgumentException("The bytes are not a filter: " + e.getMessage(), e);
    }
  }

  private static byte[] bytes(StoredFilter stored) {
    return FilterFormat.toBytes(stored.filter(), stored.metadata());
  }

  /**
   * Says in words, for each join of a query, whether its sides are pruned and why. Before the query
   * has run the rows are estimates; after it they are counted, and the filters tell what they did.
   */
  public static String explain(Dataset<?> query) {
    return Explanation.of(
        ((org.apache.spark.sql.classic.Dataset<?>) query).queryExecution().executedPlan());
  }
}
