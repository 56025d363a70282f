package io.bloomjoin.spark

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong

/**
 * Lets tests see, and hold up, the rows that tasks read: `witness('name', id)` in a predicate is
 * always true, counts its calls under the name, and calls what the test has hooked to it.
 */
trait Witnesses extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    spark.udf.register("witness", (name: String, row: Long) => Witnesses.call(name, row))
  }

  /** What `body` yields, and how often each name was witnessed meanwhile. */
  protected def witnessed[T](body: => T): (T, Map[String, Long]) = {
    Witnesses.reset()
    val result = body
    (result, Witnesses.counts)
  }

  /** Calls `hook` with the row whenever `name` is witnessed during `body`. */
  protected def hooked[T](name: String)(hook: Long => Unit)(body: => T): T = {
    Witnesses.hooks.put(name, hook)
    try body
    finally Witnesses.hooks.remove(name)
  }
}

private object Witnesses {
  private val calls = new ConcurrentHashMap[String, AtomicLong]
  val hooks = new ConcurrentHashMap[String, Long => Unit]

  def call(name: String, row: Long): Boolean = {
    calls.computeIfAbsent(name, _ => new AtomicLong).incrementAndGet()
    val hook = hooks.get(name)
    if (hook != null) hook(row)
    true
  }

  def reset(): Unit = calls.clear()

  def counts: Map[String, Long] = {
    import scala.jdk.CollectionConverters._
    calls.asScala.map { case (name, count) => name -> count.get }.toMap.withDefaultValue(0L)
  }
}
