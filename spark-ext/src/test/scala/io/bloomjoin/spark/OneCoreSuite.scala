package io.bloomjoin.spark

import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}

import org.apache.spark.scheduler.{SparkListener, SparkListenerStageCompleted}

/**
 * One core, tasks that are tried again, little memory for rows and results: queries still finish.
 */
class OneCoreSuite extends Witnesses {
  override protected def master: String = "local[1,3]"

  override protected def sessionConf: Map[String, String] = Map(
    "spark.driver.maxResultSize" -> "1m",
    "spark.shuffle.sort.bypassMergeThreshold" -> "1",
    "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1000",
    "spark.sql.shuffle.partitions" -> "3"
  )

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table("large", spark.range(0, 6000).selectExpr("id", "pmod(hash(id), 600) as k"), files = 16)
    table("other", spark.range(0, 3000).selectExpr("id", "pmod(hash(id, 1), 600) as k"))
    table("small", spark.range(0, 600).selectExpr("id", "id as k", "id % 10 as x"))
  }

  test("nested filters with many tasks of the large side") {
    assertPruned(
      """select count(*), sum(l.id) from large l join other o on l.k = o.k
         join small a on o.id = a.id join small b on a.k = b.k join small c on b.id = c.k
         where c.x = 3"""
    )
    assertPruned(
      """select count(*), sum(l.id) from large l where k in (select k from other
         where id in (select id from small where x = 3 and k in (select k from small where x < 5)))"""
    )
  }

  test("many joins side by side") {
    val joins = (0 until 6).map(x =>
      s"select l.id from large l join (select k from small where x = $x) s on l.k = s.k where l.id % 7 <> $x"
    )
    assertPruned(s"select count(*), sum(id) from (${joins.mkString(" union all ")})")
  }

  test("broadcasts beside builds") {
    withConf("spark.sql.autoBroadcastJoinThreshold" -> "1m") {
      assertPruned(
        """select count(*), sum(c) from (select k, count(*) as c from large group by k) l
           join (select k from small where x = 3) s on l.k = s.k join other o on o.k = l.k"""
      )
    }
  }

  test("a build side that spills is in the filter whole") {
    val spilled = new AtomicLong
    val listener = new SparkListener {
      override def onStageCompleted(stage: SparkListenerStageCompleted): Unit = {
        val metrics = stage.stageInfo.taskMetrics
        if (metrics.shuffleWriteMetrics.recordsWritten == 1500) // the build side's
          spilled.addAndGet(metrics.diskBytesSpilled)
      }
    }
    spark.sparkContext.addSparkListener(listener)
    try
      assertPruned(
        """select count(*), sum(l.id) from (select id * 2 as k, id from large) l
           join (select k, id from other where id < 1500) o on l.k = o.k""",
        3000
      )
    finally spark.sparkContext.removeSparkListener(listener)
    assert(spilled.get > 0)
  }

  test("a filter that the driver may not collect costs no query") {
    for (mode <- Seq(adaptiveOn, adaptiveOff))
      withConf(mode :+ ("spark.bloomjoin.fpp" -> "1e-9"): _*) {
        val (plan, rows) = run(
          """select count(*) from range(0, 300000, 1, 2) l
             join (select id * 3 as k from range(0, 300000, 1, 2) where id % 2 = 0) s
             on l.id * 1000003 = s.k * 1000003"""
        )
        assert(rows.head.getLong(0) == 50000, s"in\n$plan")
        assert(prunings(plan).nonEmpty, s"in\n$plan")
      }
  }

  test("a task of the build side that fails once is in the filter whole") {
    val expected =
      stock(run("select count(*) from large l join small s on l.k = s.k where x < 5"))._2
    for (mode <- Seq(adaptiveOn, adaptiveOff))
      withConf(mode: _*) {
        val failures = new AtomicInteger
        hooked("once") { row =>
          if (row > 250 && failures.getAndIncrement() == 0) throw new IllegalStateException("once")
        } {
          val (plan, rows) = run(
            """select count(*) from large l
               join (select k from small where x < 5 and witness('once', id)) s on l.k = s.k"""
          )
          assert(failures.get > 1)
          assert(rows == expected, s"in\n$plan")
          assert(rowsPruned(plan) > 0, s"in\n$plan")
        }
      }
  }

  test("a task of the large side that fails once counts its rows once") {
    for (mode <- Seq(adaptiveOn, adaptiveOff))
      withConf(mode: _*) {
        val failures = new AtomicInteger
        hooked("once") { row =>
          if (row > 3000 && failures.getAndIncrement() == 0) throw new IllegalStateException("once")
        } {
          val (plan, _) = run(
            """select count(*) from (select * from large where witness('once', id)) l
               join (select k from small where x = 3) s on l.k = s.k"""
          )
          assert(failures.get > 1)
          assert(prunings(plan).head.longMetric("rowsTested").value == 6000, s"in\n$plan")
        }
      }
  }
}
