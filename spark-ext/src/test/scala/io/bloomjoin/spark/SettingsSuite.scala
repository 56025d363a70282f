package io.bloomjoin.spark

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.internal.SQLConf

/** The settings refuse bad values, take effect at once, and switch everything off. */
class SettingsSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    startPlain()
    super.beforeAll()
    makeViews(spark)
  }

  private val join = "select l.id, r.id from large l join small r on l.k = r.k where r.x = 3"

  private val refused = Seq(
    "spark.bloomjoin.enabled" -> Seq("yes please", "2", ""),
    "spark.bloomjoin.fpp" -> Seq("0", "1", "-0.1", "2", "NaN", "little", ""),
    "spark.bloomjoin.maxFilterBytes" -> Seq("0", "31", "-1", "much", "1.5k"),
    "spark.bloomjoin.maxPassRatio" -> Seq("-0.1", "1.1", "NaN", "some"),
    "spark.bloomjoin.minPrunedRows" -> Seq("-1", "1.5", "9223372036854775808", "few"),
    "spark.bloomjoin.maxSelectivity" -> Seq("-0.1", "1.1", "NaN", "half"),
    "spark.bloomjoin.maxFiltersPerScan" -> Seq("-1", "1.5", "2147483648", "some"),
    "spark.bloomjoin.maxInListKeys" -> Seq("-1", "1.5", "10001", "all")
  )

  private val taken = Seq(
    "spark.bloomjoin.enabled" -> Seq("true", "false", "TRUE"),
    "spark.bloomjoin.fpp" -> Seq("0.5", "1e-9", "0.999"),
    "spark.bloomjoin.maxFilterBytes" -> Seq("32", "1k", "64m", "1g"),
    "spark.bloomjoin.maxPassRatio" -> Seq("0", "1", "0.5"),
    "spark.bloomjoin.minPrunedRows" -> Seq("0", "9223372036854775807"),
    "spark.bloomjoin.maxSelectivity" -> Seq("0", "1", "0.5"),
    "spark.bloomjoin.maxFiltersPerScan" -> Seq("0", "1", "2147483647"),
    "spark.bloomjoin.maxInListKeys" -> Seq("0", "1", "10000")
  )

  test("the lists of this suite are complete") {
    val keys = BloomJoinSettings.all().asScala.map(_.key).toSet
    assert(refused.map(_._1).toSet == keys && taken.map(_._1).toSet == keys)
  }

  for ((key, values) <- refused)
    test(s"$key refuses bad values by name, and keeps the one it has") {
      val before = spark.conf.get(key)
      for (value <- values) {
        val failures = Seq(
          intercept[IllegalArgumentException](spark.conf.set(key, value)),
          intercept[Exception](spark.sql(s"set $key=$value").collect())
        )
        failures.foreach { failure =>
          assert(failure.getMessage.contains(key), failure)
          assert(failure.getMessage.contains(value), failure)
        }
        assert(spark.conf.get(key) == before)
      }
    }

  for ((key, values) <- taken)
    test(s"$key takes good values, and queries run with them") {
      for (value <- values)
        withConf(key -> value) {
          assert(spark.conf.get(key) == value)
          assert(run(join)._2.nonEmpty)
        }
    }

  test("a refusal says what is allowed") {
    def message(key: String, value: String) =
      intercept[IllegalArgumentException](spark.conf.set(key, value)).getMessage
    assert(message("spark.bloomjoin.fpp", "0").contains("greater than 0 and less than 1"))
    assert(message("spark.bloomjoin.maxFilterBytes", "31").contains("at least 32 bytes"))
    assert(message("spark.bloomjoin.maxPassRatio", "2").contains("between 0 and 1"))
    assert(message("spark.bloomjoin.maxSelectivity", "2").contains("between 0 and 1"))
    assert(message("spark.bloomjoin.minPrunedRows", "-1").contains("negative"))
    assert(message("spark.bloomjoin.maxFiltersPerScan", "-1").contains("negative"))
  }

  test("SET -v lists every setting with its meaning and its version") {
    val listed = spark.sql("set -v").collect().map(row => row.getString(0) -> row).toMap
    BloomJoinSettings.all().asScala.foreach { entry =>
      val row = listed(entry.key)
      assert(row.getString(2).nonEmpty && row.getString(3) == entry.version)
    }
  }

  // ---- effects

  private def pruned(conf: (String, String)*): Long = withConf(conf: _*) {
    val (plan, rows) = run(join)
    assert(rows.nonEmpty)
    if (prunings(plan).isEmpty) -1 else rowsPruned(plan)
  }

  private def filterSize(fpp: String): Long = withConf("spark.bloomjoin.fpp" -> fpp) {
    val (plan, _) = run(
      """select count(*) from range(0, 300000000000, 1000000, 2) l
         join (select id * 3 as k from range(0, 40000000000, 1000000, 2) where id % 7 < 5) r
         on l.id = r.k"""
    )
    prunings(plan).head.longMetric("filterSize").value
  }

  test("each setting takes effect with the next query") {
    for (mode <- twoModes)
      withConf(mode: _*) {
        assert(pruned() > 3000)
        assert(pruned("spark.bloomjoin.enabled" -> "false") == -1)
        assert(pruned() > 3000)
        assert(pruned("spark.bloomjoin.minPrunedRows" -> "1000000") == -1)
        assert(pruned("spark.bloomjoin.maxSelectivity" -> "0.001") == -1)
        assert(pruned("spark.bloomjoin.maxFiltersPerScan" -> "0") == -1)
        assert(pruned("spark.bloomjoin.maxFilterBytes" -> "32") < pruned())
        assert(filterSize("0.3") < filterSize("0.001"))
      }
  }

  test("a statement that prepared before a change keeps its plan, the next one does not") {
    val df = spark.sql(join)
    assert(prunings(df.queryExecution.executedPlan).nonEmpty)
    withConf("spark.bloomjoin.enabled" -> "false") {
      assert(df.collect().length == run(join)._2.size)
    }
  }

  test("settings belong to their session") {
    val other = spark.newSession()
    other.conf.set("spark.bloomjoin.enabled", "false")
    assert(pruned() > 3000)
    assert(other.conf.get("spark.bloomjoin.enabled") == "false")
    assert(spark.conf.get("spark.bloomjoin.enabled") == "true")
  }

  test("filters compete for a scan, and the most selective stay") {
    val star =
      """select l.id from large l
         join (select k from small where x in (1, 2, 3)) a on l.k = a.k
         join (select k from small where x = 3) b on l.k = b.k
         join (select id from small where x < 5) c on l.k = c.id"""
    for (limit <- 0 to 3)
      withConf("spark.bloomjoin.maxFiltersPerScan" -> limit.toString) {
        checkRows(star).foreach { plan =>
          val stacked = prunings(plan).filter(p => tablesOf(p.left).contains("large"))
          assert(stacked.size <= limit, s"in\n$plan")
        }
      }
  }

  // ---- off is off

  private val plainQueries = Seq(
    join,
    "select k, count(*) from large where k in (select k from small where x = 3) group by k",
    """select * from large l where l.id >
       (select avg(r.id) from large l join small r on l.k = r.k where r.x = 3)"""
  )

  private var plainPlans = Map.empty[(Conf, String), String]

  /** Makes the tables, and the plans of a session without the extension. */
  private def startPlain(): Unit = {
    val plain = SparkSession.builder().master(master).config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", "4")
      .config("spark.sql.autoBroadcastJoinThreshold", "-1").getOrCreate()
    try {
      plain.range(0, 4000).selectExpr("id", "pmod(hash(id), 400) as k")
        .write.parquet(directory.resolve("large").toString)
      plain.range(0, 400).selectExpr("id", "cast(id as int) as k", "id % 10 as x")
        .write.parquet(directory.resolve("small").toString)
      makeViews(plain)
      for (mode <- Seq(adaptiveOn, adaptiveOff)) {
        mode.foreach { case (key, value) => plain.conf.set(key, value) }
        for (sql <- plainQueries) plainPlans += (mode, sql) -> planText(plain, sql)
      }
    } finally plain.stop()
  }

  private def makeViews(session: SparkSession): Unit =
    for (name <- Seq("large", "small"))
      session.read.parquet(directory.resolve(name).toString).createOrReplaceTempView(name)

  private val normalised = Seq("#\\d+L?" -> "#", "plan_id=\\d+" -> "plan_id=")

  private def planText(session: SparkSession, sql: String): String = {
    val df = session.sql(sql)
    df.collect()
    normalised.foldLeft(df.queryExecution.executedPlan.toString) { case (plan, (from, to)) =>
      plan.replaceAll(from, to)
    }
  }

  test("switched off, plans are those of a session without the extension") {
    for (mode <- Seq(adaptiveOn, adaptiveOff); sql <- plainQueries)
      withConf(mode :+ ("spark.bloomjoin.enabled" -> "false"): _*) {
        assert(planText(spark, sql) == plainPlans((mode, sql)))
      }
  }
}
