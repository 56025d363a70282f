package io.bloomjoin.spark

import java.nio.file.{Files, Path}
import java.util.{Collections, IdentityHashMap}

import scala.jdk.CollectionConverters._

import io.bloomjoin.spark.plan.BloomPruneExec
import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.apache.spark.sql.execution.{EmptyRelationExec, FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanHelper, QueryStageExec}
import org.apache.spark.sql.internal.SQLConf
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/**
 * Runs queries with Bloomjoin off and on, compares the rows, and looks at the plans. Thresholds are
 * open, so that small inputs are pruned.
 */
trait PruneSuite extends AnyFunSuite with BeforeAndAfterAll with AdaptiveSparkPlanHelper {
  protected type Conf = Seq[(String, String)]

  protected def sessionConf: Map[String, String] = Map.empty

  protected lazy val spark: SparkSession = {
    val builder = SparkSession.builder().master(master).appName(getClass.getSimpleName)
    val conf = Map(
      "spark.ui.enabled" -> "false",
      "spark.driver.bindAddress" -> "127.0.0.1",
      "spark.driver.host" -> "127.0.0.1",
      "spark.network.timeout" -> "1h", // the process may be held, by a debugger say
      "spark.sql.extensions" -> classOf[BloomJoinExtensions].getName,
      "spark.sql.warehouse.dir" -> directory.resolve("warehouse").toString,
      "spark.sql.shuffle.partitions" -> "4",
      "spark.sql.autoBroadcastJoinThreshold" -> "-1",
      "spark.bloomjoin.minPrunedRows" -> "0",
      "spark.bloomjoin.maxSelectivity" -> "1"
    ) ++ sessionConf
    conf.foreach { case (k, v) => builder.config(k, v) }
    builder.getOrCreate()
  }

  protected def master: String = "local[2]"

  /** Where the suite's tables are; below the directory for temporary files. */
  protected lazy val directory: Path = Files.createTempDirectory("bloomjoin")

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

  /** Makes a Parquet table of {@code rows} in {@code files} files, under the name of its view. */
  protected def table(name: String, rows: DataFrame, files: Int = 2): Unit = {
    rows.repartition(files).write.parquet(directory.resolve(name).toString)
    spark.read.parquet(directory.resolve(name).toString).createOrReplaceTempView(name)
  }

  // ---- running

  /** The executed plan of a query that has run, and its rows. */
  protected def run(sql: String): (SparkPlan, Seq[Row]) = run(spark.sql(sql))

  protected def run(df: DataFrame): (SparkPlan, Seq[Row]) = {
    val rows = df.collect().toSeq
    (df.queryExecution.executedPlan, rows)
  }

  protected def stock[T](body: => T): T = withConf("spark.bloomjoin.enabled" -> "false")(body)

  protected def sorted(rows: Seq[Row]): Seq[String] = rows.map(text).sorted

  private def text(value: Any): String = value match {
    case row: Row => row.toSeq.map(text).mkString("[", ",", "]")
    case bytes: Array[Byte] => bytes.mkString("x", ".", "")
    case values: scala.collection.Seq[_] => values.map(text).mkString("(", ",", ")")
    case other => String.valueOf(other)
  }

  /** Code that does not compile fails the query. */
  private val generated: Conf = Seq(
    SQLConf.CODEGEN_FALLBACK.key -> "false",
    SQLConf.CODEGEN_FACTORY_MODE.key -> "CODEGEN_ONLY"
  )

  private val interpreted: Conf = Seq(
    SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false",
    SQLConf.CODEGEN_FACTORY_MODE.key -> "NO_CODEGEN"
  )

  private def adaptive(on: Boolean): (String, String) =
    SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> on.toString

  protected val adaptiveOn: Conf = Seq(adaptive(true))

  protected val adaptiveOff: Conf = Seq(adaptive(false))

  /** AQE on and off, generated code and interpreted. */
  protected val everyMode: Seq[Conf] = for {
    on <- Seq(true, false)
    code <- Seq(generated, interpreted)
  } yield adaptive(on) +: code

  /** AQE with generated code, and neither: each way of planning and each way of running once. */
  protected val twoModes: Seq[Conf] = Seq(adaptiveOn ++ generated, adaptive(false) +: interpreted)

  /** The modes of the checks below that name none. */
  protected def modes: Seq[Conf] = twoModes

  // ---- checking

  /** The rows are stock Spark's in every mode; returns the plans with Bloomjoin on. */
  protected def checkRows(sql: String, modes: Seq[Conf] = modes): Seq[SparkPlan] =
    checkRows(() => spark.sql(sql), modes)

  protected def checkRows(query: () => DataFrame, modes: Seq[Conf]): Seq[SparkPlan] = {
    val (stockPlan, expected) = stock(run(query()))
    assert(prunings(stockPlan).isEmpty)
    modes.map { mode =>
      withConf(mode: _*) {
        val (plan, rows) = run(query())
        assert(sorted(rows) == sorted(expected), s"in mode $mode, plan:\n$plan")
        plan
      }
    }
  }

  /** The rows are right and at least {@code minRows} were pruned. */
  protected def assertPruned(sql: String, minRows: Long = 1, modes: Seq[Conf] = modes): Unit =
    checkRows(sql, modes).foreach { plan =>
      // A side of which nothing passed is an empty relation in the final plan, without its nodes.
      val emptied = collectWithSubqueries(plan) { case e: EmptyRelationExec => e }.nonEmpty
      assert(prunings(plan).nonEmpty || emptied, s"no pruning in\n$plan")
      assert(rowsPruned(plan) >= minRows || emptied, s"in\n$plan")
    }

  protected def assertNotPruned(sql: String, modes: Seq[Conf] = modes): Unit =
    checkRows(sql, modes).foreach(plan => assert(prunings(plan).isEmpty, s"pruned in\n$plan"))

  /** The rows are right, and just these tables lost rows. */
  protected def assertTablesPruned(
      sql: String,
      tables: Set[String],
      modes: Seq[Conf] = modes
  ): Unit =
    checkRows(sql, modes).foreach { plan =>
      assert(prunedTables(plan) == tables, s"in\n$plan")
      prunings(plan).foreach(p => assert(p.longMetric("rowsPruned").value > 0, s"$p in\n$plan"))
    }

  // ---- looking at plans

  /** The prunings of a plan, each once however many nodes read it. */
  protected def prunings(plan: SparkPlan): Seq[BloomPruneExec] = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[BloomPruneExec, java.lang.Boolean])
    seen.addAll(collectWithSubqueries(plan) { case p: BloomPruneExec => p }.asJava)
    seen.asScala.toSeq
  }

  protected def rowsPruned(plan: SparkPlan): Long =
    prunings(plan).map(_.longMetric("rowsPruned").value).sum

  /** The tables below the prunings of a plan. */
  protected def prunedTables(plan: SparkPlan): Set[String] =
    prunings(plan).flatMap(p => tablesOf(p.left)).toSet

  /** The tables whose rows a plan yields; those that only prune it are left out. */
  protected def tablesOf(plan: SparkPlan): Seq[String] = plan match {
    case scan: FileSourceScanExec => Seq(scan.relation.location.rootPaths.head.getName)
    case prune: BloomPruneExec => tablesOf(prune.left)
    case stage: QueryStageExec => tablesOf(stage.plan)
    case other => other.children.flatMap(tablesOf)
  }
}
