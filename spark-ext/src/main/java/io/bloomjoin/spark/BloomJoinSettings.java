package io.bloomjoin.spark;

import io.bloomjoin.spark.build.FilterSettings;
import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.rule.PruneSettings;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.internal.config.ConfigBuilder;
import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.internal.config.TypedConfigBuilder;
import org.apache.spark.network.util.ByteUnit;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.internal.SQLConf$;

/**
 * The settings {@code spark.bloomjoin.*}, all settable per session at run time. They are entries of
 * Spark's own configuration: {@code SET -v} lists them, and {@code SET} refuses a bad value with
 * its name, the value and what is allowed.
 */
public final class BloomJoinSettings {
  private static final String SINCE = "0.1.0";

  /** A list travels with every task of a scan and is compared with every row group. */
  private static final int MOST_IN_LIST_KEYS = 10_000;

  /** Whether joins are pruned. */
  public static final ConfigEntry<Object> ENABLED =
      entry("spark.bloomjoin.enabled", "Whether Bloomjoin prunes joins.")
          .booleanConf()
          .createWithDefault(true);

  /** The target false positive probability of a join's filter. */
  public static final ConfigEntry<Object> FPP =
      checked(
              entry(
                      "spark.bloomjoin.fpp",
                      "The target false positive probability of a filter: the share of rows without"
                          + " a match that pass all the same. Smaller means larger filters.")
                  .doubleConf(),
              fpp -> (Double) fpp > 0 && (Double) fpp < 1,
              "must be greater than 0 and less than 1")
          .createWithDefault(0.002);

  /** The largest filter that is built. */
  public static final ConfigEntry<Object> MAX_FILTER_BYTES =
      checked(
              entry(
                      "spark.bloomjoin.maxFilterBytes",
                      "The size of the largest filter that is built and broadcast. A build side with"
                          + " more keys than fit at the wanted fpp gets a weaker filter, and none if"
                          + " that would pass more than a tenth of the rows without a match.")
                  .bytesConf(ByteUnit.BYTE),
              bytes -> (Long) bytes >= 32,
              "must be at least 32 bytes")
          .createWithDefault(64L << 20);

  /** The share of passing rows at which a task stops testing for a while. */
  public static final ConfigEntry<Object> MAX_PASS_RATIO =
      checked(
              entry(
                      "spark.bloomjoin.maxPassRatio",
                      "A task that sees a filter pass more than this share of the rows that it tests"
                          + " stops testing for a while, and then looks again. 1 means never.")
                  .doubleConf(),
              ratio -> (Double) ratio >= 0 && (Double) ratio <= 1,
              "must be between 0 and 1")
          .createWithDefault(0.95);

  /** The least number of rows whose pruning is worth a filter. */
  public static final ConfigEntry<Object> MIN_PRUNED_ROWS =
      checked(
              entry(
                      "spark.bloomjoin.minPrunedRows",
                      "A filter is built only if it is expected to prune at least this many rows; fewer"
                          + " do not pay for the build and the wait for it.")
                  .longConf(),
              rows -> (Long) rows >= 0,
              "must not be negative")
          .createWithDefault(500_000L);

  /** How selective a side must be to prune the other. */
  public static final ConfigEntry<Object> MAX_SELECTIVITY =
      checked(
              entry(
                      "spark.bloomjoin.maxSelectivity",
                      "A side of a join prunes the other only if its predicates, joins and limits"
                          + " keep at most this share of its keys, by the estimate.")
                  .doubleConf(),
              share -> (Double) share >= 0 && (Double) share <= 1,
              "must be between 0 and 1")
          .createWithDefault(0.5);

  /** How many filters one place may have. */
  public static final ConfigEntry<Object> MAX_FILTERS_PER_SCAN =
      checked(
              entry(
                      "spark.bloomjoin.maxFiltersPerScan",
                      "How many filters may prune the rows of one scan; the most selective are kept.")
                  .intConf(),
              filters -> (Integer) filters >= 0,
              "must not be negative")
          .createWithDefault(3);

  /** How many keys a scan is given one by one. */
  public static final ConfigEntry<Object> MAX_IN_LIST_KEYS =
      checked(
              entry(
                      "spark.bloomjoin.maxInListKeys",
                      "A scan below a filter of at most this many different keys is given their"
                          + " list, to skip directories and parts of Parquet files; with more, only"
                          + " the least and the greatest key. 0 means no list.")
                  .intConf(),
              keys -> (Integer) keys >= 0 && (Integer) keys <= MOST_IN_LIST_KEYS,
              "must be between 0 and " + MOST_IN_LIST_KEYS)
          .createWithDefault(1000);

  private BloomJoinSettings() {}

  /**
   * Makes the settings known to Spark before a session reads its own. A session that is built with
   * a bad value then says so when it starts, as with Spark's own settings.
   */
  static void register() {
    // Loading this class has done it.
  }

  /** All settings, in the order of their documentation. */
  public static List<ConfigEntry<Object>> all() {
    return List.of(
        ENABLED,
        FPP,
        MAX_FILTER_BYTES,
        MAX_PASS_RATIO,
        MIN_PRUNED_ROWS,
        MAX_SELECTIVITY,
        MAX_FILTERS_PER_SCAN,
        MAX_IN_LIST_KEYS);
  }

  /**
   * The settings of a session; null while Bloomjoin is switched off.
   *
   * @throws IllegalArgumentException naming the setting, the value and what is allowed
   */
  static PruneSettings read(SQLConf conf) {
    if (!(Boolean) conf.getConf(ENABLED)) {
      return null;
    }
    FilterSettings filter =
        new FilterSettings(
            (Double) conf.getConf(FPP),
            (Long) conf.getConf(MAX_FILTER_BYTES),
            (Double) conf.getConf(MAX_PASS_RATIO),
            (Integer) conf.getConf(MAX_IN_LIST_KEYS));
    return new PruneSettings(
        filter,
        (Long) conf.getConf(MIN_PRUNED_ROWS),
        (Double) conf.getConf(MAX_SELECTIVITY),
        (Integer) conf.getConf(MAX_FILTERS_PER_SCAN));
  }

  private static ConfigBuilder entry(String key, String doc) {
    return SQLConf$.MODULE$.buildConf(key).doc(doc).version(SINCE);
  }

  private static TypedConfigBuilder<Object> checked(
      TypedConfigBuilder<Object> builder, Predicate<Object> allowed, String rule) {
    return builder.checkValue(Scala.function(allowed::test), rule);
  }
}
