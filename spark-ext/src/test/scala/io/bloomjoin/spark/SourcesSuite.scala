package io.bloomjoin.spark

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec

/** What the pruned and the pruning rows are read from does not matter. */
class SourcesSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table(
      "large",
      spark.range(0, 4000).selectExpr(
        "id",
        "pmod(hash(id), 400) as k",
        "concat('s', pmod(hash(id), 400)) as s",
        "pmod(hash(id), 400) / 8 as d",
        "cast(pmod(hash(id, 1), 20) as int) as part"
      )
    )
    table(
      "small",
      spark.range(0, 400).selectExpr(
        "id",
        "cast(id as int) as k",
        "concat('s', id) as s",
        "id / 8 as d",
        "cast(pmod(hash(id, 2), 20) as int) as x"
      ),
      files = 1
    )
  }

  private val some = "(select * from small where x = 3)"

  private def at(name: String): String = directory.resolve(name).toString

  private def view(name: String, rows: DataFrame): Unit = rows.createOrReplaceTempView(name)

  // ---- partitioned tables

  test("a partition column as key, int or string, with and without dynamic partition pruning") {
    spark.table("large").write.partitionBy("part").parquet(at("by_int"))
    spark.table("large").selectExpr("id", "k", "concat('p', part) as part")
      .write.partitionBy("part").parquet(at("by_string"))
    view("by_int", spark.read.parquet(at("by_int")))
    view("by_string", spark.read.parquet(at("by_string")))
    for (dynamic <- Seq("true", "false"); reuseOnly <- Seq("true", "false"))
      withConf(
        "spark.sql.optimizer.dynamicPartitionPruning.enabled" -> dynamic,
        "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly" -> reuseOnly
      ) {
        val wanted = "(select x, x + 1 as y from small where id in (3, 5))"
        checkRows(s"select l.id from by_int l join $wanted r on l.part = r.x")
        checkRows(s"select l.id from by_string l join $wanted r on l.part = concat('p', r.x)")
        checkRows(
          s"select l.id from by_int l join (select k, x from small where id < 9) r on l.part = r.x and l.k = r.k"
        )
        checkRows(
          s"select count(*) from by_int where part = (select max(x) from small where id < 9)"
        )
      }
    withConf("spark.sql.optimizer.dynamicPartitionPruning.enabled" -> "false") {
      assertPruned(
        "select l.id from by_int l join (select x from small where id in (3, 5)) r on l.part = r.x",
        0 // with generated code, other directories are not even read
      )
    }
  }

  test("a random sample above a partitioned and pruned scan stays the same sample") {
    checkRows(
      s"""select count(*), sum(l.id) from (select * from by_int where rand(1) < 0.25) l
          join $some r on l.part = r.k"""
    )
  }

  // ---- caches

  test("a cached small side without a predicate of its own") {
    spark.sql(s"cache table cached_some as select * from $some")
    try assertPruned("select l.id, r.id from large l join cached_some r on l.k = r.k", 3000)
    finally spark.sql("uncache table cached_some")
  }

  test("a lazily cached join is cached pruned, and whole") {
    val joined = s"select l.id, r.k, r.x from large l join $some r on l.k = r.k"
    val (_, expected) = stock(run(joined))
    for (mode <- twoModes)
      withConf(mode: _*) {
        val cached = spark.sql(joined).cache()
        try {
          assert(cached.where("x = 3").limit(1).collect().length == 1) // a part of it first
          assert(sorted(cached.collect().toSeq) == sorted(expected))
          val again = cached.join(spark.table("large"), Seq("id")).select(cached.columns.head)
          assert(again.count() == expected.size)
        } finally cached.unpersist(blocking = true)
      }
  }

  test("a checkpointed small side") {
    val kept = spark.sql(s"select * from $some").localCheckpoint()
    view("kept", kept)
    checkRows(
      "select l.id, r.id from large l join (select * from kept where id > 0) r on l.k = r.k"
    )
  }

  // ---- other sources

  test("a version 2 source with its own run-time filters, and a random predicate") {
    withConf("spark.sql.sources.useV1SourceList" -> "") {
      view("large_v2", spark.read.parquet(at("large")))
      val sql =
        s"""select l.id, r.id from (select * from large_v2 where rand(3) < 0.5) l
            join $some r on l.k = r.k"""
      checkRows(sql).foreach { plan =>
        assert(collect(plan) { case s: BatchScanExec => s }.nonEmpty)
        assert(prunings(plan).nonEmpty, s"in\n$plan")
      }
    }
  }

  test("text, JSON and ORC files, ranges and local rows") {
    spark.table("large").select("id", "k").write.json(at("json"))
    spark.table("large").select("id", "k").write.orc(at("orc"))
    spark.table("large").select("id", "k").write.csv(at("csv"))
    view("json_rows", spark.read.json(at("json")))
    view("orc_rows", spark.read.orc(at("orc")))
    view("csv_rows", spark.read.schema("id bigint, k int").csv(at("csv")))
    for (name <- Seq("json_rows", "orc_rows", "csv_rows"))
      assertPruned(s"select l.id, r.id from $name l join $some r on l.k = r.k", 3000)
    assertPruned(s"select l.id, r.id from range(5000) l join $some r on l.id = r.k", 3000)
    assertPruned("select l.id from large l join values (3), (5), (7) r(k) on l.k = r.k and r.k < 6")
    checkRows(s"select r.id from values (3), (5), (900) l(k) join $some r on l.k = r.k")
  }

  // ---- Parquet

  test("a row group of nulls only and a null-safe key") {
    spark.range(0, 500).selectExpr("id", "cast(null as int) as k").coalesce(1)
      .write.parquet(at("nulls"))
    spark.range(500, 1500).selectExpr("id", "cast(id as int) as k").coalesce(1)
      .write.mode("append").parquet(at("nulls"))
    view("nulls", spark.read.parquet(at("nulls")))
    for (keys <- Seq("(cast(null as int))", "(null), (600)", "(600)"))
      checkRows(
        s"select l.id, r.k from nulls l join (select * from values $keys v(k) where rand(1) >= 0) r on l.k <=> r.k"
      )
    checkRows(
      "select l.id from nulls l left semi join (select k from nulls where id % 100 = 7) r on l.k <=> r.k"
    )
  }

  test("null-safe equality in outer joins with nulls on both sides") {
    for (kind <- Seq("left", "right", "full"))
      checkRows(
        s"""select s.id, l.id from (select id, if(id % 9 = 0, null, k) as k from small where x < 4) s
            $kind join nulls l on s.k <=> l.k and l.id % 25 = 0"""
      )
  }

  test("files with Bloom filters of their own") {
    spark.table("large").sort("k").write
      .option("parquet.bloom.filter.enabled", "true")
      .option("parquet.bloom.filter.expected.ndv", "400")
      .parquet(at("with_filters"))
    view("with_filters", spark.read.parquet(at("with_filters")))
    for (key <- Seq("k", "s", "d")) {
      assertPruned(s"select l.id, r.id from with_filters l join $some r on l.$key = r.$key", 3000)
      assertPruned(
        s"""select l.id, r.id from (select * from with_filters where k in (3, 7, 300)) l
            join (select * from small where x < 9) r on l.$key = r.$key""",
        0
      )
    }
  }

  test("old files with an int, new ones with a bigint as key") {
    val old = spark.range(0, 1000).selectExpr("id", "cast(id % 400 as int) as k")
    val wide = spark.range(1000, 2000).selectExpr("id", "id % 400 as k")
    for (rows <- Seq(old, wide))
      rows.write.option("parquet.bloom.filter.enabled#k", "true").mode("append")
        .parquet(at("widened"))
    view("widened", spark.read.schema("id bigint, k bigint").parquet(at("widened")))
    assertPruned(s"select l.id, r.id from widened l join $some r on l.k = r.k")
    assertPruned(
      s"select l.id, r.id from large l join (select * from widened where id % 100 = 1) r on l.k = r.k"
    )
  }

  test("decimals as they lie in Parquet, in each encoding") {
    for (legacy <- Seq("true", "false"))
      withConf("spark.sql.parquet.writeLegacyFormat" -> legacy) {
        val path = at(s"decimals_$legacy")
        spark.table("large").selectExpr(
          "id",
          "cast((k - 200) * 1.25 as decimal(10, 2)) as a",
          "cast((k - 200) * 1.25 as decimal(19, 2)) as b",
          "cast((k - 200) * 1.25 as decimal(38, 10)) as c"
        ).write.parquet(path)
        view("decimals", spark.read.parquet(path))
        for (key <- Seq("a", "b", "c"))
          assertPruned(
            s"""select l.id, r.id from decimals l join
                (select id, cast((k - 200) * 1.25 as decimal(30, 5)) as c from small where x = 3) r
                on l.$key = r.c""",
            3000
          )
      }
  }

  test("old dates and times, as INT96 and as INT64") {
    for (kind <- Seq("INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS"))
      withConf(
        "spark.sql.parquet.outputTimestampType" -> kind,
        "spark.sql.parquet.int96RebaseModeInWrite" -> "CORRECTED",
        "spark.sql.parquet.datetimeRebaseModeInWrite" -> "CORRECTED"
      ) {
        val path = at(s"times_$kind")
        spark.table("large").selectExpr(
          "id",
          "timestampadd(microsecond, k * 1001, timestamp'1500-01-01 00:00:00') as t",
          "date_add(date'1500-01-01', k) as d"
        ).write.parquet(path)
        view("times", spark.read.parquet(path))
        checkRows(
          s"""select l.id, r.id from times l join
              (select id, timestampadd(microsecond, k * 1001, timestamp'1500-01-01 00:00:00') as t
               from small where x = 3) r on l.t = r.t"""
        )
        assertPruned(
          s"""select l.id, r.id from times l join
              (select id, date_add(date'1500-01-01', k) as d from small where x = 3) r on l.d = r.d""",
          3000
        )
      }
  }

  test("the pruned scan keeps what it pushes down itself") {
    checkRows(
      s"select l.id, r.id from (select * from large where part = 4) l join $some r on l.k = r.k"
    )
      .foreach { plan =>
        val scans = collect(plan) { case s: FileSourceScanExec => s }
        assert(scans.exists(_.dataFilters.exists(_.toString.contains("part"))), s"in\n$plan")
      }
  }
}
