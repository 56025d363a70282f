package io.bloomjoin.spark

import org.apache.spark.sql.PythonFunctions
import org.apache.spark.sql.catalyst.expressions.PythonUDF
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.execution.python.EvalPythonExec
import org.apache.spark.sql.functions.{col, expr, udf}

/** Query shapes that others' join filters got wrong, and how good a filter is. */
class ShapesSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table(
      "sales",
      spark.range(0, 6000).selectExpr(
        "id",
        "pmod(hash(id), 700) as order_no",
        "pmod(hash(id, 1), 300) as customer",
        "pmod(hash(id, 2), 40) as store",
        "pmod(hash(id, 3), 60) as day",
        "cast(pmod(hash(id, 4), 500) as decimal(7, 2)) as amount"
      )
    )
    table(
      "returns",
      spark.range(0, 1500).selectExpr(
        "id",
        "pmod(hash(id, 5), 700) as order_no",
        "pmod(hash(id, 6), 300) as customer",
        "pmod(hash(id, 7), 40) as store",
        "pmod(hash(id, 8), 60) as day",
        "cast(pmod(hash(id, 9), 500) as decimal(7, 2)) as amount"
      )
    )
    table(
      "customers",
      spark.range(0, 300).selectExpr(
        "id as customer",
        "concat('city', id % 17) as city",
        "id % 40 as address",
        "if(id % 3 = 0, null, concat('n', id)) as name"
      ),
      files = 1
    )
    table(
      "stores",
      spark.range(0, 40).selectExpr("id as store", "concat('state', id % 8) as state"),
      files = 1
    )
    table("days", spark.range(0, 60).selectExpr("id as day", "id div 10 as month"), files = 1)
  }

  test("a self-join with an inequality, then joins and distinct counts") { // TPC-DS q94, q95
    assertPruned(
      """with two as (select a.order_no from sales a join sales b
                      on a.order_no = b.order_no and a.store <> b.store)
         select count(distinct s.order_no), sum(s.amount) from sales s
         join days d on s.day = d.day join stores t on s.store = t.store
         where d.month = 3 and t.state = 'state5'
         and s.order_no in (select order_no from two)
         and s.order_no in (select r.order_no from returns r join two on r.order_no = two.order_no)"""
    )
    assertPruned(
      """select count(distinct s.order_no), sum(s.amount) from sales s
         join days d on s.day = d.day where d.month = 3
         and exists (select * from sales o where o.order_no = s.order_no and o.store <> s.store)
         and not exists (select * from returns r where r.order_no = s.order_no)"""
    )
  }

  test("a star with computed outputs") { // TPC-DS q84
    assertPruned(
      """select concat(coalesce(c.name, ''), ', ', c.city) as n, r.id + 1 as i
         from customers c join returns r on r.customer = c.customer
         join stores s on s.store = c.address where c.city = 'city4' and s.state <> 'state1'"""
    )
  }

  test("a CTE compared with its correlated average") { // TPC-DS q1
    assertPruned(
      """with totals as (select customer, r.store, sum(amount) as total from returns r
                         join days d on r.day = d.day where d.month = 2 group by customer, r.store)
         select c.name, t.total from totals t
         join stores s on s.store = t.store join customers c on c.customer = t.customer
         where s.state = 'state3'
         and t.total > (select avg(total) * 1.2 from totals u where u.store = t.store)"""
    )
  }

  test("facts of several channels, united and rolled up") { // TPC-DS q5, q77, q80
    assertPruned(
      """with channels as (
           select 'sale' as channel, store, day, amount, cast(0 as decimal(7, 2)) as lost from sales
           union all select 'return', store, day, cast(0 as decimal(7, 2)), amount from returns)
         select channel, s.state, sum(amount), sum(lost) from channels c
         join days d on c.day = d.day join stores s on c.store = s.store
         where d.month = 1 and s.state in ('state1', 'state6') group by rollup(channel, s.state)"""
    )
  }

  test("sales joined with their returns by two keys, outer") { // TPC-DS q78
    assertPruned(
      """with kept as (select s.customer, s.order_no, sum(s.amount) as amount from sales s
                       left join returns r on r.order_no = s.order_no and r.customer = s.customer
                       join days d on s.day = d.day where r.order_no is null and d.month = 4
                       group by s.customer, s.order_no)
         select k.customer, k.order_no, k.amount, round(o.amount / (k.amount + 1), 2) from kept k
         left join (select customer, order_no, sum(amount) as amount from sales
                    group by customer, order_no) o
         on o.customer = k.customer and o.order_no = k.order_no"""
    )
  }

  test("transitive keys with the only predicate at the far end") {
    assertPruned(
      """select s.id, r.id, c.name from sales s join returns r on s.customer = r.customer
         join customers c on r.customer = c.customer where c.city = 'city4' and r.day < 10""",
      5000
    )
  }

  test("three tables on one key, and a sum of two of them compared with the third") {
    assertPruned(
      """select s.id, r.id from sales s join returns r on s.order_no = r.order_no
         join (select order_no, max(store) as top from returns where day < 3 group by order_no) t
         on s.order_no = t.order_no and s.store + r.store > t.top"""
    )
    assertPruned(
      """select s.id from sales s join returns r on s.order_no = r.order_no
         join customers c on s.order_no = c.customer and r.order_no = c.customer
         where c.city = 'city4' and s.day + r.day = c.customer - 20""",
      0
    )
  }

  test("the only predicate at the end of a chain of joins prunes every link") {
    val chain =
      """select count(*), sum(s.amount) from sales s join returns r on s.order_no = r.order_no
         join customers c on r.customer = c.customer join stores t on c.address = t.store
         where t.state = 'state5'"""
    checkRows(chain)
  }

  test("a chain of twelve joins is planned and yields stock's rows") {
    val joins = (1 to 12).map { i =>
      s"join (select order_no, max(amount) as m from returns where day % 12 <> $i group by order_no) r$i on s.order_no = r$i.order_no"
    }
    checkRows(
      s"select count(*), sum(s.amount) from sales s ${joins.mkString(" ")} where s.day = 3",
      Seq(adaptiveOn)
    )
  }

  test("joins that share a dimension in several roles") {
    assertPruned(
      """select s.id, a.month, b.month from sales s join returns r on s.order_no = r.order_no
         join days a on s.day = a.day join days b on r.day = b.day
         where a.month = 2 and b.month = 4"""
    )
  }

  test("a function of the user's in the way, on either side") {
    spark.udf.register("twice", udf((x: Long) => x * 2))
    spark.udf.register("label", udf((x: java.lang.Long) => if (x == null) null else s"<$x>"))
    assertPruned(
      """select s.id, d.l from sales s join
         (select c.customer, label(c.customer) as l from customers c
          join stores t on c.address = t.store where t.state = 'state5') d
         on s.customer = d.customer"""
    )
    assertPruned(
      """select s.id from sales s join customers c on twice(s.customer) = c.customer
         where c.city = 'city4'"""
    )
    checkRows(
      """select s.id from sales s join customers c on label(s.customer) = label(c.customer)
         where c.city = 'city4'"""
    )
  }

  test("a Python function in the build side stays in the node that evaluates it") {
    val python = PythonFunctions.plannable("score")
    val built = spark.table("customers").as("c")
      .join(spark.table("stores").as("t"), expr("c.address = t.store and t.state = 'state5'"))
      .select(col("c.customer"), python(col("c.address")).as("score"))
    for (mode <- Seq(adaptiveOn, adaptiveOff))
      withConf(mode: _*) {
        val df = spark.table("sales").join(built, "customer").where("score > 3")
          .select("id", "score")
        val plan = df.queryExecution.executedPlan match {
          case adaptive: AdaptiveSparkPlanExec => adaptive.executedPlan
          case other => other
        }
        assert(prunings(plan).nonEmpty, s"in\n$plan")
        foreach(plan) { node =>
          val evaluates = node.isInstanceOf[EvalPythonExec]
          assert(evaluates || !node.expressions.exists(_.exists(_.isInstanceOf[PythonUDF])), node)
        }
      }
  }

  // ---- how good a filter is

  test("a poor filter changes no row of a semi join") {
    withConf("spark.bloomjoin.fpp" -> "0.5") {
      assertPruned(
        """select s.id from sales s left semi join customers c
           on string(s.customer) = string(c.customer) and c.city = 'city4'"""
      )
      assertPruned(
        """select c.customer from (select * from customers where city = 'city4') c
           where not exists (select 1 from sales s
           where string(s.customer) = string(c.customer) and s.day = 3)"""
      )
    }
  }

  test("counts around the sizes at which a filter changes its form") {
    for (
      count <- Seq(0, 1, 2, 31, 32, 33, 255, 256, 257, 999, 1000, 1001, 1023, 1024, 1025);
      copies <- Seq(1, 2);
      distance <- Seq(1L, 1000000L)
    )
      checkRows(
        s"""select count(*), sum(l.id) from range(0, ${3000 * distance}, $distance, 2) l join
            (select id div $copies * $distance as k
             from range(0, ${count * copies}, 1, 3) where id >= 0) r
            on l.id = r.k""",
        Seq(adaptiveOn)
      )
  }

  test("without any statistics the filter is of the wanted probability") {
    spark.udf.register("even", udf((x: Long) => x * 2))
    for (fpp <- Seq(0.01, 0.1); mode <- Seq(adaptiveOn, adaptiveOff))
      withConf(mode :+ ("spark.bloomjoin.fpp" -> fpp.toString): _*) {
        val (plan, rows) = run(
          """select count(*) from range(0, 200000, 1, 2) l
             join (select even(id) as k from range(0, 50000, 1, 2) where id % 7 < 6) r
             on string(l.id * 2 + 1) = string(r.k)"""
        )
        assert(rows.head.getLong(0) == 0)
        val pruning = prunings(plan).head
        val passed = pruning.longMetric("rowsTested").value - pruning.longMetric("rowsPruned").value
        assert(passed <= 2 * fpp * 200000, s"$passed passed in\n$plan")
        assert(pruning.longMetric("rowsTested").value == 200000, s"in\n$plan")
      }
  }

  test("a small side with a wide column that is not a key") {
    table(
      "wide",
      spark.range(0, 1000).selectExpr(
        "id as customer",
        "id % 9 as x",
        "concat_ws('', transform(sequence(1, 160), i -> md5(concat(id, ':', i)))) as text"
      )
    )
    assertPruned(
      """select s.id, length(w.text) from sales s join wide w on s.customer = w.customer
         where w.x = 4""",
      4000
    )
  }
}
