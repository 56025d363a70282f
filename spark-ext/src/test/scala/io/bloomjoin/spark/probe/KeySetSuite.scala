package io.bloomjoin.spark.probe

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Exact sets hold what a HashSet holds, and nothing else. */
class KeySetSuite extends AnyFunSuite {
  private val extremes = Seq(
    Long.MinValue,
    Long.MinValue + 1,
    Long.MaxValue,
    Long.MaxValue - 1,
    Int.MinValue.toLong,
    Int.MaxValue.toLong,
    -64L,
    -1L,
    0L,
    1L,
    63L,
    64L
  )

  /** The keys, their neighbours, those that share many bits with them, and others. */
  private def asked(keys: Seq[Long], seed: Long): Array[Long] = {
    val random = new Random(seed)
    val near = keys.flatMap { k =>
      Seq(k, k - 1, k + 1, k + 64, k - 64, ~k, -k, k + (1L << 32), k ^ Long.MinValue)
    }
    random.shuffle(near ++ extremes ++ Seq.fill(2000)(random.nextLong())).toArray
  }

  private def assertHolds(set: KeySet, keys: Seq[Long], seed: Long): Unit = {
    val expected = mutable.HashSet.from(keys)
    val questions = asked(keys, seed)
    assert(questions.find(k => set.contains(k) != expected(k)).isEmpty)
    val from = questions.length / 5
    val to = questions.length - 7
    val selected = new Array[Int](3 + to - from)
    val count = set.select(questions, from, to, selected, 3)
    assert(selected.slice(3, count).toSeq == (from until to).filter(i => expected(questions(i))))
    assert(selected.take(3).toSeq == Seq(0, 0, 0))
    assert(set.select(questions, from, from, selected, 3) == 3)
  }

  private def bitmap(keys: Seq[Long], first: Long, words: Int): KeyBitmap = {
    val bits = new Array[Long](words)
    keys.foreach(k => bits(((k - first) >>> 6).toInt) |= 1L << (k - first))
    new KeyBitmap(bits, first)
  }

  test("a bitmap holds its keys, wherever its range lies") {
    val origins = Seq(
      Long.MinValue,
      -1000000L,
      -64L,
      0L,
      1234567L,
      Int.MaxValue - 100L,
      Long.MaxValue - (64 * 37 - 1)
    )
    for (first <- origins; words <- Seq(1, 2, 37); seed <- 1 to 5) {
      val random = new Random(seed)
      val inRange = Seq.fill(random.nextInt(3 * words) + 1)(first + random.nextInt(64 * words))
      for (keys <- Seq(inRange, inRange :+ first :+ (first + 64L * words - 1), Seq.empty[Long]))
        assertHolds(bitmap(keys, first, words), keys, seed)
    }
  }

  test("a bitmap whose numbers are no longs, or that has none, is refused") {
    for (first <- Seq(Long.MaxValue, Long.MaxValue - 62)) {
      val refused = intercept[IllegalArgumentException](new KeyBitmap(new Array[Long](1), first))
      assert(refused.getMessage.contains(first.toString))
    }
    new KeyBitmap(new Array[Long](1), Long.MaxValue - 63)
    intercept[IllegalArgumentException](new KeyBitmap(Array.empty[Long], 0))
  }

  test("a table holds its keys, few or many, close together or far apart") {
    for (
      count <- Seq(1, 2, 3, 4, 7, 8, 63, 64, 500, 511, 512, 999, KeyTable.MAX_KEYS); seed <- 1 to 5
    ) {
      val random = new Random(seed)
      def draw(next: => Long): Seq[Long] = LazyList.continually(next).distinct.take(count).toList
      val sets = Seq(
        draw(random.nextLong()),
        draw(random.nextInt(5 * count) - 7L),
        draw((random.nextInt(5 * count) - 7L) << 32),
        draw(random.nextInt()),
        (extremes ++ draw(random.nextLong())).distinct.take(count)
      )
      for (keys <- sets) {
        val table = KeyTable.of(keys.toArray)
        assert(table.words().length * 8L == KeyTable.sizeInBytes(count))
        assert(table.words().length <= 2048)
        assertHolds(table, keys, seed)
        assertHolds(new KeyTable(table.words(), table.parameter()), keys, seed)
      }
    }
  }

  test("a table of the number that free places could have held") {
    for (keys <- Seq(Seq(0L), Seq(0L, 1L), Seq(1L), Seq(-1L)))
      assertHolds(KeyTable.of(keys.toArray), keys, 1)
  }

  test("a table of no keys or of too many is refused, and so is a size that is no power of two") {
    for (count <- Seq(0, KeyTable.MAX_KEYS + 1)) {
      val keys = (0L until count.toLong).toArray
      val refused = intercept[IllegalArgumentException](KeyTable.of(keys))
      assert(refused.getMessage.contains(s"got $count"))
    }
    for (places <- Seq(0, 3, 6))
      intercept[IllegalArgumentException](new KeyTable(new Array[Long](places), 1))
  }

  test("the same keys give the same table") {
    val keys = Array(5L, 3L, -2L, Long.MinValue)
    val (a, b) = (KeyTable.of(keys), KeyTable.of(keys))
    assert(a.words().toSeq == b.words().toSeq && a.parameter() == b.parameter())
  }
}
