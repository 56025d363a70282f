package io.bloomjoin.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects hashes for a {@link ScalableBloomFilter}, however many they are. Mutable; for one thread
 * at a time.
 */
public final class ScalableBloomFilterBuilder {

  /** The stages that are full. Null once the filter is built. */
  private List<SplitBlockBloomFilter> full = new ArrayList<>();

  private final List<Long> fullKeys = new ArrayList<>();
  private final List<Double> fullFpps = new ArrayList<>();

  private long[] words;
  private long keys;
  private double fpp;
  private long capacity;

  private ScalableBloomFilterBuilder() {}

  /**
   * A builder of a filter with at most that false positive probability.
   *
   * @param firstKeys the keys that the first stage is for, at least 1; a guess at the whole number
   *     is best
   * @param fpp of all stages together, above 0 and below 1
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static ScalableBloomFilterBuilder byAccuracy(long firstKeys, double fpp) {
    Arguments.checkFpp(fpp);
    if (firstKeys < 1) {
      throw new IllegalArgumentException("The first stage is for at least 1 key; got " + firstKeys);
    }
    ScalableBloomFilterBuilder builder = new ScalableBloomFilterBuilder();
    double first = fpp * (1 - ScalableBloomFilter.TIGHTENING);
    builder.startStage(SplitBlockSizing.blocksFor(firstKeys, first), first);
    return builder;
  }

  /** A builder that goes on from a filter, which stays as it is. */
  public static ScalableBloomFilterBuilder of(ScalableBloomFilter filter) {
    ScalableBloomFilterBuilder builder = new ScalableBloomFilterBuilder();
    int last = filter.stages() - 1;
    for (int i = 0; i < last; i++) {
      builder.full.add(filter.stage(i));
      builder.fullKeys.add(filter.stageKeys(i));
      builder.fullFpps.add(filter.stageFpp(i));
    }
    builder.startStage(filter.stage(last).blocks(), filter.stageFpp(last));
    builder.words = filter.stage(last).words().clone();
    builder.keys = filter.stageKeys(last);
    return builder;
  }

  /**
   * Adds a hash, unless it seems to be there already.
   *
   * @throws IllegalStateException if the filter was built, or has grown to 2^32 times its first
   *     stage
   */
  public void add(long hash) {
    checkOpen();
    if (mightContain(hash)) {
      return;
    }
    if (keys >= capacity) {
      grow();
    }
    SplitBlockBloomFilter.add(words, hash);
    keys++;
  }

  private boolean mightContain(long hash) {
    if (SplitBlockBloomFilter.contains(words, hash)) {
      return true;
    }
    for (int i = full.size() - 1; i >= 0; i--) {
      if (full.get(i).mightContain(hash)) {
        return true;
      }
    }
    return false;
  }

  private void grow() {
    if (full.size() == ScalableBloomFilter.MAX_STAGES - 1) {
      throw new IllegalStateException(
          "The filter has "
              + ScalableBloomFilter.MAX_STAGES
              + " stages and grows no more; begin with more keys");
    }
    finishStage();
    double next = fpp * ScalableBloomFilter.TIGHTENING;
    startStage(SplitBlockSizing.blocksFor(Math.max(1, 2 * capacity), next), next);
  }

  private void finishStage() {
    full.add(SplitBlockBloomFilter.ofWords(words));
    fullKeys.add(keys);
    fullFpps.add(fpp);
  }

  private void startStage(long blocks, double stageFpp) {
    words = new long[(int) blocks * SplitBlockBloomFilter.LONGS_PER_BLOCK];
    keys = 0;
    fpp = stageFpp;
    capacity = SplitBlockSizing.keysFor(blocks, stageFpp);
  }

  /**
   * Hands over the filter, without a copy; the builder is of no use afterwards.
   *
   * @throws IllegalStateException if the filter was built
   */
  public ScalableBloomFilter build() {
    checkOpen();
    finishStage();
    SplitBlockBloomFilter[] stages = full.toArray(SplitBlockBloomFilter[]::new);
    full = null;
    words = null;
    return ScalableBloomFilter.of(
        stages,
        fullKeys.stream().mapToLong(Long::longValue).toArray(),
        fullFpps.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private void checkOpen() {
    if (full == null) {
      throw new IllegalStateException(
          "The filter is built and cannot change any more; start another builder of it");
    }
  }
}
