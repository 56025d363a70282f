package io.bloomjoin.spark.fuzz

/**
 * What a run of the fuzzer saw.
 *
 * @param compared
 *   queries that stock Spark answered
 * @param failed
 *   queries that stock Spark fails
 * @param slow
 *   queries that were cancelled with stock plans
 * @param planned
 *   compared queries with a pruning in the plan
 * @param pruned
 *   compared queries of which rows were pruned
 */
private[fuzz] final case class Totals(
    compared: Int = 0,
    failed: Int = 0,
    slow: Int = 0,
    planned: Int = 0,
    pruned: Int = 0,
    rowsPruned: Long = 0,
    findings: Seq[Finding] = Seq.empty
) {
  def queries: Int = compared + failed + slow

  /** The share of the compared queries of which rows were pruned. */
  def prunedShare: Double = if (compared == 0) 0 else pruned.toDouble / compared

  def text: String =
    f"$queries queries: $compared compared, $failed fail without prunings, too, $slow too slow; " +
      f"$planned planned with prunings, $pruned (${prunedShare * 100}%.0f %%) lost rows to them, " +
      f"$rowsPruned%,d rows; ${findings.size} findings"
}
