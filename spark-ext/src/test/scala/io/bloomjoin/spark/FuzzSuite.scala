package io.bloomjoin.spark

import io.bloomjoin.spark.fuzz.Fuzz

/** A short run of the fuzzer; `bin/fuzz` makes long ones. */
class FuzzSuite extends PruneSuite {
  test("random queries over random tables yield stock's rows in random sessions") {
    val reports = Seq.newBuilder[String]
    val totals = new Fuzz(spark, directory, reports += _).run(seed = 1, queries = 30)
    info(totals.text)
    assert(totals.queries == 30)
    assert(totals.problems.isEmpty, reports.result().mkString("\n", "\n", ""))
  }
}
