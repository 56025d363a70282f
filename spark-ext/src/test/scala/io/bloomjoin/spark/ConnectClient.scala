package io.bloomjoin.spark

import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.functions._
import scala.util.Try

/** A Spark Connect client that uses the functions; prints a line `name=value` for each step. */
object ConnectClient {
  def main(arguments: Array[String]): Unit = {
    val spark = SparkSession.builder().remote(System.getProperty("connect.remote")).getOrCreate()
    def print(name: String, value: Any): Unit = println(s"$name=$value")
    def first(row: Row): Any = row.get(0)

    print("client", spark.getClass.getName)
    print(
      "sql",
      first(
        spark.sql(
          "select bloom_info(bloom_agg(id, expected_keys => 5000, fpp => 0.001)).target_fpp from range(100)"
        ).head()
      )
    )
    val filter = spark.range(0, 1000, 2).agg(call_function("bloom_agg", col("id"))).head()
      .getAs[Array[Byte]](0)
    val asked =
      spark.range(1000).where(call_function("bloom_might_contain", lit(filter), col("id")))
    print("held", asked.where("id % 2 = 0").count())
    print("passed", asked.where("id % 2 = 1").count())
    print(
      "narrow",
      spark.range(1000).selectExpr("cast(id as int) as id").where(
        call_function("bloom_might_contain", lit(filter), col("id")) && expr("id % 2 = 0")
      ).count()
    )
    print(
      "united",
      first(
        spark.range(
          100
        ).groupBy(expr("id % 3")).agg(expr("bloom_agg(id, expected_keys => 100) as f"))
          .agg(call_function(
            "bloom_union_agg",
            col("f")
          ).as("f")).select(expr("bloom_info(f).keys"))
          .head()
      )
    )
    print(
      "other session",
      first(spark.newSession().sql("select bloom_info(bloom_agg(id)).keys from range(7)").head())
    )
    spark.sql("create or replace temporary view f as select bloom_agg(id) as f from range(10)")
    print(
      "view",
      spark.sql(
        "select id from range(5, 15) where bloom_might_contain((select f from f), id)"
      ).count()
    )
    print(
      "refused",
      Try(spark.sql("select bloom_agg(id, fpp => 2) from range(1)").collect()).failed.get.getMessage
        .linesIterator.mkString(" ")
    )
    print(
      "described",
      first(spark.sql("describe function bloom_agg").head())
    )
    spark.stop()
  }
}
