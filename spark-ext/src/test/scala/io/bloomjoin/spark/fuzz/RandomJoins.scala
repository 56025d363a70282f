package io.bloomjoin.spark.fuzz

/** Random joins of relations: with ON, by subqueries, and of a relation with itself. */
private[fuzz] final class RandomJoins(
    schema: Schema,
    conditions: RandomConditions,
    choices: Choices
) {
  import choices._

  /** More rows than this are kept from coming about, as far as that can be foreseen. */
  private val maxRows = 20000

  private def matched(left: Relation, right: Relation, l: String, r: String) = {
    val equal = conditions.equalities(l, r)
    val rows = left.rows * right.rows * equal.matches
    val most = math.max(left.rows, right.rows)
    if (rows <= maxRows) (equal.sql, math.max(rows, most))
    else {
      val parts = math.ceil(rows / maxRows).toInt + 1
      (equal.sql :+ s"pmod($l.id, $parts) = pmod($r.id, $parts)", math.max(rows / parts, most))
    }
  }

  /** Mostly a hint to prune the first join of the relation `q`. */
  private def force(q: String): String = if (chance(0.8)) s"bloom_join($q)" else ""

  private def select(hints: Seq[String], columns: String): String = {
    val kept = hints.filter(_.nonEmpty)
    s"select ${if (kept.isEmpty) "" else kept.mkString("/*+ ", ", ", " */ ")}$columns"
  }

  def join(left: Relation, right: Relation): Relation = {
    val (l, r) = (name(), name())
    val hints =
      pick("", "", s"merge($r)", s"shuffle_hash($r)", s"shuffle_hash($l)", s"broadcast($r)")
    val kind = pick(
      "join",
      "join",
      "join",
      "left join",
      "right join",
      "full join",
      "left semi join",
      "left semi join",
      "left anti join"
    )
    val (equal, rows) = matched(left, right, l, r)
    val residual = if (chance(0.25)) conditions.residual(l, r) else ""
    val columns =
      if (kind.startsWith("left semi") || kind.startsWith("left anti")) ofOne(l) else ofEither(l, r)
    Relation(
      Seq(left, right),
      Seq(hints, force(l), residual) ++ equal.tail,
      rows,
      (in, parts) => {
        val on = (equal.head +: parts.drop(2).filter(_.nonEmpty)).mkString(" and ")
        s"(${select(parts.take(2), columns)} from ${in.head} $l $kind ${in(1)} $r on $on)"
      }
    )
  }

  private def ofOne(l: String): String =
    schema.select(schema.columns.map(c => c -> s"$l.${c.name}"): _*)

  private def ofEither(l: String, r: String): String =
    schema.select(schema.columns.map { c =>
      def side = pick(l, r)
      val value =
        if (chance(0.2)) s"coalesce($l.${c.name}, $r.${c.name})"
        else if (chance(0.1)) s"$side.${of(schema.alike(c)).name}"
        else s"$side.${c.name}"
      c -> value
    }: _*)

  /** `outer` by what is in `inner`. */
  def membership(outer: Relation, inner: Relation): Relation = {
    val (o, i) = (name(), name())
    val (equal, _) = matched(outer, inner, o, i)
    val on = equal.mkString(" and ")
    val c = conditions.key().name
    val two = some(schema.columns, 2).map(_.name)
    val residual = conditions.residual(o, i)
    val condition: String => String = pick(
      in => s"$o.$c in (select $c from $in)",
      in => s"($o.${two.head}, $o.${two(1)}) in (select ${two.head}, ${two(1)} from $in)",
      in => s"exists (select 1 from $in where $on)",
      in => s"exists (select 1 from $in where $on and $residual)",
      in => s"not exists (select 1 from $in where $on)",
      in => s"not exists (select 1 from $in where $on and $residual)",
      in => s"$o.$c not in (select $c from $in)",
      in => s"$o.$c not in (select $c from $in where $c is not null)",
      in => s"$o.$c not in (select $c from $in where $i.x = $o.x and $c is not null)",
      in => s"($o.x = 1 or exists (select 1 from $in where $on))",
      in => s"($o.x = 1 or $o.$c in (select $c from $in))",
      in => s"$o.$c >= (select min($c) from $in)",
      in => s"$o.x < (select count(*) from $in where $on)",
      in => s"$o.$c = (select max($i.$c) from $in where $on)"
    )
    if (chance(0.15))
      Relation(
        Seq(outer, inner),
        Seq(force(o)),
        outer.rows,
        (in, parts) => {
          val flag = s"if(exists (select 1 from ${in(1)} $i where $on), 1, $o.x)"
          val values = schema.columns.map(c => c -> s"$o.${c.name}").filter(_._1 != schema.x)
          s"(${select(parts, schema.select(values :+ schema.x -> flag: _*))} from ${in.head} $o)"
        }
      )
    else
      Relation(
        Seq(outer, inner),
        Seq(force(o), if (chance(0.3)) conditions.predicate(o) else ""),
        outer.rows,
        (in, parts) => {
          val where = (condition(s"${in(1)} $i") +: parts.tail.filter(_.nonEmpty)).mkString(" and ")
          s"(${select(parts.take(1), ofOne(o))} from ${in.head} $o where $where)"
        }
      )
  }

  /** A relation that is read twice or thrice, so that its exchanges may be shared. */
  def twice(shared: Relation, other: Relation): Relation = {
    val (cte, l, r, i) = (name(), name(), name(), name())
    val kind = pick("join", "join", "left join", "full join")
    val (equal, rows) = matched(shared, shared, l, r)
    val c = conditions.key().name
    val more =
      pick("", s"$l.$c in (select $c from $cte where x < 3)", s"$l.$c in (select $c from %s $i)")
    val (few, columns) = (conditions.predicate(l), ofEither(l, r))
    Relation(
      Seq(shared, other),
      Seq(force(l), few, more) ++ equal.tail,
      rows,
      (in, parts) => {
        val where = parts.slice(1, 3).filter(_.nonEmpty).map(_.replace("%s", in(1)))
        val on = (equal.head +: parts.drop(3).filter(_.nonEmpty)).mkString(" and ")
        s"(with $cte as (select ${schema.list} from ${in.head} ${cte}s) ${select(parts.take(1), columns)} from $cte $l $kind $cte $r on $on${if (
            where.isEmpty
          ) ""
          else where.mkString(" where ", " and ", "")})"
      }
    )
  }
}
