package io.bloomjoin.spark

import io.bloomjoin.spark.plan.BloomPruneExec
import org.apache.spark.sql.execution.SparkPlan

/** Keys that are numbers, few or close together, make an exact set in place of a Bloom filter. */
class ExactFilterSuite extends PruneSuite {
  private val Bitmap = "bitmap"
  private val Table = "table"
  private val Bloom = "split-block"

  /** Columns over n, of which every value is in both tables: close together, and far apart. */
  private val dense = Seq(
    "tinyint" -> "cast(pmod(n, 256) - 128 as tinyint)",
    "smallint" -> "cast(n as smallint)",
    "int" -> "cast(n - 1000 as int)",
    "bigint" -> "n + 5000000000",
    "date" -> "date_add(date'1582-10-01', cast(n as int))",
    "timestamp" -> "timestampadd(microsecond, n, timestamp'1969-12-31 23:59:59.999')",
    "timestamp_ntz" -> "timestampadd(microsecond, n, timestamp_ntz'1960-01-01 00:00:00')"
  )

  private val sparse = Seq(
    "int_far" ->
      "cast(if(n = 48, -2147483648, if(n = 112, 2147483647, n * 600001)) as int)",
    "bigint_far" ->
      "if(n = 48, -9223372036854775808, if(n = 112, 9223372036854775807, n * 5000000000))",
    "bigint_ends" ->
      "if(n % 32 = 0, -9223372036854775808 + pmod(n, 500), 9223372036854775807 - pmod(n, 500))",
    "date_far" -> "date_add(date'-4000-01-01', cast(n * 2000 as int))",
    "timestamp_far" -> "timestampadd(second, n * 40001, timestamp'1582-10-10 00:00:00')",
    "timestamp_ntz_far" -> "timestampadd(day, n * 40, timestamp_ntz'1582-10-10 00:00:00')"
  )

  private val others = Seq(
    "double" -> "double(n)",
    "decimal" -> "cast(n as decimal(10, 2))",
    "string" -> "concat('k', n)"
  )

  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.session.timeZone" -> "America/Los_Angeles")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    val rows = spark.range(-500, 3500).selectExpr("id as n", "pmod(hash(id), 5) as cat")
    def typed(step: Int) = rows.where(s"n % $step = 0")
      .selectExpr(Seq("n", "cat") ++ (dense ++ sparse ++ others).map { case (name, value) =>
        s"if(n % 80 = 16, null, $value) as $name"
      }: _*)
    table("large", typed(1))
    table("small", typed(16))
    // More keys than a partition lists.
    table("wide_large", spark.range(0, 60000).selectExpr("id as n", "id * 1000000007 as far"))
    table(
      "wide_small",
      spark.range(0, 60000).selectExpr(
        "id as n",
        "id * 1000000007 as far",
        "(id % 7) * 1000000007 as few",
        "pmod(hash(id), 3) as cat"
      )
    )
  }

  private def kind(p: BloomPruneExec): String = p.filterState().takeWhile(_ != ',')

  /**
   * The pruned table's rows in stock Spark that have a match, and not one more, pass the filter.
   */
  private def assertExact(plan: SparkPlan, kind: String, passing: Long): Unit = {
    val prune = prunings(plan).head
    def metric(name: String): Long = prune.longMetric(name).value
    assert(this.kind(prune) == kind, s"in\n$plan")
    assert(
      prune.filterState() ==
        s"$kind, ${metric("filterKeys")} keys, ${metric("filterSize")} bytes, fpp 0"
    )
    assert(plan.toString.contains(s", $kind, "))
    assert(metric("rowsTested") - metric("rowsPruned") == passing, s"in\n$plan")
    assert(metric("unfilteredTasks") == 0)
  }

  private def checkExact(sql: String, kind: String, modes: Seq[Conf] = modes): Unit =
    withConf("spark.bloomjoin.maxPassRatio" -> "1.0") {
      val passing = stock(spark.sql(sql).count())
      checkRows(sql, modes).foreach(assertExact(_, kind, passing))
    }

  private def semi(left: String, right: String): String =
    s"select l.n from large l left semi join small r on $left = $right and r.cat = 1"

  for ((name, _) <- dense)
    test(s"$name keys that are close together are a bitmap") {
      checkExact(semi(s"l.$name", s"r.$name"), Bitmap, if (name == "int") everyMode else modes)
    }

  for ((name, _) <- sparse)
    test(s"$name keys that are few are a table") {
      checkExact(
        semi(s"l.$name", s"r.$name"),
        Table,
        if (name == "bigint_far") everyMode else modes
      )
    }

  for ((name, _) <- others)
    test(s"$name keys are a Bloom filter") {
      checkRows(semi(s"l.$name", s"r.$name")).foreach { plan =>
        assert(prunings(plan).map(kind) == Seq(Bloom), s"in\n$plan")
      }
    }

  test("a composite key is a Bloom filter") {
    val sql = "select l.n from large l join small r on l.n = r.n and l.int = r.int and r.cat = 1"
    checkRows(sql).foreach(plan => assert(prunings(plan).map(kind) == Seq(Bloom)))
  }

  test("keys that are cast to be compared are what the join compares") {
    for (
      (left, right, kind) <- Seq(
        ("l.int", "r.n - 1000", Bitmap),
        ("l.smallint", "r.n", Bitmap),
        ("l.n", "r.smallint", Bitmap),
        ("l.tinyint", "cast(r.n as int)", Bitmap),
        ("l.tinyint", "cast(r.tinyint as bigint)", Bitmap),
        ("cast(l.date as timestamp)", "cast(r.date as timestamp)", Table),
        ("l.timestamp", "cast(r.timestamp as timestamp_ntz)", Bitmap),
        ("l.int_far", "cast(r.int_far as bigint)", Table),
        ("abs(l.n)", "-r.n", Bitmap)
      )
    )
      withClue(s"$left = $right: ") {
        checkExact(semi(left, right), kind)
      }
  }

  test("a key of the other side that the type of the column cannot hold matches nothing") {
    checkExact(semi("l.tinyint", "r.n"), Bitmap)
    checkRows(semi("l.smallint", "r.bigint_far"))
    checkRows(semi("l.int", "r.bigint"))
  }

  for ((name, key) <- Seq("close together" -> "n", "far apart" -> "far"))
    test(s"more keys than a partition lists, $name") {
      val sql =
        s"select l.n from wide_large l left semi join wide_small r on l.$key = r.$key and r.cat = 1"
      if (key == "n") checkExact(sql, Bitmap)
      else checkRows(sql).foreach(plan => assert(prunings(plan).map(kind) == Seq(Bloom)))
    }

  test("few keys far apart that occur often are a table") {
    for ((listed, kind) <- Seq("1000" -> Table, "0" -> Bloom))
      withConf("spark.bloomjoin.maxInListKeys" -> listed, "spark.bloomjoin.maxPassRatio" -> "1.0") {
        val sql =
          "select l.n from wide_large l left semi join wide_small r on l.far = r.few and r.cat = 1"
        checkRows(sql, Seq(adaptiveOn)).foreach { plan =>
          assert(prunings(plan).map(this.kind) == Seq(kind))
        }
      }
  }

  test("one key, and a build side without keys") {
    checkExact(
      "select l.n from large l left semi join small r on l.bigint_far = r.bigint_far and r.n = 32",
      Bitmap
    )
    checkExact(
      "select l.n from large l left semi join small r on l.bigint_far = r.bigint_far and r.n = 48",
      Bitmap
    )
    for (nothing <- Seq("r.n = 33", "r.n = 96 and r.int is null"))
      checkRows(s"select l.n from large l left semi join small r on l.int = r.int and $nothing")
  }

  test("every kind of join that is pruned") {
    val some = "(select * from small where cat = 1)"
    for (key <- Seq("int" -> Bitmap, "bigint_far" -> Table)) {
      val on = s"on l.${key._1} = r.${key._1}"
      val queries =
        Seq("inner", "left semi", "right outer").map(k =>
          s"select * from large l $k join $some r $on"
        ) ++
          Seq("inner", "left semi", "left outer", "left anti")
            .map(k => s"select * from $some l $k join large r $on") ++
          Seq(s"select * from large where ${key._1} in (select ${key._1} from small where cat = 1)")
      for (sql <- queries)
        checkRows(sql).foreach { plan =>
          assert(prunings(plan).map(kind).toSet == Set(key._2), s"in\n$plan")
          assert(rowsPruned(plan) > 3000, s"in\n$plan")
        }
    }
  }

  test("null-safe equality yields stock's rows") {
    for (key <- Seq("int", "bigint_far"))
      checkRows(s"select l.n, r.n from large l join small r on l.$key <=> r.$key and r.cat = 1")
  }

  test("the hash table of a broadcast join") {
    for (
      (key, kind) <- Seq("int" -> Bitmap, "n" -> Bitmap, "bigint_far" -> Table, "string" -> Bloom)
    )
      checkRows(
        s"""select /*+ broadcast(r) */ l.$key, c from
            (select $key, count(*) as c from large group by $key) l
            join (select * from small where cat = 1) r on l.$key = r.$key"""
      ).foreach(plan => assert(prunings(plan).map(this.kind).toSet == Set(kind), s"in\n$plan"))
  }

  test("two joins share a filter, and two of other types of one key do not") {
    val some = "(select * from small where cat = 1)"
    val same =
      s"""select a.n, b.n from $some r join large a on a.int = r.int
          join wide_large b on b.n = r.n"""
    val widened =
      s"""select a.n, b.n from $some r join large a on a.int = r.int
          join wide_large b on b.n = cast(r.int as bigint)"""
    for (sql <- Seq(same, widened))
      checkRows(sql).foreach { plan =>
        assert(
          prunings(plan).nonEmpty && prunings(plan).forall(p => kind(p) == Bitmap),
          s"in\n$plan"
        )
      }
  }

  test("rows that are not from a columnar scan") {
    for (format <- Seq("json", "csv")) {
      val path = directory.resolve(format).toString
      spark.table("large").select("n", "int", "bigint_far").write.format(format).save(path)
      spark.read.schema("n bigint, int int, bigint_far bigint").format(format).load(path)
        .createOrReplaceTempView(s"large_$format")
      for ((key, kind) <- Seq("int" -> Bitmap, "bigint_far" -> Table))
        checkExact(semi(s"l.$key", s"r.$key").replace("from large", s"from large_$format"), kind)
    }
  }

  test("a task that passes too many rows rests") {
    withConf("spark.bloomjoin.maxPassRatio" -> "0.1") {
      val sql =
        "select l.n from wide_large l left semi join wide_small r on l.n = r.n and r.cat = 1"
      checkRows(sql).foreach { plan =>
        val prune = prunings(plan).head
        assert(kind(prune) == Bitmap)
        assert(prune.longMetric("rowsTested").value < 60000, s"in\n$plan")
      }
    }
  }

  test("decisions tell the kind") {
    run(semi("l.int", "r.int"))
    val filter = spark.sql("select filter from bloom_join_decisions() where side = 'left'")
      .collect().last.getString(0)
    assert(filter.matches("""bitmap, \d+ keys, \d+ bytes, fpp 0"""))
  }

  test("filters that are kept are Bloom filters") {
    val info = spark.sql("select bloom_info(bloom_agg(int)) as i from large").select("i.*").head()
    assert(info.getAs[String]("structure") == Bloom)
  }
}
