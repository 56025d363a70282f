package io.bloomjoin.spark.fuzz

/**
 * @param sql
 *   conditions to be joined by AND
 * @param matches
 *   the share of the other side's rows that a row is thought to match
 */
private[fuzz] final case class Equalities(sql: Seq[String], matches: Double)

/** Random predicates, and equalities of two relations. */
private[fuzz] final class RandomConditions(schema: Schema, choices: Choices) {
  import choices._

  private def column(): Column = of(schema.columns)

  def key(): Column = of(schema.keys)

  /** A constant of the column's type. */
  def constant(column: Column): String =
    column.kind.valueOf(s"${between(0, 40)}", s"${chance(0.5)}")

  /** A predicate on the columns of the relation `q`, or of the only one. */
  def predicate(q: String = ""): String = {
    val of = if (q.isEmpty) "" else s"$q."
    val c = column()
    weighted(
      1 -> (() => s"${of}x = ${number(10)}"),
      6 -> (() => s"${of}x < ${between(1, 6)}"),
      2 -> (() => s"${of}x in (${number(10)}, ${number(10)})"),
      3 -> (() => s"${of}id % 7 ${pick("=", "<>", "<>")} ${number(7)}"),
      2 -> (() => s"$of${c.name} >= ${constant(c)}"),
      1 -> (() => s"$of${c.name} ${pick("=", "<=>", "<")} ${constant(c)}"),
      1 -> (() => s"$of${c.name} in (${Seq.fill(8)(constant(c)).mkString(", ")})"),
      2 -> (() => s"$of${c.name} is not null"),
      1 -> (() => s"($of${c.name} is null or ${of}x < ${between(1, 3)})"),
      1 -> (() => s"$of${c.name} <= $of${choices.of(schema.alike(c)).name}"),
      1 -> (() => s"not ($of${c.name} = ${constant(c)} or ${of}x > ${between(4, 9)})")
    )
  }

  /** Equalities of columns of the relations `l` and `r`. */
  def equalities(l: String, r: String): Equalities = {
    val single = Seq.fill(pick(1, 1, 1, 1, 1, 1, 1, 2, 3))(equality(l, r))
    Equalities(single.map(_._1).distinct, single.map(_._2).product)
  }

  private def equality(l: String, r: String): (String, Double) = {
    val c = key()
    val few = if (c.kind.sql == "boolean") 0.5 else 1.0 / 40
    weighted(
      10 -> (() => (s"$l.${c.name} = $r.${c.name}", few)),
      3 -> (() => (s"$l.${c.name} = $r.${of(schema.comparable(c)).name}", few)),
      2 -> (() => (s"$l.${c.name} <=> $r.${of(schema.alike(c)).name}", few)),
      2 -> (() => (s"$l.id = $r.id", 1.0 / 1000)),
      1 -> (() => (s"$l.id = $r.${of(schema.comparable(schema.id)).name}", few)),
      1 -> (() => (s"$l.x = $r.x", 0.1)),
      5 -> { () =>
        val computed = of(expressions(c))
        (s"${computed(l)} = ${computed(r)}", few * 4)
      },
      1 -> { () =>
        val computed = of(expressions(c))
        (s"${computed(l)} <=> ${computed(r)}", few * 4)
      }
    )
  }

  /** Keys computed from the column, from a relation's name. */
  private def expressions(c: Column): Seq[String => String] = {
    val other = of(schema.alike(c)).name
    val fallback = constant(c)
    val any = Seq[String => String](
      q => s"coalesce($q.${c.name}, $fallback)",
      q => s"coalesce($q.${c.name}, $q.$other)",
      q => s"if($q.x > 3, $q.${c.name}, $q.$other)",
      q => s"if($q.${c.name} is null, $fallback, $q.${c.name})",
      q => s"nullif($q.${c.name}, $fallback)",
      q => s"named_struct('a', $q.${c.name}, 'b', $q.x)",
      q => s"array($q.${c.name}, $q.$other)",
      q => s"struct($q.${c.name}).${c.name}",
      q => s"greatest($q.${c.name}, $q.$other)"
    )
    val own = c.kind.family match {
      case "number" if c.kind.isFloating =>
        Seq[String => String](q => s"$q.${c.name} + 1", q => s"cast($q.${c.name} as double)")
      case "number" =>
        Seq[String => String](
          q => s"try_add($q.${c.name}, 1)",
          q => s"$q.${c.name} % 50",
          q => s"cast($q.${c.name} as double)",
          q => s"cast($q.${c.name} as string)",
          q => s"try_cast($q.${c.name} as smallint)",
          q => s"$q.${c.name} / 3",
          q => s"cast($q.${c.name} as decimal(38, 6))"
        )
      case "string" =>
        Seq[String => String](
          q => s"upper($q.${c.name})",
          q => s"substr($q.${c.name}, 2)",
          q => s"concat($q.${c.name}, '-')",
          q => s"try_cast($q.${c.name} as int)",
          q => s"cast($q.${c.name} as binary)",
          q => s"$q.${c.name} collate UTF8_LCASE"
        )
      case "time" =>
        Seq[String => String](
          q => s"cast($q.${c.name} as date)",
          q => s"cast($q.${c.name} as timestamp)",
          q => s"date_trunc('MONTH', $q.${c.name})",
          q => s"year($q.${c.name})"
        )
      case _ => Seq.empty
    }
    any ++ own ++ own
  }

  /** A condition on a pair of rows that is no equality of both sides. */
  def residual(l: String, r: String): String = {
    val c = column()
    pick(
      s"$l.x <= $r.x",
      s"$l.id <> $r.id",
      s"$l.x + $r.x < 12",
      s"$l.${c.name} < $r.${c.name}",
      s"($l.${c.name} = $r.${c.name} or $l.x = $r.x)",
      predicate(l),
      predicate(r)
    )
  }
}
