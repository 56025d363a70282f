package io.bloomjoin.spark.probe;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A set of few numbers: a hash table in which a number has two places, and is in one of them. */
public final class KeyTable implements KeySet {

  /*
   * A cuckoo hash table [1] that is only read. A test reads both places of its key, without a
   * branch: chains and probe sequences end after an unknown number of steps, which the processor
   * mispredicts. A table that is at most half full can be filled with nearly every hash function
   * (of tables of 1000 keys in 2048 places, nine in ten with the first); the multiplier makes
   * another one. Free places hold one of the keys, so that no number needs to mean "free".
   *
   * [1] Pagh, Rodler: Cuckoo Hashing, 2004.
   */

  /** With more keys the table would leave the first-level cache. */
  public static final int MAX_KEYS = 1000;

  private static final int MAX_PLACES = 2048;
  private static final int MAX_MULTIPLIERS = 100;
  private static final int MAX_MOVES = 200;

  private final long[] places;
  private final long multiplier;

  /**
   * @param places a table that {@link #of} has made; not copied, and not to be modified later
   * @param multiplier that of the same table
   * @throws IllegalArgumentException if the number of places is no power of two
   */
  public KeyTable(long[] places, long multiplier) {
    if (Integer.bitCount(places.length) != 1) {
      throw new IllegalArgumentException(
          "A table has 2^n places; got " + places.length + " places");
    }
    this.places = places;
    this.multiplier = multiplier;
  }

  /** The bytes of the table of {@code keys} different keys, from 1 to {@link #MAX_KEYS}. */
  public static long sizeInBytes(int keys) {
    return 8L * placesFor(keys);
  }

  /**
   * The table of {@code keys}.
   *
   * @param keys 1 to {@link #MAX_KEYS} different numbers
   * @return null if none can be made, which is next to impossible
   * @throws IllegalArgumentException if there are no keys or too many
   */
  public static KeyTable of(long[] keys) {
    if (keys.length < 1 || keys.length > MAX_KEYS) {
      throw new IllegalArgumentException(
          "A table is for 1 to " + MAX_KEYS + " keys; got " + keys.length);
    }
    SplittableRandom random = new SplittableRandom(keys.length);
    for (int i = 0; i < MAX_MULTIPLIERS; i++) {
      long multiplier = random.nextLong() | 1;
      long[] places = fill(keys, multiplier);
      if (places != null) {
        return new KeyTable(places, multiplier);
      }
    }
    return null;
  }

  private static int placesFor(int keys) {
    return Math.min(MAX_PLACES, 4 * Integer.highestOneBit(keys));
  }

  private static long[] fill(long[] keys, long multiplier) {
    int mask = placesFor(keys.length) - 1;
    long[] places = new long[mask + 1];
    Arrays.fill(places, keys[0]);
    boolean[] taken = new boolean[mask + 1];
    for (long each : keys) {
      long key = each;
      int at = firstPlace(mix(key, multiplier), mask);
      for (int moves = 0; taken[at]; moves++) {
        if (moves == MAX_MOVES) {
          return null;
        }
        long evicted = places[at];
        places[at] = key;
        key = evicted;
        long hash = mix(key, multiplier);
        int first = firstPlace(hash, mask);
        at = at == first ? secondPlace(hash, mask) : first;
      }
      places[at] = key;
      taken[at] = true;
    }
    return places;
  }

  private static long mix(long key, long multiplier) {
    long hash = key * multiplier;
    hash = (hash ^ hash >>> 32) * multiplier;
    return hash ^ hash >>> 32;
  }

  private static int firstPlace(long hash, int mask) {
    return (int) hash & mask;
  }

  private static int secondPlace(long hash, int mask) {
    return (int) (hash >>> 32) & mask;
  }

  @Override
  public boolean contains(long key) {
    return contains(places, multiplier, key);
  }

  @SuppressWarnings("ShortCircuitBoolean") // reads both places in place of a branch
  private static boolean contains(long[] places, long multiplier, long key) {
    int mask = places.length - 1;
    long hash = mix(key, multiplier);
    return places[firstPlace(hash, mask)] == key | places[secondPlace(hash, mask)] == key;
  }

  @Override
  public int select(long[] keys, int from, int to, int[] selected, int count) {
    long[] table = places;
    long factor = multiplier;
    int found = count;
    for (int i = from; i < to; i++) {
      selected[found] = i;
      found += contains(table, factor, keys[i]) ? 1 : 0;
    }
    return found;
  }

  @Override
  public long[] words() {
    return places;
  }

  /** What makes the hash function of the table. */
  @Override
  public long parameter() {
    return multiplier;
  }

  @Override
  public String kind() {
    return "table";
  }
}
