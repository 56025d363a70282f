package io.bloomjoin.filter;

/** Checks of arguments that all filters have. */
final class Arguments {

  private Arguments() {}

  static void checkKeys(long keys) {
    if (keys < 0) {
      throw new IllegalArgumentException("The number of keys is at least 0; got " + keys);
    }
  }

  static void checkFpp(double fpp) {
    if (!(fpp > 0 && fpp < 1)) {
      throw new IllegalArgumentException(
          "A false positive probability is above 0 and below 1; got " + fpp);
    }
  }
}
