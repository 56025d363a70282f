package io.bloomjoin.spark

import java.nio.file.Files

class JoinPruningSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    val dir = Files.createTempDirectory("bloomjoin").toString
    spark.range(0, 20000).selectExpr("id", "id % 1000 as k", "cast(id % 7 as int) as v")
      .write.parquet(s"$dir/fact")
    spark.range(
      0,
      1000
    ).selectExpr("id as k", "cast(id % 20 as int) as cat", "concat('n', id) as name")
      .write.parquet(s"$dir/dim")
    spark.read.parquet(s"$dir/fact").createOrReplaceTempView("fact")
    spark.read.parquet(s"$dir/dim").createOrReplaceTempView("dim")
  }

  test("an inner join") {
    assertPruned("select f.id, d.name from fact f join dim d on f.k = d.k where d.cat = 7", 18000)
  }
}
