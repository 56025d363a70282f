package io.bloomjoin.spark.build

import scala.util.Random

import io.bloomjoin.filter.SplitBlockBloomFilterBuilder
import io.bloomjoin.spark.catalyst.KeyNumber
import org.scalatest.funsuite.AnyFunSuite

/** Partials hold every key in each form, in whatever order they are merged. */
class PartialFilterSuite extends AnyFunSuite {
  private val words = 64
  private val header = PartialFilter.HEADER

  private def form(number: KeyNumber, words: Int = words) = new PartialFilter(words, number)

  private def partial(form: PartialFilter, keys: Seq[Long]): Array[Long] = {
    val collector = form.collector()
    keys.foreach(key => collector.add(key))
    collector.finish()
  }

  private def bitsOf(form: PartialFilter, keys: Seq[Long]): Seq[Long] = {
    val bits = SplitBlockBloomFilterBuilder.withBlocks(form.blocks)
    keys.foreach(key => bits.add(form.number.hash(key)))
    bits.build().words().toSeq
  }

  private def assertHolds(
      form: PartialFilter,
      partial: Array[Long],
      partitions: Int,
      keys: Seq[Long]
  ): Unit = {
    assert(PartialFilter.partitions(partial) == partitions)
    assert(PartialFilter.keys(partial) == keys.size)
    assert(form.bloomFilter(partial).words().toSeq == bitsOf(form, keys))
    assert(partial.length <= header + form.words)
    Option(form.range(partial)).foreach { range =>
      assert(range.numbers().toSeq == keys.distinct.sorted)
    }
  }

  /**
   * Keys of each kind: hashes, and numbers that are far apart, close together, and some of both.
   */
  private val kinds: Seq[(String, PartialFilter, (Long, Int) => Seq[Long])] = {
    def draw(next: Random => Long)(seed: Long, count: Int): Seq[Long] = {
      val random = new Random(seed)
      Seq.fill(count)(next(random))
    }
    Seq(
      ("hashes", form(KeyNumber.NONE), draw(_.nextLong())),
      ("longs far apart", form(KeyNumber.LONG), draw(_.nextLong())),
      ("longs close together", form(KeyNumber.LONG), draw(_.nextInt(3000) - 1000L)),
      ("longs at the end", form(KeyNumber.LONG), draw(Long.MaxValue - _.nextInt(3000))),
      ("longs at the beginning", form(KeyNumber.LONG), draw(Long.MinValue + _.nextInt(3000))),
      ("ints far apart", form(KeyNumber.INT), draw(_.nextInt())),
      ("ints close together", form(KeyNumber.INT), draw(_.nextInt(3000) + 1000000L)),
      (
        "close together but few",
        form(KeyNumber.LONG),
        draw(r => if (r.nextInt(90) == 0) r.nextLong() else r.nextInt(3000))
      ),
      (
        "about as far apart as a range is wide",
        form(KeyNumber.LONG),
        draw(_.nextInt(64 * (words + 1)) - 5L)
      )
    )
  }

  private val counts = Seq(0, 1, 2, words - 2, words - 1, words, words + 1, 500)

  for ((name, form, keys) <- kinds) {
    test(s"$name: a partition's keys are all there, whatever their number") {
      for (count <- counts)
        assertHolds(form, partial(form, keys(count, count)), 1, keys(count, count))
    }

    test(s"$name: the union of two partials is the partial of both, in every mixture of forms") {
      for (a <- counts; b <- counts) {
        val (left, right) = (keys(a, a), keys(b + 1000, b))
        val merged = form.merge(partial(form, left), partial(form, right))
        assertHolds(form, merged, 2, left ++ right)
      }
    }

    test(s"$name: the empty array is the zero of the merge") {
      for (count <- counts) {
        val some = keys(count, count)
        assertHolds(form, form.merge(PartialFilter.ZERO, partial(form, some)), 1, some)
        assertHolds(form, form.merge(partial(form, some), PartialFilter.ZERO), 1, some)
      }
      assert(form.merge(PartialFilter.ZERO, PartialFilter.ZERO).isEmpty)
      assert(form.bloomFilter(PartialFilter.ZERO).isEmpty)
      assert(form.range(PartialFilter.ZERO) == null)
    }

    test(s"$name: many merges in any order give the same keys") {
      val parts = (0 until 40).map(i => keys(i, (i * 7) % 90))
      for (seed <- 1 to 5) {
        def shuffled = new Random(seed).shuffle(parts).map(part => partial(form, part))
        val folded = shuffled.fold(PartialFilter.ZERO)(form.merge)
        val tree = shuffled.grouped(6)
          .map(_.fold(PartialFilter.ZERO)(form.merge))
          .fold(PartialFilter.ZERO)(form.merge)
        assertHolds(form, folded, parts.size, parts.flatten)
        assertHolds(form, tree, parts.size, parts.flatten)
      }
    }
  }

  test("few keys travel as they are, many as bits, never as more than the bits") {
    for ((_, form, keys) <- kinds)
      assert(partial(form, keys(1, 3)).length == header + 3)
    for (name <- Seq("hashes", "longs far apart", "ints far apart")) {
      val (_, form, keys) = kinds.find(_._1 == name).get
      assert(partial(form, keys(1, 500)).length == header + words)
    }
  }

  test("numbers that are close together stay known however many they are, those of others do not") {
    for ((name, form, keys) <- kinds) {
      val known = form.range(partial(form, keys(1, 500))) != null
      assert(
        known ==
          (name.contains("together") && !name.endsWith("few") || name.startsWith("longs at")),
        name
      )
    }
    val dense = form(KeyNumber.LONG)
    assert(partial(dense, 0L until 640L).length == header + 10)
    assert(partial(dense, (0L until 64L * words).reverse).length == header + words)
    assert(dense.range(partial(dense, 0L until 64L * words)).sizeInWords == words)
    assert(dense.range(partial(dense, 0L to 64L * words)) == null)
  }

  test("numbers that are known together only in part are none") {
    val dense = form(KeyNumber.LONG)
    val merged = dense.merge(partial(dense, 0L until 500L), partial(dense, 1000000L until 1000500L))
    assert(dense.range(merged) == null)
    assert(PartialFilter.list(merged).count() == 0)
    assertHolds(dense, merged, 2, (0L until 500L) ++ (1000000L until 1000500L))
  }

  test("a list is its keys") {
    val some = Seq(5L, Long.MinValue, -7L, 5L)
    assert(PartialFilter.list(partial(form(KeyNumber.LONG), some)).toArray.toSeq == some)
    assert(PartialFilter.list(PartialFilter.ZERO).count() == 0)
  }

  test("keys given twice are counted twice and are one") {
    for (number <- KeyNumber.values) {
      val same = Seq.fill(3 * words)(42L)
      assertHolds(form(number), partial(form(number), same), 1, same)
      val one = partial(form(number), Seq(42L))
      val two = partial(form(number), Seq(42L))
      assertHolds(form(number), form(number).merge(one, two), 2, Seq(42L, 42L))
    }
  }

  test("the smallest filter, of one block") {
    for ((name, wide, keys) <- kinds; count <- 0 to 6) {
      val small = form(wide.number, 4)
      val some = keys(count, count)
      val other = keys(99, 1)
      assertHolds(small, small.merge(partial(small, some), partial(small, other)), 2, some ++ other)
    }
  }

  test("extreme keys") {
    val extremes = Seq(0L, -1L, 1L, Long.MinValue, Long.MaxValue, Int.MinValue.toLong)
    for (number <- Seq(KeyNumber.NONE, KeyNumber.LONG))
      for (seed <- 1 to 20) {
        val many = new Random(seed).shuffle(extremes ++ (1L to 100L))
        assertHolds(form(number), partial(form(number), extremes), 1, extremes)
        assertHolds(form(number), partial(form(number), many), 1, many)
      }
  }
}
