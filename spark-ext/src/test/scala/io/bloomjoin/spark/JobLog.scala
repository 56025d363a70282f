package io.bloomjoin.spark

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}
import org.apache.spark.scheduler._

/** Counts what a test's jobs did. */
final class JobLog extends SparkListener {
  private val running = ConcurrentHashMap.newKeySet[Int]()
  private val builds = new AtomicInteger
  private val started = new AtomicInteger
  private val records = new AtomicLong
  private val bytes = new AtomicLong

  override def onJobStart(job: SparkListenerJobStart): Unit = {
    running.add(job.jobId)
    started.incrementAndGet()
    if (job.properties.getProperty("spark.job.description", "").startsWith("Bloomjoin"))
      builds.incrementAndGet()
  }

  override def onJobEnd(job: SparkListenerJobEnd): Unit = running.remove(job.jobId)

  override def onTaskEnd(task: SparkListenerTaskEnd): Unit =
    if (task.taskMetrics != null) {
      records.addAndGet(task.taskMetrics.inputMetrics.recordsRead)
      bytes.addAndGet(task.taskMetrics.inputMetrics.bytesRead)
    }

  def isIdle: Boolean = running.isEmpty
  def buildJobs: Int = builds.get
  def jobs: Int = started.get
  def recordsRead: Long = records.get
  def bytesRead: Long = bytes.get
}
