package io.bloomjoin.spark

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.internal.SQLConf
import org.scalatest.concurrent.Eventually

/** Build sides tell scans which files, and which parts of files, need not be read. */
class ScanRangesSuite extends PruneSuite with Eventually {
  private val rows = 40000L

  override protected def sessionConf: Map[String, String] =
    Map(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> "TIMESTAMP_MICROS")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    sortedTable(
      "large",
      spark.range(rows).selectExpr(
        "id as k",
        "cast(id as int) as i",
        "cast(id % 30000 as smallint) as short",
        "cast(id as double) as f",
        "cast(id as decimal(12, 2)) as dec",
        "format_string('s%08d', id) as s",
        "date_add(date'1990-01-01', cast(id as int)) as d",
        "timestamp_seconds(id * 1000 + 0.123456) as t",
        "id % 100 as v"
      ),
      "k"
    )
    table(
      "marked",
      spark.table("large").selectExpr(
        "*",
        "if(k < 10 or k >= 39990, 1, 0) as ends",
        "if(k between 20000 and 20050, 1, 0) as middle",
        "if(k < 10000, 1, 0) as front",
        "if(k between 8000 and 18000, 1, 0) as back"
      )
    )
    for (name <- Seq("ends", "middle", "front", "back"))
      spark.sql(s"select * from marked where $name = 1").createOrReplaceTempView(name)
  }

  /** A table in one file of many row groups, each of many pages. */
  private def sortedTable(
      name: String,
      rows: DataFrame,
      by: String,
      options: (String, String)*
  ): Unit = {
    val sorted = rows.coalesce(1).sortWithinPartitions(by).write
      .option("parquet.block.size", "32768").option("parquet.page.size", "4096")
      .options(options.toMap)
    sorted.mode("append").parquet(directory.resolve(name).toString)
    spark.read.parquet(directory.resolve(name).toString).createOrReplaceTempView(name)
  }

  private def joined(small: String, key: String = "k"): String =
    s"select l.k, r.v from large l join $small r on l.$key = r.$key"

  private val (interpreted, generated) =
    everyMode.partition(_.contains(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false"))

  /** The scans of a table that are pruned. */
  private def scans(plan: SparkPlan, table: String): Seq[FileSourceScanExec] =
    prunings(plan).flatMap(prune => collect(prune.left) { case scan: FileSourceScanExec => scan })
      .filter(_.relation.location.rootPaths.head.getName == table).distinct

  private def metric(plan: SparkPlan, table: String, name: String): Long = {
    val found = scans(plan, table)
    assert(found.nonEmpty, s"no pruned scan of $table in\n$plan")
    found.map(_.longMetric(name).value).sum
  }

  private def rowsRead(plan: SparkPlan, table: String = "large"): Long =
    metric(plan, table, "numOutputRows")

  /** The rows are right in every mode, and with generated code the scan reads just so many. */
  private def assertReads(sql: String, table: String = "large", all: Long = rows)(
      expected: Long => Boolean
  ): Unit = {
    checkRows(sql, generated).foreach { plan =>
      val read = rowsRead(plan, table)
      assert(expected(read), s"$read rows read in\n$plan")
    }
    checkRows(sql, interpreted).foreach(plan =>
      assert(rowsRead(plan, table) == all, s"in\n$plan")
    )
  }

  private def assertSkips(sql: String, table: String = "large", all: Long = rows): Unit =
    assertReads(sql, table, all)(_ < all / 2)

  private def assertReadsAll(sql: String, table: String = "large", all: Long = rows): Unit =
    assertReads(sql, table, all)(_ == all)

  // ---- row groups and pages

  test("a list of keys skips what lies between them, their bounds what lies outside") {
    assertSkips(joined("ends"))
    assertSkips(joined("middle"))
    withConf("spark.bloomjoin.maxInListKeys" -> "0") {
      assertReadsAll(joined("ends"))
      assertSkips(joined("middle"))
    }
  }

  test("a list holds as many keys as the setting allows, repeated ones once") {
    for ((limit, list) <- Seq(19 -> false, 20 -> true, 21 -> true))
      withConf("spark.bloomjoin.maxInListKeys" -> limit.toString) {
        val twice = "(select * from ends union all select * from ends)"
        if (list) assertSkips(joined(twice)) else assertReadsAll(joined(twice))
      }
  }

  test("prunings above each other all narrow the scan, also through its predicates") {
    val both =
      """select l.k from (select * from large where v < 99) l
         join front a on l.k = a.k
         join back b on l.i = b.i"""
    withConf("spark.bloomjoin.maxFiltersPerScan" -> "2") {
      checkRows(both, generated).foreach { plan =>
        val landed = prunings(plan).count(p => tablesOf(p.left) == Seq("large"))
        assert(landed >= 1, s"in\n$plan")
        if (landed == 2) assert(rowsRead(plan) < rows / 2, s"in\n$plan")
      }
    }
  }

  test("all keys, one key, and none") {
    checkRows(joined("marked"), generated)
    assertReads(joined("(select * from marked where i = 20007)"))(_ < rows / 20)
    checkRows(joined("(select * from marked where i < 0)"), generated)
  }

  private def bytesRead(sql: String): Long = {
    val log = new JobLog
    spark.sparkContext.addSparkListener(log)
    try {
      run(sql)
      eventually {
        assert(log.isIdle && log.bytesRead > 0)
        log.bytesRead
      }
    } finally spark.sparkContext.removeSparkListener(log)
  }

  test("bytes that are skipped are not read") {
    spark.range(500000).selectExpr("id as k", "xxhash64(id) as a", "xxhash64(id, 1) as b")
      .coalesce(1).write.option("parquet.block.size", "1000000")
      .parquet(directory.resolve("wide").toString)
    spark.read.parquet(directory.resolve("wide").toString).createOrReplaceTempView("wide")
    val (small, sql) =
      ("select k, v from middle", "select l.a, l.b, r.v from wide l join middle r on l.k = r.k")
    withConf("parquet.hadoop.vectored.io.enabled" -> "false") { // Hadoop does not count its bytes
      val others = stock(bytesRead(small))
      val all = stock(bytesRead(sql)) - others
      assert(all > 8000000 && bytesRead(sql) - others < all / 4)
    }
  }

  test("the metrics of the plan are those of what was read") {
    for (mode <- generated)
      withConf(mode: _*) {
        val (plan, _) = run(joined("middle"))
        val tested = prunings(plan).map(_.longMetric("rowsTested").value).sum
        assert(rowsRead(plan) == tested && tested > 50, s"in\n$plan")
        assert(metric(plan, "large", "numFiles") == 1, s"in\n$plan")
        assert(metric(plan, "large", "filesSize") > 0, s"in\n$plan")
      }
  }

  test("the plan says what the scan was told, without the values of keys") {
    def shown(sql: String): Seq[String] =
      checkRows(sql, generated).flatMap(prunings).map(_.simpleString(100).split(", scan: ").last)
    assert(shown(joined("middle")).forall(_ == "k in 51 keys"))
    assert(shown(joined("middle", "i")).forall(_ == "i in 51 keys"))
    assert(shown(joined("back")).forall(_ == "k between bounds"))
    assert(shown(joined("middle", "f")).forall(_.startsWith("BloomPrune [")))
    val node = checkRows(joined("middle"), Seq(adaptiveOn)).flatMap(prunings).head
    assert(node.verboseStringWithOperatorId().contains("\nScan: k in 51 keys"))
  }

  test("one build serves scans that use the values of its keys and scans that cannot") {
    spark.table("large").select("k", "v").write.json(directory.resolve("as_json").toString)
    spark.read.json(directory.resolve("as_json").toString).createOrReplaceTempView("as_json")
    for (tables <- Seq("large", "as_json").permutations)
      checkRows(
        tables.map(t => s"select l.k, r.v from $t l join middle r on l.k = r.k")
          .mkString(" union all "),
        everyMode
      )
  }

  // ---- where nothing may be skipped

  test("below a random sample everything is read") {
    checkRows(
      """select count(*), sum(l.k) from (select * from large where rand(1) < 0.25) l
         join middle r on l.k = r.k""",
      generated
    ).foreach(plan => assert(rowsRead(plan) == rows, s"in\n$plan"))
  }

  test("keys that are expressions, or of types without a safe order, skip nothing") {
    for (key <- Seq("f", "dec")) assertReadsAll(joined("middle", key))
    assertReadsAll(
      "select l.k, r.v from large l join middle r on l.k <=> r.k"
    )
    assertReadsAll(
      "select l.k, r.v from large l join middle r on l.k + 1 = r.k + 1"
    )
  }

  test("a filter that is not built narrows nothing") {
    withConf("spark.bloomjoin.maxFilterBytes" -> "32", "spark.bloomjoin.fpp" -> "0.5") {
      assertReadsAll(joined("front"))
    }
  }

  // ---- types

  test("each type with a safe order skips") {
    for (key <- Seq("k", "i", "s", "d", "t")) assertSkips(joined("middle", key))
    withConf("spark.bloomjoin.maxInListKeys" -> "0") {
      for (key <- Seq("k", "i", "d", "t")) assertSkips(joined("middle", key))
      assertReadsAll(joined("middle", "s"))
    }
  }

  test("an int column compared with bigint keys, some beyond an int") {
    val keys =
      """(select if(k = 7, 1L << 40, if(k = 8, -(1L << 40), k + 0L)) as w from marked where ends = 1 and k < %s)"""
    for (list <- Seq("1000", "0"); most <- Seq("8", "9", "50000"))
      withConf("spark.bloomjoin.maxInListKeys" -> list) {
        checkRows(s"select l.k from large l join ${keys.format(most)} r on l.i = r.w", generated)
      }
    assertSkips("select l.k from large l join (select k from middle) r on l.i = r.k")
    assertSkips(s"select l.k from large l join ${keys.format("50000")} r on l.i = r.w")
  }

  test("the parts of a composite key skip each for itself") {
    val sql =
      "select l.k from large l join middle r on l.f = r.f and l.i = r.i"
    assertSkips(sql)
  }

  private val old = "(-700000, -150000, -141428, -141427, -141426, -30000, -1, 0, 1, 12345)"

  private def days(name: String): DataFrame =
    spark.range(0, 20000).selectExpr(
      "id",
      s"date_add(date'1970-01-01', coalesce(get(array$old, cast(id as int)), cast(id as int))) as d"
    ).selectExpr(
      "*",
      "cast(d as timestamp) + interval '1' second as t",
      "cast(d as timestamp_ntz) + interval '1' second as n"
    ).withColumnRenamed("id", name)

  test("dates and times before the calendars agreed, in every form of files") {
    def conf(rebase: String, physical: String): Conf = Seq(
      "spark.sql.parquet.datetimeRebaseModeInWrite" -> rebase,
      "spark.sql.parquet.int96RebaseModeInWrite" -> rebase,
      SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> physical
    )
    for {
      rebase <- Seq("CORRECTED", "LEGACY")
      physical <- Seq("INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS")
      zone <- Seq("America/Los_Angeles")
    } withConf(conf(rebase, physical) :+ ("spark.sql.session.timeZone" -> zone): _*) {
      val name = s"days_${rebase}_${physical}_${zone.filter(_.isLetter)}"
      sortedTable(name, days("id"), "d")
      for {
        key <- Seq("d", "t", "n")
        list <- Seq("1000", "0")
        some <- Seq("id < 3", "id in (1, 3, 12000)", "id in (5, 9, 15000)")
      } withConf("spark.bloomjoin.maxInListKeys" -> list) {
        checkRows(
          s"select l.id, r.id from $name l join (select * from $name where $some) r on l.$key = r.$key",
          Seq(adaptiveOn)
        )
      }
    }
  }

  test("a day that the time zone of the JVM skipped") {
    val zone = java.util.TimeZone.getDefault
    java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone("Pacific/Apia"))
    try
      for (list <- Seq("1000", "0"))
        withConf("spark.bloomjoin.maxInListKeys" -> list) {
          sortedTable(
            s"apia$list",
            spark.range(20000).selectExpr(
              "id",
              "date_add(date'2000-01-01', cast(id as int)) as d",
              "if(id = 4381, 1, 0) as x"
            ),
            "d"
          )
          assertReadsAll(
            s"""select l.id, r.id from apia$list l
                join (select * from apia$list where x = 1) r on l.d = r.d""",
            s"apia$list",
            20000
          )
        }
    finally java.util.TimeZone.setDefault(zone)
  }

  test("strings: long ones, empty ones, and bytes that are no UTF-8") {
    sortedTable(
      "strings",
      spark.range(20000).selectExpr(
        "id",
        """case id when 0 then '' when 1 then cast(x'ff00fe' as string) when 2 then cast(x'c3' as string)
           when 3 then repeat('long', 100) when 4 then repeat('x', 256) when 5 then repeat('x', 257)
           else format_string('k%05d', id) end as s"""
      ),
      "s"
    )
    for (some <- Seq("id = 0", "id = 1", "id < 3", "id = 3", "id = 4", "id < 8", "id in (7, 900)"))
      checkRows(
        s"select l.id, r.id from strings l join (select * from strings where $some) r on l.s = r.s",
        generated
      )
    assertSkips(
      "select l.id, r.id from strings l join (select * from strings where id in (0, 7, 900)) r on l.s = r.s",
      "strings",
      20000
    )
  }

  // ---- files that are not as the table says

  test("old files with an int, new ones with a bigint as key") {
    sortedTable("widened", spark.range(20000).selectExpr("id", "cast(id as int) as k"), "k")
    sortedTable(
      "widened",
      spark.range(20000, 40000).selectExpr("id", "id * 10000000 as k"),
      "k"
    )
    spark.read.schema("id bigint, k bigint").parquet(directory.resolve("widened").toString)
      .createOrReplaceTempView("widened")
    val wanted =
      Seq("id = 5", "id in (5, 30000)", "id in (30000, 39999)", "id > 100 and id < 30000")
    for (list <- Seq("1000", "0"); some <- wanted)
      withConf("spark.bloomjoin.maxInListKeys" -> list) {
        checkRows(
          s"select l.id, r.id from widened l join (select * from widened where $some) r on l.k = r.k",
          generated
        )
      }
    assertReads(
      "select l.id, r.id from widened l join (select * from widened where id in (39999, 39998)) r on l.k = r.k",
      "widened",
      40000
    )(_ < 25000)
  }

  test("files whose numbers are wider than the table's: what Spark cuts, statistics do not say") {
    sortedTable("cut", spark.range(200000).selectExpr("id", "cast(id as int) as k"), "k")
    spark.read.schema("id bigint, k smallint").parquet(directory.resolve("cut").toString)
      .createOrReplaceTempView("cut")
    assertReadsAll(
      "select l.id, r.i from cut l join (select * from middle where v = 7) r on l.k = r.short",
      "cut",
      200000
    )
  }

  test("decimals in files of less digits than the table's") {
    sortedTable(
      "digits",
      spark.range(20000).selectExpr("id", "cast(id as decimal(7, 2)) as k"),
      "k"
    )
    spark.read.schema("id bigint, k decimal(14, 2)").parquet(directory.resolve("digits").toString)
      .createOrReplaceTempView("digits")
    checkRows(
      """select l.id, r.id from digits l join
         (select id, cast(if(id = 7, 900000000, id) as decimal(14, 2)) as k from range(10)) r on l.k = r.k""",
      generated
    )
  }

  test("files with Bloom filters of their own") {
    sortedTable(
      "with_filters",
      spark.table("large").selectExpr("k * 3 as k", "i * 3 as i", "s", "d", "v"),
      "k",
      "parquet.bloom.filter.enabled" -> "true",
      "parquet.bloom.filter.expected.ndv" -> "40000"
    )
    for (key <- Seq("k", "i", "s", "d"); small <- Seq("ends", "middle"))
      checkRows(
        s"select l.k, r.v from with_filters l join (select * from $small where v >= 0) r on l.$key = r.$key",
        generated
      )
  }

  test("row groups of nulls, and null-safe keys") {
    sortedTable(
      "nulls",
      spark.range(20000).selectExpr("id", "if(id < 15000, null, id) as k"),
      "k"
    )
    for (equal <- Seq("=", "<=>"); kind <- Seq("join", "left join", "left semi join"))
      checkRows(
        s"select s.k from (select if(k % 2 = 0, null, k) as k from middle where v >= 0) s $kind nulls l on l.k $equal s.k",
        generated
      )
    checkRows("select l.id from nulls l join back r on l.k = r.k", generated).foreach(plan =>
      assert(rowsRead(plan, "nulls") < 15000, s"in\n$plan")
    )
  }

  // ---- directories

  test("directories of keys that are not there are not read") {
    spark.table("large").selectExpr(
      "k",
      "i div 2000 as part",
      "concat('p', i div 2000) as name",
      "date_add(date'1582-10-01', cast(i div 2000 as int)) as day"
    ).createOrReplaceTempView("parts")
    for (key <- Seq("part", "name", "day")) {
      val path = directory.resolve(s"by_$key").toString
      spark.table("parts").select("k", key).write.partitionBy(key).parquet(path)
      spark.read.parquet(path).createOrReplaceTempView(s"by_$key")
    }
    val some = "(select * from parts where k in (5, 4001, 39000))"
    withConf("spark.sql.optimizer.dynamicPartitionPruning.enabled" -> "false") {
      for (key <- Seq("part", "name"); list <- Seq("1000", "0"))
        withConf("spark.bloomjoin.maxInListKeys" -> list) {
          val sql = s"select l.k from by_$key l join $some r on l.$key = r.$key"
          checkRows(sql, generated).foreach { plan =>
            val directories = if (list == "1000") 3 else 20
            assert(metric(plan, s"by_$key", "numPartitions") == directories, s"in\n$plan")
            assert(rowsRead(plan, s"by_$key") == directories * 2000L, s"in\n$plan")
          }
        }
      checkRows(s"select l.k from by_day l join $some r on l.day = r.day", generated)
    }
    for (key <- Seq("part", "name", "day"); reuse <- Seq("true", "false"))
      withConf("spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly" -> reuse) {
        checkRows(s"select l.k from by_$key l join $some r on l.$key = r.$key", generated)
      }
  }

  test("directories of JSON files") {
    val path = directory.resolve("json_parts").toString
    spark.range(20000).selectExpr("id", "cast(id % 10 as int) as part").write
      .partitionBy("part").json(path)
    spark.read.json(path).createOrReplaceTempView("json_parts")
    withConf("spark.sql.optimizer.dynamicPartitionPruning.enabled" -> "false") {
      checkRows(
        "select l.id from json_parts l join (select i % 2 + 3 as i from middle) r on l.part = r.i",
        generated
      ).foreach { plan =>
        assert(metric(plan, "json_parts", "numFiles") < 20, s"in\n$plan")
        assert(rowsRead(plan, "json_parts") == 4000, s"in\n$plan")
      }
    }
  }

  // ---- other shapes

  test("a filter from a broadcast join's table") {
    withConf("spark.sql.autoBroadcastJoinThreshold" -> "10MB") {
      checkRows(
        "select * from (select k, count(*) from large group by k) l join (select /*+ broadcast(middle) */ * from middle where v >= 0) r on l.k = r.k",
        generated
      ).foreach(plan => assert(rowsRead(plan) < rows / 2, s"in\n$plan"))
    }
  }

  test("a bucketed table keeps its buckets") {
    spark.table("large").write.bucketBy(4, "v").sortBy("k").saveAsTable("bucketed")
    try
      checkRows(
        """select l.v, count(*) from bucketed l join middle r on l.k = r.k
           group by l.v""",
        generated
      )
    finally spark.sql("drop table bucketed")
  }

  test("two scans of one table are narrowed each by its own keys") {
    val union =
      """select a.k, b.k from
         (select l.k, l.v from large l join middle r on l.k = r.k) a
         full join
         (select l.k, l.v from large l join ends r on l.k = r.k) b
         on a.v = b.v"""
    checkRows(union, generated).foreach(plan =>
      scans(plan, "large").foreach(scan =>
        assert(scan.longMetric("numOutputRows").value < rows / 2, s"in\n$plan")
      )
    )
  }

  test("a query that runs twice, and one that stops early") {
    val df = spark.sql(joined("middle"))
    assert(df.collect().length == df.collect().length)
    checkRows(joined("middle") + " limit 1000", generated)
    assert(spark.sql(joined("middle") + " limit 3").collect().length == 3)
  }
}
