package io.bloomjoin.spark.build

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.spark.SparkConf
import org.apache.spark.serializer.KryoSerializer
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.scalatest.funsuite.AnyFunSuite

/** What is known of a column is right, however its values were split and merged. */
class ColumnValuesSuite extends AnyFunSuite {
  private val limit = 5

  /** A task's knowledge of {@code values} after its way to another task. */
  private def sent(dataType: DataType, values: Seq[Any]): Array[Long] = {
    val column = new ColumnValues(dataType, limit)
    values.foreach(value => column.add(value))
    val out = new java.util.ArrayList[java.lang.Long]
    column.writeTo(out)
    out.asScala.map(_.longValue).toArray
  }

  private def known(dataType: DataType, parts: Seq[Seq[Any]]): KeyValues = {
    val factory = new KeyCollector.Factory(java.util.List.of(dataType), limit)
    factory.known(parts.map(sent(dataType, _)).fold(KeyCollector.ZERO)(factory.merge)).get(0)
  }

  private def assertListed(values: KeyValues, expected: Set[Any]): Unit = values match {
    case listed: KeyValues.Listed =>
      assert(listed.values.size == expected.size && listed.values.asScala.toSet == expected)
    case other => fail(s"$other")
  }

  private def text(value: String): UTF8String = UTF8String.fromString(value)

  test("few values are listed, in the form that Spark holds them in") {
    val extremes = Seq(Long.MinValue, -1L, 0L, Long.MaxValue)
    for (dataType <- Seq(LongType, TimestampType, TimestampNTZType))
      assertListed(known(dataType, Seq(extremes, extremes.take(1), Nil)), extremes.toSet)
    for (dataType <- Seq(IntegerType, DateType))
      assertListed(
        known(dataType, Seq(Seq(Int.MinValue), Seq(0, Int.MaxValue))),
        Set(Int.MinValue, 0, Int.MaxValue)
      )
    assertListed(known(ShortType, Seq(Seq(-3.toShort), Seq(7.toShort))), Set(-3.toShort, 7.toShort))
    assertListed(known(ByteType, Seq(Seq(-3.toByte), Seq(7.toByte))), Set(-3.toByte, 7.toByte))
    val texts = Seq("", "a", "eight by", "nine byte", "é" * 100).map(text)
    assertListed(known(StringType, texts.map(Seq(_)) :+ texts), texts.toSet)
  }

  test("more values than the limit have bounds, and strings nothing") {
    for (split <- 1 to 6) {
      val numbers = (1L to 6L).map(_ * 10)
      val parts = numbers.grouped(split).toSeq
      assert(known(LongType, parts) == new KeyValues.Between(10L, 60L))
      assert(known(IntegerType, parts.map(_.map(_.toInt))) == new KeyValues.Between(10, 60))
      val texts = parts.map(_.map(number => text(number.toString)))
      assert(known(StringType, texts) == new KeyValues.Unknown)
    }
  }

  test("a string that is too long for a list ends the list") {
    assertListed(known(StringType, Seq(Seq(text("x" * 256)))), Set(text("x" * 256)))
    assert(known(StringType, Seq(Seq(text("x" * 257)), Seq(text("y")))) == new KeyValues.Unknown)
  }

  test("of types without a safe order nothing is known") {
    val values = Seq[(DataType, Any)](
      DoubleType -> 1.0,
      FloatType -> 1.0f,
      BooleanType -> true,
      DecimalType(9, 2) -> Decimal(1),
      BinaryType -> Array[Byte](1),
      StringType("UTF8_LCASE") -> text("a")
    )
    for ((dataType, value) <- values) {
      val column = new ColumnValues(dataType, limit)
      assert(!column.isOpen)
      column.add(value)
      assert(column.known() == new KeyValues.Unknown)
      assert(known(dataType, Seq(Seq(value), Nil)) == new KeyValues.Unknown)
    }
  }

  test("a listed string outlives the row that it was read from") {
    val bytes = "abc".getBytes
    val column = new ColumnValues(StringType, limit)
    column.add(UTF8String.fromBytes(bytes))
    bytes(0) = 'x'
    assertListed(column.known(), Set(text("abc")))
  }

  test("columns are told apart, merges in any order agree") {
    val types = java.util.List.of[DataType](LongType, DoubleType, StringType, IntegerType)
    val factory = new KeyCollector.Factory(types, limit)
    def part(seed: Int): Array[Long] =
      sent(LongType, Seq(seed.toLong)) ++ sent(DoubleType, Seq(0.5)) ++
        sent(StringType, Seq(text(s"s${seed % 3}"))) ++ sent(IntegerType, Seq(-seed, seed))
    for (seed <- 1 to 5) {
      val parts = new Random(seed).shuffle((0 until 20).toList).map(part)
      val merged = factory.known(parts.fold(KeyCollector.ZERO)(factory.merge))
      assert(merged.get(0) == new KeyValues.Between(0L, 19L))
      assert(merged.get(1) == new KeyValues.Unknown)
      assertListed(merged.get(2), Set("s0", "s1", "s2").map(text))
      assert(merged.get(3) == new KeyValues.Between(-19, 19))
    }
    assert(factory.known(KeyCollector.ZERO).isEmpty)
  }

  test("what goes between tasks needs no class registered with Kryo") {
    val conf = new SparkConf(false).set("spark.kryo.registrationRequired", "true")
    val kryo = new KryoSerializer(conf).newInstance()
    val partial = (PartialFilter.ZERO, sent(LongType, Seq(1L, 2L)))
    val (bits, values) = kryo.deserialize[(Array[Long], Array[Long])](kryo.serialize(partial))
    assert(bits.isEmpty && values.sameElements(partial._2))
  }
}
