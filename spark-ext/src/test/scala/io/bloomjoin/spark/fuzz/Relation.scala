package io.bloomjoin.spark.fuzz

/**
 * A relation of the one [[Schema]], as a tree that can be made smaller.
 *
 * @param inputs
 *   relations it is made of; each could stand in its place
 * @param parts
 *   what could be left out: a hint, a predicate
 * @param rows
 *   about how many, to keep joins from exploding
 * @param write
 *   its SQL from its inputs' and parts'; a part that is left out is empty
 */
private[fuzz] final case class Relation(
    inputs: Seq[Relation],
    parts: Seq[String],
    rows: Double,
    write: (Seq[String], Seq[String]) => String
) {
  def sql: String = write(inputs.map(_.sql), parts)

  /** Ways of leaving something out, the greatest first. */
  def smaller: Iterator[Relation] =
    inputs.sortBy(_.sql.length).iterator ++ inputs.iterator.flatMap(_.inputs) ++
      parts.indices.iterator.filter(parts(_).nonEmpty).map(i =>
        copy(parts = parts.updated(i, ""))
      ) ++
      inputs.indices.iterator.flatMap(i =>
        inputs(i).smaller.map(s => copy(inputs = inputs.updated(i, s)))
      )
}

private[fuzz] object Relation {
  def leaf(table: String, rows: Double): Relation =
    Relation(Seq.empty, Seq.empty, rows, (_, _) => table)
}
