package io.bloomjoin.spark.fuzz

/**
 * A table, made of SQL alone.
 *
 * @param values
 *   each column's value in row `id`, as SQL
 */
private[fuzz] final case class Table(
    name: String,
    rows: Int,
    schema: Schema,
    values: Map[Column, String],
    storage: Storage
) {

  /** What makes the table; `directory` is for its files. */
  def create(directory: String): Seq[String] = {
    val selected = schema.select(values.toSeq: _*)
    storage.create(this, s"select $selected from range($rows)", s"$directory/$name")
  }

  def drop: Seq[String] = storage.drop(this)

  /** With that part of the rows. */
  def divided(by: Int): Table = copy(rows = rows / by)
}

private[fuzz] object Table {
  def random(name: String, schema: Schema, choices: Choices): Table = {
    val rows = choices.weighted(
      1 -> (() => choices.pick(0, 1)),
      3 -> (() => choices.between(10, 60)),
      12 -> (() => choices.between(100, 600)),
      12 -> (() => choices.between(1500, 3000))
    )
    val values = schema.keys.map(c => c -> value(c, choices)) :+
      schema.x -> s"cast(pmod(hash(id, '$name'), 10) as int)"
    Table(name, rows, schema, values.toMap, Storage.random(schema, choices))
  }

  private def value(column: Column, choices: Choices): String = {
    val salt = choices.number(1000)
    val shift = choices.pick(0, 0, 0, -10, 10)
    val width = choices.pick(5, 40, 60, 60, 150, 300)
    val spread = s"cast(pmod(hash(id, $salt), $width) as int) + $shift"
    val number = choices.weighted(
      6 -> (() => s"($spread)"),
      1 -> (() => s"if(hash(id, $salt, 1) % 3 = 0, $shift, $spread)"),
      1 -> (() => s"(cast(sqrt(pmod(hash(id, $salt), $width * $width)) as int) + $shift)"),
      2 -> (() => s"cast(pmod(id * 7, 397) as int)")
    )
    val typed = column.kind.valueOf(number, "id % 2 = 0")
    choices.pick(0, 5, 30) match {
      case 0 => typed
      case nulls => s"if(pmod(hash(id, $salt, 2), 100) < $nulls, null, $typed)"
    }
  }
}
