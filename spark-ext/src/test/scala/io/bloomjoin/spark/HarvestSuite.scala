package io.bloomjoin.spark

import io.bloomjoin.filter._
import java.io.UncheckedIOException
import java.nio.file.{Files, Paths}
import org.apache.spark.sql.DataFrame
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Seconds, Span}

/** Filters that are taken from the Bloom filters of Parquet files. */
class HarvestSuite extends PruneSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(30, Seconds))

  private val keys = 3000

  /** Writes rows with Bloom filters on `k`, and reads them. */
  private def written(name: String, rows: DataFrame, options: (String, String)*): DataFrame = {
    val path = s"$directory/$name"
    rows.write
      .option("parquet.bloom.filter.enabled#k", "true")
      .option("parquet.bloom.filter.max.bytes", "16384")
      .option("parquet.enable.dictionary", "false")
      .options(options.toMap)
      .parquet(path)
    spark.read.parquet(path)
  }

  private def ids: DataFrame = spark.range(0, keys, 1, 3).selectExpr("id as k")

  private def harvested(source: DataFrame, column: String = "k"): Array[Byte] =
    BloomJoin.harvest(source, column).get

  /** It has the bits that its rows give at its size. */
  private def assertExact(filter: Array[Byte], rows: DataFrame, column: String): Unit = {
    val found = FilterFormat.fromBytes(filter).filter.asInstanceOf[SplitBlockBloomFilter]
    val none = SplitBlockBloomFilterBuilder.withBlocks(found.blocks).build()
    val expected =
      BloomJoin.add(FilterFormat.toBytes(none, FilterMetadata.UNKNOWN), rows, column)
    assert(found == FilterFormat.fromBytes(expected).filter)
  }

  private def refusal(source: DataFrame, column: String = "k"): String =
    intercept[IllegalArgumentException](BloomJoin.harvest(source, column)).getMessage

  test("the filters of all files are one filter, and no row is read") {
    val source = written("all", ids)
    val log = new JobLog
    spark.sparkContext.addSparkListener(log)
    val filter =
      try {
        val found = harvested(source)
        spark.sparkContext.parallelize(Seq(1)).count() // its start is told after all others
        eventually(assert(log.jobs > 0))
        assert(log.jobs == 1)
        found
      } finally spark.sparkContext.removeSparkListener(log)
    assertExact(filter, source, "k")
    val stored = FilterFormat.fromBytes(filter)
    assert(math.abs(stored.metadata.keyCount - keys) < keys / 20)
    assert(stored.metadata.keyTypes == java.util.List.of("bigint"))
    val foreign = BloomJoin.prune(spark.range(100000, 200000).toDF("k"), filter, "k").count()
    assert(math.abs(foreign / 100000.0 - stored.filter.fpp) < 0.01)
  }

  test("keys of every type with Parquet's hash, negative ones and nulls too") {
    val types = Seq("tinyint", "smallint", "int", "bigint", "decimal(18,2)").map(t =>
      t -> s"cast(id % 100 as $t)"
    ) ++ Seq(
      "date" -> "date_add(date'1500-01-01', cast(id * 100 as int))",
      "timestamp" -> "timestamp_micros(id * 98765432101)",
      "timestamp_ntz" -> "cast(timestamp_micros(id * 98765432101) as timestamp_ntz)",
      "string" -> "concat('é😀', id)",
      "binary" -> "cast(concat('b', id) as binary)"
    )
    withConf("spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS") {
      for ((name, key) <- types) {
        val rows = spark.range(-500, 500).selectExpr(s"if(id % 7 = 0, null, $key) as k")
        val source = written(name, rows)
        assert(source.schema.head.dataType.catalogString == name)
        assertExact(harvested(source), rows, "k")
      }
    }
  }

  test("dictionaries stand in for filters") {
    val rows = ids.selectExpr("k % 10 as k")
    val source = written("dictionary", rows, "parquet.enable.dictionary" -> "true")
    assertExact(harvested(source), rows, "k")
  }

  test("columns that are chosen, renamed, in views, tables and partitions") {
    val source = written("chosen", ids.selectExpr("k", "'x' as x"))
    val expected = harvested(source).toSeq
    assert(harvested(source.selectExpr("x", "k as other"), "other").toSeq == expected)
    assert(harvested(source.as("t"), "t.K").toSeq == expected)
    source.createOrReplaceTempView("chosen")
    assert(harvested(spark.sql("select k as id from chosen"), "id").toSeq == expected)
    spark.sql(s"create table kept (k bigint, x string) using parquet location '$directory/chosen'")
    assert(harvested(spark.table("kept")).toSeq == expected)
    spark.sql("create view seen as select k as id from kept")
    assert(harvested(spark.table("seen"), "id").toSeq == expected)
    val path = s"$directory/parts"
    for (p <- 0 to 2) written(s"parts/p=$p", ids.where(s"k % 3 = $p"))
    assertExact(harvested(spark.read.parquet(path)), ids, "k")
    assert(refusal(spark.read.parquet(path), "p").contains("p is not in the files"))
  }

  test("a row group without a filter: there is none") {
    val path = s"$directory/lacking"
    written("lacking", ids)
    spark.range(10).toDF("k").write.mode("append")
      .option("parquet.enable.dictionary", "false").parquet(path)
    assert(BloomJoin.harvest(spark.read.parquet(path), "k").isEmpty)
  }

  test("a dataset whose keys are not those of the files is refused, and told why") {
    val source = written("refused", ids)
    assert(refusal(source.where("k > 5")).contains("has Filter"))
    assert(refusal(source.limit(5)).contains("Limit"))
    assert(refusal(source.selectExpr("k + 1 as k")).contains("k is computed"))
    assert(refusal(spark.range(5).toDF("k")).contains("has Range"))
    ids.write.orc(s"$directory/orc")
    assert(refusal(spark.read.orc(s"$directory/orc")).contains("Parquet"))
  }

  test("a column whose hashes are others in the files is refused") {
    val narrow = ids.selectExpr("cast(k as int) as k")
    written("narrow", narrow)
    val wide = spark.read.schema("k bigint").parquet(s"$directory/narrow")
    assert(refusal(wide).contains("k is bigint in the dataset and int in the files"))
    ids.write.option("parquet.bloom.filter.enabled#k", "true").mode("append")
      .parquet(s"$directory/narrow")
    assert(refusal(wide.union(wide)).contains("has Union"))
    val both = spark.read.schema("k bigint").parquet(s"$directory/narrow")
    assert(refusal(both).contains("k is "))
    assert(refusal(written("double", ids.selectExpr("k + 0.5D as k"))).contains("another way"))
    val ancient = spark.range(100).selectExpr("date_add(date'1500-01-01', cast(id as int)) as k")
    withConf("spark.sql.parquet.datetimeRebaseModeInWrite" -> "LEGACY") {
      assert(refusal(written("ancient", ancient)).contains("calendar of Spark 2"))
    }
    val modern = written("modern", ancient)
    assertExact(harvested(modern), ancient, "k")
    val converted =
      spark.read.option("datetimeRebaseMode", "LEGACY").parquet(s"$directory/modern")
    assert(refusal(converted).contains("calendar of Spark 2"))
  }

  test("files that cannot be read are told with their column") {
    val source = written("gone", ids)
    Files.list(Paths.get(s"$directory/gone")).forEach(file => Files.delete(file))
    val error = intercept[UncheckedIOException](BloomJoin.harvest(source, "k"))
    assert(error.getMessage.contains("column k"))
  }

  test("a large table is pruned by the filter of a small one's files") {
    val small = written("small", ids.selectExpr("k * 10 as k", "'s' as s"))
    val large = spark.range(0, 60000).selectExpr("id as k", "id % 7 as v")
    everyMode.foreach { mode =>
      withConf(mode: _*) {
        val pruned = BloomJoin.prune(large, harvested(small), "k")
        assert(pruned.count() < 60000 / 2)
        assert(sorted(pruned.join(small, "k").collect().toSeq) ==
          sorted(large.join(small, "k").collect().toSeq))
      }
    }
  }
}
