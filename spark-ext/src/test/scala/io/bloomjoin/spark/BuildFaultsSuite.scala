package io.bloomjoin.spark

import io.bloomjoin.spark.build.FilterBuilds
import java.nio.file.Files
import java.util.concurrent.{Executors, ThreadPoolExecutor, TimeUnit}
import org.apache.spark.SparkThrowable
import org.apache.spark.broadcast.BroadcastBlocks
import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.internal.SQLConf
import org.scalatest.Assertion
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}
import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._

/** Builds that fail, are cancelled, or outlive their query. */
class BuildFaultsSuite extends PruneSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig =
    PatienceConfig(Span(15, Seconds), Span(20, Millis))

  private val threads = Executors.newCachedThreadPool()
  private implicit val pool: ExecutionContext = ExecutionContext.fromExecutorService(threads)

  override protected def sessionConf: Map[String, String] =
    Map("spark.scheduler.mode" -> "FAIR")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    val dir = Files.createTempDirectory("bloomjoin").toString
    spark.range(0, 20000, 1, 4).selectExpr("id", "id % 1000 as k", "id % 7 as v")
      .write.parquet(s"$dir/fact")
    spark.range(0, 1000, 1, 2)
      .selectExpr("id as k", "cast(id % 20 as int) as cat", "concat('n', id) as name")
      .write.parquet(s"$dir/dim")
    spark.read.parquet(s"$dir/fact").createOrReplaceTempView("fact")
    spark.read.parquet(s"$dir/dim").createOrReplaceTempView("dim")
    spark.udf.register("gate", Gate.pass _)
    spark.udf.register("build_gate", Gate.passInBuild _)
  }

  override protected def afterAll(): Unit = {
    threads.shutdownNow()
    super.afterAll()
  }

  private val Join =
    "select f.id, d.name from fact f join dim d on f.k = d.k where d.cat = 7"

  /** The build side waits at a gate. */
  private val GatedSide =
    "select f.id, d.name from fact f join dim d on f.k = d.k where gate(d.cat) = 7"

  /** The build job waits at a gate, and nothing before or after it. */
  private val GatedBuild =
    "select f.id, d.name from fact f join dim d on f.k = build_gate(d.k) where d.cat = 7"

  /** The large side waits at a gate before it is probed. */
  private val GatedProbe =
    "select f.id, d.name from (select id, k from fact where gate(v) >= 0) f " +
      "join dim d on f.k = d.k where d.cat = 7"

  private def testEach(name: String)(body: => Any): Unit =
    Seq("true" -> "with AQE", "false" -> "without AQE").foreach { case (adaptive, suffix) =>
      test(s"$name, $suffix") {
        withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive)(body)
        assertNothingLeft()
      }
    }

  private def assertNothingLeft(): Assertion = eventually {
    assert(spark.sparkContext.statusTracker.getActiveJobIds().isEmpty)
    assert(BroadcastBlocks.filters().isEmpty)
  }

  private def stock(sql: String): Seq[String] =
    withConf("spark.bloomjoin.enabled" -> "false")(sorted(run(sql)._2))

  private def logged[T](body: JobLog => T): T = {
    val log = new JobLog
    spark.sparkContext.addSparkListener(log)
    try body(log)
    finally spark.sparkContext.removeSparkListener(log)
  }

  private def causes(failure: Throwable): Seq[Throwable] =
    Iterator.iterate(failure)(_.getCause).takeWhile(_ != null).take(20).toSeq

  private def conditions(failure: Throwable): Seq[String] =
    causes(failure).collect { case known: SparkThrowable => known.getCondition }
      .filter(_ != null).distinct

  private def states(plan: SparkPlan): Seq[String] = prunings(plan).map(_.filterState())

  private def assertGoesOn(sql: String, why: String): Unit = {
    val expected = stock(sql)
    val (plan, rows) = run(sql)
    assert(sorted(rows) == expected)
    assert(states(plan).nonEmpty && states(plan).forall(_.contains(why)), s"in\n$plan")
    assert(rowsPruned(plan) == 0)
    assert(plan.toString.contains(why))
  }

  testEach("a filter over the cap is not built, and the plan says why") {
    withConf("spark.bloomjoin.maxFilterBytes" -> "32") {
      assertGoesOn(Join, "spark.bloomjoin.maxFilterBytes=32")
    }
  }

  testEach("a build that fails leaves the query unpruned") {
    Gate.doing(throw new IllegalStateException("the build cannot go on")) {
      assertGoesOn(GatedBuild, "the build failed")
    }
  }

  testEach("a query whose build side fails does so as in stock Spark, before the large side") {
    val sql = "select f.id from fact f join (select k, name, raise_error(concat('no ', name)) " +
      "as e from dim where cat = 7) d on f.k = d.k where d.e is null"
    val expected = withConf("spark.bloomjoin.enabled" -> "false") {
      intercept[Exception](run(sql))
    }
    eventually(assert(spark.sparkContext.statusTracker.getActiveJobIds().isEmpty))
    logged { log =>
      val failure = intercept[Exception](run(sql))
      assert(conditions(failure).contains("USER_RAISED_EXCEPTION"), failure)
      assert(conditions(failure).contains(conditions(expected).last))
      eventually(assert(log.isIdle && log.jobs > 0))
      assert(log.recordsRead < 5000, "the large side was read") // a task of it reads as many
      assert(log.buildJobs == 0)
    }
  }

  private def cancelled(sql: String)(when: (() => Unit) => Unit): Unit = {
    val sc = spark.sparkContext
    val group = s"group-${System.nanoTime()}"
    logged { log =>
      val failure = Gate.closed { reached =>
        val query = Future {
          sc.setJobGroup(group, "to be cancelled", interruptOnCancel = true)
          try run(sql)
          finally sc.clearJobGroup()
        }
        when(reached)
        sc.cancelJobGroup(group)
        intercept[Exception](Await.result(query, 60.seconds))
      }
      assert(conditions(failure).contains("SPARK_JOB_CANCELLED"), causes(failure))
      eventually(assert(log.isIdle && log.jobs > 0))
      val jobs = log.jobs
      val builds = log.buildJobs
      Thread.sleep(100)
      assert(log.isIdle && log.jobs == jobs && log.buildJobs == builds)
      assert(log.recordsRead <= 1000, "the large side was read")
      assertNothingLeft()
    }
  }

  testEach("a query cancelled while its build side runs starts no build") {
    cancelled(GatedSide)(reached => reached())
  }

  testEach("a query cancelled while its filter is built fails as cancelled") {
    cancelled(GatedBuild)(reached => reached())
  }

  testEach("a build side whose rows may come out otherwise a second time has no filter") {
    withConf(SQLConf.SORT_BEFORE_REPARTITION.key -> "false") {
      assertGoesOn(
        "select f.id, d.n from fact f join (select /*+ REPARTITION(3) */ k, count(*) as n " +
          "from dim where cat = 7 group by k) d on f.k = d.k",
        "not deterministic"
      )
    }
  }

  testEach("a filter lives as long as its query") {
    val query = Gate.closed { reached =>
      val query = Future(run(GatedProbe))
      reached()
      assert(BroadcastBlocks.filters().size == 1)
      query
    }
    val (plan, rows) = Await.result(query, 60.seconds)
    assert(rows.size == 1000 && rowsPruned(plan) > 0)
    assertNothingLeft()
  }

  testEach("a filter ends with its query when the large side fails") {
    Gate.doing(throw new IllegalStateException("the large side cannot go on")) {
      val failure = intercept[Exception](run(GatedProbe))
      assert(causes(failure).exists(_.getMessage.contains("the large side cannot go on")))
    }
    assertNothingLeft()
  }

  testEach("a DataFrame that is collected twice has the same rows") {
    val expected = stock(Join)
    val df = spark.sql(Join)
    assert(sorted(df.collect().toSeq) == expected)
    assertNothingLeft()
    assert(sorted(df.collect().toSeq) == expected)
    assert(df.count() == expected.size)
  }

  testEach("a cached join is computed again after its filter is gone") {
    val expected = stock(Join)
    val df = spark.sql(Join).cache()
    try {
      assert(sorted(df.collect().toSeq) == expected)
      assertNothingLeft()
      (1 to 2).foreach { _ =>
        loseCachedBlocks()
        assert(sorted(df.collect().toSeq) == expected)
      }
      loseCachedBlocks()
      BroadcastBlocks.loseShuffles()
      assert(sorted(df.collect().toSeq) == expected)
    } finally df.unpersist(blocking = true)
    assert(sorted(df.collect().toSeq) == expected)
  }

  private def loseCachedBlocks(): Unit = assert(BroadcastBlocks.loseCachedPartitions() > 0)

  testEach("rows leave by other doors") {
    val expected = stock(Join)
    assert(sorted(spark.sql(Join).rdd.collect().toSeq) == expected)
    val local = spark.sql(Join).toLocalIterator()
    val rows = Seq.newBuilder[Row]
    while (local.hasNext) rows += local.next()
    assert(sorted(rows.result()) == expected)
    val target = Files.createTempDirectory("bloomjoin").resolve("joined").toString
    spark.sql(Join).write.parquet(target)
    assert(sorted(spark.read.parquet(target).collect().toSeq) == expected)
    eventually { // filters of plans outside a SQL execution go with the plan
      System.gc()
      assert(BroadcastBlocks.filters().isEmpty)
    }
  }

  testEach("queries that run at once keep to their own filters") {
    val queries = (0 until 8).map(i => Join.replace("= 7", s"in ($i, ${i + 8})"))
    val expected = queries.map(stock)
    val running = queries.map { sql =>
      Future {
        spark.sparkContext.setLocalProperty("spark.scheduler.pool", s"pool-${sql.hashCode % 3}")
        run(sql)
      }
    }
    running.zip(expected).foreach { case (query, rows) =>
      val (plan, answer) = Await.result(query, 120.seconds)
      assert(sorted(answer) == rows)
      assert(rowsPruned(plan) > 0)
    }
  }

  test("a build over 64 partitions never loses a key") {
    val sql = "select count(*), sum(f.id) from fact f join dim d on f.k = d.k where d.cat < 4"
    withConf(SQLConf.SHUFFLE_PARTITIONS.key -> "64") {
      (1 to 30).foreach { _ =>
        val (plan, rows) = run(sql)
        assert(rows == Seq(Row(4000L, 39966000L)))
        assert(rowsPruned(plan) > 0)
      }
    }
    assertNothingLeft()
  }

  test("build threads are daemons, and idle ones end") {
    run(Join)
    val field = classOf[FilterBuilds].getDeclaredField("THREADS")
    field.setAccessible(true)
    val pool = field.get(null).asInstanceOf[ThreadPoolExecutor]
    assert(pool.getCorePoolSize == 0)
    assert(pool.getKeepAliveTime(TimeUnit.SECONDS) <= 60)
    val builders = Thread.getAllStackTraces.keySet.toArray(Array.empty[Thread])
      .filter(_.getName.startsWith("bloomjoin-build-"))
    assert(builders.nonEmpty && builders.forall(_.isDaemon))
    eventually(assert(pool.getActiveCount == 0))
    val before = pool.getKeepAliveTime(TimeUnit.MILLISECONDS)
    pool.setKeepAliveTime(1, TimeUnit.MILLISECONDS)
    try eventually(assert(pool.getPoolSize == 0))
    finally pool.setKeepAliveTime(before, TimeUnit.MILLISECONDS)
  }
}
