package io.bloomjoin.spark.probe

import scala.jdk.CollectionConverters._
import scala.util.Random

import io.bloomjoin.filter.{SplitBlockBloomFilter, SplitBlockBloomFilterBuilder}
import io.bloomjoin.spark.catalyst.{JoinKeys, KeyNumber}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, Expression}
import org.apache.spark.sql.execution.vectorized.{OnHeapColumnVector, WritableColumnVector}
import org.apache.spark.sql.types._
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}
import org.scalatest.funsuite.AnyFunSuite

/** Batches are tested as rows are: the same hashes, the same answers, the same counts. */
class BatchProbeSuite extends AnyFunSuite {
  private val rows = 3000

  private type Put = (WritableColumnVector, Int, Random) => Unit

  private def columns: Seq[(DataType, Put)] = Seq(
    LongType -> ((v, i, r) => v.putLong(i, r.nextLong())),
    TimestampType -> ((v, i, r) => v.putLong(i, r.nextLong())),
    TimestampNTZType -> ((v, i, r) => v.putLong(i, r.nextLong())),
    IntegerType -> ((v, i, r) => v.putInt(i, r.nextInt())),
    DateType -> ((v, i, r) => v.putInt(i, -r.nextInt(1000000))),
    ShortType -> ((v, i, r) => v.putShort(i, r.nextInt().toShort)),
    ByteType -> ((v, i, r) => v.putByte(i, r.nextInt().toByte)),
    DecimalType(7, 2) -> ((v, i, r) => v.putInt(i, r.nextInt(9999999) - 5000000)),
    DecimalType(18, 4) -> ((v, i, r) => v.putLong(i, r.nextLong() % 1000000000000000000L)),
    StringType -> ((v, i, r) => v.putByteArray(i, ("é" * r.nextInt(20)).getBytes("UTF-8")))
  )

  private def batch(types: Seq[(DataType, Put)], nulls: Boolean, seed: Int): ColumnarBatch = {
    val random = new Random(seed)
    val vectors = types.map { case (dataType, put) =>
      val vector = new OnHeapColumnVector(rows, dataType)
      (0 until rows).foreach { i =>
        if (nulls && random.nextInt(5) == 0) vector.putNull(i) else put(vector, i, random)
      }
      vector: ColumnVector
    }
    new ColumnarBatch(vectors.toArray, rows)
  }

  private def keyOf(types: Seq[DataType]): (List[Expression], Seq[KeyColumn]) = {
    val references = types.zipWithIndex.map { case (t, i) => BoundReference(i, t, nullable = true) }
    val keys = types.zipWithIndex.map { case (t, i) => new KeyColumn(i, t) }
    (references.toList, keys)
  }

  private def check(types: Seq[(DataType, Put)], nulls: Boolean, maxPassRatio: Double): Unit = {
    val (references, keys) = keyOf(types.map(_._1))
    val hash = JoinKeys.hash(references.asJava)
    val anyNull = JoinKeys.anyNull(references.asJava)
    val batches = (1 to 5).map(batch(types, nulls, _))
    def allRows: Iterator[InternalRow] = batches.iterator.flatMap(_.rowIterator().asScala)
    val filter = {
      val builder = SplitBlockBloomFilterBuilder.withBlocks(256)
      allRows.zipWithIndex.foreach { case (row, i) =>
        if (i % 9 == 0 && !anyNull.eval(row).asInstanceOf[Boolean])
          builder.add(hash.eval(row).asInstanceOf[Long])
      }
      builder.build()
    }
    val byRow = RowProbe.of(filter, maxPassRatio)
    val byBatch = RowProbe.of(filter, maxPassRatio)
    val batchProbe = new BatchProbe(byBatch, keys.asJava)
    batches.foreach { batch =>
      val expected = (0 until rows).filter { i =>
        val row = batch.getRow(i)
        if (anyNull.eval(row).asInstanceOf[Boolean]) {
          byRow.dropNullKey()
          false
        } else byRow.mightContain(hash.eval(row).asInstanceOf[Long])
      }
      val count = batchProbe.select(batch)
      assert(batchProbe.selected().take(count).toSeq == expected)
    }
    assert(byBatch.rowsTested == byRow.rowsTested)
    assert(byBatch.rowsPruned == byRow.rowsPruned)
  }

  for (column <- columns; nulls <- Seq(false, true))
    test(s"a key of ${column._1.sql}${if (nulls) " with nulls" else ""}") {
      check(Seq(column), nulls, 1)
    }

  for (
    (dataType, put) <- columns if KeyNumber.of(dataType) != KeyNumber.NONE;
    nulls <- Seq(false, true)
  )
    test(s"a key of ${dataType.sql} in exact sets${if (nulls) " with nulls" else ""}") {
      val batches = (1 to 5).map(batch(Seq(dataType -> put), nulls, _))
      def keys = batches.iterator.flatMap(_.rowIterator().asScala).filterNot(_.isNullAt(0))
        .map(row => row.get(0, dataType).asInstanceOf[Number].longValue).toSeq
      val few = keys.take(500).distinct
      val sets =
        Seq(KeyTable.of(few.toArray), bitmap(few.filter(k => k >= -64 && k < 6400), -64, 101))
      for (set <- sets; maxPassRatio <- Seq(1.0, 0.01)) {
        val byRow = RowProbe.of(set, maxPassRatio)
        val byBatch = RowProbe.of(set, maxPassRatio)
        val batchProbe = new BatchProbe(byBatch, Seq(new KeyColumn(0, dataType)).asJava)
        batches.foreach { batch =>
          val expected = (0 until rows).filter { i =>
            val row = batch.getRow(i)
            if (row.isNullAt(0)) {
              byRow.dropNullKey()
              false
            } else {
              val key = row.get(0, dataType).asInstanceOf[Number].longValue
              val before = byRow.rowsTested
              val passes =
                if (KeyNumber.of(dataType) == KeyNumber.INT) byRow.mightContainInt(key.toInt)
                else byRow.mightContainLong(key)
              if (byRow.rowsTested > before) assert(passes == set.contains(key))
              else assert(passes)
              passes
            }
          }
          val count = batchProbe.select(batch)
          assert(batchProbe.selected().take(count).toSeq == expected)
        }
        assert(byBatch.rowsTested == byRow.rowsTested && byBatch.rowsPruned == byRow.rowsPruned)
      }
    }

  private def bitmap(keys: Seq[Long], first: Long, words: Int): KeyBitmap = {
    val bits = new Array[Long](words)
    keys.foreach(k => bits(((k - first) >>> 6).toInt) |= 1L << (k - first))
    new KeyBitmap(bits, first)
  }

  test("every type that is probed in batches is tested here") {
    val tested = columns.map(_._1)
    tested.foreach(t => assert(KeyColumn.isSupported(t), t))
    val others = Seq(
      BooleanType,
      FloatType,
      DoubleType,
      BinaryType,
      DecimalType(19, 0),
      StringType("UTF8_LCASE"),
      ArrayType(LongType),
      new StructType().add("a", LongType)
    )
    others.foreach(t => assert(!KeyColumn.isSupported(t), t))
  }

  test("composite keys") {
    for (a <- columns.take(4); b <- columns.drop(3)) {
      check(Seq(a, b), nulls = false, 1)
      check(Seq(a, b), nulls = true, 1)
    }
    check(columns, nulls = true, 1)
  }

  test("a probe that rests rests at the same rows") {
    check(columns.take(1), nulls = false, 0.05)
    check(columns.take(1), nulls = true, 0.05)
    check(columns.take(1), nulls = false, 0)
  }

  test("a batch of another size, and an empty one") {
    val probe = new BatchProbe(
      RowProbe.of(SplitBlockBloomFilter.ofWords(Array.fill(4)(-1L)), 1),
      Seq(new KeyColumn(0, LongType)).asJava
    )
    val vector = new OnHeapColumnVector(rows, LongType)
    (0 until rows).foreach(i => vector.putLong(i, i))
    for (size <- Seq(10, 0, rows, 1)) {
      val count = probe.select(new ColumnarBatch(Array[ColumnVector](vector), size))
      assert(probe.selected().take(count).toSeq == (0 until size))
    }
  }
}
