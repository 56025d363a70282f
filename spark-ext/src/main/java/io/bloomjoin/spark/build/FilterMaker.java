package io.bloomjoin.spark.build;

import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockSizing;
import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.probe.FilterHandle;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;

/** The steps that every build shares: the size before, and the fold and the broadcast after. */
final class FilterMaker {
  /** Block counts are a multiple of this, so that a filter can be halved six times. */
  private static final long FOLD_UNIT = 64;

  /** Below this many blocks (64 KiB) a fold is not worth its pass. */
  private static final long MIN_BLOCKS_TO_FOLD = 2048;

  /** The smallest filter (16 KiB): it stays in the first-level cache, so its bits cost nothing. */
  private static final long MIN_BLOCKS = 512;

  /** A filter that the size limit makes weaker than this is not worth its probes. */
  private static final double WEAKEST_FPP = 0.1;

  /** Five bits a key; a filter with fewer is weaker than {@link #WEAKEST_FPP} anyway. */
  private static final long MAX_KEYS_PER_BLOCK = 51;

  /** What one array holds, with room for the header of a partial. */
  private static final long MAX_BLOCKS = SplitBlockSizing.MAX_BLOCKS - FOLD_UNIT;

  private FilterMaker() {}

  /**
   * The block count for {@code keys} keys at the wanted fpp, or the most that is allowed if that is
   * still of use; -1 if not.
   */
  static long blocksFor(long keys, FilterSettings settings) {
    long limit = Math.min(settings.maxFilterBytes() / SplitBlockSizing.BYTES_PER_BLOCK, MAX_BLOCKS);
    if (keys / limit > MAX_KEYS_PER_BLOCK) {
      return -1;
    }
    long wanted = Math.max(MIN_BLOCKS, SplitBlockSizing.blocksFor(keys, settings.fpp()));
    if (wanted > limit) {
      return SplitBlockSizing.fpp(keys, limit) <= WEAKEST_FPP ? limit : -1;
    }
    long foldable = (wanted + FOLD_UNIT - 1) / FOLD_UNIT * FOLD_UNIT;
    return Math.min(foldable, limit);
  }

  /** Folds {@code filter} to what its distinct keys deserve, and broadcasts it. */
  static BuiltFilter broadcast(
      SparkContext context,
      SplitBlockBloomFilter filter,
      long keys,
      FilterSettings settings,
      long startNanos) {
    SplitBlockBloomFilter folded = fold(filter, keys, settings.fpp());
    if (folded.isSaturated()) {
      return BuiltFilter.none("it would pass nearly every row");
    }
    long built = System.nanoTime();
    Broadcast<long[]> words = context.broadcast(folded.words(), Scala.classTag(long[].class));
    long sent = System.nanoTime();
    String state =
        String.format(
            Locale.ROOT,
            "split-block, %d keys, %d bytes, fpp %.2g",
            keys,
            folded.sizeInBytes(),
            folded.fpp());
    return new BuiltFilter(
        FilterHandle.of(words),
        state,
        keys,
        folded.sizeInBytes(),
        (built - startNanos) / 1_000_000,
        (sent - built) / 1_000_000,
        List.of());
  }

  private static SplitBlockBloomFilter fold(SplitBlockBloomFilter filter, long keys, double fpp) {
    long blocks = filter.blocks();
    if (blocks < MIN_BLOCKS_TO_FOLD) {
      return filter;
    }
    long distinct = Math.min(keys, filter.estimatedKeys());
    while (blocks % 2 == 0
        && blocks / 2 >= MIN_BLOCKS_TO_FOLD / 2
        && SplitBlockSizing.fpp(distinct, blocks / 2) <= fpp) {
      blocks /= 2;
    }
    return blocks == filter.blocks() ? filter : filter.fold(blocks);
  }
}
