package io.bloomjoin.filter;

import java.util.function.LongConsumer;

/** A set of longs in one array, with open addressing. */
final class LongSet {

  private static final int SMALLEST = 16;

  /** 2^64 divided by the golden ratio: spreads longs that differ in few bits. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** Zero marks a free place; whether it is itself in the set is told apart. */
  private long[] places = new long[SMALLEST];

  private boolean hasZero;
  private int size;

  int size() {
    return size;
  }

  void add(long value) {
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
    if (hasZero) {
      action.accept(0);
    }
    for (long value : places) {
      if (value != 0) {
        action.accept(value);
      }
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
  private static int placeOf(long value, long[] places) {
    int mask = places.length - 1;
    int place = (int) ((value * SPREAD) >>> 32) & mask;
    while (places[place] != 0 && places[place] != value) {
      place = (place + 1) & mask;
    }
    return place;
  }
}
