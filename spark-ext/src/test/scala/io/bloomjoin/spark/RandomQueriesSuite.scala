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
    val queries = new RandomQueries(
      sys.props.getOrElse("bj.seed", "1").toLong,
      Seq("big", "wide", "little", "tiny")
    )
    var pruned = 0
    val n = sys.props.getOrElse("bj.n", "150").toInt
    for (i <- 1 to n) {
      val sql = queries.next()
      try {
        val plans = checkRows(sql, Seq(twoModes(i % 2)))
        if (plans.exists(rowsPruned(_) > 0)) pruned += 1
      } catch { case t: Throwable => println(s"XXX $i $sql\nYYY ${t.toString.take(1500)}") }
    }
    println(s"pruned $pruned of $n")
  }
}
