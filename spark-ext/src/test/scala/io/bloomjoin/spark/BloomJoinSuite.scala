package io.bloomjoin.spark

import io.bloomjoin.filter._
import java.io.UncheckedIOException
import java.nio.file.Files
import java.util
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.connector.catalog.{
  Column, SupportsRead, Table, TableCapability, TableProvider
}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.read.ScanBuilder
import org.apache.spark.sql.types.{LongType, StructType}
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import scala.jdk.CollectionConverters._

/** Filters that are built, kept and used by other queries, through the Java API. */
class BloomJoinSuite extends PruneSuite {

  /** Generated code that does not compile fails the query. */
  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.codegen.fallback" -> "false")

  private def ids(range: Range): DataFrame = spark.range(range.head, range.last + 1).toDF()

  private def metadata(filter: Array[Byte]): FilterMetadata =
    FilterFormat.fromBytes(filter).metadata

  test("a filter is built, whatever the partitions") {
    val expected = BloomJoin.build(spark.range(0, 9000, 1, 1), 0.01, "id").toSeq
    for (partitions <- Seq(2, 9, 50))
      assert(BloomJoin.build(spark.range(0, 9000, 1, partitions), 0.01, "id").toSeq == expected)
    assert(metadata(expected.toArray).keyCount == 9000)
    assert(metadata(expected.toArray).targetFpp == 0.01)
  }

  test("a filter over no row, and over no partition, holds nothing") {
    for (none <- Seq(spark.range(0).toDF(), spark.emptyDataFrame.selectExpr("1L as id").limit(0))) {
      val filter = BloomJoin.build(none, 0.01, "id")
      assert(BloomJoin.prune(spark.range(1000), filter, "id").count() == 0)
      BloomJoin.save(spark, filter, s"$directory/none.bloom")
      assert(BloomJoin.load(spark, s"$directory/none.bloom").toSeq == filter.toSeq)
    }
  }

  test("arguments are checked before anything runs") {
    def message(body: => Any): String = intercept[IllegalArgumentException](body).getMessage
    assert(message(BloomJoin.build(spark.range(1), 0.01)).contains("at least one key column"))
    for (fpp <- Seq(0.0, 1.0, -1.0, Double.NaN))
      assert(message(BloomJoin.build(spark.range(1), fpp, "id")).contains(s"got $fpp"))
    assert(message(BloomJoin.build(spark.range(1), 0L, 0.01, "id")).contains("got 0"))
    assert(message(BloomJoin.build(spark.range(1), Long.MaxValue, 0.01, "id")).contains("1.5 GiB"))
    assert(message(BloomJoin.union()).contains("at least one filter"))
    assert(message(BloomJoin.prune(spark.range(1), Array[Byte](1), "id")).contains("not a filter"))
  }

  test("pruning keeps every partner and drops nulls, in every mode") {
    val filter = BloomJoin.build(ids(0 until 1000), 0.001, "id")
    val asked = spark.range(-500, 3000).selectExpr("if(id < 0, null, id) as k", "id % 3 as x")
    everyMode.foreach { mode =>
      withConf(mode: _*) {
        val pruned = BloomJoin.prune(asked, filter, "k")
        assert(pruned.columns.toSeq == Seq("k", "x"))
        assert(pruned.where("k < 1000").count() == 1000)
        assert(pruned.where("k is null").count() == 0)
        assert(pruned.where("k >= 1000").count() < 20)
      }
    }
  }

  test("pruning casts narrower keys, takes nested columns, and refuses other types") {
    val filter = BloomJoin.build(ids(0 until 1000), 0.001, "id")
    val narrow = spark.range(100).selectExpr("cast(id as int) as k", "struct(id as i) as s")
    assert(BloomJoin.prune(narrow, filter, "k").count() == 100)
    assert(BloomJoin.prune(narrow, filter, "s.i").count() == 100)
    val error = intercept[IllegalArgumentException](
      BloomJoin.prune(narrow.selectExpr("cast(k as string) as k"), filter, "k")
    )
    assert(error.getMessage.contains("(bigint)") && error.getMessage.contains("(string)"))
    intercept[IllegalArgumentException](BloomJoin.prune(narrow, filter, "k", "k"))
  }

  test("a large filter stands in no plan") {
    val filter = BloomJoin.build(spark.range(200000), 0.001, "id")
    val plan = BloomJoin.prune(spark.range(10), filter, "id").queryExecution
    assert(plan.toString.length < 10000)
  }

  test("a filter is saved in place of another, on any file system") {
    val path = s"file://$directory/kept/keys.bloom"
    for (n <- Seq(10, 100000)) {
      val filter = BloomJoin.build(spark.range(n), 0.01, "id")
      BloomJoin.save(spark, filter, path)
      assert(BloomJoin.load(spark, path).toSeq == filter.toSeq)
    }
    val beside =
      Files.list(directory.resolve("kept")).iterator().asScala.map(_.getFileName.toString)
    assert(beside.filterNot(_.endsWith(".crc")).toSeq == Seq("keys.bloom"))
  }

  test("an interrupted save leaves the old filter, and nothing beside it") {
    val folder = Files.createDirectory(directory.resolve("target"))
    val path = folder.resolve("keys.bloom")
    Files.createDirectories(path.resolve("in the way"))
    val filter = BloomJoin.build(spark.range(10), 0.01, "id")
    val error = intercept[UncheckedIOException](BloomJoin.save(spark, filter, path.toString))
    assert(error.getMessage.contains("keys.bloom"))
    assert(Files.list(folder).iterator().asScala.map(_.getFileName.toString)
      .filterNot(_.endsWith(".crc")).toSeq == Seq("keys.bloom"))
  }

  test("a file that is missing, damaged or no filter is refused with its path") {
    val filter = BloomJoin.build(spark.range(1000), 0.01, "id")
    val damaged = filter.clone()
    damaged(filter.length / 2) = (damaged(filter.length / 2) ^ 1).toByte
    val version = filter.clone()
    version(4) = 2
    for (
      (name, bytes, why) <- Seq(
        ("damaged", damaged, "Checksum"),
        ("version", version, "Version"),
        ("short", filter.take(100), "end"),
        ("long", filter :+ 0.toByte, "follow"),
        ("text", "hello".getBytes, "no filter")
      )
    ) {
      val path = Files.write(directory.resolve(name), bytes)
      val error = intercept[UncheckedIOException](BloomJoin.load(spark, path.toString))
      assert(error.getMessage.contains(path.toString) && error.getMessage.contains(why))
    }
    intercept[UncheckedIOException](BloomJoin.load(spark, s"$directory/nowhere"))
  }

  test("new keys are added to a kept filter") {
    val kept = BloomJoin.build(ids(0 until 1000), 5000, 0.01, "id")
    val grown = BloomJoin.add(kept, ids(1000 until 3000), "id")
    assert(grown.toSeq.length >= kept.length)
    val rebuilt = BloomJoin.build(ids(0 until 3000), 5000, 0.01, "id")
    assert(FilterFormat.fromBytes(grown).filter == FilterFormat.fromBytes(rebuilt).filter)
    assert(math.abs(metadata(grown).keyCount - 3000) < 60)
    val error = intercept[IllegalArgumentException](
      BloomJoin.add(kept, spark.sql("select 'a' as k"), "k")
    )
    assert(error.getMessage.contains("(bigint)") && error.getMessage.contains("(string)"))
  }

  test("keys are not added to a classic filter") {
    val builder = ClassicBloomFilterBuilder.byAccuracy(10, 0.1)
    val classic = FilterFormat.toBytes(builder.build(), FilterMetadata.UNKNOWN)
    val error = intercept[IllegalArgumentException](BloomJoin.add(classic, spark.range(1), "id"))
    assert(error.getMessage.contains("ClassicBloomFilter"))
  }

  test("a filter knows when its source has changed") {
    val path = directory.resolve("source").toString
    def source: DataFrame = spark.read.parquet(path)
    spark.range(0, 100, 1, 2).write.parquet(path)
    val before = source
    val filter = BloomJoin.withSource(BloomJoin.build(before, 0.01, "id"), before)
    val properties = metadata(filter).properties.asScala
    assert(properties("source").endsWith("/source"))
    assert(properties("source.files") == "2")
    assert(properties.contains("built"))
    assert(!BloomJoin.isStale(filter, before))
    assert(!BloomJoin.isStale(filter, source.where("id > 5").select("id")))
    spark.range(100, 200, 1, 1).write.mode("append").parquet(path)
    assert(BloomJoin.isStale(filter, before))
    assert(BloomJoin.isStale(filter, source))
    // an append during the build is noticed too: the state noted is the one that was read
    val again = source
    val stamped = {
      val bytes = BloomJoin.build(again, 0.01, "id")
      spark.range(200, 300, 1, 1).write.mode("append").parquet(path)
      BloomJoin.withSource(bytes, again)
    }
    assert(BloomJoin.isStale(stamped, source))
    val added = BloomJoin.add(filter, spark.range(100, 300), "id")
    intercept[IllegalArgumentException](BloomJoin.isStale(added, source))
    assert(!BloomJoin.isStale(BloomJoin.withSource(added, source), source))
  }

  test("a partitioned table and a reader of the second version have states too") {
    spark.range(100).selectExpr("id", "id % 3 as p").write.partitionBy("p").saveAsTable("parts")
    val table = spark.table("parts")
    val filter = BloomJoin.withSource(BloomJoin.build(table, 0.01, "id"), table)
    assert(!BloomJoin.isStale(filter, spark.table("parts")))
    spark.sql("insert into parts values (1000, 1)")
    assert(BloomJoin.isStale(filter, spark.table("parts")))
    withConf("spark.sql.sources.useV1SourceList" -> "") {
      val path = directory.resolve("v2").toString
      spark.range(10).write.orc(path)
      val kept = BloomJoin.withSource(filter, spark.read.orc(path))
      assert(!BloomJoin.isStale(kept, spark.read.orc(path)))
      spark.range(10).write.mode("append").orc(path)
      assert(BloomJoin.isStale(kept, spark.read.orc(path)))
    }
  }

  test("a table with versions is stale when its version is another") {
    def source: DataFrame = spark.read.format(classOf[VersionedTables].getName).load()
    VersionedTables.version = "17"
    val filter = BloomJoin.withSource(BloomJoin.build(spark.range(10), 0.01, "id"), source)
    assert(metadata(filter).properties.get("source") == "versioned")
    assert(!BloomJoin.isStale(filter, source))
    VersionedTables.version = "18"
    assert(BloomJoin.isStale(filter, source))
    VersionedTables.version = null
    assert(intercept[IllegalArgumentException](BloomJoin.isStale(filter, source))
      .getMessage.contains("tables with versions"))
  }

  test("a source without a state is refused") {
    val filter = BloomJoin.build(spark.range(10), 0.01, "id")
    val error = intercept[IllegalArgumentException](BloomJoin.withSource(filter, spark.range(10)))
    assert(error.getMessage.contains("Range"))
    assert(intercept[IllegalArgumentException](BloomJoin.isStale(filter, spark.range(10)))
      .getMessage.contains("withSource"))
  }

  test("build nightly, keep, probe from other jobs, refresh") {
    val kept = s"$directory/nightly.bloom"
    table("customers", spark.range(0, 2000).selectExpr("id as c", "id % 10 as region"))
    table("orders", spark.range(0, 40000).selectExpr("id", "id % 20000 as c"))
    val some = spark.table("customers").where("region = 3")
    BloomJoin.save(spark, BloomJoin.withSource(BloomJoin.build(some, 0.01, "c"), some), kept)

    for (job <- 1 to 2) {
      val session = spark.newSession()
      val filter = BloomJoin.load(session, kept)
      assert(!BloomJoin.isStale(filter, session.read.parquet(s"$directory/customers")))
      val orders = session.read.parquet(s"$directory/orders")
      val customers = session.read.parquet(s"$directory/customers").where("region = 3")
      val pruned = BloomJoin.prune(orders, filter, "c")
      assert(pruned.count() < orders.count() / 20)
      assert(sorted(pruned.join(customers, "c").collect().toSeq) ==
        sorted(orders.join(customers, "c").collect().toSeq))
    }
  }
}

/** A source whose table states a version and has no rows to read. */
class VersionedTables extends TableProvider {
  override def inferSchema(options: CaseInsensitiveStringMap): StructType =
    StructType.fromDDL("id bigint")

  override def getTable(
      schema: StructType,
      partitioning: Array[Transform],
      properties: util.Map[String, String]
  ): Table = new Table with SupportsRead {
    override def name(): String = "versioned"
    override def columns(): Array[Column] = Array(Column.create("id", LongType))
    override def version(): String = VersionedTables.version
    override def capabilities(): util.Set[TableCapability] =
      util.Set.of(TableCapability.BATCH_READ)
    override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder =
      throw new UnsupportedOperationException
  }
}

private object VersionedTables {
  @volatile var version: String = _
}
