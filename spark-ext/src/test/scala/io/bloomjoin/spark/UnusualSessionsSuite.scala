package io.bloomjoin.spark

import scala.util.Random

import org.apache.spark.sql.{DataFrame, Dataset, Encoders, SQLContext}
import org.apache.spark.sql.execution.streaming.runtime.{MemoryStream, StreamingQueryWrapper}
import org.apache.spark.sql.functions.udf

/** Sides that come out otherwise each time, and settings of Spark that change how plans run. */
class UnusualSessionsSuite extends Witnesses {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table("large", spark.range(0, 4000).selectExpr("id", "id % 100 as k", "id % 7 as x"))
    table("small", spark.range(0, 100).selectExpr("id", "id as k", "id % 7 as x"), files = 1)
    spark.udf.register("flip", udf((_: Long) => Random.nextBoolean()).asNondeterministic())
  }

  /** Sides of about half of the keys 0 to 99, another half at each run. */
  private val changing: Seq[(String, () => DataFrame)] = Seq(
    "a predicate" -> (() => spark.sql("select k from small where flip(k)")),
    "a predicate of a subquery" ->
      (() =>
        spark.sql("select k from small where k in (select k from small where flip(k))")
      ),
    "a typed filter" -> (() => longs.filter(_ => Random.nextBoolean()).toDF("k")),
    "a typed mapping" ->
      (() =>
        longs.mapPartitions(_.filter(_ => Random.nextBoolean()))(Encoders.scalaLong).toDF("k")
      ),
    "an aggregate" ->
      (() =>
        spark.sql("select k, count(*) as c from small where flip(k) group by k")
      ),
    "a limit" ->
      (() =>
        spark.sql(
          "select k from (select /*+ repartition(5) */ * from small where flip(k)) limit 40"
        )
      )
  )

  private def longs: Dataset[Long] =
    spark.table("small").select("k").as[Long](Encoders.scalaLong)

  /** The large table's rows for `some` keys, of which all have partners. */
  private def assertAllHavePartners(some: DataFrame, pruned: Boolean): Unit = {
    val joined = some.where("k >= 0").join(spark.table("large"), Seq("k"), "left_outer")
    val (plan, rows) = run(joined)
    assert(rows.nonEmpty && rows.forall(!_.anyNull), s"in\n$plan")
    assert(prunings(plan).nonEmpty == pruned, s"in\n$plan")
  }

  for ((name, side) <- changing) {
    test(s"$name that changes from run to run is the same for filter and join") {
      for (mode <- Seq(adaptiveOn, adaptiveOff))
        withConf(mode: _*)(assertAllHavePartners(side(), pruned = true))
    }

    test(s"$name that changes from run to run does not prune without reuse of exchanges") {
      for (mode <- Seq(adaptiveOn, adaptiveOff))
        withConf(mode :+ ("spark.sql.exchange.reuse" -> "false"): _*) {
          assertAllHavePartners(side(), pruned = false)
        }
    }
  }

  test("without reuse of exchanges nothing is pruned") {
    withConf("spark.sql.exchange.reuse" -> "false") {
      assertNotPruned("select l.id, s.k from large l join small s on l.k = s.k and s.x = 3")
    }
  }

  private val join = "select l.id, s.k from large l join small s on l.k = s.k and s.x = 3"

  private val outerJoin =
    "select l.id, s.k from (select * from small where x = 3) s left join large l on l.k = s.k"

  private def assertPrunedWith(conf: (String, String)*): Unit =
    withConf(conf: _*) {
      assertPruned(join)
      assertPruned(outerJoin)
    }

  test("joins that AQE splits for skew") {
    assertPrunedWith(
      "spark.sql.adaptive.forceOptimizeSkewedJoin" -> "true",
      "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" -> "100",
      "spark.sql.adaptive.skewJoin.skewedPartitionFactor" -> "1.0",
      "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "1000"
    )
  }

  test("shuffles that AQE does not coalesce, or coalesces to one") {
    assertPrunedWith("spark.sql.adaptive.coalescePartitions.enabled" -> "false")
    assertPrunedWith("spark.sql.shuffle.partitions" -> "1")
    assertPrunedWith("spark.sql.shuffle.partitions" -> "61")
  }

  test("columnar and row-based readers, data sources of either version") {
    for (columnar <- Seq("true", "false"); v1 <- Seq("parquet", ""))
      assertPrunedWith(
        "spark.sql.parquet.enableVectorizedReader" -> columnar,
        "spark.sql.sources.useV1SourceList" -> v1
      )
  }

  test("rows too wide for generated code") {
    assertPrunedWith("spark.sql.codegen.maxFields" -> "1")
    assertPrunedWith("spark.sql.codegen.hugeMethodLimit" -> "10")
    assertPrunedWith("spark.sql.codegen.methodSplitThreshold" -> "1")
  }

  test("key columns in another order than those of the shuffle") {
    withConf("spark.sql.requireAllClusterKeysForCoPartition" -> "false") {
      assertPruned(
        """select l.id, s.k from (select /*+ repartition(4, x) */ * from large) l
           join small s on l.k = s.k and l.x = s.x and s.id < 30"""
      )
    }
  }

  test("subqueries that are not reused, and two filters of one side") {
    for (reuse <- Seq("true", "false"))
      withConf("spark.sql.execution.reuseSubquery" -> reuse) {
        assertPruned(
          """with s as (select k from small where x = 3)
             select l.id from large l join s on l.k = s.k
             where l.x < (select count(*) from large l join s on l.k = s.k)
             union all select l.x from large l join s on l.x = s.k"""
        )
      }
  }

  test("ANSI mode off") {
    withConf("spark.sql.ansi.enabled" -> "false") {
      assertPruned(
        "select l.id, s.k from large l join small s on l.k = cast(s.k as string) and s.x = 3"
      )
    }
  }

  test("the filter of a key that a subquery is part of") {
    checkRows(
      """select l.id, s.k from large l join small s
         on l.k = s.k + (select min(id) from small) and s.x = 3"""
    )
    checkRows(
      """select l.id, s.k from large l join small s
         on l.k + (select min(id) from large) = s.k and s.x = 3"""
    )
  }

  test("a cached large side, a cached small side") {
    spark.sql("cache table cached_large as select * from large")
    spark.sql("cache table cached_small as select * from small")
    try {
      assertPruned("select l.id, s.k from cached_large l join small s on l.k = s.k and s.x = 3")
      assertPruned("select l.id, s.k from large l join cached_small s on l.k = s.k and s.x = 3")
      assertPruned(
        "select l.id, s.k from cached_large l join cached_small s on l.k = s.k and s.x = 3"
      )
    } finally {
      spark.sql("uncache table cached_large")
      spark.sql("uncache table cached_small")
    }
  }

  test("a recursive query") {
    checkRows(
      """with recursive r(n, k) as (select 1, 5L union all
           select n + 1, l.id % 100 from r join large l on r.k = l.k
           join small s on s.k = l.k where n < 4 and s.x < 5 and l.id < 900)
         select n, k from r"""
    )
  }

  test("a streaming query is left alone") {
    val session = spark
    implicit val context: SQLContext = session.sqlContext
    val input = MemoryStream[Long](Encoders.scalaLong, session)
    val query = input.toDF().toDF("k").join(spark.table("small").where("x = 3"), Seq("k"))
      .writeStream.format("memory").queryName("joined").start()
    try {
      input.addData(0L to 99L: _*)
      query.processAllAvailable()
      assert(spark.table("joined").count() == 14)
      val plan = query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution.executedPlan
      assert(prunings(plan).isEmpty)
    } finally query.stop()
  }
}
