package io.bloomjoin.spark.fuzz

/**
 * What a run of the fuzzer saw.
 *
 * @param compared
 *   queries that stock Spark answered
 * @param failed
 *   queries that fail with stock plans, too, and tell nothing
 * @param slow
 *   queries that were cancelled with stock plans, and tell nothing
 * @param planned
 *   compared queries with a pruning in the plan
 * @param pruned
 *   compared queries of which rows were pruned
 * @param telling
 *   pruned queries that yield rows, of which one could be missing
 */
private[spark] final case class Totals(
    compared: Int = 0,
    failed: Int = 0,
    slow: Int = 0,
    planned: Int = 0,
    pruned: Int = 0,
    telling: Int = 0,
    rowsPruned: Long = 0,
    findings: Seq[Finding] = Seq.empty
) {
  def queries: Int = compared + failed + slow

  def plus(answer: Answer): Totals = answer match {
    case rows: Answer.Rows =>
      val isPruned = rows.rowsPruned > 0
      copy(
        compared = compared + 1,
        planned = planned + (if (rows.prunings > 0) 1 else 0),
        pruned = pruned + (if (isPruned) 1 else 0),
        telling = telling + (if (isPruned && rows.rows.nonEmpty) 1 else 0),
        rowsPruned = rowsPruned + rows.rowsPruned
      )
    case _ => copy(compared = compared + 1)
  }

  /** Why the run is no success: a finding, or too little that was compared to tell anything. */
  def problems: Seq[String] = Seq(
    s"${findings.size} findings" -> findings.nonEmpty,
    "rows of less than a third of the compared queries were pruned" -> (3 * pruned < compared),
    "less than a fifth of the compared queries were pruned and yielded rows" ->
      (5 * telling < compared),
    "more than a twentieth of the queries failed or were too slow with stock plans" ->
      (20 * (failed + slow) > queries),
    "no query was compared" -> (compared == 0)
  ).collect { case (problem, true) => problem }

  def text: String = {
    def share(n: Int) = f"${100.0 * n / math.max(1, compared)}%.0f %%"
    f"$queries queries: $compared compared, $failed fail with stock plans, too, $slow too slow; " +
      f"$planned (${share(planned)}) planned with prunings, $pruned (${share(pruned)}) pruned, " +
      f"$telling (${share(telling)}) pruned and not empty, $rowsPruned%,d rows pruned; " +
      f"${findings.size} findings"
  }
}
