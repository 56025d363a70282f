package io.bloomjoin.spark

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types._
import org.apache.spark.sql.Row
import scala.jdk.CollectionConverters._

class MightContainSuite extends PruneSuite {

  /** Generated code that does not compile fails the query. */
  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.codegen.fallback" -> "false")

  private lazy val filter: Array[Byte] = BloomJoin.build(spark.range(0, 1000, 2).toDF(), 0.01, "id")

  private def literal(bytes: Array[Byte]): String =
    bytes.map("%02x".format(_)).mkString("X'", "", "'")

  private def count(condition: String): Seq[Row] =
    spark.sql(s"select count(*) from range(1000) where $condition").collect().toSeq

  test("no key of the filter is denied, and few others pass, in every mode") {
    everyMode.foreach { mode =>
      withConf(mode: _*) {
        val f = literal(filter)
        assert(count(s"id % 2 = 0 and bloom_might_contain($f, id)") == Seq(Row(500)))
        assert(count(s"id % 2 = 1 and bloom_might_contain($f, id)").head.getLong(0) < 25)
      }
    }
  }

  test("a null filter or a null key gives null") {
    everyMode.foreach { mode =>
      withConf(mode: _*) {
        val f = literal(filter)
        val row = spark.sql(
          s"""select bloom_might_contain(null, id), bloom_might_contain($f, nullif(id, 0)),
             |  bloom_might_contain(cast(null as binary), id) from range(1)""".stripMargin
        ).head()
        assert(row.isNullAt(0) && row.isNullAt(1) && row.isNullAt(2))
      }
    }
  }

  test("a filter column is asked row by row") {
    val schema = StructType(Seq(StructField("f", BinaryType), StructField("k", LongType)))
    val other = BloomJoin.build(spark.range(5000, 5010).toDF(), 0.01, "id")
    val rows = Seq(Row(filter, 2L), Row(other, 5001L), Row(filter, 4L), Row(null, 1L))
    everyMode.foreach { mode =>
      withConf(mode: _*) {
        val df = spark.createDataFrame(rows.asJava, schema)
        val asked = df.select(expr("bloom_might_contain(f, k)")).collect().toSeq
        assert(asked == Seq(Row(true), Row(true), Row(true), Row(null)))
      }
    }
  }

  test("composite keys are asked in the order of the filter") {
    val pairs = spark.range(100).selectExpr("id as a", "concat('k', id) as b")
    val f = literal(BloomJoin.build(pairs, 0.001, "a", "b"))
    assert(count(s"bloom_might_contain($f, id, concat('k', id)) and id < 100") == Seq(Row(100)))
    assert(count(s"bloom_might_contain($f, id, concat('x', id))").head.getLong(0) < 20)
  }

  test("keys of another type than the filter's are refused with both types") {
    val error = intercept[AnalysisException] {
      spark.sql(s"select bloom_might_contain(${literal(filter)}, 'a')")
    }
    assert(error.getMessage.contains("bigint") && error.getMessage.contains("string"))
  }

  test("bytes that are no filter are refused, and so is a filter that is no bytes") {
    val error = intercept[AnalysisException](spark.sql("select bloom_might_contain(X'00ff', 1L)"))
    assert(error.getMessage.contains("not a Bloom filter"))
    assert(intercept[AnalysisException](spark.sql("select bloom_might_contain(1, 1L)"))
      .getMessage.contains("must be a filter"))
    assert(intercept[AnalysisException](spark.sql("select bloom_might_contain(X'00')"))
      .getMessage.contains("at least one key"))
  }

  test("a filter cannot be built over a collated string, and says so") {
    val data = spark.sql("select 'a' collate UTF8_LCASE as c")
    val error = intercept[IllegalArgumentException](BloomJoin.build(data, 0.01, "c"))
    assert(error.getMessage.contains("Column c"))
  }

  test("the function is described, and there in a new session") {
    val text = spark.sql("describe function extended bloom_might_contain").collect().mkString("\n")
    assert(text.contains("Returns false if the key is not in the Bloom filter"))
    val f = literal(filter)
    assert(spark.newSession().sql(s"select bloom_might_contain($f, 2L)").head().getBoolean(0))
  }
}
