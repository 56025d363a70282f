package io.bloomjoin.spark.build

import scala.util.Random

import io.bloomjoin.filter.SplitBlockBloomFilterBuilder
import org.scalatest.funsuite.AnyFunSuite

/** Partials hold every key in either form, in whatever order they are merged. */
class PartialFilterSuite extends AnyFunSuite {
  private val words = 64

  private def partial(hashes: Seq[Long], words: Int = words): Array[Long] = {
    val collector = new PartialFilter.Collector(words)
    hashes.foreach(hash => collector.add(hash))
    collector.finish()
  }

  private def hashes(seed: Long, count: Int): Seq[Long] = {
    val random = new Random(seed)
    Seq.fill(count)(random.nextLong())
  }

  private def bitsOf(hashes: Seq[Long], words: Int = words): Seq[Long] = {
    val bits = SplitBlockBloomFilterBuilder.withBlocks(words / 4)
    hashes.foreach(hash => bits.add(hash))
    bits.build().words().toSeq
  }

  private def assertHolds(partial: Array[Long], partitions: Int, hashes: Seq[Long]): Unit = {
    assert(PartialFilter.partitions(partial) == partitions)
    assert(PartialFilter.keys(partial) == hashes.size)
    assert(PartialFilter.filter(partial, words).words().toSeq == bitsOf(hashes))
  }

  private val counts = Seq(0, 1, 2, words - 2, words - 1, words, words + 1, 500)

  test("a partition's keys are all there, whatever their number") {
    for (count <- counts)
      assertHolds(partial(hashes(count, count)), 1, hashes(count, count))
  }

  test("few keys travel as hashes, many as bits, never as more than the bits") {
    assert(partial(hashes(1, 3)).length == 2 + 3)
    for (count <- counts)
      assert(partial(hashes(count, count)).length <= 2 + words)
    assert(partial(hashes(1, 500)).length == 2 + words)
  }

  test("the union of two partials is the partial of both, in every mixture of forms") {
    for (a <- counts; b <- counts) {
      val (left, right) = (hashes(a, a), hashes(b + 1000, b))
      assertHolds(PartialFilter.merge(partial(left), partial(right), words), 2, left ++ right)
    }
  }

  test("the empty array is the zero of the merge") {
    for (count <- counts) {
      val some = hashes(count, count)
      assertHolds(PartialFilter.merge(PartialFilter.ZERO, partial(some), words), 1, some)
      assertHolds(PartialFilter.merge(partial(some), PartialFilter.ZERO, words), 1, some)
    }
    assert(PartialFilter.merge(PartialFilter.ZERO, PartialFilter.ZERO, words).isEmpty)
    assert(PartialFilter.partitions(PartialFilter.ZERO) == 0)
    assert(PartialFilter.filter(PartialFilter.ZERO, words).isEmpty)
  }

  test("many merges in any order give the same bits") {
    val parts = (0 until 40).map(i => hashes(i, (i * 7) % 90))
    for (seed <- 1 to 5) {
      def shuffled = new Random(seed).shuffle(parts).map(part => partial(part))
      val folded = shuffled.fold(PartialFilter.ZERO)(PartialFilter.merge(_, _, words))
      val tree = shuffled.grouped(6)
        .map(_.fold(PartialFilter.ZERO)(PartialFilter.merge(_, _, words)))
        .fold(PartialFilter.ZERO)(PartialFilter.merge(_, _, words))
      assertHolds(folded, parts.size, parts.flatten)
      assertHolds(tree, parts.size, parts.flatten)
    }
  }

  test("keys given twice are counted twice and are one") {
    val same = Seq.fill(3 * words)(42L)
    assertHolds(partial(same), 1, same)
    assertHolds(PartialFilter.merge(partial(Seq(42L)), partial(Seq(42L)), words), 2, Seq(42L, 42L))
  }

  test("the smallest filter, of one block") {
    for (count <- 0 to 6) {
      val some = hashes(count, count)
      val merged = PartialFilter.merge(partial(some, 4), partial(Seq(7L), 4), 4)
      assert(PartialFilter.filter(merged, 4).words().toSeq == bitsOf(some :+ 7L, 4))
      assert(PartialFilter.keys(merged) == count + 1)
    }
  }

  test("extreme hashes") {
    val extremes = Seq(0L, -1L, 1L, Long.MinValue, Long.MaxValue, Int.MinValue.toLong)
    assertHolds(partial(extremes), 1, extremes)
  }
}
