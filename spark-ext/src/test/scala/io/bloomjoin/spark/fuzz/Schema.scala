package io.bloomjoin.spark.fuzz

private[fuzz] final case class Column(name: String, kind: ColumnType)

/**
 * The columns that every table has, and every relation made on the way, so that anything can be put
 * on top of anything.
 *
 * @param keys
 *   columns of any type
 */
private[fuzz] final case class Schema(keys: Seq[Column]) {

  /** Nearly unique. */
  val id: Column = Column("id", ColumnType("bigint", "number", "cast(n as bigint)"))

  /** 0 to 9. */
  val x: Column = Column("x", ColumnType("int", "number", "cast(n % 10 as int)"))

  val columns: Seq[Column] = id +: keys :+ x

  val list: String = columns.map(_.name).mkString(", ")

  def hasCollations: Boolean = keys.exists(_.kind.isCollated)

  /** Columns of a type that `column` can be compared with. */
  def comparable(column: Column): Seq[Column] = columns.filter(_.kind.family == column.kind.family)

  /** Columns of the type of `column`. */
  def alike(column: Column): Seq[Column] = columns.filter(_.kind == column.kind)

  /** The columns as a select list, those in `values` computed. */
  def select(values: (Column, String)*): String = {
    val computed = values.toMap
    columns.map(c => computed.get(c).fold(c.name)(v => s"$v as ${c.name}")).mkString(", ")
  }
}

private[fuzz] object Schema {
  def random(choices: Choices): Schema = {
    val types = Seq.fill(choices.between(2, 3))(choices.of(ColumnType.common)) ++
      Seq.fill(choices.between(1, 2))(choices.of(ColumnType.rare)) ++
      (if (choices.chance(0.4)) Seq(ColumnType.string) else Seq.empty)
    Schema(types.zipWithIndex.map { case (kind, i) => Column(s"c$i", kind) })
  }
}
