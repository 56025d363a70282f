package io.bloomjoin.spark

import scala.reflect.ClassTag

import io.bloomjoin.spark.plan.BloomPruneExec
import org.apache.spark.sql.catalyst.plans.physical.RoundRobinPartitioning
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.QueryStageExec
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec
import org.apache.spark.sql.execution.joins.{ShuffledHashJoinExec, SortMergeJoinExec}
import org.apache.spark.sql.execution.window.{WindowExec, WindowGroupLimitExec}

/** How far down a pruning sinks: as far as the key can be followed, and no further. */
class SinkingSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    def rows(name: String, count: Int, keys: Int) = spark.range(0, count).selectExpr(
      "id",
      s"if(id % 17 = 0, null, pmod(hash(id, '$name'), $keys)) as k",
      s"pmod(hash(id, 1, '$name'), 50) as j",
      s"concat('s', pmod(hash(id, 2, '$name'), $keys)) as s",
      s"cast(pmod(hash(id, 3, '$name'), 10) as int) as x"
    )
    table("large", rows("large", 4000, 400))
    table("other", rows("other", 3000, 400))
    table("small", rows("small", 200, 500))
  }

  private val some = "(select id, k, j, s, x from small where x = 3)"

  private def joined(large: String, on: String = "l.k = r.k"): String =
    s"select * from $large l join $some r on $on"

  /** What lies above a pruning down to which `T` it has sunk. */
  private def sunkBelow[T <: SparkPlan: ClassTag](plan: SparkPlan): Seq[T] = {
    def prunes(node: SparkPlan): Boolean = node match {
      case _: BloomPruneExec => true
      case stage: QueryStageExec => prunes(stage.plan)
      case other => other.children.exists(prunes)
    }
    collect(plan) { case node: T if prunes(node) => node }
  }

  private def assertBelow[T <: SparkPlan: ClassTag](
      sql: String,
      tables: Set[String] = Set("large")
  ): Unit =
    checkRows(sql).foreach { plan =>
      assert(prunedTables(plan) == tables, s"in\n$plan")
      assert(rowsPruned(plan) > 0, s"in\n$plan")
      assert(sunkBelow[T](plan).nonEmpty, s"in\n$plan")
    }

  private def assertNotBelow[T <: SparkPlan: ClassTag](
      sql: String,
      which: T => Boolean = (_: T) => true
  ): Unit =
    checkRows(sql).foreach(plan => assert(!sunkBelow[T](plan).exists(which), s"in\n$plan"))

  // ---- projections, filters, sorts

  test("below projections that rename and compute the key") {
    assertBelow[ProjectExec](joined("(select id, k as a, k + 1 as b from large)", "l.b = r.k"))
    assertBelow[BaseAggregateExec](
      joined("(select upper(s) as u, count(*) as c from large group by s)", "l.u = upper(r.s)")
    )
  }

  test("a key renamed twice and reordered") {
    assertPruned(
      joined(
        "(select j as k, k as j, a from (select k as j, id as a, j as k from large) where a > 5)",
        "l.j = r.k and l.k = r.j"
      )
    )
  }

  test("a field of a nested struct as key") {
    assertPruned(
      joined(
        """(select n.b.c as k, id from
             (select named_struct('a', j, 'b', named_struct('c', k)) as n, id from large))"""
      )
    )
  }

  test("above the scan's own filter and below other filters") {
    assertBelow[FilterExec](
      joined(
        """(select * from (select k, id, row_number() over (partition by k order by id) as n
            from large) where n < 3)"""
      )
    )
    // The probe goes before a predicate where it takes whole batches, if that keeps many rows.
    checkRows(joined("(select * from large where x < 5)"), Seq(adaptiveOn)).foreach { plan =>
      assert(prunings(plan).nonEmpty && sunkBelow[FilterExec](plan).nonEmpty, s"in\n$plan")
    }
    checkRows(joined("(select * from large where x = 5)")).foreach { plan =>
      assert(prunings(plan).nonEmpty && sunkBelow[FilterExec](plan).isEmpty, s"in\n$plan")
    }
  }

  test("a key that may fail is not evaluated for rows that the query drops") {
    val numbers =
      """(select cast(s as bigint) as k from
           (select s, count(*) over (partition by s) as c from
              (select cast(k as string) as s from large where k is not null
               union all select concat('x', id) from other))
         where c > 1)"""
    checkRows(
      s"select * from $some r where not exists (select 1 from $numbers l where l.k = r.k)"
    )
    withConf("spark.sql.constraintPropagation.enabled" -> "false") {
      checkRows(joined(numbers))
    }
  }

  // ---- aggregates

  test("below both steps of an aggregate on its grouping key") {
    assertBelow[BaseAggregateExec](
      joined("(select k, count(*) as c, max(x) as x from large group by k)")
    )
    assertBelow[BaseAggregateExec](
      joined("(select k, j, sum(x) as x from large group by k, j having sum(x) > 2)")
    )
    assertBelow[BaseAggregateExec](joined("(select k + 1 as n from large group by 1)", "l.n = r.k"))
  }

  test("below a distinct aggregate on its grouping key") {
    assertBelow[BaseAggregateExec](
      joined("(select k, count(distinct x) as c, sum(x) as x from large group by k)")
    )
    assertBelow[BaseAggregateExec](
      joined("(select k, count(distinct x) as c, count(distinct j) as d from large group by k)")
    )
  }

  test("below sort aggregates and object aggregates") {
    assertBelow[BaseAggregateExec](joined("(select k, max(s) as m from large group by k)"))
    assertBelow[BaseAggregateExec](
      joined("(select k, percentile(x, 0.5) as m from large group by k)")
    )
  }

  test("never below an aggregate whose result is the key") {
    assertNotBelow[BaseAggregateExec](
      joined("(select max(k) as k, count(*) as c from large group by j)")
    )
    assertNotBelow[BaseAggregateExec](joined("(select j, max(k) as k from large group by j)"))
    assertNotBelow[BaseAggregateExec](joined("(select count(*) as k from large)"))
  }

  test("never below the expansion of a rollup, a cube or grouping sets") {
    for (groups <- Seq("rollup(k, j)", "cube(k, j)", "grouping sets ((k), (j), ())"))
      for (on <- Seq("l.k = r.k", "l.k <=> r.k", "l.j = r.j"))
        assertNotBelow[ExpandExec](
          joined(s"(select k, j, count(*) as c from large group by $groups)", on)
        )
  }

  test("below a rollup, by the key in every grouping set") {
    assertPruned(joined("(select k, j, x, sum(id) from large group by k, rollup(j, x))"))
  }

  test("a session window as key is not followed into the windows that it merges") {
    val sessions =
      """(select session_window(timestamp_seconds(id * 10), '60 seconds').start as t, count(*) as c
          from large where id % 9 < 4 group by session_window(timestamp_seconds(id * 10), '60 seconds'))"""
    checkRows(joined(sessions, "l.t = timestamp_seconds(r.id * 90)"))
  }

  test("a constant as key of a global aggregate") {
    checkRows(joined("(select sum(x) as x, 1 as k from large)"))
    checkRows(joined("(select sum(x) as x, 400 as k from large where j < 10)"))
  }

  // ---- windows

  test("below a window on its partition key") {
    assertBelow[WindowExec](
      joined("(select k, id, sum(x) over (partition by k order by id) as t from large)")
    )
    assertBelow[WindowExec](
      joined("(select k, j, rank() over (partition by k, j order by id) as t from large)")
    )
  }

  test("never below a window by other keys") {
    assertNotBelow[WindowExec](
      joined("(select k, id, sum(x) over (partition by j order by id) as t from large)")
    )
    assertNotBelow[WindowExec](
      joined("(select k, id, sum(x) over (order by id) as t from large)")
    )
    assertNotBelow[WindowExec](
      joined("(select k, id, max(x) over (partition by k % 2) as t from large)")
    )
    assertNotBelow[WindowExec](
      joined("(select id, max(k) over (partition by j) as k from large)")
    )
  }

  test("below a limit of each group by its partition key only") {
    def top(by: String) =
      s"""(select * from (select k, j, id, row_number() over (partition by $by order by id) as n
          from large) where n = 1)"""
    assertBelow[WindowGroupLimitExec](joined(top("k")))
    assertNotBelow[WindowGroupLimitExec](joined(top("j")))
  }

  // ---- unions

  test("into every branch of a union") {
    assertBelow[UnionExec](
      joined("(select k, id from large union all select j + 1, id from other)"),
      Set("large", "other")
    )
    assertBelow[UnionExec](
      joined("(select k, id from large union select k, id from other)"),
      Set("large", "other")
    )
  }

  test("a branch of a union with a constant key") {
    checkRows(joined("(select k, id from large union all select 7, id from other)"))
    checkRows(joined("(select k, id from large union all select null, id from other)"))
  }

  // ---- joins

  private def chain(inner: String, on: String = "a.k = b.k", key: String = "a.k"): String =
    s"""select /*+ merge(b), merge(r) */ a.id, b.id, r.id
        from large a $inner other b on $on join $some r on $key = r.k"""

  test("into both sides of an inner join, across its equality") {
    assertBelow[SortMergeJoinExec](chain("join"), Set("large", "other"))
    assertBelow[SortMergeJoinExec](chain("join", key = "b.k"), Set("large", "other"))
    assertBelow[SortMergeJoinExec](
      chain("join", "a.k = b.k and a.j = b.j", "b.k"),
      Set("large", "other")
    )
  }

  test("into the one side of an inner join on another key") {
    val plans = checkRows(chain("join", "a.j = b.id"))
    plans.foreach(plan => assert(prunedTables(plan).contains("large"), s"in\n$plan"))
  }

  test("a key made of columns of both sides of a join stays above it") {
    checkRows(chain("join", "a.j = b.id", "a.k + b.x"))
    checkRows(chain("left join", "a.j = b.id", "coalesce(b.k, a.k)"))
  }

  test("composite keys from both sides of a join") {
    checkRows(
      s"""select a.id, b.id from large a join other b on a.j = b.id
          join $some r on a.k = r.k and b.x = r.x"""
    )
  }

  test("into the preserved side of an outer join") {
    assertBelow[SortMergeJoinExec](chain("left join"), Set("large", "other"))
    assertBelow[SortMergeJoinExec](
      chain("left join", "a.j = b.j and a.id = b.id"),
      Set("large", "other")
    )
    assertBelow[SortMergeJoinExec](chain("right join", key = "b.k"), Set("large", "other"))
  }

  test("into the other side of an outer join where absence makes the key null") {
    for (kind <- Seq("left join", "right join", "full join"))
      for (on <- Seq("a.k = b.k", "a.k <=> b.k", "a.k = b.k and a.x < b.x"))
        for (key <- Seq("a.k", "b.k", "a.k + 0", "nullif(b.k, 3)"))
          checkRows(chain(kind, on, key), adaptiveModes)
  }

  test("not into the other side of an outer join where absence does not make the key null") {
    for (kind <- Seq("left join", "right join", "full join"))
      for (
        key <- Seq(
          "coalesce(b.k, 7)",
          "coalesce(a.k, 7)",
          "coalesce(a.k, b.k)",
          "if(b.k is null, 7, b.k)",
          "if(a.k is null, 7, a.k)",
          "nvl2(b.id, b.k, 7)"
        )
      )
        checkRows(chain(kind, "a.k = b.k and a.x < b.x", key), adaptiveModes)
  }

  test("null-safe keys over the other side of an outer join") {
    for (kind <- Seq("left join", "right join", "full join"); side <- Seq("a", "b"))
      checkRows(
        s"""select a.id, b.id, r.id from large a $kind other b on a.k = b.k and a.x < b.x
            join (select k, id from $some union all select null, -1) r on $side.k <=> r.k
            where a.x is null or a.x < 2""",
        adaptiveModes
      )
  }

  test("through semi, anti and existence joins in between") {
    def between(condition: String) =
      s"""select a.id, r.id from (select * from large l where $condition) a
          join $some r on a.k = r.k"""
    for (
      condition <- Seq(
        "exists (select 1 from other o where o.k = l.k)",
        "exists (select 1 from other o where o.k = l.k and o.x < l.x)",
        "not exists (select 1 from other o where o.k = l.k)",
        "not exists (select 1 from other o where o.k = l.k and o.x < l.x)",
        "not exists (select 1 from other o where o.j = l.j and o.x < l.x - 7)",
        "(l.x = 1 or exists (select 1 from other o where o.k = l.k and o.x < l.x))",
        "l.k not in (select o.k from other o where o.k is not null and o.x < 4)"
      )
    )
      checkRows(between(condition))
  }

  test("through shuffled hash joins in between") {
    assertBelow[ShuffledHashJoinExec](
      s"""select /*+ shuffle_hash(b), merge(r) */ a.id, b.id, r.id
          from large a join other b on a.k = b.k join $some r on b.k = r.k""",
      Set("large", "other")
    )
  }

  test("a semi join in between that Spark does not push down") {
    checkRows(
      s"""select * from (select distinct k, j from large
            where k in (select k from other where x < 5)) l
          left semi join $some r on l.k = r.k and l.j <> r.j"""
    )
  }

  // ---- exchanges

  test("below an exchange by value, its own or another") {
    assertBelow[ShuffleExchangeExec](joined("(select /*+ repartition(3, j) */ * from large)"))
    assertBelow[ShuffleExchangeExec](joined("(select /*+ rebalance(j) */ * from large)"))
    assertBelow[ShuffleExchangeExec](
      joined("(select /*+ repartition_by_range(3, id) */ * from large)")
    )
  }

  test("never below an exchange that deals rows out in turn") {
    for (hint <- Seq("repartition(3)", "rebalance"))
      assertNotBelow[ShuffleExchangeExec](
        joined(s"(select /*+ $hint */ * from large)"),
        _.outputPartitioning.isInstanceOf[RoundRobinPartitioning]
      )
  }

  // ---- what a pruning must stay above

  test("never below a limit") {
    assertNotBelow[BaseLimitExec](
      joined("(select * from (select * from large order by id limit 300) where x < 9)")
    )
    assertNotBelow[TakeOrderedAndProjectExec](joined("(select * from large order by id limit 300)"))
    assertNotBelow[BaseLimitExec](
      joined("(select * from large order by id limit 300 offset 40)")
    )
  }

  test("never below a sample") {
    assertNotBelow[SampleExec](
      joined("(select * from large tablesample (30 percent) repeatable (7))")
    )
  }

  private def depends(node: SparkPlan): Boolean = node.expressions.exists(!_.deterministic)

  test("never below an expression that depends on more than its row") {
    for (expression <- Seq("rand(7)", "monotonically_increasing_id()", "spark_partition_id()"))
      assertNotBelow[ProjectExec](
        s"select l.*, r.id from (select k, $expression as n from large) l join $some r on l.k = r.k",
        depends
      )
    assertNotBelow[FilterExec](joined("(select * from large where rand(5) < 0.5)"), depends)
  }

  test("a key that depends on more than its row is tested above its making") {
    for (expression <- Seq("cast(rand(7) * 400 as int)", "monotonically_increasing_id()"))
      assertNotBelow[ProjectExec](joined(s"(select $expression as k, x from large)"), depends)
  }

  // ---- generators

  test("below a generator by another key, never by what it makes") {
    assertBelow[GenerateExec](
      joined("(select k, e from large lateral view explode(array(j, x)) t as e)")
    )
    assertBelow[GenerateExec](
      joined(
        "(select k, e from large lateral view outer explode(array_remove(array(x), 3)) t as e)"
      )
    )
    assertNotBelow[GenerateExec](
      joined("(select id, e from large lateral view explode(array(k, j)) t as e)", "l.e = r.k")
    )
    assertNotBelow[GenerateExec](
      joined(
        "(select id, p from large lateral view posexplode(array(k, j)) t as p, e)",
        "l.p = r.k"
      )
    )
  }

  private def adaptiveModes: Seq[Conf] = Seq(adaptiveOn)
}
