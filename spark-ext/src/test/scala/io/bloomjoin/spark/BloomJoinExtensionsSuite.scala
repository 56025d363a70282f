package io.bloomjoin.spark

import org.apache.spark.sql.SparkSession
import org.scalatest.funsuite.AnyFunSuite

class BloomJoinExtensionsSuite extends AnyFunSuite {
  test("a session starts with the extension") {
    val spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false")
      .config("spark.sql.extensions", classOf[BloomJoinExtensions].getName).getOrCreate()
    try assert(spark.range(10).count() == 10)
    finally spark.stop()
  }
}
