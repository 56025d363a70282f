package io.bloomjoin.spark

import java.util.concurrent.{CountDownLatch, TimeUnit}

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec
import org.apache.spark.sql.execution.exchange.{Exchange, ReusedExchangeExec, ShuffleExchangeExec}

/** A join's sides run once, in the right order, and not at all where that can be known. */
class SharingSuite extends Witnesses {
  private val largeRows = 4000L
  private val smallRows = 200L

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    def rows(name: String, count: Long, keys: Int) = spark.range(0, count).selectExpr(
      "id",
      s"if(id % 17 = 0, null, pmod(hash(id, '$name'), $keys)) as k",
      s"pmod(hash(id, 1, '$name'), 50) as j",
      s"cast(pmod(hash(id, 3, '$name'), 10) as int) as x"
    )
    for ((name, count) <- Seq("large" -> largeRows, "other" -> 3000L, "small" -> smallRows)) {
      table(s"${name}_rows", rows(name, count, 400), files = if (name == "small") 1 else 2)
      // Selective enough by its form to be evaluated before a filter is asked.
      val witness = s"witness('$name', id) and id >= 0 and id >= -1"
      spark.table(s"${name}_rows").where(witness).createOrReplaceTempView(name)
    }
  }

  private val some = "(select * from small where x = 3)"

  private val modesOfPlanning = Seq(adaptiveOn, adaptiveOff)

  /** The query prunes, and reads each of its tables as often as told. */
  private def assertReads(sql: String, reads: (String, Long)*): Unit = {
    val (_, expected) = stock(run(sql))
    for (mode <- modesOfPlanning)
      withConf(mode: _*) {
        val ((plan, rows), counts) = witnessed(run(sql))
        assert(sorted(rows) == sorted(expected), s"in\n$plan")
        assert(prunings(plan).nonEmpty, s"in\n$plan")
        reads.foreach { case (name, count) => assert(counts(name) == count, s"$name in\n$plan") }
        assertNoReuseDangles(plan)
      }
  }

  /** What is reused is somewhere in the plan. */
  private def assertNoReuseDangles(plan: SparkPlan): Unit = {
    val exchanges = collectWithSubqueries(plan) { case e: Exchange => e }
    val reused = collectWithSubqueries(plan) { case r: ReusedExchangeExec => r.child }
    reused.foreach { target =>
      assert(exchanges.exists(e => (e eq target) || e.id == target.id), s"$target\nin\n$plan")
    }
  }

  private def shuffles(plan: SparkPlan, name: String): Seq[SparkPlan] =
    collect(plan) { case e: ShuffleExchangeExec if tablesOf(e).contains(s"${name}_rows") => e }

  test("the small side runs once for the filter and the join") {
    assertReads(
      s"select l.id, r.id from large l join $some r on l.k = r.k",
      "small" -> smallRows,
      "large" -> largeRows
    )
  }

  test("with AQE both places read one stage, without it one exchange is reused") {
    val sql = s"select l.id, r.id from large l join $some r on l.k = r.k"
    withConf(adaptiveOn: _*) {
      val (plan, _) = run(sql)
      val stages = collect(plan) {
        case s: ShuffleQueryStageExec if tablesOf(s).contains("small_rows") => s
      }
      assert(stages.map(_.shuffle.shuffleId).distinct.size == 1, s"in\n$plan")
    }
    withConf(adaptiveOff: _*) {
      val (plan, _) = run(sql)
      assert(shuffles(plan, "small").size == 1, s"in\n$plan")
      assert(collect(plan) { case r: ReusedExchangeExec => r }.size == 1, s"in\n$plan")
    }
  }

  test("a small side that is aggregated, limited or joined runs once") {
    for (
      side <- Seq(
        "(select k, count(*) as c from small where x = 3 group by k)",
        "(select k, count(distinct j) as c from small where x < 3 group by k having count(*) < 9)",
        "(select k from small where x < 5 order by id limit 20)",
        s"(select a.k from $some a join (select j from small where x = 4) b on a.j = b.j)"
      )
    ) {
      val reads = if (side.contains("join")) 2 * smallRows else smallRows
      assertReads(
        s"select l.id, r.k from large l join $side r on l.k = r.k",
        "small" -> reads,
        "large" -> largeRows
      )
    }
  }

  test("a broadcast that prunes below a shuffle runs once") {
    assertReads(
      s"""select /*+ broadcast(r) */ l.k, l.c, r.id
          from (select k, count(*) as c from large group by k) l join $some r on l.k = r.k""",
      "small" -> smallRows,
      "large" -> largeRows
    )
  }

  test("two joins by one small side share its exchange and its filter") {
    assertReads(
      s"""with s as (select /*+ repartition(k) */ * from small where x = 3)
          select count(*) from
            (select l.id from large l join s on l.k = s.k
             union all select o.id from other o join s on o.k = s.k)""",
      "small" -> smallRows,
      "large" -> largeRows,
      "other" -> 3000L
    )
  }

  test("a self-join of a CTE that is itself a pruned join") {
    assertReads(
      s"""with c as (select l.id, l.k, l.j, r.x from large l join $some r on l.k = r.k)
          select a.id, b.id from c a join c b on a.j = b.k""",
      "small" -> smallRows
    )
  }

  test("a CTE is not pruned for one of its consumers alone") {
    val sql =
      """with c as (select k, j, count(*) as n from large group by k, j)
         select c.k, c.n from c join (select k from small where x = 3) r on c.k = r.k
         union all select c.k, c.n from c join (select k from small where x = 4) r on c.k = r.k"""
    val (_, expected) = stock(run(sql))
    for (mode <- modesOfPlanning)
      withConf(mode: _*) {
        val ((plan, rows), counts) = witnessed(run(sql))
        assert(sorted(rows) == sorted(expected), s"in\n$plan")
        assert(counts("large") == largeRows, s"in\n$plan")
      }
  }

  test("scalar subqueries that contain pruned joins") {
    assertReads(
      s"""select (select count(*) from large l join $some r on l.k = r.k),
                 (select max(l.id) from large l join $some r on l.k = r.k),
                 o.id from other o join $some r on o.k = r.k"""
    )
    assertReads(
      s"""select count(*) from large l join $some r on l.k = r.k
          where l.j > (select avg(l.j) from large l join $some r on l.k = r.k)"""
    )
  }

  for (late <- Seq("small" -> "the small side", "other" -> "the rest of the query"))
    test(s"an exchange shared by a subquery and the query runs once, ${late._2} being late") {
      hooked(late._1)(row => if (row % 50 == 0) Thread.sleep(5)) {
        assertReads(
          s"""select o.id from other o join $some r on o.k = r.k
              where o.j >= (select min(l.j) from large l join $some r on l.k = r.k)""",
          "small" -> smallRows
        )
      }
    }

  test("a build in waiting does not hold up a join that is independent of it") {
    val otherStarted = new CountDownLatch(1)
    @volatile var inTime = false
    withConf(adaptiveOn: _*) {
      hooked("other")(_ => otherStarted.countDown()) {
        hooked("small") { row =>
          if (row == 0) inTime = otherStarted.await(60, TimeUnit.SECONDS)
        } {
          val (plan, _) = run(
            s"""select l.id from large l join $some r on l.k = r.k
                union all select o.id from other o
                join (select k from large_rows where x = 3 and id < 100) r on o.k = r.k"""
          )
          assert(inTime, s"in\n$plan")
          assert(prunings(plan).size == 2, s"in\n$plan")
        }
      }
    }
  }

  test("a chain of joins prunes one side after the other, each read once") {
    assertReads(
      s"""select l.id, o.id, r.id from large l join other o on l.j = o.j and l.x = o.x
          join $some r on o.k = r.k""",
      "small" -> smallRows,
      "other" -> 3000L,
      "large" -> largeRows
    )
  }

  // ---- what need not run

  private val lateBroadcast = "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "10m"

  test("a small side found to be broadcastable spares the large side its shuffle") {
    val sql = s"select l.id, r.id from large l join $some r on l.k = r.k"
    withConf(adaptiveOn :+ lateBroadcast: _*) {
      val (stockPlan, expected) = stock(run(sql))
      val ((plan, rows), counts) = witnessed(run(sql))
      assert(sorted(rows) == sorted(expected))
      assert(shuffles(stockPlan, "large").nonEmpty, s"in\n$stockPlan")
      assert(shuffles(plan, "large").isEmpty, s"in\n$plan")
      assert(counts("small") == smallRows && counts("large") == largeRows)
    }
  }

  test("a late broadcast keeps the pruning where another shuffle lies below") {
    val sql =
      s"""select l.k, l.c, r.id from (select k, count(*) as c from large group by k) l
          join (select distinct id + j as k, id from small where x = 3) r on l.k = r.k"""
    withConf(adaptiveOn :+ lateBroadcast: _*) {
      val (_, expected) = stock(run(sql))
      val ((plan, rows), counts) = witnessed(run(sql))
      assert(sorted(rows) == sorted(expected))
      assert(prunedTables(plan) == Set("large_rows"), s"in\n$plan")
      assert(counts("small") == smallRows && counts("large") == largeRows)
    }
  }

  test("an empty small side of an inner join leaves the large one unread") {
    for (
      sql <- Seq(
        "select l.id, r.id from large l join (select * from small where x = 3 and j > 77) r on l.k = r.k",
        "select l.id from large l left semi join (select * from small where j > 77) r on l.k = r.k",
        "select l.id, r.id from (select * from small where j > 77) r left join large l on l.k = r.k"
      )
    )
      for (mode <- modesOfPlanning)
        withConf(mode: _*) {
          val ((plan, rows), counts) = witnessed(run(sql))
          assert(rows.isEmpty && counts("large") == 0, s"in\n$plan")
        }
  }

  test("an empty small side of an outer join keeps every row of the other") {
    val sql =
      "select l.id, r.id from large l left join (select * from small where j > 77) r on l.k = r.k"
    for (mode <- modesOfPlanning)
      withConf(mode: _*)(assert(run(sql)._2.size == largeRows))
  }

  test("a small side whose keys are all null leaves the large one unread") {
    val sql =
      """select l.id, r.id from large l
         join (select cast(null as int) as k, id from small where x = 3 union all
               select if(id < 0, id, null), id from small where x = 4) r on l.k <=> r.k + 1 and l.j = r.k"""
    checkRows(sql)
    for (mode <- modesOfPlanning)
      withConf(mode: _*) {
        val ((plan, rows), counts) = witnessed(
          run(
            """select r.id, l.id from (select if(id < 0, id, null) as k, id from small where x = 3) r
               left join large l on l.k = r.k"""
          )
        )
        assert(rows.nonEmpty && counts("large") == 0, s"in\n$plan")
      }
  }
}
