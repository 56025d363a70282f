package io.bloomjoin.spark.build;

import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockSizing;
import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.probe.FilterHandle;
import io.bloomjoin.spark.probe.KeySet;
import java.util.Locale;
import java.util.function.Function;
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

  /** Broadcasts the keys: as an exact set where that pays, else as a Bloom filter. */
  static BuiltFilter broadcast(
      SparkContext context, CollectedKeys keys, FilterSettings settings, long startNanos) {
    KeySet exact = ExactSet.of(keys, settings.fpp());
    if (exact != null) {
      return broadcast(
          context,
          keys,
          exact.kind(),
          "0",
          exact.words(),
          w -> FilterHandle.of(exact, w),
          startNanos);
    }
    SplitBlockBloomFilter filter = fold(keys.bloomFilter(), keys.count(), settings.fpp());
    if (filter.isSaturated()) {
      return BuiltFilter.none("it would pass nearly every row");
    }
    String fpp = String.format(Locale.ROOT, "%.2g", filter.fpp());
    return broadcast(
        context, keys, "split-block", fpp, filter.words(), FilterHandle::of, startNanos);
  }

  private static BuiltFilter broadcast(
      SparkContext context,
      CollectedKeys keys,
      String kind,
      String fpp,
      long[] words,
      Function<Broadcast<long[]>, FilterHandle> handle,
      long startNanos) {
    long built = System.nanoTime();
    Broadcast<long[]> broadcast = context.broadcast(words, Scala.classTag(long[].class));
    long sent = System.nanoTime();
    long bytes = (long) words.length * Long.BYTES;
    return new BuiltFilter(
        handle.apply(broadcast),
        kind + ", " + keys.count() + " keys, " + bytes + " bytes, fpp " + fpp,
        keys.count(),
        bytes,
        (built - startNanos) / 1_000_000,
        (sent - built) / 1_000_000,
        keys.values());
  }

  private static SplitBlockBloomFilter fold(SplitBlockBloomFilter filter, long keys, double fpp) {
    if (filter.blocks() < MIN_BLOCKS_TO_FOLD) {
      return filter;
    }
    long distinct = Math.min(keys, filter.estimatedKeys());
    return filter.fold(foldedBlocks(filter.blocks(), distinct, fpp));
  }

  /** What a filter of {@code blocks} blocks is folded to if it has {@code distinct} keys. */
  static long foldedBlocks(long blocks, long distinct, double fpp) {
    long folded = blocks;
    while (folded >= MIN_BLOCKS_TO_FOLD
        && folded % 2 == 0
        && SplitBlockSizing.fpp(distinct, folded / 2) <= fpp) {
      folded /= 2;
    }
    return folded;
  }
}
