package io.bloomjoin.spark.fuzz

import java.util.{Collections, IdentityHashMap}
import java.util.concurrent.{Executors, TimeUnit, TimeoutException}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.{Failure, Success, Try}

import io.bloomjoin.spark.plan.BloomPruneExec
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec

/**
 * Runs trials in a session with stock plans and with prunings.
 *
 * @param seconds
 *   after which a stock query is cancelled as too slow to be of use; a pruned one has five times as
 *   long, and is then said to hang
 */
private[fuzz] final class Runner(spark: SparkSession, directory: String, seconds: Int)
    extends AdaptiveSparkPlanHelper {
  private val thread = Executors.newCachedThreadPool { task =>
    val made = new Thread(task, "fuzz")
    made.setDaemon(true)
    made
  }
  private val made = mutable.Map.empty[String, Table]

  /** Makes these tables, and drops all others. */
  def prepare(tables: Seq[Table]): Unit = {
    made.values.filterNot(tables.contains).toSeq.foreach { table =>
      table.drop.foreach(spark.sql(_))
      made -= table.name
    }
    tables.filterNot(t => made.contains(t.name)).foreach { table =>
      val files = s"$directory/${System.nanoTime}"
      table.create(files).foreach(spark.sql(_))
      made += table.name -> table
    }
  }

  def dropAll(): Unit = prepare(Seq.empty)

  def stock(trial: Trial): Answer = run(trial, prune = false, seconds)

  def pruned(trial: Trial): Answer = run(trial, prune = true, seconds * 5)

  private def run(trial: Trial, prune: Boolean, seconds: Int): Answer = {
    prepare(trial.tables)
    withSettings(trial.settings + ("spark.bloomjoin.enabled" -> prune.toString)) {
      val answer = thread.submit(() => Try(answered(trial)))
      try answer.get(seconds, TimeUnit.SECONDS) match {
          case Success(rows) => rows
          case Failure(error) => Answer.Failed(error)
        }
      catch {
        case _: TimeoutException =>
          spark.sparkContext.cancelAllJobs()
          Try(answer.get(30, TimeUnit.SECONDS)) // the thread that planned on is let go
          answer.cancel(true)
          Answer.TooSlow
      }
    }
  }

  private def answered(trial: Trial): Answer.Rows =
    try {
      trial.caching.foreach(spark.sql(_))
      val query = spark.sql(trial.sql)
      val rows = RowText.sorted(query.collect().toSeq, query.schema)
      val prunings = pruningsOf(query)
      Answer.Rows(rows, prunings.size, prunings.map(_.longMetric("rowsPruned").value).sum)
    } finally trial.cached.reverse.foreach { case (name, _) =>
        spark.sql(s"uncache table if exists $name")
        spark.sql(s"drop view if exists $name")
      }

  private def withSettings[T](settings: Map[String, String])(body: => T): T = {
    val before = settings.keys.map(key => key -> spark.conf.getOption(key)).toSeq
    settings.foreach { case (key, value) => spark.conf.set(key, value) }
    try body
    finally before.foreach {
        case (key, Some(value)) => spark.conf.set(key, value)
        case (key, None) => spark.conf.unset(key)
      }
  }

  /** The prunings of a query that has run, and of the caches that it reads, each once. */
  private def pruningsOf(query: DataFrame): Seq[BloomPruneExec] = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[BloomPruneExec, java.lang.Boolean])
    def look(plan: SparkPlan): Unit = collectWithSubqueries(plan) {
      case prune: BloomPruneExec => seen.add(prune)
      case scan: InMemoryTableScanExec => look(scan.relation.cachedPlan)
    }
    look(query.queryExecution.executedPlan)
    seen.asScala.toSeq
  }
}
