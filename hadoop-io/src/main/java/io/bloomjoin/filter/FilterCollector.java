package io.bloomjoin.filter;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * Collects the hashes of an unknown number of keys into the filter that they deserve. Mutable; for
 * one thread at a time.
 *
 * <p>Collectors of parts of the keys merge into that of the whole. Whatever the parts and their
 * order, equal sets of keys give equal filters, up to the limit named below.
 */
public final class FilterCollector {

  /*
   * Up to MAX_EXACT distinct hashes are kept as they are, and the filter is made when their number
   * is known. With more they become bits: FilterGoal.gatheringBlocks of them, a number that depends
   * on the goal alone, of which at most half will be needed, and which in the end are folded to the
   * least step that reaches the fpp. Both steps, and the point between them, depend on nothing but
   * the set of keys.
   *
   * When the keys need more than half of the bits, these are unfolded: each block is copied to
   * all those that its keys may belong to. No key is lost, but old keys now fill more blocks than
   * they need, "ghosts", and which keys are old depends on the order. Since at most half of what
   * the fpp allows was used up, the fpp can still be reached once, by less folding in the end.
   */

  /** What a table of 64 MiB holds: three quarters of its places. */
  static final int MAX_EXACT = (3 << 21) - 1;

  private static final int UNFOLDING = 4;

  /** The share of the bits' capacity that is added between looks at their fill. */
  private static final int LOOKS = 16;

  private static final byte EXACT = 1;
  private static final byte BITS = 2;

  private final FilterGoal goal;

  /** Null once they are bits. */
  private LongSet hashes = new LongSet();

  /** Null while all hashes are kept. */
  private long[] words;

  /** How many keys too many the bits seem to hold. */
  private long ghosts;

  private long addsUntilLook;

  public FilterCollector(FilterGoal goal) {
    this.goal = goal;
  }

  /** Adds the hash of a key; every long is legal, and adding one again changes nothing. */
  public void add(long hash) {
    if (hashes != null) {
      hashes.add(hash);
      if (hashes.size() > MAX_EXACT) {
        turnIntoBits();
      }
    } else {
      SplitBlockBloomFilter.add(words, hash);
      addsUntilLook--;
      if (addsUntilLook <= 0) {
        look();
      }
    }
  }

  /**
   * Adds all keys of another collector, which may be spoilt by that.
   *
   * @throws IllegalArgumentException if the other has another goal
   */
  public void addAll(FilterCollector other) {
    if (!goal.equals(other.goal)) {
      throw new IllegalArgumentException(
          "Only collectors with the same goal can be merged; got " + goal + " and " + other.goal);
    }
    if (other.hashes != null) {
      other.hashes.forEach(this::add);
      return;
    }
    if (hashes != null) {
      LongSet few = hashes;
      takeBits(other.words, other.ghosts);
      few.forEach(this::add);
      return;
    }
    while (words.length < other.words.length) {
      unfold();
    }
    while (other.words.length < words.length) {
      other.unfold();
    }
    for (int i = 0; i < words.length; i++) {
      words[i] |= other.words[i];
    }
    ghosts += other.ghosts;
    look();
  }

  /**
   * The filter of all keys so far, with the metadata under which it is stored. It may share its
   * bits with the collector: use it before adding more keys.
   *
   * @param keyTypes the type of each column of the key
   */
  public StoredFilter finish(List<String> keyTypes) {
    SplitBlockBloomFilter filter;
    long keys;
    if (hashes != null) {
      keys = hashes.size();
      long[] bits = wordsFor(goal.blocksFor(keys));
      hashes.forEach(hash -> SplitBlockBloomFilter.add(bits, hash));
      filter = SplitBlockBloomFilter.ofWords(bits);
    } else {
      keys = keys();
      filter = fold(SplitBlockBloomFilter.ofWords(words));
    }
    return new StoredFilter(filter, new FilterMetadata(keyTypes, keys, goal.fpp(), Map.of()));
  }

  /** The state as bytes, for a collector elsewhere; meant to be read by the same version. */
  public byte[] toBytes() {
    if (hashes != null) {
      byte[] bytes = new byte[Byte.BYTES + hashes.size() * Long.BYTES];
      ByteBuffer out = LittleEndian.wrap(bytes).put(EXACT);
      hashes.forEach(out::putLong);
      return bytes;
    }
    byte[] bits =
        FilterFormat.toBytes(SplitBlockBloomFilter.ofWords(words), FilterMetadata.UNKNOWN);
    byte[] bytes = new byte[Byte.BYTES + Long.BYTES + bits.length];
    LittleEndian.wrap(bytes).put(BITS).putLong(ghosts).put(bits);
    return bytes;
  }

  /**
   * The collector of those bytes.
   *
   * @param goal that of the collector that wrote them
   * @throws FilterFormatException if they are not a collector's
   */
  public static FilterCollector fromBytes(byte[] bytes, FilterGoal goal) throws IOException {
    ByteBuffer in = LittleEndian.wrap(bytes);
    FilterCollector collector = new FilterCollector(goal);
    byte kind = bytes.length == 0 ? 0 : in.get();
    int longs = in.remaining() / Long.BYTES;
    if (kind == EXACT && in.remaining() % Long.BYTES == 0 && longs <= MAX_EXACT) {
      long[] distinct = new long[longs];
      in.asLongBuffer().get(distinct);
      collector.hashes = new LongSet(distinct);
      return collector;
    }
    if (kind != BITS || in.remaining() < Long.BYTES) {
      throw new FilterFormatException("The bytes are not those of a filter in the making");
    }
    long ghosts = in.getLong();
    byte[] bits = new byte[in.remaining()];
    in.get(bits);
    BloomFilter filter = FilterFormat.fromBytes(bits).filter();
    long least = goal.gatheringBlocks() * SplitBlockSizing.BYTES_PER_BLOCK;
    if (!(filter instanceof SplitBlockBloomFilter blocks)
        || !isUnfolding(filter.sizeInBytes(), least)) {
      throw new FilterFormatException(
          "The bytes are those of a filter in the making with another goal than " + goal);
    }
    collector.takeBits(blocks.words(), ghosts);
    return collector;
  }

  private static boolean isUnfolding(long bytes, long least) {
    long size = least;
    while (size < bytes) {
      size *= UNFOLDING;
    }
    return size == bytes;
  }

  private void turnIntoBits() {
    LongSet few = hashes;
    takeBits(wordsFor(goal.gatheringBlocks()), 0);
    few.forEach(this::add);
  }

  private void takeBits(long[] bits, long ghostsInThem) {
    hashes = null;
    words = bits;
    ghosts = ghostsInThem;
    look();
  }

  /** The keys of the bits, without ghosts. */
  private long keys() {
    long keys = SplitBlockBloomFilter.ofWords(words).estimatedKeys();
    return keys == Long.MAX_VALUE ? FilterMetadata.UNKNOWN_KEY_COUNT : Math.max(0, keys - ghosts);
  }

  /** Unfolds the bits if the keys need more than half of them, and decides when to look again. */
  private void look() {
    long blocks = blocks();
    long capacity = (long) (blocks / 2 * 256 / SplitBlockSizing.bitsPerKey(goal.fpp()));
    long keys = keys();
    if ((keys < 0 || keys > capacity) && blocks * UNFOLDING <= FilterGoal.MAX_BLOCKS) {
      unfold();
      look();
      return;
    }
    addsUntilLook = Math.max(capacity - Math.max(0, keys), capacity / LOOKS);
  }

  private long blocks() {
    return words.length / SplitBlockBloomFilter.LONGS_PER_BLOCK;
  }

  private void unfold() {
    SplitBlockBloomFilter filter = SplitBlockBloomFilter.ofWords(words);
    long before = filter.estimatedKeys();
    words = filter.resize(blocks() * UNFOLDING).words();
    long after = SplitBlockBloomFilter.ofWords(words).estimatedKeys();
    ghosts += after - before;
  }

  /** Halves and thirds the filter while it keeps to the fpp. */
  private SplitBlockBloomFilter fold(SplitBlockBloomFilter filter) {
    SplitBlockBloomFilter folded = filter;
    for (long next = filter.blocks() / 2; next >= goal.leastBlocks(); next = stepBelow(next)) {
      SplitBlockBloomFilter smaller = filter.fold(next);
      if (smaller.fpp() > goal.fpp()) {
        break;
      }
      folded = smaller;
    }
    return folded;
  }

  /** From 3 * 2^n to 2^(n + 1), from that to 3 * 2^(n - 1). */
  private static long stepBelow(long blocks) {
    long power = Long.highestOneBit(blocks);
    return power == blocks ? blocks / 4 * 3 : power;
  }

  private static long[] wordsFor(long blocks) {
    return new long[(int) blocks * SplitBlockBloomFilter.LONGS_PER_BLOCK];
  }
}
