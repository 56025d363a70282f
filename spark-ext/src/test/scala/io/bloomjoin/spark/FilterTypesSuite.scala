package io.bloomjoin.spark

import io.bloomjoin.filter.{FilterCollector, FilterFormat, FilterGoal}
import io.bloomjoin.key.KeyHash
import org.apache.spark.sql.Row
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types.DecimalType
import scala.jdk.CollectionConverters._

/** Kept filters over keys of every type. */
class FilterTypesSuite extends PruneSuite with TypedColumns {

  /** Generated code that does not compile fails the query. */
  override protected def sessionConf: Map[String, String] =
    Map("spark.sql.codegen.fallback" -> "false")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    val rows = spark.range(-2000, 2000).selectExpr("id as n", "id % 2 = 0 as p")
      .selectExpr(Seq("n", "p") ++ columns.map { case (name, value) =>
        s"if(n % 48 = 0 and n <> 0 and n <> 1984, null, $value) as $name"
      }: _*)
    table("typed", rows, files = 5)
  }

  for ((name, _) <- columns)
    test(s"$name keys: SQL and Java build the same bytes, and deny no key") {
      val typed = spark.table("typed")
      val sql = typed.agg(expr(s"bloom_agg($name, fpp => 0.001)")).head().getAs[Array[Byte]](0)
      val java = BloomJoin.build(typed, 0.001, name)
      assert(sql.toSeq == java.toSeq)
      val keys = typed.select(name).where(s"$name is not null")
      twoModes.foreach { mode =>
        withConf(mode: _*) {
          assert(BloomJoin.prune(typed, sql, name).count() == keys.count())
          val asked = typed.withColumn("f", lit(sql)).select(expr(s"bloom_might_contain(f, $name)"))
          assert(asked.collect().forall(r => r.isNullAt(0) || r.getBoolean(0)))
        }
      }
      val info = FilterFormat.fromBytes(sql).metadata
      assert(info.keyTypes.asScala.toSeq == Seq(typed.schema(name).dataType.catalogString))
      // -0.0 and 0.0 are one key, as every join finds
      assert(info.keyCount == keys.distinct().count())
    }

  test("SQL's hashes are those of KeyHash") {
    def decimal(name: String): (String, Any => Long) =
      spark.table("typed").schema(name).dataType match {
        case t: DecimalType =>
          name -> { case v: java.math.BigDecimal => KeyHash.ofDecimal(v, t.precision, t.scale) }
      }
    val hash: Map[String, Any => Long] = Map(
      decimal("decimal_10_2"),
      decimal("decimal_19_2"),
      decimal("decimal_38_10"),
      "boolean" -> { case v: Boolean => KeyHash.ofInt(if (v) 1 else 0) },
      "tinyint" -> { case v: Byte => KeyHash.ofInt(v.toInt) },
      "smallint" -> { case v: Short => KeyHash.ofInt(v.toInt) },
      "int" -> { case v: Int => KeyHash.ofInt(v) },
      "bigint" -> { case v: Long => KeyHash.ofLong(v) },
      "float" -> { case v: Float => KeyHash.ofFloat(v) },
      "double" -> { case v: Double => KeyHash.ofDouble(v) },
      "string" -> { case v: String => KeyHash.ofString(v) },
      "binary" -> { case v: Array[Byte] => KeyHash.ofBytes(v) }
    )
    for ((name, hashOf) <- hash) {
      val typed = spark.table("typed")
      val collector = new FilterCollector(FilterGoal.ofFpp(0.01))
      val values = typed.select(name).collect().toSeq.filterNot(_.isNullAt(0)).map(_.get(0))
      values.foreach(value => collector.add(hashOf(value)))
      val stored = collector.finish(Seq(typed.schema(name).dataType.catalogString).asJava)
      val bytes = FilterFormat.toBytes(stored.filter, stored.metadata)
      assert(bytes.toSeq == BloomJoin.build(typed, 0.01, name).toSeq, name)
    }
  }

  test("keys of several columns: the hash of one is the seed of the next") {
    val typed = spark.table("typed")
    val collector = new FilterCollector(FilterGoal.ofFpp(0.01))
    typed.select("int", "string", "n").collect().foreach {
      case Row(i: Int, s: String, n: Long) =>
        collector.add(KeyHash.ofLong(n, KeyHash.ofString(s, KeyHash.ofInt(i))))
      case _ =>
    }
    val stored = collector.finish(Seq("int", "string", "bigint").asJava)
    val bytes = FilterFormat.toBytes(stored.filter, stored.metadata)
    assert(bytes.toSeq == BloomJoin.build(typed, 0.01, "int", "string", "n").toSeq)
    val sql = typed.agg(expr("bloom_agg(int, string, n)")).head().getAs[Array[Byte]](0)
    assert(bytes.toSeq == sql.toSeq)
  }
}
