package io.bloomjoin.spark

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.internal.SQLConf

/** Sources of version 2 that take run-time filters leave out partitions without a key. */
class V2SourcesSuite extends PruneSuite {

  /** Takes lists of keys as filters of version 1, as predicates, and predicates on partitions. */
  private val catalogs = Map(
    "v1" -> classOf[InMemoryTableCatalog],
    "v2" -> classOf[InMemoryTableWithV2FilterCatalog],
    "iterative" -> classOf[InMemoryTableEnhancedRuntimePartitionFilterCatalog]
  )

  override protected def sessionConf: Map[String, String] =
    catalogs.map { case (name, catalog) => s"spark.sql.catalog.$name" -> catalog.getName } +
      (SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key -> "false")

  private val partitions = 40
  private val rows = 4000L

  private def large = spark.range(rows).selectExpr(
    "id",
    "id % 40 as k",
    "cast(id % 40 as int) as i",
    "cast(id % 40 as tinyint) as tiny",
    "concat('s', id % 40) as s",
    "date_add(date'2024-01-01', cast(id % 40 as int)) as d",
    "id % 7 as v"
  )

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table("plain", large)
    table("small", large.where("id < 40"), files = 1)
    for (catalog <- catalogs.keys; key <- Seq("k", "i", "tiny", "s", "d")) {
      spark.sql(
        s"""create table $catalog.by_$key (id bigint, k bigint, i int, tiny tinyint, s string, d date, v bigint)
            partitioned by ($key)"""
      )
      large.writeTo(s"$catalog.by_$key").append()
    }
  }

  private val (interpreted, generated) =
    everyMode.partition(_.contains(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false"))

  private def scans(plan: SparkPlan): Seq[BatchScanExec] =
    prunings(plan).flatMap(p => collect(p.left) { case s: BatchScanExec => s }).distinct

  private def rowsRead(plan: SparkPlan): Long = {
    val found = scans(plan)
    assert(found.nonEmpty, s"no pruned scan of a source in\n$plan")
    found.map(_.longMetric("numOutputRows").value).sum
  }

  private def assertReads(sql: String)(expected: Long): Unit = {
    checkRows(sql, generated).foreach(plan => assert(rowsRead(plan) == expected, s"in\n$plan"))
    checkRows(sql, interpreted.take(1)).foreach(plan =>
      assert(rowsRead(plan) == rows, s"in\n$plan")
    )
  }

  private def skipped(plan: SparkPlan): Long =
    prunings(plan).map(_.longMetric("skippedPartitions").value).sum

  private def joined(table: String, key: String, some: String = "id in (3, 5, 9)"): String =
    s"""select l.id, r.v from $table l join (select * from small where $some) r
        on l.$key = r.$key"""

  // ---- what is left out

  test("only the partitions of the keys are read, whatever their type") {
    for {
      catalog <- catalogs.keys
      key <- Seq("k", "i", "tiny", "s", "d")
      if !(catalog == "v1" && key == "d") // that table compares days with their text
    } assertReads(joined(s"$catalog.by_$key", key))(3 * 100)
  }

  test("the plan and the metrics say what was left out, without values") {
    checkRows(joined("v2.by_k", "k"), generated).foreach { plan =>
      assert(skipped(plan) == partitions - 3, s"in\n$plan")
      val shown = prunings(plan).map(_.simpleString(100))
      assert(shown.forall(_.endsWith(", scan: k in 3 keys")), s"in $shown")
      assert(!shown.exists(_.contains("5")) || shown.forall(!_.contains("[3")), s"in $shown")
    }
  }

  test("bounds go to sources that understand them") {
    withConf("spark.bloomjoin.maxInListKeys" -> "0") {
      assertReads(joined("iterative.by_k", "k"))(7 * 100)
      for (catalog <- Seq("v1", "v2")) assertReads(joined(s"$catalog.by_k", "k"))(rows)
      assertReads(joined("iterative.by_s", "s"))(rows)
    }
  }

  test("an int column compared with bigint keys, some beyond an int") {
    val keys = "(select if(id = 7, 1L << 40, id) as w, v from small where id < 9)"
    for (catalog <- catalogs.keys)
      assertReads(s"select l.id, r.v from $catalog.by_i l join $keys r on l.i = r.w")(8 * 100)
  }

  test("rows without a key, one key, all keys, and no key") {
    for (catalog <- catalogs.keys) {
      spark.sql(s"create table $catalog.nulls (id bigint, k bigint) partitioned by (k)")
      spark.range(400).selectExpr("id", "if(id % 4 = 0, null, id % 4) as k")
        .writeTo(s"$catalog.nulls").append()
      val some = "(select if(id = 2, 2L, null) as k from small where id < 4)"
      for (equal <- Seq("=", "<=>"); kind <- Seq("join", "left join", "left semi join"))
        checkRows(s"select s.k from $some s $kind $catalog.nulls l on l.k $equal s.k", generated)
      checkRows(s"select l.id from $catalog.nulls l join $some r on l.k = r.k", generated)
        .foreach(plan => assert(rowsRead(plan) == 100, s"in\n$plan"))
      checkRows(joined(s"$catalog.by_k", "k", "id = 5"), generated)
      checkRows(joined(s"$catalog.by_k", "k", "id >= 0"), generated)
      checkRows(joined(s"$catalog.by_k", "k", "v = 8"), generated)
    }
  }

  test("several prunings of one scan, also through its predicates and projections") {
    for (catalog <- catalogs.keys)
      checkRows(
        s"""select l.id from (select id + 1 as id, k, i from $catalog.by_k where v < 6) l
            join (select * from small where id < 9) a on l.k = a.k
            join (select * from small where id > 5) b on l.k = b.k and l.i = b.i""",
        generated
      ).foreach(plan => assert(rowsRead(plan) <= 9 * 100, s"in\n$plan"))
  }

  // ---- partitions that other nodes count on

  test("a join by storage partitions keeps its pairs") {
    for (catalog <- catalogs.keys; appended <- 1 to 2) {
      if (appended == 2) large.writeTo(s"$catalog.by_k").append()
      val sql =
        s"""select count(*), sum(a.id), sum(b.id), sum(r.v) from $catalog.by_k a
            join $catalog.by_k b on a.k = b.k
            join (select * from small where id in (3, 5, 9)) r on a.k = r.k"""
      for (pushed <- Seq("true", "false"))
        withConf("spark.sql.sources.v2.bucketing.pushPartValues.enabled" -> pushed) {
          checkRows(sql, generated)
        }
      withConf("spark.sql.sources.v2.bucketing.enabled" -> "false") {
        checkRows(sql, generated)
      }
    }
    for (catalog <- catalogs.keys) {
      spark.sql(s"truncate table $catalog.by_k")
      large.writeTo(s"$catalog.by_k").append()
    }
  }

  // ---- scans that others read too

  test("two scans of one table are told each of its own keys") {
    for (catalog <- catalogs.keys)
      checkRows(
        s"""select a.id, a.s, b.id from
            (select l.id, l.s from $catalog.by_k l join (select * from small where id < 3) r on l.k = r.k) a
            full join
            (select l.id, l.v from $catalog.by_k l join (select * from small where id = 9) r on l.k = r.k) b
            on a.id = b.id""",
        generated
      ).foreach { plan =>
        val read = scans(plan).map(_.longMetric("numOutputRows").value).sorted
        assert(read == Seq(100, 300), s"in\n$plan")
      }
  }

  test("a scan that a run-time filter of Spark reads too is read whole") {
    withConf(SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key -> "true") {
      for (catalog <- catalogs.keys; reuseOnly <- Seq("true", "false"))
        withConf(SQLConf.DYNAMIC_PARTITION_PRUNING_REUSE_BROADCAST_ONLY.key -> reuseOnly) {
          checkRows(
            s"""select count(*), sum(a.id) from $catalog.by_i a
                join (select * from $catalog.by_k where v = 3) b on a.i = b.i
                join (select * from small where id in (3, 5, 9)) r on b.k = r.k""",
            everyMode
          )
        }
    }
  }

  test("a scan that runs again and again with other keys is read whole") {
    for (catalog <- catalogs.keys)
      checkRows(
        s"""with recursive walk(k, step) as (
              select id, 0 from small where id = 3
              union all
              select e.k + 7, step + 1 from walk join $catalog.by_k e on walk.k = e.k
              where step < 4 and e.id < 40)
            select k, step from walk""",
        everyMode
      )
  }

  test("with a limit within the query scans are read whole, with one at its top they are not") {
    val sql = joined("v2.by_k", "k")
    checkRows(s"$sql limit 100000", generated).foreach(plan => assert(rowsRead(plan) == 300))
    checkRows(
      s"select j.id from ($sql) j left join (select id from v1.by_i limit 100000) o on j.id = o.id",
      generated
    ).foreach(plan => assert(scans(plan).exists(_.longMetric("numOutputRows").value == rows)))
  }

  test("queries that run twice, are cached, or run outside of a SQL execution") {
    for (catalog <- catalogs.keys; mode <- everyMode) {
      val sql = joined(s"$catalog.by_k", "k")
      withConf(mode: _*) {
        val df = spark.sql(sql)
        assert(df.collect().length == 300 && df.collect().length == 300)
        assert(df.rdd.count() == 300 && df.toLocalIterator().asScala.size == 300)
        val cached = spark.sql(sql).cache()
        try assert(cached.where("v = 3").count() == 100 && cached.count() == 300)
        finally cached.unpersist(blocking = true)
      }
    }
  }
}
