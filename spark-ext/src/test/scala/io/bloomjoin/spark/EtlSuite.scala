package io.bloomjoin.spark

import io.bloomjoin.filter.FilterFormat
import io.bloomjoin.key.KeyHash
import java.nio.file.{Files, Path}
import org.apache.spark.sql.functions.{call_function, col, lit}

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
    val wrong = printed.toSeq.sortBy(_._1.line).collect {
      case (snippet, said) if snippet.printed.exists(_ != said) =>
        s"docs/etl.md should have, behind the block of line ${snippet.line}:\n\n$said\n"
    }
    assert(wrong.isEmpty, wrong.mkString("\n"))
  }

  test("MapReduce's filter holds the members' accounts, and Spark finds them") {
    printed
    val filter = BloomJoin.load(spark, "/filters/members.bloom")
    assert(FilterFormat.fromBytes(filter).metadata.keyTypes.toString == "[string]")
    val members = (premium ++ free).flatten
    import spark.implicits._
    for (mode <- everyMode) withConf(mode: _*) {
      val asked = (members ++ Seq("NUL", "e", "guest-1", "\\N")).toDF("account")
        .withColumn("told", call_function("bloom_might_contain", lit(filter), col("account")))
      val denied = asked.where("not told").as[(String, Boolean)].collect().map(_._1).toSet
      assert(denied.intersect(members.toSet).isEmpty)
      assert(denied.size >= 3)
      assert(spark.sql("select bloom_might_contain((select content from " +
        "binaryFile.`/filters/members.bloom`), cast(null as string))").head().isNullAt(0))
    }
  }

  test("MapReduce's join with Spark's filter is the plain one, and Spark's") {
    printed
    val expected = signins.zipWithIndex.collect {
      case (Some(account), i) if premium.contains(Some(account)) =>
        s"$account\t$i\t$account\tpremium"
    }.sorted
    assert(expected.size == 2 * premium.flatten.size)
    for (job <- Seq("plain", "pruned", "java")) assert(hdfs.lines(s"/joined/$job") == expected)
    val joined = stock(spark.sql(
      "select account, time, account, plan from signins join premium using (account)"
    ).collect())
    assert(joined.map(_.mkString("\t")).toSeq.sorted == expected)
  }

  test("the join's counters are right") {
    def counters(option: String): Map[String, Int] =
      printed.collectFirst {
        case (snippet, said) if snippet.code.contains(" join ") && snippet.code.contains(option) =>
          said.linesIterator.map { line =>
            val cells = line.split(" {2,}")
            cells(0) -> cells(1).toInt
          }.toMap
      }.get
    val rows = signins.size + premium.size
    val tested = signins.flatten.size
    val nulls = rows - tested - premium.flatten.size
    val joined = 2 * premium.flatten.size
    val filter = FilterFormat.fromBytes(BloomJoin.load(spark, "/filters/premium.bloom")).filter
    val passed = signins.flatten.count(account => filter.mightContain(KeyHash.ofString(account)))
    assert(passed >= joined && passed < tested / 10)
    val common = Map(
      "rows" -> rows,
      "null keys" -> nulls,
      "shuffled small" -> premium.flatten.size,
      "joined" -> joined
    )
    assert(counters("--filter ") == common ++ Map(
      "tested" -> tested,
      "pruned" -> (tested - passed),
      "passed" -> passed,
      "filters read" -> 1,
      "shuffled large" -> passed
    ))
    assert(counters("--no-filter") == common + ("shuffled large" -> tested))
  }

  test("Spark's CSV source takes an empty field for null, lines that are split do not") {
    val csv = spark.read.option("sep", "\t").option("nullValue", "\\N").csv("/exports/members")
    assert(csv.where("_c0 is null").count() == 2) // the empty account, and the one that is null
    assert(csv.where("_c0 = ''").count() == 1) // the account that reads ""
    printed
    val split = spark.sql("select split(value, '\\t', -1)[0] as _c0 from text.`/exports/members`")
    assert(split.where("_c0 = ''").count() == 1)
  }
}
