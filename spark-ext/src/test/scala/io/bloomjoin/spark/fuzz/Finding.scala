package io.bloomjoin.spark.fuzz

/** A trial whose pruned answer is wrong. */
private[fuzz] final case class Finding(trial: Trial, stock: Answer.Rows, pruned: Answer) {

  /** The trial, what was expected, and what came. */
  def text: String = s"${Finding.script(trial)}\n-- $difference"

  private def difference: String = pruned match {
    case Answer.Failed(error) =>
      s"stock: ${stock.rows.size} rows; pruned fails: ${Answer.Failed(error).message}"
    case Answer.TooSlow => s"stock: ${stock.rows.size} rows; pruned does not end"
    case rows: Answer.Rows =>
      s"""stock: ${stock.rows.size} rows; pruned: ${rows.rows.size} rows
         |stock only: ${some(stock.minus(rows))}
         |pruned only: ${some(rows.minus(stock))}""".stripMargin
  }

  private def some(rows: Seq[String]): String =
    rows.take(20).map("\n  " + _).mkString +
      (if (rows.size > 20) s"\n  and ${rows.size - 20} more" else "")
}

private[fuzz] object Finding {

  /** The trial as SQL. */
  def script(trial: Trial): String = {
    val tables = trial.tables.flatMap(_.create("/tmp/fuzz"))
    val settings = trial.settings.toSeq.sorted.map { case (key, value) => s"set $key=$value" }
    (tables ++ settings ++ trial.caching :+ trial.sql).map(_ + ";").mkString("\n")
  }

  /** What is wrong with the trial's pruned answer, if anything. */
  def of(trial: Trial, stock: Answer, pruned: => Answer): Option[Finding] = stock match {
    case expected: Answer.Rows =>
      Some(pruned).filterNot {
        case rows: Answer.Rows => rows.rows == expected.rows
        case _ => false
      }.map(Finding(trial, expected, _))
    case _ => None
  }
}
