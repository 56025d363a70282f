package io.bloomjoin.spark

import io.bloomjoin.spark.decision.{DecisionsFunction, Reason}
import org.apache.spark.sql.Row

/** Hints that force and forbid, and the reasons that the decisions give. */
class DecisionsSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table("fact", spark.range(0, 9000).selectExpr("id", "id % 900 as k", "id % 7 as w"))
    table("dim", spark.range(0, 900).selectExpr("id as k", "id % 30 as attr", "id % 11 as p"))
    table("other", spark.range(0, 50).selectExpr("id as p", "concat('p', id) as name"))
  }

  private val plain = "select count(*) from fact f join dim d on f.k = d.k where d.attr = 3"

  /** The decisions of the last query: side, decision, reason. */
  private def decisions(sql: String, conf: Conf = adaptiveOn): Seq[Row] = withConf(conf: _*) {
    spark.sql(sql).collect()
    val all = spark.sql(s"select * from ${DecisionsFunction.NAME}()").collect().toSeq
    val last = all.map(_.getAs[Long]("query_id")).max
    all.filter(_.getAs[Long]("query_id") == last)
  }

  private def reasons(sql: String, conf: Conf = adaptiveOn): Seq[String] =
    decisions(sql, conf).map(_.getAs[String]("reason"))

  test("the pruned side and the other one, with what they were thought to have and had") {
    Seq(adaptiveOn, adaptiveOff).foreach { conf =>
      val rows = decisions(plain, conf)
      assert(rows.map(_.getAs[String]("side")) == Seq("left", "right"))
      assert(rows.map(_.getAs[String]("decision")) == Seq("pruned", "not pruned"))
      assert(rows.map(_.getAs[String]("reason")) == Seq("PAYS", "NOT_SELECTIVE"), rows)
      val left = rows.head
      assert(left.getAs[String]("join") == "SortMergeJoin Inner")
      assert(left.getAs[String]("keys") == "k = k")
      assert(math.abs(left.getAs[Long]("estimated_rows") - 9000) < 10)
      assert(left.getAs[Long]("estimated_other_rows") == 90)
      assert(left.getAs[Long]("actual_rows") == 300, rows)
      assert(left.getAs[Long]("actual_other_rows") == 30, rows)
      assert(left.getAs[Long]("filter_keys") == 30)
      assert(left.getAs[Long]("filter_bytes") > 0)
      assert(left.getAs[Long]("rows_tested") == 9000)
      assert(left.getAs[Long]("rows_pruned") == 8700)
      assert(left.getAs[String]("filter").contains("30 keys"))
      assert(left.getAs[String]("sentence") == Reason.PAYS.sentence)
      assert(rows(1).isNullAt(rows(1).fieldIndex("filter_keys")))
    }
  }

  test("a reason for each way not to prune") {
    val open = adaptiveOn
    def of(sql: String, conf: (String, String)*): Seq[String] = reasons(sql, open ++ conf)
    assert(of("select * from fact f full join dim d on f.k = d.k where d.attr is null").forall(
      Set("JOIN_TYPE", "NOT_SELECTIVE", "KEYS_UNKNOWN")
    ))
    assert(of("select * from fact f full join (select * from dim where attr = 3) d on f.k = d.k") ==
      Seq("JOIN_TYPE", "JOIN_TYPE"))
    assert(of("select * from fact f left anti join dim d on f.k = d.k").head == "JOIN_TYPE")
    assert(of(
      "select * from fact where k not in (select k from dim where attr = 3)",
      "spark.sql.autoBroadcastJoinThreshold" -> "1m"
    ) == Seq("NULL_AWARE", "NULL_AWARE"))
    assert(of("select * from fact f join dim d on f.k = d.k") == Seq(
      "NOT_SELECTIVE",
      "NOT_SELECTIVE"
    ))
    assert(of(plain, "spark.bloomjoin.minPrunedRows" -> "1000000").head == "FEW_ROWS")
    assert(of(plain, "spark.bloomjoin.maxSelectivity" -> "0.01").head == "NOT_SELECTIVE")
    assert(of(
      "select /*+ BROADCAST(d) */ * from fact f join dim d on f.k = d.k where d.attr = 3"
    ) == Seq("NO_SHUFFLE", "HASH_TABLE"))
    assert(of(
      """select * from (select cast(k as string) collate utf8_lcase as s from fact) f
         where s in (select cast(k as string) collate utf8_lcase from dim where attr = 3)"""
    ) == Seq("KEY_TYPE", "KEY_TYPE"))
    assert(of(plain, "spark.bloomjoin.maxFiltersPerScan" -> "0").head == "BETTER_FILTERS")
  }

  test("joins that AQE took out of the plan, as their result is empty") {
    val sql =
      """select count(*) from fact f join dim d on f.k = d.k join other o on d.p = o.p
         where d.attr = 3 and o.name = 'none'"""
    Seq(adaptiveOn, adaptiveOff).foreach { conf =>
      val rows = decisions(sql, conf)
      assert(rows.map(_.getAs[String]("side")) == Seq("left", "right", "left", "right"), conf)
      assert(rows.map(_.getAs[Int]("join_no")) == Seq(1, 1, 2, 2), conf)
      assert(rows.exists(_.getAs[String]("decision") == "pruned"), conf)
    }
  }

  test("EXPLAIN ends with the decisions, in every mode that shows a plan") {
    Seq("", "EXTENDED", "FORMATTED", "COST").foreach { mode =>
      Seq(adaptiveOn, adaptiveOff).foreach { conf =>
        withConf(conf: _*) {
          val rows = spark.sql(s"EXPLAIN $mode $plain").collect()
          assert(rows.length == 1)
          val Array(plan, section) = rows.head.getString(0).split("== Bloomjoin ==\n")
          assert(plan.contains("BloomPrune"))
          assert(section.contains("Join 1: SortMergeJoin Inner on k = k"))
          assert(section.contains(s"not pruned. ${Reason.NOT_SELECTIVE.sentence} [NOT_SELECTIVE]"))
        }
      }
    }
    assert(!spark.sql("EXPLAIN SELECT * FROM fact").head().getString(0).contains("Bloomjoin"))
    assert(
      spark.sql("EXPLAIN CODEGEN SELECT * FROM fact").head().getString(0).contains("Generated")
    )
    assert(spark.sql("EXPLAIN SELECT * FROM nowhere").collect().mkString.contains("nowhere"))
  }

  // ---- hints

  private def warnings(body: => Unit): Seq[String] = {
    val log = new TestLog
    log.around(body)
    log.warnings
  }

  test("a hint forces what would not pay, and forbids what would") {
    val closed = adaptiveOn :+ ("spark.bloomjoin.minPrunedRows" -> "1000000")
    assert(reasons(plain, closed) == Seq("FEW_ROWS", "NOT_SELECTIVE"))
    for (name <- Seq("f", "d", "F"); hint <- Seq("BLOOM_JOIN", "bloom_join")) {
      val sql = plain.replace("select", s"select /*+ $hint($name) */")
      withConf(closed: _*) { assertPruned(sql) }
      assert(reasons(sql, closed).contains("HINT_FORCES"), sql)
    }
    for (name <- Seq("f", "d"); conf <- Seq(adaptiveOn, adaptiveOff)) {
      val sql = plain.replace("select", s"select /*+ NO_BLOOM_JOIN($name) */")
      assertNotPruned(sql)
      assert(reasons(sql, conf) == Seq("HINT_FORBIDS", "HINT_FORBIDS"))
    }
  }

  test("hints by table name, on views, in Datasets, and by df.hint") {
    val closed = adaptiveOn :+ ("spark.bloomjoin.minPrunedRows" -> "1000000")
    withConf(closed: _*) {
      assertPruned(
        """select /*+ BLOOM_JOIN(dim) */ count(*) from fact join dim on fact.k = dim.k
           where dim.attr = 3"""
      )
      spark.sql("create or replace temp view few as select k, p from dim where attr = 3")
      assertPruned("select /*+ BLOOM_JOIN(few) */ count(*) from fact f join few on f.k = few.k")
      assertNotPruned("select count(*) from fact f join few on f.k = few.k")
      assertNotPruned(
        "select /*+ BLOOM_JOIN(f) */ count(*) from other f join few on f.p = few.p and false"
      )
      val (plan, _) = run(spark.table("fact").join(spark.table("few").hint("bloom_join"), "k"))
      assert(prunings(plan).nonEmpty)
      val (without, _) = run(spark.table("fact").join(spark.table("few"), "k"))
      assert(prunings(without).isEmpty, "a hint must not stay on the view")
    }
    val (plan, _) = run(spark.table("fact").join(spark.table("few").hint("NO_BLOOM_JOIN"), "k"))
    assert(prunings(plan).isEmpty)
    val (again, _) = run(spark.table("fact").join(spark.table("few"), "k"))
    assert(prunings(again).nonEmpty, "a hint must not stay on the view")
  }

  test("a hint is for the first join above its relation") {
    val sql =
      """select /*+ NO_BLOOM_JOIN(o) */ count(*) from fact f
         join (select d.k from dim d join other o on d.p = o.p where o.name = 'p3') x
         on x.k = f.k"""
    checkRows(sql).foreach(plan => assert(prunedTables(plan) == Set("dim", "fact"), plan))
    val forbidden =
      """select /*+ NO_BLOOM_JOIN(f) */ count(*) from fact f join dim d on d.k = f.k
         join other o on d.p = o.p where o.name = 'p3'"""
    checkRows(forbidden).foreach { plan =>
      assert(prunedTables(plan).contains("dim"), plan)
    }
  }

  test("a hint that cannot be followed changes no row and says why") {
    val sql =
      """select /*+ BLOOM_JOIN(d) */ * from fact f
         full join (select * from dim where attr = 3) d on f.k = d.k"""
    val said = warnings(assertNotPruned(sql))
    assert(
      said.exists(w => w.contains("BLOOM_JOIN") && w.contains(Reason.JOIN_TYPE.sentence)),
      said
    )
    assert(reasons(sql) == Seq("JOIN_TYPE", "JOIN_TYPE"))
  }

  test("a hint on an unknown table is logged as Spark logs it") {
    val said = warnings(assertPruned(plain.replace("select", "select /*+ BLOOM_JOIN(nowhere) */")))
    assert(said.exists(w => w.contains("nowhere") && w.contains("BLOOM_JOIN")), said)
  }

  test("both hints together: the one that forbids goes first") {
    assertNotPruned(plain.replace("select", "select /*+ BLOOM_JOIN(f), NO_BLOOM_JOIN(d) */"))
  }

  // ---- the log

  test("explain says the same in words, before and after") {
    val query = spark.sql(plain)
    val before = BloomJoin.explain(query)
    assert(before.contains("SortMergeJoin Inner on k = k"), before)
    assert(before.contains("rows, pruned. The rows"), before)
    query.collect()
    val after = BloomJoin.explain(query)
    assert(after.contains("9,000 rows tested, 8,700 pruned"), after)
    val none = BloomJoin.explain(spark.range(3).toDF())
    assert(none.startsWith("No join"), none)
  }

  test("decisions belong to their session") {
    val session = spark.newSession()
    assert(session.sql(s"select * from ${DecisionsFunction.NAME}()").count() == 0)
  }

  test("the function takes no argument and is described") {
    intercept[Exception](spark.sql(s"select * from ${DecisionsFunction.NAME}(1)").collect())
    val columns = spark.sql(s"select * from ${DecisionsFunction.NAME}()").columns.toSeq
    assert(columns == DecisionsFunction.SCHEMA.fieldNames.toSeq)
  }
}
