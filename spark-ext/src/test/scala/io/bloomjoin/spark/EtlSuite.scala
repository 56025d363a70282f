package io.bloomjoin.spark

import io.bloomjoin.filter.FilterFormat
import io.bloomjoin.key.KeyHash
import java.nio.file.{Files, Path}
import org.apache.spark.sql.functions.{col, lit}

/**
 * Follows `docs/etl.md` from its top to its end, on HDFS: every snippet runs, and prints what the
 * document says. Then looks at what the story has left there.
 */
class EtlSuite extends PruneSuite {
  private lazy val hdfs = new MiniHdfs(directory.resolve("hdfs"))

  override protected def sessionConf: Map[String, String] =
    Map("spark.hadoop.fs.defaultFS" -> hdfs.uri)

  override protected def afterAll(): Unit =
    try super.afterAll()
    finally hdfs.stop()

  /** The account of a line; `\N` is none. */
  private type Account = Option[String]

  /** Keys that an encoding, a trim or a test for null might lose. */
  private val unusual = Seq("", " ", "é", "e\u0301", "😀", "𐍈", "NULL", "null", "N", "\\n", "\"\"")

  private val premium: Seq[Account] =
    (unusual.map(Some(_)) :+ None) ++ (1 to 389).map(i => Some(s"premium-$i"))

  private val free: Seq[Account] = (1 to 600).map(i => Some(s"free-$i"))

  /** Most sign-ins are of accounts that are no members; each unusual account has two. */
  private val signins: Seq[Account] = (1 to 20000).map(i => Some(s"guest-$i")) ++
    (free ++ premium).flatMap(a => Seq(a, a))

  private def line(account: Account, value: Any): String = s"${account.getOrElse("\\N")}\t$value"

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    hdfs.write(
      "/exports/members/1",
      premium.map(line(_, "premium")) ++ free.map(line(_, "free"))
    )
    val lines = signins.zipWithIndex.map { case (account, i) => line(account, i) }
    lines.grouped(lines.size / 2 + 1).zipWithIndex.foreach { case (part, i) =>
      hdfs.write(s"/exports/signins/$i", part)
    }
    spark.range(5000).select(
      col("id").as("customer_id"),
      (col("id") % 20 === 7).as("it")
    ).selectExpr("customer_id", "if(it, 'IT', 'NO') as country", "date'2026-12-01' as day")
      .write.partitionBy("day").parquet("/data/customers")
    spark.range(50000).selectExpr("id as order_id", "id % 10000 as customer_id")
      .write.parquet("/data/orders")
    spark.read.parquet("/data/customers").createOrReplaceTempView("customers")
    spark.read.parquet("/data/orders").createOrReplaceTempView("orders")
  }

  private lazy val printed: Map[Snippet, String] = {
    val document = Iterator.iterate(Path.of("").toAbsolutePath)(_.getParent)
      .map(_.resolve("docs/etl.md")).find(Files.exists(_)).get
    val scratch = Files.createDirectories(directory.resolve("scratch"))
    val runner = new SnippetRunner(spark, scratch, hdfs.uri)
    Snippet.of(document).map(snippet => snippet -> runner.run(snippet)).toMap
  }

  test("docs/etl.md: every snippet runs, and prints what is said") {
    assert(printed.keySet.map(_.language) == Set("java", "scala", "sql", "sh"))
    printed.foreach { case (snippet, said) =>
      snippet.printed.foreach(text => assert(said == text, s"behind line ${snippet.line}"))
    }
  }
}
