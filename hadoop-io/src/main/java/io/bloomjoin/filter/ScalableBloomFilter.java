package io.bloomjoin.filter;

import java.util.Arrays;

/**
 * A Bloom filter for an unknown number of keys: a chain of split-block filters, each for twice the
 * keys of the one before, at four fifths of its false positive probability.
 *
 * <p>However long the chain gets, the probability of all stays below what was asked for. A probe
 * asks one filter after the other, the largest first; if the number of keys is known, a {@link
 * SplitBlockBloomFilter} is quicker and smaller. Made and extended by {@link
 * ScalableBloomFilterBuilder}. Immutable and thread-safe.
 */
public final class ScalableBloomFilter implements BloomFilter {

  /*
   * The probabilities of the stages are p/5, p/5 * 4/5, p/5 * (4/5)^2 and so on, whose sum is below
   * p; [1] finds ratios from 0.8 to 0.9 best. The last stage holds half of all keys.
   *
   * [1] Almeida, Baquero, Preguica, Hutchison: Scalable Bloom Filters, 2007.
   */

  private static final long serialVersionUID = 1L;

  /** The probability of a stage, as a part of that of the stage before. */
  static final double TIGHTENING = 0.8;

  /** So many stages have 2^32 times the keys of the first. */
  static final int MAX_STAGES = 32;

  /** The first for the fewest keys. */
  private final SplitBlockBloomFilter[] stages;

  /** The keys that were added to each stage. */
  private final long[] keys;

  /** What each stage was sized for. */
  private final double[] fpps;

  private ScalableBloomFilter(SplitBlockBloomFilter[] stages, long[] keys, double[] fpps) {
    this.stages = stages;
    this.keys = keys;
    this.fpps = fpps;
  }

  /**
   * Takes the arrays over.
   *
   * @throws IllegalArgumentException if there are too few stages or too many, or a number of a
   *     stage is out of range
   */
  static ScalableBloomFilter of(SplitBlockBloomFilter[] stages, long[] keys, double[] fpps) {
    checkStages(stages.length);
    for (int i = 0; i < stages.length; i++) {
      Arguments.checkKeys(keys[i]);
      Arguments.checkFpp(fpps[i]);
    }
    return new ScalableBloomFilter(stages, keys, fpps);
  }

  static void checkStages(long stages) {
    if (stages < 1 || stages > MAX_STAGES) {
      throw new IllegalArgumentException(
          "A scalable filter has from 1 to " + MAX_STAGES + " stages; got " + stages);
    }
  }

  /** The number of filters in the chain, from 1 to 32. */
  public int stages() {
    return stages.length;
  }

  SplitBlockBloomFilter stage(int number) {
    return stages[number];
  }

  long stageKeys(int number) {
    return keys[number];
  }

  double stageFpp(int number) {
    return fpps[number];
  }

  @Override
  public boolean mightContain(long hash) {
    for (int i = stages.length - 1; i >= 0; i--) {
      if (stages[i].mightContain(hash)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isEmpty() {
    return Arrays.stream(stages).allMatch(SplitBlockBloomFilter::isEmpty);
  }

  @Override
  public long sizeInBytes() {
    return Arrays.stream(stages).mapToLong(SplitBlockBloomFilter::sizeInBytes).sum();
  }

  /**
   * {@inheritDoc}
   *
   * <p>One less the product of what the stages let through.
   */
  @Override
  public double fpp() {
    double rejected = 1;
    for (SplitBlockBloomFilter stage : stages) {
      rejected *= 1 - stage.fpp();
    }
    return 1 - rejected;
  }

  @Override
  public double fillRatio() {
    double set = 0;
    for (SplitBlockBloomFilter stage : stages) {
      set += stage.fillRatio() * stage.sizeInBytes();
    }
    return set / sizeInBytes();
  }

  @Override
  public long estimatedKeys() {
    long sum = 0;
    for (SplitBlockBloomFilter stage : stages) {
      long estimate = stage.estimatedKeys();
      if (estimate == Long.MAX_VALUE) {
        return Long.MAX_VALUE;
      }
      sum += estimate;
    }
    return sum;
  }

  /** Whether the other object is a scalable filter with equal stages. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ScalableBloomFilter that
        && Arrays.equals(stages, that.stages)
        && Arrays.equals(keys, that.keys)
        && Arrays.equals(fpps, that.fpps);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(stages);
  }

  @Override
  public String toString() {
    return "ScalableBloomFilter[" + stages.length + " stages, " + sizeInBytes() + " bytes]";
  }
}
