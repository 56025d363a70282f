package io.bloomjoin.filter;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;

/** A set of longs in one array, with open addressing. */
final class LongSet {

  private static final int SMALLEST = 16;

  /**
   * Odd, and another for each set: the longs of one table, added to another in the order of their
   * places, would else fill that from one end and be moved along over and over.
   */
  private final long spread = ThreadLocalRandom.current().nextLong() | 1;

  /** All longs as they were handed over; null once one was added. */
  private long[] distinct;

  /** Zero marks a free place; whether it is itself in the set is told apart. */
  private long[] places;

  private boolean hasZero;
  private int size;

  LongSet() {
    places = new long[SMALLEST];
  }

  /** A set that sorts out its longs only when one is added. */
  LongSet(long[] distinct) {
    this.distinct = distinct;
    size = distinct.length;
  }

  int size() {
    return size;
  }

  void add(long value) {
    if (distinct != null) {
      sortOut();
    }
    if (value == 0) {
      size += hasZero ? 0 : 1;
      hasZero = true;
      return;
    }
    int place = placeOf(value, places);
    if (places[place] == 0) {
      places[place] = value;
      size++;
      if (size > places.length / 4 * 3) {
        grow();
      }
    }
  }

  void forEach(LongConsumer action) {
    if (distinct != null) {
      for (long value : distinct) {
        action.accept(value);
      }
      return;
    }
    if (hasZero) {
      action.accept(0);
    }
    for (long value : places) {
      if (value != 0) {
        action.accept(value);
      }
    }
  }

  private void sortOut() {
    long[] handedOver = distinct;
    distinct = null;
    size = 0;
    int length = SMALLEST;
    while (length / 4 * 3 <= handedOver.length) {
      length *= 2;
    }
    places = new long[length];
    for (long value : handedOver) {
      add(value);
    }
  }

  private void grow() {
    long[] larger = new long[2 * places.length];
    for (long value : places) {
      if (value != 0) {
        larger[placeOf(value, larger)] = value;
      }
    }
    places = larger;
  }

  /** Where the value is, or else the free place for it. */
  private int placeOf(long value, long[] places) {
    int mask = places.length - 1;
    int place = (int) ((value * spread) >>> 32) & mask;
    while (places[place] != 0 && places[place] != value) {
      place = (place + 1) & mask;
    }
    return place;
  }
}
