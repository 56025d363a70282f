package io.bloomjoin.spark

import io.bloomjoin.filter.{FilterFormat, StoredFilter}
import org.apache.spark.sql.{AnalysisException, Encoders, Row, SQLContext}
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.functions._

/** The SQL functions over filters, but for `bloom_might_contain` alone. */
class FunctionsSuite extends PruneSuite {

  /** Generated code that does not compile fails the query. */
  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.codegen.fallback" -> "false")

  private def bytes(sql: String): Array[Byte] = spark.sql(sql).head().getAs[Array[Byte]](0)

  private def stored(sql: String): StoredFilter = FilterFormat.fromBytes(bytes(sql))

  private def literal(bytes: Array[Byte]): String =
    bytes.map("%02x".format(_)).mkString("X'", "", "'")

  /** The share of keys from 1,000,000,000 on that pass. */
  private def passing(filter: Array[Byte]): Double = {
    val asked = spark.range(1000000000L, 1000200000L).withColumn("f", lit(filter))
    asked.where(expr("bloom_might_contain(f, id)")).count() / 200000.0
  }

  private def refused(sql: String): String = intercept[AnalysisException](spark.sql(sql)).getMessage

  test("an aggregate holds every key and keeps to its fpp, in every mode") {
    everyMode.foreach { mode =>
      withConf(mode: _*) {
        val f = bytes("select bloom_agg(id) from range(0, 20000, 1, 7)")
        assert(stored("select bloom_agg(id) from range(20000)").metadata.keyCount == 20000)
        val held =
          spark.range(20000).withColumn("f", lit(f)).where(expr("bloom_might_contain(f, id)"))
        assert(held.count() == 20000)
        assert(passing(f) <= 0.012)
      }
    }
  }

  test("the bytes do not depend on how rows are distributed, repeated or ordered") {
    val expected = bytes("select bloom_agg(id) from range(0, 5000, 1, 1)").toSeq
    for (partitions <- Seq(1, 3, 40)) {
      assert(bytes(s"select bloom_agg(id) from range(0, 5000, 1, $partitions)").toSeq == expected)
      assert(
        bytes(
          s"""select bloom_agg(5000 - id) from (select /*+ repartition($partitions) */ id
             from range(1, 5001) union all select id from range(1, 5001))"""
        ).toSeq == expected
      )
    }
    val rows = spark.range(0, 5000, 1, 3).toDF()
    assert(BloomJoin.build(rows, 0.01, "id").toSeq == expected)
  }

  test("nulls are left out; no key at all gives an empty filter") {
    val one = bytes("select bloom_agg(k) from values (1), (null), (1) as t(k)")
    assert(one.toSeq == bytes("select bloom_agg(k) from values (1) as t(k)").toSeq)
    for (
      none <- Seq(
        "select bloom_agg(k) from values (cast(null as int)) as t(k)",
        "select bloom_agg(k) from (select 1 as k) where k > 1",
        "select bloom_agg(a, k) from values (1, cast(null as int)) as t(a, k)",
        "select bloom_agg(k) filter (where k > 5) from values (1), (2) as t(k)"
      )
    ) {
      assert(stored(none).filter.isEmpty)
      assert(stored(none).metadata.keyCount == 0)
    }
    val f = lit(bytes("select bloom_agg(id) from range(0)"))
    assert(spark.range(100).where(call_function("bloom_might_contain", f, col("id"))).count() == 0)
  }

  test("a hundred keys take less than a kilobyte, whatever was expected") {
    assert(bytes("select bloom_agg(id) from range(100)").length < 1024)
    assert(bytes("select bloom_agg(id, expected_keys => 10000000) from range(100)").length < 1024)
  }

  test("each group has its filter") {
    val groups = spark.sql(
      "select id % 200 as g, bloom_agg(id) as f, collect_list(id) as ids from range(10000) group by 1"
    )
    groups.createOrReplaceTempView("grouped")
    val missing = "select count(*) from (select f, explode(ids) as id from grouped) where not " +
      "bloom_might_contain(f, id)"
    assert(spark.sql(missing).head() == Row(0))
    withConf("spark.sql.objectHashAggregate.sortBased.fallbackThreshold" -> "10") {
      assert(spark.sql(missing).head() == Row(0))
    }
  }

  test("with a filter clause, distinct, over a window") {
    val f = bytes("select bloom_agg(id) from range(10)").toSeq
    assert(bytes("select bloom_agg(id) filter (where id < 10) from range(50)").toSeq == f)
    assert(bytes("select bloom_agg(distinct id) from range(10)").toSeq == f)
    assert(
      spark.sql(
        "select bloom_agg(distinct id), count(distinct id % 3), bloom_agg(id, fpp => 0.01) from range(10)"
      ).head().getAs[Array[Byte]](0).toSeq == f
    )
    val running = spark.sql(
      "select id, bloom_info(bloom_agg(id) over (order by id)).keys as n from range(100)"
    )
    assert(running.where("n <> id + 1").count() == 0)
  }

  test("parameters by name, in any order and any case of their names") {
    val names = Seq(
      "bloom_agg(id, expected_keys => 100000, fpp => 0.001)",
      "bloom_agg(id, fpp => 0.001, expected_keys => 100000)",
      "bloom_agg(id, FPP => 1e-3, Expected_Keys => 1e5)",
      "bloom_agg(id, fpp => 1 / 1000, expected_keys => 10 * 10000)"
    )
    val all = names.map(call => bytes(s"select $call from range(10)").toSeq)
    assert(all.distinct.size == 1)
    val metadata = stored(s"select ${names.head} from range(10)").metadata
    assert(metadata.targetFpp == 0.001)
    assert(
      bytes("select bloom_agg(id, fpp => null, expected_keys => null) from range(10)").toSeq ==
        bytes("select bloom_agg(id) from range(10)").toSeq
    )
  }

  test("columns are named after the call") {
    val columns =
      spark.sql("select bloom_agg(id), bloom_agg(id, fpp => 0.1BD) from range(1)").columns
    assert(columns.toSeq == Seq("bloom_agg(id)", "bloom_agg(id, fpp => 0.1)"))
  }

  test("bad parameters are refused with argument, value and range") {
    for (fpp <- Seq("0", "1", "-0.5", "2", "0.0d", "1.0d", "double('inf')", "double('nan')"))
      refused(s"select bloom_agg(id, fpp => $fpp) from range(1)") match {
        case message =>
          assert(message.contains("fpp must be a number from 1.0E-12 to below 1, got "), message)
      }
    assert(refused("select bloom_agg(id, fpp => double('nan')) from range(1)").contains("got NaN"))
    for (n <- Seq("0", "-5", "1.5", "99999999999999999999"))
      refused(s"select bloom_agg(id, expected_keys => $n) from range(1)") match {
        case message =>
          assert(message.contains("expected_keys must be a whole number from 1 to "), message)
          assert(message.contains(s"got $n"), message)
      }
    assert(
      refused("select bloom_agg(id, expected_keys => 9000000000000000) from range(1)")
        .contains("more than 1.5 GiB")
    )
    assert(
      refused("select bloom_agg(id, fpp => id) from range(1)").contains("fpp must be a constant")
    )
    assert(refused("select bloom_agg(id, fpp => 'x') from range(1)").contains("of type string"))
    assert(
      refused("select bloom_agg(id, expected_keys => rand()) from range(1)").contains("constant")
    )
  }

  test("calls that make no sense are refused") {
    assert(refused("select bloom_agg() from range(1)").contains("at least one key"))
    assert(refused("select bloom_agg(fpp => 0.1) from range(1)").contains("at least one key"))
    assert(refused("select bloom_agg(map(1, id)) from range(1)").contains("map<int,bigint>"))
    assert(refused("select bloom_agg('a' collate utf8_lcase)").contains("cannot be of type"))
    assert(refused("select bloom_agg(id, fp => 0.1) from range(1)").contains("fpp"))
    assert(
      refused("select bloom_agg(id, fpp => 0.1, fpp => 0.2) from range(1)")
        .contains("DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT")
    )
    assert(
      refused("select bloom_agg(fpp => 0.1, id) from range(1)").contains("UNEXPECTED_POSITIONAL")
    )
    assert(refused("select bloom_union_agg(id) from range(1)").contains("must be a filter"))
    assert(refused("select bloom_union_agg(X'00', X'01')").contains("one filter"))
    assert(refused("select bloom_info(1)").contains("must be a filter"))
    assert(refused("select bloom_info()").contains("one filter"))
    assert(refused("select bloom_info(X'00')").contains("not a Bloom filter"))
    val f = bytes("select bloom_agg(id) from range(10)")
    for ((at, why) <- Seq(0 -> "Magic", 4 -> "Version", 13 -> "Hash function", 17 -> "Seed"))
      assert(refused(s"select bloom_info(${literal(f.updated(at, 7.toByte))})").contains(why))
  }

  test("a union of filters of one size is the filter of all keys") {
    val parts =
      "select id % 5 as p, bloom_agg(id, expected_keys => 50000) as f from range(30000) " +
        "group by 1"
    everyMode.foreach { mode =>
      withConf(mode: _*) {
        val union = bytes(s"select bloom_union_agg(f) from ($parts)")
        val whole = bytes("select bloom_agg(id, expected_keys => 50000) from range(30000)")
        assert(
          FilterFormat.fromBytes(union).filter == FilterFormat.fromBytes(whole).filter
        )
        assert(passing(union) <= 0.012)
        assert(
          BloomJoin.union(
            spark.sql(parts).collect().toSeq.map(_.getAs[Array[Byte]]("f")): _*
          ).toSeq == union.toSeq
        )
      }
    }
  }

  test("a union of filters of many sizes holds all keys, in any order") {
    val parts = "select floor(log2(id + 1)) as p, bloom_agg(id) as f from range(30000) group by 1"
    val union = bytes(s"select bloom_union_agg(f) from ($parts order by p)")
    assert(bytes(s"select bloom_union_agg(f) from ($parts order by p desc)").toSeq == union.toSeq)
    val held = spark.range(30000).withColumn("f", lit(union))
    assert(held.where(expr("bloom_might_contain(f, id)")).count() == 30000)
    val two = "select id >= 1000 as large, bloom_agg(id) as f from range(30000) group by 1"
    assert(passing(bytes(s"select bloom_union_agg(f) from ($two)")) < 0.25)
  }

  test("a union leaves nulls out, is null of nothing, and refuses other types") {
    assert(
      spark.sql(
        "select bloom_union_agg(f) from (select cast(null as binary) as f)"
      ).head().isNullAt(0)
    )
    assert(spark.sql("select bloom_union_agg(null)").head().isNullAt(0))
    val one = bytes("select bloom_agg(id) from range(5)").toSeq
    assert(
      bytes(
        "select bloom_union_agg(f) from (select bloom_agg(id) as f from range(5) union all select null)"
      ).toSeq == one
    )
    val error = intercept[Exception](
      bytes(
        """select bloom_union_agg(f) from (select bloom_agg(id) as f from range(5)
           union all select bloom_agg(cast(id as string)) from range(5))"""
      )
    )
    assert(error.getMessage.contains("bigint") && error.getMessage.contains("string"))
  }

  test("what a filter is") {
    everyMode.foreach { mode =>
      withConf(mode: _*) {
        val info = spark.sql(
          "select i.* from (select bloom_info(bloom_agg(id, 'x', fpp => 0.001)) as i from range(1000))"
        ).head()
        assert(info.getAs[String]("structure") == "split-block")
        assert(info.getAs[scala.collection.Seq[String]]("key_types") == Seq("bigint", "string"))
        assert(info.getAs[Long]("keys") == 1000)
        assert(math.abs(info.getAs[Long]("estimated_keys") - 1000) < 50)
        assert(info.getAs[Double]("target_fpp") == 0.001)
        assert(info.getAs[Double]("fpp") > 0 && info.getAs[Double]("fpp") <= 0.0011)
        assert(info.getAs[Double]("fill") > 0.1 && info.getAs[Double]("fill") < 0.5)
        assert(info.getAs[Long]("size_bytes") == 3072)
        assert(info.getAs[Long]("stored_bytes") > 3072)
        assert(info.getAs[Int]("hashes") == 8)
        assert(info.getAs[scala.collection.Map[String, String]]("properties").isEmpty)
        assert(spark.sql("select bloom_info(null)").head().isNullAt(0))
        val column = spark.range(3).selectExpr("if(id = 1, null, id) as k").groupBy("k")
          .agg(expr("if(k is null, null, bloom_agg(k)) as f")).selectExpr("bloom_info(f).keys")
        assert(column.collect().toSeq.map(r => if (r.isNullAt(0)) -1L else r.getLong(0)).sorted
          == Seq(-1L, 1L, 1L))
      }
    }
  }

  test("keys of narrower types are cast to those of a constant filter") {
    val f = literal(bytes("select bloom_agg(id) from range(-50, 50)"))
    for (narrow <- Seq("tinyint", "smallint", "int"))
      assert(
        spark.sql(
          s"select count(*) from range(-50, 50) where bloom_might_contain($f, cast(id as $narrow))"
        ).head() == Row(100)
      )
    val d = literal(bytes("select bloom_agg(cast(id as decimal(20, 2))) from range(50)"))
    for (narrow <- Seq("int", "decimal(5, 1)"))
      assert(
        spark.sql(
          s"select count(*) from range(50) where bloom_might_contain($d, cast(id as $narrow))"
        ).head() == Row(50)
      )
    val message = refused(s"select bloom_might_contain($d, 1.5d)")
    assert(message.contains("decimal(20,2)") && message.contains("double"))
    val g = literal(bytes("select bloom_agg(cast(id as int)) from range(50)"))
    val narrowing = refused(s"select bloom_might_contain($g, 5L)")
    assert(narrowing.contains("(int)") && narrowing.contains("(bigint)"))
  }

  test("many filters in a column, asked in turn") {
    val filters = spark.range(40).selectExpr("id as g")
      .join(spark.range(4000).selectExpr("id % 40 as g", "id"), "g").groupBy("g")
      .agg(expr("bloom_agg(id) as f"))
    everyMode.foreach { mode =>
      withConf(mode: _*) {
        val rows = filters.crossJoin(spark.range(100, 200).toDF("id"))
        val asked = rows.selectExpr("g", "id", "bloom_might_contain(f, id) as found").collect()
        assert(asked.length == 4000)
        asked.foreach(r => if (r.getLong(1) % 40 == r.getLong(0)) assert(r.getBoolean(2)))
        assert(asked.count(_.getBoolean(2)) < 100 + 4000 / 20)
      }
    }
  }

  test("the functions are listed, described, and their examples give what they say") {
    val listed = spark.sql("show functions like 'bloom_*'").collect().map(_.getString(0)).toSeq
    val ours = Seq("bloom_agg", "bloom_info", "bloom_might_contain", "bloom_union_agg")
    assert(ours.forall(listed.contains))
    for (name <- ours) {
      val text = spark.sql(s"describe function extended $name").collect().map(_.getString(0))
        .mkString("\n")
      val examples = "(?s)> (SELECT .*?;)\n\\s+(.*?)(?=\n\\s*>|\n\\s*Since|\n\\s*$)".r
        .findAllMatchIn(text).map(m => m.group(1) -> m.group(2).trim).toSeq
      assert(examples.nonEmpty, text)
      for ((query, result) <- examples)
        assert(shown(spark.sql(query.stripSuffix(";")).head().get(0)) == result, query)
    }
    def shown(value: Any): String = value match {
      case values: scala.collection.Seq[_] => values.map("\"" + _ + "\"").mkString("[", ",", "]")
      case other => String.valueOf(other)
    }
  }

  test("in another session, by call_function, in views") {
    val other = spark.newSession()
    val keys = other.range(100).agg(call_function("bloom_agg", col("id")).as("f"))
    assert(
      keys.crossJoin(other.range(50, 60)).where(
        call_function("bloom_might_contain", col("f"), col("id"))
      ).count() == 10
    )
    spark.sql(
      "create temporary view filters as select bloom_agg(id, fpp => 0.001) as f from range(100)"
    )
    assert(spark.sql("select bloom_info(f).target_fpp from filters").head() == Row(0.001))
    spark.sql(
      "create view kept as select bloom_agg(id, expected_keys => 1000, fpp => 0.001) as f " +
        "from range(100)"
    )
    assert(spark.sql("select bloom_info(f).keys from kept").head() == Row(100))
    assert(
      spark.sql(
        "select count(*) from range(200) where bloom_might_contain((select f from kept), id) and id < 100"
      ).head() == Row(100)
    )
  }

  test("filters in a table, united and asked in SQL alone") {
    spark.sql(
      """create table daily using parquet as select id % 7 as day,
           bloom_agg(id * 3, expected_keys => 20000) as filter, min(id * 3) as least
         from range(7000) group by 1"""
    )
    val week = "select bloom_union_agg(filter) from daily"
    val found = spark.sql(s"select id from range(0, 21000) where bloom_might_contain(($week), id)")
    assert(found.where("id % 3 = 0").count() == 7000)
    assert(found.where("id % 3 <> 0").count() < 14000 * 0.012)
    val days = spark.sql(
      "select d.day from daily d where bloom_might_contain(d.filter, 3L) order by 1"
    ).collect().map(_.getLong(0))
    assert(days.contains(1L))
  }

  test("a stream is asked, and aggregated") {
    implicit val context: SQLContext = spark.sqlContext
    val session = spark
    val f = lit(BloomJoin.build(spark.range(0, 1000, 2).toDF(), 0.0001, "id"))
    val input = MemoryStream[Long](Encoders.scalaLong, session)
    val asked = input.toDF().toDF("id").where(call_function("bloom_might_contain", f, col("id")))
      .writeStream.format("memory").queryName("asked").start()
    val counts = input.toDF().toDF("id").agg(expr("bloom_info(bloom_agg(id)).keys as n"))
      .writeStream.format("memory").outputMode("complete").queryName("counted").start()
    try {
      for (batch <- Seq(0L to 99L, 50L to 149L)) {
        input.addData(batch: _*)
        asked.processAllAvailable()
        counts.processAllAvailable()
      }
      assert(spark.table("asked").where("id % 2 = 0").count() == 100)
      assert(spark.table("asked").where("id % 2 = 1").count() <= 2)
      assert(spark.table("counted").collect().toSeq == Seq(Row(150)))
    } finally {
      asked.stop()
      counts.stop()
    }
  }

  test("expressions are copied whole") {
    val plan = spark.sql(
      "select bloom_might_contain(f, id), bloom_info(f) from (select id, cast('' as binary) as f from range(1))"
    ).queryExecution.analyzed
    plan.expressions.foreach(e => assert(e.transform { case same => same } == e))
    val aggregate =
      spark.sql("select bloom_agg(id), bloom_union_agg(cast(null as binary)) from range(1)")
        .queryExecution.analyzed
    aggregate.expressions.foreach(e => assert(e.clone() == e))
  }
}
