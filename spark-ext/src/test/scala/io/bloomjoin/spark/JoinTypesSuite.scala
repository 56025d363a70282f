package io.bloomjoin.spark

/** Which side of which join may be pruned, whatever the algorithm; nulls and duplicates abound. */
class JoinTypesSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table(
      "large",
      spark.range(0, 4000).selectExpr(
        "id",
        "if(id % 13 = 0, null, pmod(hash(id), 400)) as k",
        "pmod(hash(id, 1), 3) as j"
      )
    )
    table(
      "small",
      spark.range(0, 300).selectExpr(
        "id",
        "if(id % 11 = 0, null, pmod(hash(id, 2), 500)) as k",
        "pmod(hash(id, 3), 3) as j",
        "pmod(hash(id, 4), 5) as cat"
      )
    )
  }

  private def assertLargePruned(sql: String, modes: Seq[Conf] = modes): Unit =
    assertTablesPruned(sql, Set("large"), modes)

  /** The selective side. */
  private val some = "(select * from small where cat = 2)"

  private val algorithms = Seq("sort-merge" -> "merge", "shuffled hash" -> "shuffle_hash")

  for ((algorithm, hint) <- algorithms) {
    def join(left: String, kind: String, right: String, hinted: String): String =
      s"select /*+ $hint($hinted) */ * from $left l $kind join $right r on l.k = r.k"

    def largeLeft(kind: String): String = join("large", kind, some, "r")

    def largeRight(kind: String): String = join(some, kind, "large", "l")

    for (kind <- Seq("inner", "left semi", "right outer"))
      test(s"$algorithm: $kind join prunes its large left side") {
        assertLargePruned(largeLeft(kind), everyMode)
      }

    for (kind <- Seq("inner", "left semi", "left outer", "left anti"))
      test(s"$algorithm: $kind join prunes its large right side") {
        assertLargePruned(largeRight(kind), everyMode)
      }

    for (kind <- Seq("left outer", "full outer", "left anti"))
      test(s"$algorithm: $kind join never prunes its left side") {
        assertNotPruned(largeLeft(kind))
      }

    for (kind <- Seq("right outer", "full outer"))
      test(s"$algorithm: $kind join never prunes its right side") {
        assertNotPruned(largeRight(kind))
      }

    test(s"$algorithm: a further condition of the join does not matter") {
      for (
        (query, pruned) <- Seq(
          largeLeft("inner") -> true,
          largeLeft("left semi") -> true,
          largeLeft("right outer") -> true,
          largeRight("left outer") -> true,
          largeRight("left anti") -> true,
          largeLeft("left anti") -> false,
          largeLeft("full outer") -> false
        )
      ) {
        val conditional = query + " and l.j <= r.j"
        if (pruned) assertLargePruned(conditional) else assertNotPruned(conditional)
      }
    }
  }

  test("IN and EXISTS prune both sides") {
    assertLargePruned(s"select * from large where k in (select k from $some)")
    assertLargePruned(
      s"select * from large l where exists (select 1 from $some r where l.k = r.k and l.j < r.j)"
    )
    assertLargePruned(s"select * from $some where k in (select k from large)")
    assertLargePruned(
      s"select * from $some l where exists (select 1 from large r where l.k = r.k)"
    )
  }

  test("NOT EXISTS prunes only the side that it looks in") {
    assertLargePruned(
      s"select * from $some l where not exists (select 1 from large r where l.k = r.k)"
    )
    assertNotPruned(
      s"select * from large l where not exists (select 1 from $some r where l.k = r.k)"
    )
  }

  test("NOT IN is null-aware and never pruned") {
    for (threshold <- Seq("-1", "10m"))
      withConf("spark.sql.autoBroadcastJoinThreshold" -> threshold) {
        for (nulls <- Seq("", " where k is not null")) {
          assertNotPruned(s"select * from $some where k not in (select k from large$nulls)")
          assertNotPruned(
            s"""select * from (select k, count(*) from large group by k)
                where k not in (select k from $some$nulls)"""
          )
        }
      }
  }

  test("NOT IN with another condition is never pruned on its left") {
    assertNotPruned(
      s"select * from large l where k not in (select k from $some r where l.j = r.j)"
    )
  }

  test("an existence join prunes its right side") {
    assertLargePruned(
      s"""select * from $some l
          where l.j = 1 or exists (select 1 from large r where l.k = r.k)"""
    )
    assertLargePruned(
      s"select * from $some l where l.j = 1 or l.id in (select k from large)"
    )
  }

  test("an existence join never prunes its left side") {
    assertNotPruned(
      s"select * from large l where l.j = 1 or exists (select 1 from $some r where l.k = r.k)"
    )
    assertNotPruned(s"select * from large l where l.j = 1 or l.k not in (select id from $some)")
  }

  test("INTERSECT prunes either side, nulls being equal") {
    assertLargePruned(s"select k, j from large intersect select k, j from $some")
    assertLargePruned(s"select k, j from $some intersect select k, j from large")
    assertNotPruned(s"select k from large intersect all select k from $some") // not a join
  }

  test("EXCEPT prunes its right side only") {
    assertLargePruned(s"select k, j from $some except select k, j from large")
    assertNotPruned(s"select k, j from large except select k, j from $some")
    assertNotPruned(s"select k from $some except all select k from large")
  }

  test("a correlated scalar subquery yields stock's rows") {
    checkRows(s"select l.id, (select max(r.id) from large r where r.k = l.k) from $some l")
    checkRows(s"select l.id, (select max(r.id) from $some r where r.k = l.k) from large l")
  }

  private val grouped = "(select k, count(*) as c, max(j) as j from large group by k)"

  private def broadcast(left: String, kind: String, right: String, small: String): String =
    s"select /*+ broadcast($small) */ * from $left l $kind join $right r on l.k = r.k"

  test("a broadcast join prunes below the shuffle of its large side") {
    assertLargePruned(broadcast(grouped, "inner", some, "r"))
    assertLargePruned(broadcast(some, "inner", grouped, "l"))
  }

  test("a broadcast join never prunes a preserved side") {
    assertNotPruned(broadcast(grouped, "left outer", some, "r"))
    assertNotPruned(broadcast(some, "right outer", grouped, "l"))
    assertNotPruned(broadcast(grouped, "left anti", some, "r"))
    assertNotPruned(broadcast(grouped, "full outer", some, "r"))
  }

  test("a broadcast join without a shuffle below is left alone") {
    assertNotPruned(broadcast("large", "inner", some, "r"))
  }

  test("a nested loop join and a cartesian product are left alone") {
    assertNotPruned(s"select l.id, r.id from large l join $some r on l.k < r.k where l.k > 395")
    assertNotPruned(s"select count(*) from large l cross join $some r")
  }

  test("a cross join with an equality is an inner join") {
    assertLargePruned(s"select * from large l cross join $some r where l.k = r.k")
  }

  test("a sort-merge join of equally bucketed tables has no shuffle to prune below") {
    for (name <- Seq("large", "small"))
      spark.table(name).write.bucketBy(4, "k").saveAsTable(s"bucketed_$name")
    assertNotPruned(
      "select * from bucketed_large l join bucketed_small r on l.k = r.k where r.cat = 2"
    )
  }

  test("a shuffled side is pruned by none of a bucketed side without a shuffle") {
    assertNotPruned("select * from large l join bucketed_small r on l.k = r.k where r.cat = 2")
    assertNotPruned("select * from bucketed_large l join small r on l.k = r.k where r.cat = 2")
  }
}
