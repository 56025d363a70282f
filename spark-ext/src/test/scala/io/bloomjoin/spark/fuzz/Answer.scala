package io.bloomjoin.spark.fuzz

/** What became of a query. */
private[fuzz] sealed trait Answer

private[fuzz] object Answer {

  /**
   * @param rows
   *   as text, sorted
   * @param prunings
   *   how many there are in the plan
   * @param rowsPruned
   *   by all of them
   */
  final case class Rows(rows: Seq[String], prunings: Int, rowsPruned: Long) extends Answer {

    /** How the rows differ from others, each row once for each time too few or too many. */
    def minus(other: Rows): Seq[String] = rows.diff(other.rows)
  }

  final case class Failed(error: Throwable) extends Answer {
    def message: String = {
      val causes = Iterator.iterate(error)(_.getCause).takeWhile(_ != null).take(5)
      causes.map(e => s"${e.getClass.getName}: ${e.getMessage}".take(2000)).mkString("\n  by ")
    }
  }

  /** It was cancelled. */
  case object TooSlow extends Answer
}
