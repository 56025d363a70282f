package io.bloomjoin.spark

import io.bloomjoin.spark.plan.BloomPruneExec
import java.nio.file.Files
import java.util.concurrent.atomic.AtomicBoolean
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart, SparkListenerTaskEnd}
import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** Pruned joins on a cluster of several JVMs, some of which die. */
class ClusterSuite extends AnyFunSuite with BeforeAndAfterAll with AdaptiveSparkPlanHelper {
  private val folder = Files.createTempDirectory("bloomjoin-cluster")
  private val cluster = new StandaloneCluster(workers = 2, folder)
  private var spark: SparkSession = _

  private val query =
    """select f.k, count(*), sum(f.id), max(d.name) from fact f join dim d on f.k = d.k
      |where d.cat = 7 and slow(f.id) >= 0 group by f.k""".stripMargin

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    cluster.start()
    spark = SparkSession.builder().master(cluster.master).appName("ClusterSuite")
      .config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1")
      .config("spark.driver.host", "127.0.0.1")
      .config("spark.executor.extraClassPath", cluster.classFolders)
      .config("spark.executor.memory", "512m")
      .config("spark.task.maxFailures", "8")
      .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
      .config("spark.cores.max", "2")
      .config("spark.sql.extensions", classOf[BloomJoinExtensions].getName)
      .config("spark.sql.shuffle.partitions", "8")
      .config("spark.sql.autoBroadcastJoinThreshold", "-1")
      .config("spark.bloomjoin.minPrunedRows", "0")
      .getOrCreate()
    spark.udf.register("slow", StandaloneClusterFunctions.slow)
    spark.range(0, 100000, 1, 16).selectExpr("id", "id % 1000 as k")
      .write.parquet(s"$folder/fact")
    spark.range(0, 1000, 1, 8).selectExpr("id as k", "id % 20 as cat", "concat('n', id) as name")
      .write.parquet(s"$folder/dim")
    spark.conf.set("spark.sql.files.maxPartitionBytes", "16k")
    spark.read.parquet(s"$folder/fact").createOrReplaceTempView("fact")
    spark.read.parquet(s"$folder/dim").createOrReplaceTempView("dim")
  }

  override protected def afterAll(): Unit = {
    try if (spark != null) spark.stop()
    finally {
      cluster.stop()
      super.afterAll()
    }
  }

  private lazy val stock: Seq[Row] = {
    spark.conf.set("spark.bloomjoin.enabled", "false")
    try spark.sql(query).collect().toSeq
    finally spark.conf.set("spark.bloomjoin.enabled", "true")
  }

  private def checkPruned(): Unit = {
    val df = spark.sql(query)
    val rows = df.collect().toSeq
    assert(rows.map(_.toString).sorted == stock.map(_.toString).sorted)
    val prunings =
      collectWithSubqueries(df.queryExecution.executedPlan) { case p: BloomPruneExec => p }
    assert(prunings.map(_.longMetric("rowsPruned").value).sum > 0, df.queryExecution.executedPlan)
    assert(prunings.map(_.longMetric("unfilteredTasks").value).sum == 0)
  }

  /** Kills an executor once, when `listener` says so, while `body` runs. */
  private def killing(listener: (() => Unit) => SparkListener)(body: => Unit): Unit = {
    val killed = new AtomicBoolean
    val kill = () =>
      if (killed.compareAndSet(false, true)) {
        cluster.executors.headOption.foreach(_.destroyForcibly())
      }
    val installed = listener(kill)
    spark.sparkContext.addSparkListener(installed)
    try body
    finally spark.sparkContext.removeSparkListener(installed)
    assert(killed.get)
  }

  test("executors read the filter from its broadcast") {
    checkPruned()
  }

  test("an executor is lost while the filter is built") {
    killing(kill =>
      new SparkListener {
        override def onJobStart(job: SparkListenerJobStart): Unit = {
          val description = job.properties.getProperty("spark.job.description")
          if (description == "Bloomjoin: build the filter") kill()
        }
      }
    )(checkPruned())
  }

  test("an executor is lost while the large side is probed") {
    killing(kill =>
      new SparkListener {
        override def onTaskEnd(task: SparkListenerTaskEnd): Unit = {
          val input = Option(task.taskMetrics).map(_.inputMetrics.recordsRead).getOrElse(0L)
          if (input > 1000) kill()
        }
      }
    )(checkPruned())
  }
}

/** Functions that executors run. */
object StandaloneClusterFunctions {

  /** The identity, now and then with a pause that leaves time to kill the executor. */
  val slow: Long => Long = { id =>
    if (id % 2500 == 0) Thread.sleep(50)
    id
  }
}
