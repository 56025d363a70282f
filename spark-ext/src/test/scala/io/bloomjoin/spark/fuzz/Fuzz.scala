package io.bloomjoin.spark.fuzz

import java.nio.file.Path

import org.apache.spark.sql.SparkSession

/**
 * Compares answers of random queries with stock plans and with as many prunings as there can be.
 *
 * @param directory
 *   for tables' files
 * @param report
 *   is told of each finding when it is made, and of the totals now and then
 */
private[spark] final class Fuzz(spark: SparkSession, directory: Path, report: String => Unit) {

  /** The tables are replaced after this many queries. */
  private val queriesPerSchema = 20

  private val maxFindings = 5

  /** The totals are reported after this many queries. */
  private val queriesPerReport = 100

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
        case (totals, (trial, index)) =>
          if (totals.queries > 0 && totals.queries % queriesPerReport == 0) report(totals.text)
          tried(totals, trial, index + 1)
      }
    finally runner.dropAll()
  }

  private def tried(totals: Totals, trial: Trial, number: Int): Totals = runner.stock(trial) match {
    case _: Answer.Failed => totals.copy(failed = totals.failed + 1)
    case Answer.TooSlow => totals.copy(slow = totals.slow + 1)
    case stock: Answer.Rows =>
      val pruned = runner.pruned(trial)
      val finding = Finding.of(trial, stock, pruned)
      finding.foreach { found =>
        report(s"--seed ${trial.seed} --queries $number fails at its last query:\n${found.text}")
        report(s"Smaller:\n${new Shrinker(runner).shrink(found).text}")
      }
      totals.plus(pruned).copy(findings = totals.findings ++ finding)
  }
}
