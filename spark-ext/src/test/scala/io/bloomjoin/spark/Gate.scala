package io.bloomjoin.spark

import java.util.concurrent.{CountDownLatch, Semaphore, TimeUnit}
import org.apache.spark.TaskContext

/**
 * Holds or fails tasks of this process at a chosen place: a deterministic function passes its
 * argument on, and a test decides what happens when it is called.
 */
object Gate {
  private val BuildJob = "Bloomjoin: build the filter"

  @volatile private var action: () => Unit = () => ()

  /** Passes {@code x} on. */
  def pass(x: Long): Long = {
    action()
    x
  }

  /** Passes {@code x} on; only the calls of a job that builds a filter are seen. */
  def passInBuild(x: Long): Long = {
    if (inBuildJob) action()
    x
  }

  private def inBuildJob: Boolean = {
    val task = TaskContext.get()
    task != null && task.getLocalProperty("spark.job.description") == BuildJob
  }

  /** What calls do while {@code body} runs. */
  def doing[T](todo: => Unit)(body: => T): T = {
    action = () => todo
    try body
    finally action = () => ()
  }

  /** Holds all calls while {@code body} runs; it gets a wait for the first one. */
  def closed[T](body: (() => Unit) => T): T = {
    val entered = new Semaphore(0)
    val open = new CountDownLatch(1)
    action = () => {
      entered.release()
      assert(open.await(60, TimeUnit.SECONDS), "a gate was never opened")
    }
    try body(() => assert(entered.tryAcquire(20, TimeUnit.SECONDS), "no call reached the gate"))
    finally {
      action = () => ()
      open.countDown()
    }
  }
}
