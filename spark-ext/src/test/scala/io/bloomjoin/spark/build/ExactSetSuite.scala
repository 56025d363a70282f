package io.bloomjoin.spark.build

import scala.jdk.CollectionConverters._
import scala.util.Random

import io.bloomjoin.spark.catalyst.KeyNumber
import io.bloomjoin.spark.probe.{KeyBitmap, KeySet, KeyTable}
import org.scalatest.funsuite.AnyFunSuite

/** An exact set is chosen where it is no larger than the Bloom filter. */
class ExactSetSuite extends AnyFunSuite {
  private val fpp = 0.001
  private val settings = new FilterSettings(fpp, 128L << 20, 0.5, 1000)

  private def collected(
      keys: Seq[Long],
      number: KeyNumber = KeyNumber.LONG,
      values: Seq[KeyValues] = Nil,
      maxBytes: Long = settings.maxFilterBytes
  ): CollectedKeys = {
    val capped = new FilterSettings(fpp, maxBytes, 0.5, 1000)
    val form = PartialFilter.ofBlocks(FilterMaker.blocksFor(keys.size, capped), number)
    val collector = form.collector()
    keys.foreach(k => collector.add(k))
    new CollectedKeys(form, collector.finish(), values.asJava)
  }

  private def choice(keys: CollectedKeys): KeySet = ExactSet.of(keys, fpp)

  private def assertHolds(set: KeySet, keys: Seq[Long]): Unit = {
    val all = keys.toSet
    all.foreach(k => assert(set.contains(k)))
    all.foreach { k =>
      Seq(k - 1, k + 1, ~k).filterNot(all).foreach(other => assert(!set.contains(other)))
    }
  }

  private def sparse(count: Int): Seq[Long] = {
    val random = new Random(count)
    Seq.fill(count)(random.nextLong())
  }

  test("dense keys become a bitmap, few or many, that is no larger than the Bloom filter") {
    for (count <- Seq(1, 100, 20000, 300000); first <- Seq(0L, -7L, Long.MinValue)) {
      val keys = (0 until count).map(first + 2L * _)
      val from = collected(keys)
      val set = choice(from)
      assert(set.isInstanceOf[KeyBitmap])
      assert(set.words().length <= from.blocks() * 4)
      assert(set.words().length <= count / 32 + 2)
      if (count <= 20000) assertHolds(set, keys)
    }
    assertHolds(choice(collected(Seq(Long.MaxValue))), Seq(Long.MaxValue))
  }

  test("few keys that are far apart become a table") {
    for (count <- Seq(2, 20, KeyTable.MAX_KEYS); keys <- Seq(sparse(count))) {
      val set = choice(collected(keys))
      assert(set.isInstanceOf[KeyTable], count)
      assertHolds(set, keys)
    }
    val extremes = Seq(Long.MinValue, -1L, 0L, Long.MaxValue)
    assertHolds(choice(collected(extremes)), extremes)
  }

  test("many keys that are far apart, and keys that are no numbers, stay a Bloom filter") {
    for (count <- Seq(KeyTable.MAX_KEYS + 1, 5000, 100000))
      assert(choice(collected(sparse(count))) == null)
    for (count <- Seq(1, 100, 20000)) {
      val hashes = collected(sparse(count), KeyNumber.NONE)
      assert(choice(hashes) == null)
      val listed = new KeyValues.Listed(List[AnyRef]("a", "b").asJava)
      assert(choice(collected(sparse(count), KeyNumber.NONE, Seq(listed))) == null)
    }
  }

  test("few keys that occur often become a table of each once") {
    val few = sparse(50)
    val often = Seq.fill(1000)(few).flatten
    val listed = new KeyValues.Listed(few.map(Long.box(_): AnyRef).asJava)
    val set = choice(collected(often, values = Seq(listed)))
    assert(set.isInstanceOf[KeyTable])
    assertHolds(set, few)
    assert(set.words().length == choice(collected(few)).words().length)
    // A list of rows, too, before it has become bits.
    assertHolds(choice(collected(Seq.fill(10)(few).flatten)), few)
  }

  test(
    "keys that occur often are a bitmap only if that is no larger than what the filter shrinks to"
  ) {
    val near = (0 until 2000).map(_ * 1000L)
    val often = Seq.fill(200)(near).flatten
    val from = collected(often)
    assert(from.range() != null && from.range().sizeInWords <= from.blocks() * 4)
    assert(choice(from) == null)
    val fewer = Seq.fill(2000)(near.take(200)).flatten
    assert(choice(collected(fewer)).isInstanceOf[KeyBitmap])
    val wider = Seq.fill(2000)(near.take(200).map(_ * 10)).flatten
    val table = choice(collected(wider))
    assert(table.isInstanceOf[KeyTable])
    assertHolds(table, near.take(200).map(_ * 10))
  }

  test("no exact set is larger than the filter may be") {
    val keys = sparse(40)
    assert(KeyTable.sizeInBytes(40) == 1024)
    assert(choice(collected(keys, maxBytes = 1024)).isInstanceOf[KeyTable])
    assert(choice(collected(keys, maxBytes = 512)) == null)
    val dense = (0 until 40).map(_ * 100L)
    assert(choice(collected(dense, maxBytes = 512)).isInstanceOf[KeyBitmap])
    assert(choice(collected(dense, maxBytes = 256)) == null)
  }

  test("bounds alone, and no keys at all, are no set") {
    val bounds = new KeyValues.Between(Long.box(1), Long.box(9))
    assert(choice(collected(sparse(5000), values = Seq(bounds))) == null)
    val form = PartialFilter.ofBlocks(512, KeyNumber.LONG)
    assert(choice(new CollectedKeys(form, PartialFilter.ZERO, java.util.List.of())) == null)
  }
}
