package io.bloomjoin.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import scala.Function1;
import scala.runtime.BoxedUnit;

/** Switches Bloomjoin on: {@code spark.sql.extensions=io.bloomjoin.spark.BloomJoinExtensions}. */
public final class BloomJoinExtensions implements Function1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    return BoxedUnit.UNIT;
  }
}
