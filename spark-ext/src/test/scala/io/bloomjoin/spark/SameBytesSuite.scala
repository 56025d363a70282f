package io.bloomjoin.spark

import io.bloomjoin.filter.{FilterFormat, FilterGoal}
import io.bloomjoin.hadoop.job.{FilterBuildJob, InputFormatKind, KeyedInput, TextLayout}
import io.bloomjoin.key.KeyType
import java.nio.file.Files
import java.util.{Map => JavaMap}
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.io._
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.expr
import scala.jdk.CollectionConverters._

/** SQL, Java and MapReduce build the same bytes over the same keys. */
class SameBytesSuite extends PruneSuite with TypedColumns {

  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.datetime.java8API.enabled" -> "true")

  private val goal = FilterGoal.ofFpp(0.001)

  /** The types that MapReduce jobs know. */
  private val carried = columns.filter { case (name, _) => !isSparkOnly(name) }

  private def isSparkOnly(name: String): Boolean =
    Set("year_month", "day_time", "struct", "floats", "array", "strings", "structs")(name)

  private def typed: DataFrame = spark.range(-2000, 2000).selectExpr("id as n", "id % 2 = 0 as p")
    .selectExpr("n" +: carried.map { case (name, value) =>
      s"if(n % 48 = 0 and n <> 0 and n <> 1984, null, $value) as $name"
    }: _*)

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table("typed", typed, files = 5)
    table("typed_in_one_file", typed, files = 1)
  }

  for ((name, _) <- carried) test(s"$name keys in Parquet files") {
    val expected = sparkBytes(spark.table("typed"), name)
    assert(hadoopBytes(parquet("typed", name), fanIn = 2) == expected, "in levels")
    assert(hadoopBytes(parquet("typed_in_one_file", name)) == expected, "by one mapper")
  }

  for {
    (key, value) <- Seq(
      "spark.sql.parquet.outputTimestampType" -> "INT96",
      "spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS",
      "spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MILLIS",
      "spark.sql.parquet.writeLegacyFormat" -> "true"
    )
  } test(s"keys in Parquet files written with $key=$value") {
    val name = s"typed_$value"
    withConf(key -> value)(table(name, typed, files = 3))
    for (column <- Seq("timestamp", "decimal_10_2", "decimal_19_2", "decimal_38_10"))
      assert(
        hadoopBytes(parquet(name, column)) == sparkBytes(spark.table(name), column),
        column
      )
  }

  for ((name, _) <- carried; if name != "binary") test(s"$name keys in text files") {
    val lines = spark.table("typed").select(name).collect().toSeq.map(row => text(row.get(0)))
    assert(hadoopBytes(textInput(s"text_$name", lines, name)) ==
      sparkBytes(spark.table("typed"), name))
  }

  private val writables = Seq[(String, Class[_ <: Writable], Any => Writable)](
    ("boolean", classOf[BooleanWritable], { case v: Boolean => new BooleanWritable(v) }),
    ("tinyint", classOf[ByteWritable], { case v: Byte => new ByteWritable(v) }),
    ("smallint", classOf[ShortWritable], { case v: Short => new ShortWritable(v) }),
    ("int", classOf[IntWritable], { case v: Int => new IntWritable(v) }),
    ("int", classOf[VIntWritable], { case v: Int => new VIntWritable(v) }),
    ("bigint", classOf[LongWritable], { case v: Long => new LongWritable(v) }),
    ("bigint", classOf[VLongWritable], { case v: Long => new VLongWritable(v) }),
    ("float", classOf[FloatWritable], { case v: Float => new FloatWritable(v) }),
    ("double", classOf[DoubleWritable], { case v: Double => new DoubleWritable(v) }),
    ("string", classOf[Text], { case v: String => new Text(v) }),
    ("binary", classOf[BytesWritable], { case v: Array[Byte] => new BytesWritable(v) })
  )

  for ((name, writable, wrap) <- writables)
    test(s"$name keys in SequenceFiles of ${writable.getSimpleName}") {
      val keys = spark.table("typed").select(name).where(s"$name is not null").collect()
        .map(row => wrap(row.get(0))).toSeq
      val folder = s"sequence_${writable.getSimpleName}"
      sequence(folder, keys.map(_ -> NullWritable.get))
      val input = keyed(InputFormatKind.SEQUENCE, folder, Seq("key"))
      assert(hadoopBytes(input) == sparkBytes(spark.table("typed"), name))
    }

  test("keys of several columns") {
    val key = Seq("int", "string", "decimal_38_10", "date", "n")
    val rows = spark.table("typed").select(key.head, key.tail: _*)
    val expected = sparkBytes(spark.table("typed"), key: _*)
    assert(hadoopBytes(parquet("typed", key: _*), fanIn = 3) == expected)
    val lines = rows.collect().toSeq.map(_.toSeq.map(text).mkString("\t"))
    assert(hadoopBytes(textInput("text_composite", lines, key: _*)) == expected)

    val pairs = spark.table("typed").select("n", "string").where("string is not null").collect()
      .toSeq.collect { case Row(n: Long, s: String) => (new LongWritable(n), new Text(s"x\t$s")) }
    sequence("sequence_composite", pairs)
    val input = keyed(InputFormatKind.SEQUENCE, "sequence_composite", Seq("key", "value.2"))
    assert(hadoopBytes(input) == sparkBytes(spark.table("typed"), "n", "string"))
  }

  test("no keys, and room for more keys than there are") {
    table("none", spark.range(0).toDF("id"), files = 1)
    assert(hadoopBytes(parquet("none", "id")) == sparkBytes(spark.table("none"), "id"))
    val room = new FilterGoal(1000000, 0.02)
    val sql = spark.table("typed").agg(
      expr("bloom_agg(int, expected_keys => 1000000, fpp => 0.02)")
    ).head().getAs[Array[Byte]](0)
    assert(sql.toSeq == BloomJoin.build(spark.table("typed"), 1000000L, 0.02, "int").toSeq)
    assert(hadoopBytes(parquet("typed", "int"), room) == sql.toSeq)
  }

  test("more keys than are kept as hashes") {
    table("many", spark.range(0, 6500000).toDF("id"), files = 3)
    val expected = sparkBytes(spark.table("many"), "id")
    assert(hadoopBytes(parquet("many", "id"), fanIn = 2) == expected)
  }

  /** What `bloom_agg` and `BloomJoin.build` both give. */
  private def sparkBytes(rows: DataFrame, key: String*): Seq[Byte] = {
    val sql = rows.agg(expr(s"bloom_agg(${key.mkString(", ")}, fpp => ${goal.fpp})")).head()
      .getAs[Array[Byte]](0)
    assert(sql.toSeq == BloomJoin.build(rows, goal.fpp, key: _*).toSeq)
    sql.toSeq
  }

  /** What the job writes to the file; in levels, if there are more mappers than `fanIn`. */
  private def hadoopBytes(
      input: KeyedInput,
      goal: FilterGoal = goal,
      fanIn: Int = 64
  ): Seq[Byte] = {
    val configuration = new Configuration(spark.sparkContext.hadoopConfiguration)
    configuration.set("hadoop.tmp.dir", directory.resolve("tmp").toString)
    configuration.setInt("mapreduce.client.completion.pollinterval", 10) // milliseconds
    configuration.setInt(FilterBuildJob.FAN_IN, fanIn)
    val file = directory.resolve("filter")
    val stored =
      new FilterBuildJob(configuration, input, goal).run(new Path(file.toUri), JavaMap.of())
    val bytes = Files.readAllBytes(file)
    assert(bytes.toSeq == FilterFormat.toBytes(stored.filter, stored.metadata).toSeq)
    bytes.toSeq
  }

  private def parquet(folder: String, key: String*): KeyedInput =
    keyed(InputFormatKind.PARQUET, folder, key)

  private def keyed(
      format: InputFormatKind,
      folder: String,
      key: Seq[String],
      types: Seq[String] = Nil
  ): KeyedInput = new KeyedInput(
    format,
    Seq(new Path(directory.resolve(folder).toUri)).asJava,
    key.asJava,
    types.map(KeyType.parse).asJava,
    TextLayout.TABS
  )

  /** Lines in four files, whose fields are the columns of the key. */
  private def textInput(folder: String, lines: Seq[String], key: String*): KeyedInput = {
    Files.createDirectory(directory.resolve(folder))
    for ((part, i) <- lines.grouped(lines.size / 4 + 1).zipWithIndex)
      Files.write(directory.resolve(s"$folder/$i"), part.asJava)
    val types = key.map(name => spark.table("typed").schema(name).dataType.catalogString)
    keyed(InputFormatKind.TEXT, folder, key.indices.map(i => s"${i + 1}"), types)
  }

  private def text(value: Any): String = if (value == null) "\\N" else value.toString

  private def sequence(folder: String, rows: Seq[(Writable, Writable)]): Unit = {
    for ((part, i) <- rows.grouped(rows.size / 4 + 1).zipWithIndex) {
      val writer = SequenceFile.createWriter(
        new Configuration,
        SequenceFile.Writer.file(new Path(directory.resolve(s"$folder/$i").toUri)),
        SequenceFile.Writer.keyClass(rows.head._1.getClass),
        SequenceFile.Writer.valueClass(rows.head._2.getClass)
      )
      try part.foreach { case (key, value) => writer.append(key, value) }
      finally writer.close()
    }
  }
}
