package io.bloomjoin.spark.probe

import io.bloomjoin.filter.SplitBlockBloomFilterBuilder
import io.bloomjoin.key.KeyHash
import io.bloomjoin.spark.PruneSuite
import java.io.{ByteArrayInputStream, ByteArrayOutputStream, ObjectInputStream, ObjectOutputStream}
import org.apache.spark.broadcast.{Broadcast, BroadcastBlocks}
import org.apache.spark.sql.execution.metric.SQLMetrics
import org.scalatest.concurrent.Eventually._
import org.scalatest.time.SpanSugar._

class ProbeSuite extends PruneSuite {

  private def broadcast(hashes: Long*): Broadcast[Array[Long]] = {
    val bits = SplitBlockBloomFilterBuilder.withBlocks(64)
    hashes.foreach(hash => bits.add(hash))
    spark.sparkContext.broadcast(bits.build().words())
  }

  private def metrics(): ProbeMetrics = {
    def metric(name: String) = SQLMetrics.createMetric(spark.sparkContext, name)
    new ProbeMetrics(metric("tested"), metric("pruned"), metric("unfiltered"))
  }

  private def copy(handle: FilterHandle): FilterHandle = {
    val bytes = new ByteArrayOutputStream
    val out = new ObjectOutputStream(bytes)
    out.writeObject(handle)
    out.close()
    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray)).readObject()
      .asInstanceOf[FilterHandle]
  }

  private def passed(handle: FilterHandle, counts: ProbeMetrics): Seq[Long] = {
    val probe = handle.newProbe(counts, 1.0)
    val rows = (1L to 1000L).filter(i => probe.mightContain(i * Spread))
    probe.report(counts)
    rows
  }

  private val Spread = 0x9e3779b97f4a7c15L
  private val All = 1L to 1000L

  private def assertPassesAll(handle: FilterHandle, unfilteredTasks: Long = 1): Unit = {
    val counts = metrics()
    assert(passed(handle, counts) == All)
    assert(counts.unfilteredTasks.value == unfilteredTasks)
    assert(counts.rowsTested.value == 0 && counts.rowsPruned.value == 0)
  }

  test("a handle travels with its filter") {
    val handle = copy(FilterHandle.of(broadcast(Spread, 2 * Spread)))
    val counts = metrics()
    val rows = passed(handle, counts)
    assert(rows.contains(1L) && rows.contains(2L) && rows.size < 50)
    assert(counts.rowsTested.value == 1000 && counts.rowsPruned.value == 1000 - rows.size)
    assert(counts.unfilteredTasks.value == 0)
  }

  test("a handle travels with its exact set") {
    val sets = Seq(KeyTable.of(Array(5L, 700L, Long.MinValue)), new KeyBitmap(Array(33L, 5L), -64L))
    for ((set, expected) <- sets.zip(Seq(Set(5L, 700L, Long.MinValue), Set(-64L, -59L, 0L, 2L)))) {
      val words = spark.sparkContext.broadcast(set.words())
      val handle = FilterHandle.of(set, words)
      val asked = (-1000L to 1000L) ++ Seq(Long.MinValue, Long.MaxValue)
      val counts = metrics()
      val probe = copy(handle).newProbe(counts, 1.0)
      assert(asked.filter(probe.mightContainLong(_)).toSet == expected)
      probe.report(counts)
      assert(counts.rowsPruned.value == asked.size - expected.size)
      assert(counts.unfilteredTasks.value == 0)
      handle.destroy()
      assertPassesAll(copy(handle))
    }
  }

  test("a Bloom filter is asked for numbers by their hashes") {
    val handle = FilterHandle.of(broadcast(KeyHash.ofInt(-5), KeyHash.ofLong(7L << 40)))
    val probe = handle.newProbe(metrics(), 1.0)
    assert(probe.mightContainInt(-5) && probe.mightContainLong(7L << 40))
    assert((1 to 1000).count(i => probe.mightContainInt(i)) < 50)
    assert((1L to 1000L).count(i => probe.mightContainLong(i)) < 50)
  }

  test("passes-all and rejects-all travel as they are") {
    assertPassesAll(copy(FilterHandle.passesAll()))
    val none = copy(FilterHandle.rejectsAll())
    assert(none.isRejectsAll)
    val counts = metrics()
    assert(passed(none, counts).isEmpty)
    assert(counts.rowsPruned.value == 1000 && counts.unfilteredTasks.value == 0)
  }

  test("destroying passes-all and rejects-all changes nothing") {
    val all = FilterHandle.passesAll()
    val none = FilterHandle.rejectsAll()
    all.destroy()
    none.destroy()
    assertPassesAll(all)
    assert(none.isRejectsAll && copy(none).isRejectsAll)
  }

  test("a destroyed handle passes every row, before and after it travels") {
    val words = broadcast(1L)
    val handle = FilterHandle.of(words)
    val early = copy(handle)
    handle.destroy()
    handle.destroy()
    eventually(timeout(30.seconds))(assert(!BroadcastBlocks.filters().contains(words.id)))
    assertPassesAll(handle)
    assertPassesAll(copy(handle))
    assertPassesAll(early)
  }

  test("a broadcast that someone else destroyed does not stop a handle from travelling") {
    val words = broadcast(1L)
    val handle = FilterHandle.of(words)
    words.destroy()
    assertPassesAll(copy(handle))
    assertPassesAll(FilterHandle.of(words))
  }

  test("a task whose broadcast has no blocks left passes every row") {
    val words = broadcast(1L)
    val handle = copy(FilterHandle.of(words))
    BroadcastBlocks.forget(words.id)
    assertPassesAll(handle)
  }

  test("a task whose words are no filter passes every row") {
    Seq(Array.empty[Long], Array(1L, 2L, 3L)).foreach { words =>
      assertPassesAll(copy(FilterHandle.of(spark.sparkContext.broadcast(words))))
    }
    val table = KeyTable.of(Array(1L, 2L))
    assertPassesAll(FilterHandle.of(table, spark.sparkContext.broadcast(Array(1L, 2L, 3L))))
    val bitmap = new KeyBitmap(Array(1L), 0)
    assertPassesAll(FilterHandle.of(bitmap, spark.sparkContext.broadcast(Array.empty[Long])))
  }

  test("a task of a job passes every row, and says so, when the blocks are gone") {
    val words = broadcast(1L)
    val handle = FilterHandle.of(words)
    BroadcastBlocks.forget(words.id)
    val counts = metrics()
    val rows = spark.sparkContext.parallelize(1L to 1000L, 4).mapPartitions { it =>
      val probe = handle.newProbe(counts, 1.0)
      it.filter(probe.mightContain(_))
    }.count()
    assert(rows == 1000)
    assert(counts.unfilteredTasks.value == 4)
  }

  test("a probe rests while its filter does not pay, and counts what it tested") {
    val none = metrics()
    val probe = RowProbe.of(SplitBlockBloomFilterBuilder.withBlocks(1).build(), 0.5)
    (1 to RowProbe.WINDOW_ROWS).foreach(i => assert(!probe.mightContain(i * Spread)))
    probe.report(none)
    assert(none.rowsPruned.value == RowProbe.WINDOW_ROWS)

    val full = RowProbe.of(
      io.bloomjoin.filter.SplitBlockBloomFilter.ofWords(Array.fill(4)(-1L)),
      0.5
    )
    val counts = metrics()
    (1 to (RowProbe.REST_WINDOWS + 2) * RowProbe.WINDOW_ROWS).foreach { i =>
      assert(full.mightContain(i * Spread))
    }
    full.report(counts)
    assert(counts.rowsTested.value == 2 * RowProbe.WINDOW_ROWS)
    assert(counts.rowsPruned.value == 0)
  }
}
