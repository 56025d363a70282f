package io.bloomjoin.spark.fuzz

import java.nio.file.Path

import org.apache.spark.sql.SparkSession

/**
 * Compares answers of random queries with stock plans and with as many prunings as there can be.
 *
 * @param directory
 *   for tables' files
 * @param report
 *   is told of each finding when it is made
 */
private[spark] final class Fuzz(spark: SparkSession, directory: Path, report: String => Unit) {

  /** The tables are replaced after this many queries. */
  private val queriesPerSchema = 12

  private val maxFindings = 5

  private val runner = new Runner(spark, directory.toString, seconds = 20)

  /**
   * @param queries
   *   how many at most
   * @param goesOn
   *   asked before each query
   */
  def run(seed: Long, queries: Int, goesOn: () => Boolean = () => true): Totals = {
    val trials = Iterator.from(0).flatMap { i =>
      RandomTrials.of(seed + i).take(queriesPerSchema).zipWithIndex
    }
    try trials.take(queries).takeWhile(_ => goesOn()).foldLeft(Totals()) {
        case (totals, _) if totals.findings.size >= maxFindings => totals
        case (totals, (trial, index)) => tried(totals, trial, index + 1)
      }
    finally runner.dropAll()
  }

  private def tried(totals: Totals, trial: Trial, number: Int): Totals = runner.stock(trial) match {
    case failed: Answer.Failed =>
      Fuzz.debug(failed.message.take(600) + "\n" + trial.sql)
      totals.copy(failed = totals.failed + 1)
    case Answer.TooSlow => totals.copy(slow = totals.slow + 1)
    case stock: Answer.Rows =>
      val pruned = runner.pruned(trial)
      val finding = Finding.of(trial, stock, pruned)
      Fuzz.debug(pruned match {
        case r: Answer.Rows =>
          s"${r.prunings} prunings, ${r.rowsPruned} rows, result ${r.rows.size}, ${trial.settings.get("spark.sql.adaptive.enabled")} ${trial.settings.get("spark.sql.autoBroadcastJoinThreshold")} ${trial.settings.get("spark.sql.exchange.reuse")}"
        case _ => "x"
      })
      if (System.getProperty("fuzz.debug") != null) {
        Thread.sleep(150);
        spark.sql(
          "select * from bloom_join_decisions() where query_id = (select max(query_id) from bloom_join_decisions())"
        ).collect().foreach(r => Fuzz.debug("   " + r))
      }
      finding.foreach { found =>
        report(
          s"Seed ${trial.seed}, query $number (--seed ${trial.seed} --queries $number):\n${found.text}"
        )
        report(s"Smaller:\n${new Shrinker(runner).shrink(found).text}")
      }
      val compared =
        totals.copy(compared = totals.compared + 1, findings = totals.findings ++ finding)
      pruned match {
        case rows: Answer.Rows => compared.copy(
            planned = compared.planned + (if (rows.prunings > 0) 1 else 0),
            pruned = compared.pruned + (if (rows.rowsPruned > 0) 1 else 0),
            rowsPruned = compared.rowsPruned + rows.rowsPruned
          )
        case _ => compared
      }
  }
}
object Fuzz {
  def debug(s: String): Unit = if (System.getProperty("fuzz.debug") != null) println(s)
}
