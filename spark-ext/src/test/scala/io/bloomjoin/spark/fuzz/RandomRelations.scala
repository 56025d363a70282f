package io.bloomjoin.spark.fuzz

/** Random relations over tables that have the columns of `schema`. */
private[fuzz] final class RandomRelations(schema: Schema, tables: Seq[Table], choices: Choices) {
  import choices._

  private val conditions = new RandomConditions(schema, choices)
  private val joins = new RandomJoins(schema, conditions, choices)

  /** A join of relations that have at most `depth - 1` operations, one upon the other. */
  def joined(depth: Int): Relation = weighted(
    5 -> (() => joins.join(next(depth - 1), next(pick(0, depth - 1)))),
    5 -> (() => joins.join(next(depth - 1), filtered(base()))),
    3 -> (() => joins.join(filtered(base()), next(depth - 1))),
    3 -> (() => joins.membership(next(depth - 1), next(pick(0, depth - 1)))),
    2 -> (() => joins.twice(next(depth - 1), base()))
  )

  def next(depth: Int): Relation =
    if (depth == 0 || chance(0.12)) base()
    else
      weighted(
        18 -> (() => joined(depth)),
        2 -> (() => aggregate(next(depth - 1))),
        1 -> (() => window(next(depth - 1))),
        1 -> (() => combined(next(depth - 1), next(depth - 1))),
        2 -> (() => projection(next(depth - 1))),
        1 -> (() => filtered(next(depth - 1))),
        1 -> (() => exploded(next(depth - 1))),
        1 -> (() => distinct(next(depth - 1))),
        1 -> (() => exchanged(next(depth - 1))),
        1 -> (() => limited(next(depth - 1)))
      )

  private def base(): Relation = {
    val table = of(tables)
    val leaf = Relation.leaf(table.name, table.rows)
    if (chance(0.65)) filtered(leaf) else leaf
  }

  /** A relation of one input. */
  private def over(input: Relation, parts: Seq[String], rows: Double)(
      write: (String, Seq[String]) => String
  ): Relation = {
    val alias = name()
    Relation(Seq(input), parts, rows, (in, kept) => write(s"${in.head} $alias", kept))
  }

  private def where(predicates: Seq[String]): String = {
    val kept = predicates.filter(_.nonEmpty)
    if (kept.isEmpty) "" else kept.mkString(" where ", " and ", "")
  }

  private def filtered(input: Relation): Relation =
    over(input, Seq.fill(pick(1, 1, 2))(conditions.predicate()), input.rows) { (from, parts) =>
      s"(select ${schema.list} from $from${where(parts)})"
    }

  private def distinct(input: Relation): Relation =
    over(input, Seq.empty, input.rows)((from, _) => s"(select distinct ${schema.list} from $from)")

  private def exchanged(input: Relation): Relation = {
    val c = conditions.key().name
    val hint = pick(
      s"repartition(3, $c)",
      "repartition(3)",
      s"rebalance($c)",
      "rebalance",
      "coalesce(1)",
      s"repartition_by_range(3, $c)"
    )
    over(input, Seq(s"/*+ $hint */"), input.rows)((from, parts) =>
      s"(select ${parts.head} ${schema.list} from $from)"
    )
  }

  /** The order is total, so the rows that are left are known. */
  private def limited(input: Relation): Relation = {
    val cut = s"limit ${pick(1, 10, 100)}${pick("", "", " offset 3")}"
    over(input, Seq(conditions.predicate()), 100) { (from, parts) =>
      s"(select ${schema.list} from $from${where(parts)} order by ${schema.list} $cut)"
    }
  }

  private def exploded(input: Relation): Relation = {
    val c = conditions.key()
    val (outer, other) = (pick("", "outer"), of(schema.alike(c)).name)
    val array = pick(s"array(${c.name}, $other)", s"filter(array(${c.name}), e -> e is not null)")
    over(input, Seq.empty, input.rows * 2)((from, _) =>
      s"(select ${schema.select(c -> "ex.e")} from $from lateral view $outer explode($array) ex as e)"
    )
  }

  private def projection(input: Relation): Relation = {
    val c = conditions.key()
    val swapped = of(schema.alike(c))
    val constant = conditions.constant(c)
    val values: Seq[(Column, String)] = pick(
      Seq(c -> swapped.name, swapped -> c.name),
      Seq(c -> s"coalesce(${c.name}, $constant)"),
      Seq(c -> s"if(x > 2, ${c.name}, null)"),
      Seq(c -> s"nullif(${c.name}, ${swapped.name})"),
      Seq(schema.id -> "id + 1"),
      Seq(schema.x -> s"if(${c.name} is null, 3, x)")
    )
    if (chance(0.7))
      over(input, Seq.empty, input.rows)((from, _) =>
        s"(select ${schema.select(values.distinctBy(_._1): _*)} from $from)"
      )
    else
      over(input, Seq.empty, input.rows) { (from, _) =>
        val nested = s"named_struct('a', id, 'b', named_struct('c', ${c.name})) as n"
        val rest = schema.columns.filter(o => o != schema.id && o != c).map(_.name).mkString(", ")
        s"(select ${schema.select(schema.id -> "n.a", c -> "n.b.c")} from (select $nested, $rest from $from))"
      }
  }

  private def aggregate(input: Relation): Relation = {
    val groups = some(schema.keys ++ pick(Seq.empty, Seq(schema.x)), between(0, 2))
    val values = schema.columns.filterNot(groups.contains).map {
      case schema.x => schema.x -> "cast(pmod(sum(x), 10) as int)"
      case c if c == schema.id => c -> pick("count(*)", "max(id)", "count(distinct id)")
      case c => c -> s"${pick("max", "min")}(${c.name})"
    }
    val list = schema.select(values: _*)
    val rows = math.min(input.rows, 500)
    val names = groups.map(_.name).mkString(", ")
    val by =
      if (groups.isEmpty) ""
      else s" group by ${pick(names, names, names, s"rollup($names)", s"cube($names)")}"
    val having =
      if (groups.isEmpty) "" else pick("", "count(*) > 1", "max(x) < 6", "min(id) % 5 = 1")
    over(input, Seq(having), rows) { (from, parts) =>
      val condition = parts.filter(_.nonEmpty).map(h => s" having $h").mkString
      s"(select $list from $from$by$condition)"
    }
  }

  private def window(input: Relation): Relation = {
    val by = some(schema.keys, between(1, 2)).map(_.name).mkString(", ")
    val rank = s"${pick("rank", "dense_rank")}() over (partition by $by order by ${schema.list})"
    val c = conditions.key()
    if (chance(0.5))
      over(input, Seq(s"place <= ${between(1, 3)}"), input.rows)((from, parts) =>
        s"(select ${schema.list} from (select ${schema.list}, $rank as place from $from)${where(parts)})"
      )
    else
      over(input, Seq.empty, input.rows)((from, _) =>
        s"(select ${schema.select(c -> s"max(${c.name}) over (partition by $by)", schema.x -> s"cast(least(9, $rank) as int)")} from $from)"
      )
  }

  private def combined(left: Relation, right: Relation): Relation = {
    val operator = pick("union all", "union all", "union all", "union", "intersect", "except")
    val (a, b) = (name(), name())
    Relation(
      Seq(left, right),
      Seq.empty,
      left.rows + right.rows,
      (in, _) =>
        s"(select ${schema.list} from ${in.head} $a $operator select ${schema.list} from ${in(1)} $b)"
    )
  }
}
