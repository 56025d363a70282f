package io.bloomjoin.spark

import io.bloomjoin.spark.plan.BloomPruneExec
import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.internal.SQLConf
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/**
 * Runs queries with Bloomjoin off and on, compares the rows, and looks at the plans. Thresholds are
 * open, so that small inputs are pruned.
 */
trait PruneSuite extends AnyFunSuite with BeforeAndAfterAll with AdaptiveSparkPlanHelper {
  protected def sessionConf: Map[String, String] = Map.empty

  protected lazy val spark: SparkSession = {
    val builder = SparkSession.builder().master("local[2]").appName(getClass.getSimpleName)
    val conf = Map(
      "spark.ui.enabled" -> "false",
      "spark.driver.bindAddress" -> "127.0.0.1",
      "spark.driver.host" -> "127.0.0.1",
      "spark.sql.extensions" -> classOf[BloomJoinExtensions].getName,
      "spark.sql.shuffle.partitions" -> "4",
      "spark.sql.autoBroadcastJoinThreshold" -> "-1",
      "spark.bloomjoin.minPrunedRows" -> "0",
      "spark.bloomjoin.maxSelectivity" -> "1"
    ) ++ sessionConf
    conf.foreach { case (k, v) => builder.config(k, v) }
    builder.getOrCreate()
  }

  override protected def afterAll(): Unit = {
    try spark.stop()
    finally super.afterAll()
  }

  protected def withConf[T](pairs: (String, String)*)(body: => T): T = {
    val before = pairs.map { case (k, _) => k -> spark.conf.getOption(k) }
    pairs.foreach { case (k, v) => spark.conf.set(k, v) }
    try body
    finally before.foreach {
        case (k, Some(v)) => spark.conf.set(k, v)
        case (k, None) => spark.conf.unset(k)
      }
  }

  /** The executed plan of a query that has run, and its rows. */
  protected def run(sql: String): (SparkPlan, Seq[Row]) = {
    val df = spark.sql(sql)
    val rows = df.collect().toSeq
    (df.queryExecution.executedPlan, rows)
  }

  protected def sorted(rows: Seq[Row]): Seq[String] = rows.map(_.toString).sorted

  protected def prunings(plan: SparkPlan): Seq[BloomPruneExec] =
    collectWithSubqueries(plan) { case p: BloomPruneExec => p }

  protected def rowsPruned(plan: SparkPlan): Long =
    prunings(plan).distinct.map(_.longMetric("rowsPruned").value).sum

  /** AQE on and off, generated code and interpreted. */
  protected val everyMode: Seq[Seq[(String, String)]] =
    for {
      adaptive <- Seq("true", "false")
      codegen <- Seq(
        Seq.empty,
        Seq(
          SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false",
          SQLConf.CODEGEN_FACTORY_MODE.key -> "NO_CODEGEN"
        )
      )
    } yield (SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) +: codegen

  /** The rows are stock Spark's in every mode; returns the plans with Bloomjoin on. */
  protected def checkRows(sql: String): Seq[SparkPlan] = {
    everyMode.map { mode =>
      withConf(mode: _*) {
        val (stockPlan, stock) = withConf("spark.bloomjoin.enabled" -> "false")(run(sql))
        assert(prunings(stockPlan).isEmpty)
        val (plan, rows) = run(sql)
        assert(sorted(rows) == sorted(stock), s"in mode $mode, plan:\n$plan")
        plan
      }
    }
  }

  protected def assertPruned(sql: String, minRows: Long = 1): Unit =
    checkRows(sql).foreach { plan =>
      assert(prunings(plan).nonEmpty, s"no pruning in\n$plan")
      assert(rowsPruned(plan) >= minRows, s"in\n$plan")
    }

  protected def assertNotPruned(sql: String): Unit =
    checkRows(sql).foreach(plan => assert(prunings(plan).isEmpty, s"pruned in\n$plan"))
}
