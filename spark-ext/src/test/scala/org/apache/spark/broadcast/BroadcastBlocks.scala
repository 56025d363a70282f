package org.apache.spark.broadcast

import org.apache.spark.{MapOutputTrackerMaster, SparkEnv}
import org.apache.spark.storage.{BroadcastBlockId, RDDBlockId}

/** Looks into the driver's block manager, which Spark shows to its own packages only. */
object BroadcastBlocks {

  /**
   * The broadcasts of this process whose value is the words of a filter. Values are read to their
   * end, since that gives back the lock of a block.
   */
  def filters(): Set[Long] = {
    val blocks = SparkEnv.get.blockManager
    val ids = blocks.getMatchingBlockIds {
      case BroadcastBlockId(_, "") => true
      case _ => false
    }
    ids.collect {
      case id: BroadcastBlockId
          if blocks.get[Any](id).exists(_.data.toList.exists(_.isInstanceOf[Array[Long]])) =>
        id.broadcastId
    }.toSet
  }

  /** Forgets the blocks of a broadcast, and leaves its handle valid. */
  def forget(broadcastId: Long): Unit = {
    val env = SparkEnv.get
    env.blockManager.removeBroadcast(broadcastId, tellMaster = true)
    env.broadcastManager.cachedValues.clear()
  }

  /** Drops every cached partition, as a lost executor would; how many there were. */
  def loseCachedPartitions(): Int = {
    val blocks = SparkEnv.get.blockManager
    val cached = blocks.getMatchingBlockIds(_.isInstanceOf[RDDBlockId])
    cached.foreach(blocks.removeBlock(_))
    cached.size
  }

  /** Forgets the outputs of every map stage, as a lost executor would. */
  def loseShuffles(): Unit = {
    val tracker = SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
    tracker.shuffleStatuses.keys.foreach(id => tracker.unregisterAllMapAndMergeOutput(id))
  }
}
