package io.bloomjoin.filter;

import java.util.Iterator;
import java.util.List;

/** Unites filters, of different sizes where that is possible. */
public final class FoldedUnion {

  private FoldedUnion() {}

  /**
   * The filter of all keys of all of them.
   *
   * <p>Of split-block filters of different sizes it has the smallest, to which the others are
   * folded: exactly the filter that all keys would have built at that size, and so fuller.
   *
   * @param filters at least one
   * @throws IllegalArgumentException if there is none, or two of them cannot be united; the message
   *     tells what differs
   */
  public static BloomFilter of(List<? extends BloomFilter> filters) {
    Iterator<? extends BloomFilter> rest = filters.iterator();
    if (!rest.hasNext()) {
      throw new IllegalArgumentException("There is no filter to unite");
    }
    BloomFilter union = rest.next();
    while (rest.hasNext()) {
      union = of(union, rest.next());
    }
    return union;
  }

  private static BloomFilter of(BloomFilter one, BloomFilter other) {
    if (one instanceof SplitBlockBloomFilter a && other instanceof SplitBlockBloomFilter b) {
      return ofSplitBlocks(a, b);
    }
    if (one instanceof ClassicBloomFilter a && other instanceof ClassicBloomFilter b) {
      return a.union(b);
    }
    if (one instanceof CountingBloomFilter a && other instanceof CountingBloomFilter b) {
      return a.union(b);
    }
    throw new IllegalArgumentException(
        "Only filters of the same structure can be united, and no scalable ones; got "
            + one
            + " and "
            + other);
  }

  private static SplitBlockBloomFilter ofSplitBlocks(
      SplitBlockBloomFilter one, SplitBlockBloomFilter other) {
    long blocks = Math.min(one.blocks(), other.blocks());
    if (one.blocks() % blocks != 0 || other.blocks() % blocks != 0) {
      throw new IllegalArgumentException(
          "Filters of "
              + one.blocks()
              + " and "
              + other.blocks()
              + " blocks cannot be united: neither number divides the other. Build them with"
              + " numbers of blocks that are powers of two");
    }
    return one.fold(blocks).union(other.fold(blocks));
  }
}
