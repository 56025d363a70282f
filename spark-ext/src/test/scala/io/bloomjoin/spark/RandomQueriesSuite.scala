package io.bloomjoin.spark

/** Random queries yield stock Spark's rows. */
class RandomQueriesSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    for ((name, rows) <- Seq("big" -> 2000, "wide" -> 1500, "little" -> 60, "tiny" -> 25))
      table(
        name,
        spark.range(0, rows).selectExpr(
          "id",
          s"if(id % 17 = 0, null, cast(pmod(hash(id, '$name'), 200) as int)) as k",
          s"if(id % 19 = 0, null, cast(pmod(hash(id, 1, '$name'), 150) as int)) as j",
          s"if(id % 23 = 0, null, cast(pmod(hash(id, 2, '$name'), 120) as string)) as s",
          s"cast(pmod(hash(id, 3, '$name'), 10) as int) as x"
        )
      )
  }

  test("random queries yield stock's rows") {
    val queries = new RandomQueries(1, Seq("big", "wide", "little", "tiny"))
    var pruned = 0
    for (i <- 1 to 150) {
      val sql = queries.next()
      val plans = withClue(s"query $i: $sql\n")(checkRows(sql, Seq(twoModes(i % 2))))
      if (plans.exists(rowsPruned(_) > 0)) pruned += 1
    }
    assert(pruned > 30)
  }
}
