package io.bloomjoin.spark.rule

import io.bloomjoin.spark.PruneSuite
import org.apache.hadoop.fs.FileStatus
import org.apache.spark.sql.execution.{FileSourceScanExec, FilterExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex

/** What the rule thinks of plans: counted where something counted, else guessed. */
class EstimatorSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table(
      "rows",
      spark.range(0, 5000).selectExpr("id", "id % 10 as k", "md5(string(id)) as text"),
      files = 4
    )
    table("none", spark.range(0).selectExpr("id", "id as k"), files = 1)
    spark.range(0, 1000).selectExpr("id", "concat(id, 'text') as t")
      .write.json(directory.resolve("json").toString)
    spark.read.json(directory.resolve("json").toString).createOrReplaceTempView("json")
    val zipped = directory.resolve("zipped").toString
    spark.range(0, 1000, 1, 3).write.option("compression", "gzip").json(zipped)
    spark.read.json(zipped).createOrReplaceTempView("zipped")
  }

  private def planOf(sql: String): SparkPlan = spark.sql(sql).queryExecution.sparkPlan

  private def estimate(sql: String): Estimate = new Estimator().of(planOf(sql))

  private def assertAbout(estimate: Estimate, rows: Double, kept: Double): Unit = {
    assert(estimate.rows >= rows / 1.3 && estimate.rows <= rows * 1.3, estimate)
    assert(math.abs(estimate.kept - kept) < 1e-9, estimate)
  }

  test("sources that know their size are exact") {
    assert(estimate("select * from range(1234)") == new Estimate(1234, 1, true))
    assert(estimate("select * from range(0)") == new Estimate(0, 1, true))
    assert(estimate("select * from values (1), (2), (3) t(x)").rows == 3)
  }

  test("a Parquet table is counted by a footer") {
    val whole = estimate("select * from rows")
    assertAbout(whole, 5000, 1)
    assert(whole.counted)
    assert(estimate("select id from rows").rows == whole.rows)
  }

  test("an empty table is small") {
    assert(estimate("select * from none").rows < 100)
  }

  test("other files are guessed from their bytes") {
    val guessed = estimate("select * from json")
    assert(guessed.rows > 100 && guessed.rows < 10000 && !guessed.counted)
  }

  /** A limit that is not the query's last step. */
  private def exchanged(sql: String) = s"select /*+ repartition(2) */ * from ($sql)"

  test("predicates, limits and samples keep a part") {
    assertAbout(estimate("select * from rows where k = 3"), 500, 0.1)
    assertAbout(estimate("select * from rows where k = 3 and text like '%a%'"), 50, 0.01)
    assertAbout(estimate(exchanged("select * from range(5000) limit 50")), 50, 0.01)
    assertAbout(estimate(exchanged("select * from range(5000) limit 50 offset 20")), 70, 0.014)
    assertAbout(estimate(exchanged("select * from range(5000) order by id limit 50")), 50, 0.01)
    assertAbout(
      estimate("select * from (select * from range(5000)) tablesample (20 percent)"),
      1000,
      0.2
    )
    assertAbout(estimate(exchanged("select * from range(40) limit 50")), 40, 1)
    assert(estimate(exchanged("select * from range(40) limit 0")).rows == 0)
  }

  test("an aggregate keeps the keys and loses the count") {
    val grouped = estimate("select k, count(*) from rows where k = 3 group by k")
    assert(grouped.kept == 0.1 && !grouped.counted)
    assert(estimate("select count(*) from rows").rows == 1)
  }

  test("a union weighs its branches") {
    assertAbout(
      estimate("select id from range(900) union all select id from range(1000) where id = 3"),
      1000,
      1000.0 / 1900
    )
    assert(estimate("select id from range(0) union all select id from range(0)").rows == 0)
  }

  test("an inner join keeps what both sides keep") {
    assertAbout(
      estimate("select * from range(1000) a join range(500) b on a.id = b.id where b.id % 7 = 3"),
      1000 * 0.01,
      0.01
    )
  }

  test("an outer join keeps its preserved side") {
    val preserved =
      estimate(
        "select * from range(1000) a left join (select * from rows where k = 3) b on a.id = b.id"
      )
    assert(preserved == new Estimate(1000, 1, true))
  }

  test("a cached table is estimated by its plan and counted when it is there") {
    spark.sql("cache lazy table kept as select * from rows where k = 3")
    try {
      assertAbout(estimate("select * from kept"), 500, 0.1)
      assert(spark.table("kept").count() == 500)
      val counted = estimate("select * from kept")
      assert(counted.rows == 500 && counted.counted)
    } finally spark.sql("uncache table kept")
  }

  test("column statistics tell more of a predicate than its form") {
    spark.sql("create table counted using parquet as select id, id % 10 as k from range(5000)")
    try {
      val sql = "select id from counted where k >= 2"
      assert(estimate(sql).kept == Selectivity.of(planOf(sql).collectFirst {
        case f: FilterExec => f.condition
      }.get))
      spark.sql("analyze table counted compute statistics for all columns")
      withConf("spark.sql.cbo.enabled" -> "true") {
        val known = estimate(sql)
        assert(math.abs(known.kept - 7.0 / 9) < 1e-3, known)
        assert(math.abs(known.rows - 5000 * 7.0 / 9) < 10, known)
        assert(estimate("select id from counted where k = 77").rows == 0)
        assert(estimate("select id from counted").rows == 5000)
      }
    } finally spark.sql("drop table counted")
  }

  // ---- tasks and idle cores

  private def idle(cores: Int, sql: String): Double =
    new IdleCores(cores).whileRunning(planOf(sql))

  private def tasks(sql: String, cores: Int = 64): Double =
    LeafTasks.of(planOf(sql).collectLeaves().head, cores)

  test("a source has as many tasks as row groups and splits") {
    assert(tasks("select * from range(0, 1000, 1, 7)") == 7)
    assert(tasks("select * from rows") <= 4)
    assert(tasks("select * from json") >= 1)
    assert(tasks("select * from values (1) t(x)", cores = 5) == 5)
    withConf("spark.sql.files.openCostInBytes" -> "0", "spark.sql.files.minPartitionNum" -> "64") {
      assert(tasks("select * from rows") == 4)
      assert(tasks("select * from json") > 32)
      assert(tasks("select * from zipped") == 3)
    }
  }

  test("a source with fewer tasks than cores leaves cores idle") {
    assert(idle(2, "select * from range(0, 1000, 1, 2)") == 0)
    assert(idle(1, "select * from range(0, 1000, 1, 1)") == 0)
    val one = idle(2, "select * from range(0, 1000, 1, 1)")
    assert(one > 0)
    assert(idle(3, "select * from range(0, 1000, 1, 1)") == 2 * one)
    val balanced =
      "select id from range(0, 1000, 1, 1) union all select id + 1 from range(0, 1000, 1, 1)"
    assert(idle(2, balanced) == 0)
    assert(idle(4, "select * from range(0)") == 0)
  }

  // ---- Parquet footers

  private def scan: FileSourceScanExec =
    planOf("select * from rows").collectFirst { case s: FileSourceScanExec => s }.get

  private def files: Seq[FileStatus] =
    scan.relation.location.asInstanceOf[PartitioningAwareFileIndex].allFiles()

  private def perByte(files: Seq[FileStatus]): Double = {
    import scala.jdk.CollectionConverters._
    ParquetRows.perByte(files.asJava, scan.relation)
  }

  test("rows per byte come from the largest file") {
    val bytes = files.map(_.getLen).sum
    assert(math.abs(perByte(files) * bytes - 5000) < 500)
  }

  test("no files, or none that can be read, have no rows per byte") {
    assert(perByte(Seq.empty) == 0)
    val gone = new FileStatus(
      1000,
      false,
      1,
      1000,
      0,
      new org.apache.hadoop.fs.Path(directory.resolve("gone.parquet").toUri)
    )
    assert(perByte(Seq(gone)) == 0)
    val json = directory.resolve("json").toFile.listFiles.filter(_.getName.endsWith("json")).head
    val other = new FileStatus(
      json.length,
      false,
      1,
      1000,
      json.lastModified,
      new org.apache.hadoop.fs.Path(json.toURI)
    )
    assert(perByte(Seq(other)) == 0)
  }
}
