package io.bloomjoin.spark.build;

import java.util.List;

/**
 * What is known of the values of one key column of a build side. Null is never among them. Values
 * are as Spark holds them within rows.
 */
public sealed interface KeyValues {

  /** Nothing is known. */
  record Unknown() implements KeyValues {}

  /**
   * All values.
   *
   * @param values each once, in no order
   */
  record Listed(List<Object> values) implements KeyValues {}

  /**
   * The bounds of the values.
   *
   * @param least the smallest value
   * @param greatest the largest value
   */
  record Between(Object least, Object greatest) implements KeyValues {}
}
