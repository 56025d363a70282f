package io.bloomjoin.spark

import io.bloomjoin.spark.rule.ShuffleCost
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec
import org.apache.spark.sql.internal.SQLConf

/** Selectivity on its way through a query: across hash tables, and out of aggregates. */
class TransferSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table(
      "lines",
      spark.range(0, 8000).selectExpr(
        "id",
        "pmod(hash(id), 2000) as order_no",
        "pmod(hash(id, 1), 200) as supplier",
        "cast(pmod(hash(id, 2), 50) as decimal(9, 2)) as quantity"
      )
    )
    table(
      "orders",
      spark.range(0, 2000).selectExpr("id as order_no", "id % 300 as customer", "id % 3 as status")
    )
    table(
      "suppliers",
      spark.range(
        0,
        200
      ).selectExpr("id as supplier", "id % 25 as nation", "concat('s', id) as name"),
      files = 1
    )
    table(
      "nations",
      spark.range(0, 25).selectExpr("id as nation", "concat('n', id) as name"),
      files = 1
    )
  }

  // ---- hash tables

  private val exists =
    """select /*+ BROADCAST(s), BROADCAST(n) */ s.name, count(*) from lines l
       join suppliers s on s.supplier = l.supplier
       join orders o on o.order_no = l.order_no
       join nations n on n.nation = s.nation
       where n.name = 'n7' and o.status = 1
       and exists (select * from lines m
                   where m.order_no = l.order_no and m.supplier <> l.supplier)
       group by s.name"""

  test("a dimension's predicate reaches the fact tables through another's hash table") {
    checkRows(exists, everyMode).foreach { plan =>
      assert(prunedTables(plan).contains("suppliers"), plan)
      assert(prunings(plan).exists(p => tablesOf(p.right) == Seq("suppliers")), plan)
      assert(rowsPruned(plan) > 8000, plan)
    }
  }

  private val outer = Seq("left", "right", "full", "left semi", "left anti")

  for (above <- outer; below <- outer) {
    test(s"hash tables and outer joins: $above join over $below join") {
      for (hint <- Seq("s", "l")) {
        val columns = if (below.contains("semi") || below.contains("anti")) "l.supplier" else "*"
        checkRows(
          s"""with t as (select /*+ BROADCAST($hint) */ l.id, l.supplier, l.order_no
                ${if (columns == "*") ", s.nation" else ", l.id % 25 as nation"}
                from lines l $below join suppliers s on s.supplier = l.supplier),
              u as (select t.* from t join orders o on o.order_no = t.order_no)
              select /*+ BROADCAST(n) */ * from u $above join
                (select nation from nations where name in ('n3', 'n4')) n on u.nation = n.nation"""
        )
      }
    }
  }

  test("a hash table by which Spark prunes partitions stays as it is") {
    spark.table("lines").write.partitionBy("supplier").parquet(directory.resolve("parts").toString)
    spark.read.parquet(directory.resolve("parts").toString).createOrReplaceTempView("parts")
    val sql =
      """select /*+ BROADCAST(s), BROADCAST(n) */ count(*), sum(l.quantity) from parts l
         join suppliers s on s.supplier = l.supplier and s.name like 's1%'
         join orders o on o.order_no = l.order_no
         join nations n on n.nation = s.nation where n.name = 'n7'"""
    checkRows(sql).foreach { plan =>
      assert(!prunings(plan).exists(p => tablesOf(p.left) == Seq("suppliers")), plan)
      val scan =
        collect(plan) { case s: FileSourceScanExec if tablesOf(s) == Seq("parts") => s }.head
      assert(scan.partitionFilters.exists(_.toString.contains("dynamicpruning")), plan)
    }
  }

  test("a hash table that several joins share is not pruned for one of them") {
    checkRows(
      """with s as (select supplier, nation from suppliers)
         select /*+ BROADCAST(a), BROADCAST(b), BROADCAST(n) */ count(*) from lines l
         join s a on a.supplier = l.supplier
         join lines m on m.order_no = l.order_no
         join s b on b.supplier = m.supplier
         join nations n on n.nation = a.nation where n.name = 'n7'"""
    )
  }

  // ---- predicates on aggregates

  private val having =
    """select o.order_no, o.customer, sum(l.quantity) from orders o
       join lines l on l.order_no = o.order_no
       where o.order_no in
         (select order_no from lines group by order_no having sum(quantity) > 250)
       group by o.order_no, o.customer"""

  test("the few groups that HAVING leaves prune the other side") {
    checkRows(having, everyMode).foreach { plan =>
      assert(prunedTables(plan) == Set("orders", "lines"), plan)
      assert(rowsPruned(plan) > 9000, plan)
    }
  }

  test("the groups that HAVING leaves turn the join into a broadcast join in time") {
    withConf(
      (adaptiveOn :+ (SQLConf.ADAPTIVE_AUTO_BROADCASTJOIN_THRESHOLD.key -> "1m")): _*
    ) {
      val plan = checkRows(having, Seq(adaptiveOn)).head
      val shuffled = collect(plan) { case e: ShuffleExchangeLike => tablesOf(e) }
      assert(!shuffled.contains(Seq("orders")), s"orders were shuffled in\n$plan")
      assert(collect(plan) { case j: BroadcastHashJoinExec => j }.size >= 2, plan)
    }
  }

  test("a mild HAVING gets no shuffle of its own") {
    withConf("spark.bloomjoin.maxSelectivity" -> "0.9") {
      assertNotPruned(
        """select * from orders where order_no in
           (select order_no from lines group by order_no having sum(quantity) is not null)"""
      )
    }
  }

  test("the first rows of each group prune the other side") {
    assertPruned(
      """select o.* from orders o join
         (select order_no, supplier, rank() over (partition by order_no order by quantity) as r
          from lines) w on w.order_no = o.order_no where w.r = 3"""
    )
  }

  // ---- how AQE compares plans

  test("AQE compares plans by the shuffles that are not for filters") {
    val key = SQLConf.ADAPTIVE_CUSTOM_COST_EVALUATOR_CLASS.key
    spark.sql("select 1").collect()
    assert(spark.conf.get(key) == classOf[ShuffleCost].getName)
    val session = spark.newSession()
    session.sql("select 1").collect()
    assert(session.conf.get(key) == classOf[ShuffleCost].getName)
  }

  test("an evaluator that the user chose stays") {
    val session = spark.newSession()
    val chosen = "org.example.Chosen"
    session.conf.set(SQLConf.ADAPTIVE_CUSTOM_COST_EVALUATOR_CLASS.key, chosen)
    session.conf.set(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key, "false")
    session.sql("select 1").collect()
    assert(session.conf.get(SQLConf.ADAPTIVE_CUSTOM_COST_EVALUATOR_CLASS.key) == chosen)
  }
}
