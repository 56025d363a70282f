package io.bloomjoin.spark.build

import scala.util.Random

import io.bloomjoin.filter.SplitBlockSizing
import org.apache.spark.sql.execution.CoalescedPartitionSpec
import org.scalatest.funsuite.AnyFunSuite

/** How a shuffle is cut into tasks, and how large its filter will be. */
class ShuffleBuildSuite extends AnyFunSuite {

  private def split(bytes: Seq[Long], parts: Int): Seq[(Int, Int)] =
    ShuffleBuild.split(bytes.toArray, parts).toSeq.map {
      case CoalescedPartitionSpec(start, end, _) => (start, end)
      case other => fail(s"an unexpected $other")
    }

  private def assertCovers(bytes: Seq[Long], parts: Int): Seq[(Int, Int)] = {
    val specs = split(bytes, parts)
    assert(specs.flatMap { case (start, end) => start until end } == bytes.indices)
    assert(specs.forall { case (start, end) => start < end })
    assert(specs.size <= parts)
    specs
  }

  test("every partition is read once, in at most as many parts as wanted") {
    val random = new Random(1)
    for (size <- Seq(1, 2, 3, 7, 200); parts <- Seq(1, 2, 3, 16, 1000)) {
      assertCovers(Seq.fill(size)(100L), parts)
      assertCovers(Seq.fill(size)(0L), parts)
      assertCovers(Seq.fill(size)(random.nextInt(1000).toLong), parts)
      assertCovers(0L +: Seq.fill(size)(random.nextInt(2) * 1000L), parts)
    }
  }

  test("the parts are about equal") {
    assert(split(Seq.fill(8)(10L), 2) == Seq((0, 4), (4, 8)))
    assert(split(Seq(100, 1, 1, 1, 97), 2) == Seq((0, 1), (1, 5)))
    assert(split(Seq.fill(200)(5L), 4).map { case (start, end) => end - start } == Seq.fill(4)(50))
  }

  test("a partition that holds everything stands alone at most with empty ones") {
    for (place <- 0 until 10)
      assertCovers(Seq.tabulate(10)(i => if (i == place) 1000L else 0L), 4)
  }

  test("no partitions, no parts") {
    assert(split(Seq.empty, 4).isEmpty)
  }

  test("sizes near the limits of a long") {
    assertCovers(Seq.fill(4)(Long.MaxValue / 4096), 64)
    assertCovers(Seq(Long.MaxValue / 256, 0, 1), 200)
  }

  // ---- sizes

  private def settings(maxBytes: Long, fpp: Double = 0.01) =
    new FilterSettings(fpp, maxBytes, 0.95, 1000)

  test("a filter has the wanted probability and no more bytes than allowed") {
    for (keys <- Seq(0L, 1L, 100L, 10000L, 1000000L, 10000000L); fpp <- Seq(0.001, 0.01, 0.3)) {
      val blocks = FilterMaker.blocksFor(keys, settings(1L << 30, fpp))
      assert(blocks >= 1)
      assert(SplitBlockSizing.fpp(keys, blocks) <= fpp * 1.01)
    }
  }

  test("a filter that its limit makes weaker is built while it is of use") {
    for (keys <- Seq(1L, 10L, 1000L, 1L << 20, 1L << 30); limit <- Seq(32L, 1L << 10, 1L << 20)) {
      val blocks = FilterMaker.blocksFor(keys, settings(limit))
      if (blocks < 0) assert(SplitBlockSizing.fpp(keys, limit / 32) > 0.1)
      else {
        assert(blocks * SplitBlockSizing.BYTES_PER_BLOCK <= limit)
        assert(SplitBlockSizing.fpp(keys, blocks) <= 0.1)
      }
    }
  }

  test("more keys than fit have no filter") {
    assert(FilterMaker.blocksFor(1L << 24, settings(1L << 20)) == -1)
    assert(FilterMaker.blocksFor(Long.MaxValue, settings(1L << 20)) == -1)
    assert(FilterMaker.blocksFor(Long.MaxValue, settings(Long.MaxValue)) == -1)
    assert(FilterMaker.blocksFor(1L << 40, settings(Long.MaxValue)) == -1)
  }

  test("a filter of the least allowed size") {
    assert(FilterMaker.blocksFor(0, settings(32)) == 1)
    assert(FilterMaker.blocksFor(1, settings(32)) == 1)
    assert(FilterMaker.blocksFor(1000, settings(32)) == -1)
  }
}
