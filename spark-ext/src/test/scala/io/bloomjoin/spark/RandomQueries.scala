package io.bloomjoin.spark

import scala.util.Random

/**
 * Random queries over tables with the columns id, k, j, s and x. Every relation that is made on the
 * way has these columns too, so that anything can be put on top of anything.
 */
private class RandomQueries(seed: Long, tables: Seq[String]) {
  private val random = new Random(seed)
  private var names = 0

  /** A query whose one row is a digest of the rows of a random relation. */
  def next(): String =
    s"select count(*), sum(hash(id, k, j, s, x)), sum(k), sum(x) from ${relation(4)} q"

  private def name(): String = {
    names += 1
    s"t$names"
  }

  private def pick[T](choices: T*): T = choices(random.nextInt(choices.size))

  private def chance(share: Double): Boolean = random.nextDouble() < share

  private def relation(depth: Int): String =
    if (depth == 0 || chance(0.15)) base()
    else
      random.nextInt(20) match {
        case n if n < 8 => join(depth)
        case 8 | 9 => aggregate(depth)
        case 10 => window(depth)
        case 11 => union(depth)
        case 12 => projection(depth)
        case 13 => s"(select * from ${relation(depth - 1)} ${name()} where ${predicate()})"
        case 14 => membership(depth)
        case 15 => twice(depth)
        case 16 => exploded(depth)
        case 17 => s"(select distinct * from ${relation(depth - 1)} ${name()})"
        case 18 => exchanged(depth)
        case _ => limited(depth)
      }

  private def base(): String = {
    val table = pick(tables: _*)
    if (chance(0.6)) s"(select * from $table where ${predicate()})" else table
  }

  private def predicate(): String = pick(
    s"x = ${random.nextInt(10)}",
    s"x < ${random.nextInt(4)}",
    s"j in (${random.nextInt(150)}, ${random.nextInt(150)})",
    s"k between ${random.nextInt(100)} and ${100 + random.nextInt(100)}",
    s"s like '%${random.nextInt(10)}'",
    "k is not null",
    s"id % 7 <> ${random.nextInt(7)}"
  )

  // ---- joins

  private def join(depth: Int): String = {
    val (left, right) = (relation(depth - 1), relation(pick(0, depth - 1)))
    val hint = pick("", "", "/*+ merge(r) */", "/*+ shuffle_hash(r) */", "/*+ broadcast(r) */")
    val kind = pick(
      "join",
      "join",
      "join",
      "left join",
      "right join",
      "full join",
      "left semi join",
      "left anti join"
    )
    val condition = (keys() ++ residual()).mkString(" and ")
    val columns =
      if (kind.endsWith("semi join") || kind.endsWith("anti join")) "l.*"
      else columnsOfEither()
    s"(select $hint $columns from $left l $kind $right r on $condition)"
  }

  private def keys(): Seq[String] = pick(
    Seq("l.k = r.k"),
    Seq("l.k = r.k"),
    Seq("l.k = r.j"),
    Seq("l.j = r.k"),
    Seq("l.s = r.s"),
    Seq("l.id = r.id"),
    Seq("l.id = r.k"),
    Seq("l.k = r.k", "l.j = r.j"),
    Seq("l.k <=> r.k", "l.s = r.s"),
    Seq("coalesce(l.k, 0) = coalesce(r.k, 0)", "l.id = r.id"),
    Seq("l.k = r.k + 1"),
    Seq("l.k % 50 = r.j % 50", "l.s = r.s"),
    Seq("cast(l.k as string) = r.s"),
    Seq("cast(l.x as double) = r.x", "l.k = r.k")
  )

  private def residual(): Seq[String] =
    if (chance(0.2)) Seq(pick("l.x <= r.x", "l.id <> r.id", "l.x + r.x < 12", "r.x > 2", "l.x > 2"))
    else Seq.empty

  private def columnsOfEither(): String = {
    def side = pick("l", "r")
    pick(
      s"l.id, $side.k, $side.j, $side.s, $side.x",
      s"coalesce(r.id, l.id) as id, coalesce($side.k, 0) as k, $side.j, $side.s, l.x",
      s"$side.id, coalesce(l.k, r.k) as k, $side.k as j, $side.s, r.x"
    )
  }

  private def membership(depth: Int): String = {
    val (outer, inner) = (relation(depth - 1), relation(depth - 1))
    val column = pick("k", "j", "s")
    val condition = pick(
      s"o.$column in (select $column from $inner i)",
      s"exists (select 1 from $inner i where i.$column = o.$column and i.x <> o.x)",
      s"not exists (select 1 from $inner i where i.k = o.k)",
      s"o.id not in (select id from $inner i where id is not null)",
      s"(o.x = 1 or exists (select 1 from $inner i where i.$column = o.$column))",
      s"o.k >= (select min(k) from $inner i where x < 5)",
      s"o.x < (select count(*) from $inner i where i.k = o.k)"
    )
    s"(select * from $outer o where $condition)"
  }

  private def twice(depth: Int): String = {
    val shared = name()
    val other = relation(0)
    s"""(with $shared as (select * from ${relation(depth - 1)} ${name()})
        select l.id, l.k, r.j, r.s, l.x from $shared l
        ${pick("join", "left join", "full join")} $shared r on l.k = r.j
        ${pick("", s"where l.k in (select k from $other o where o.x = 3)")})"""
  }

  // ---- everything else

  private def aggregate(depth: Int): String = {
    val from = relation(depth - 1)
    val x = "cast(pmod(sum(x), 10) as int) as x"
    pick(
      s"(select max(id) as id, k, cast(count(*) as int) as j, min(s) as s, $x from $from a group by k)",
      s"(select max(id) as id, k, j, max(s) as s, $x from $from a group by k, j)",
      s"(select count(distinct id) as id, j as k, max(k) as j, s, $x from $from a group by j, s)",
      s"(select max(id) as id, k + 1 as k, max(j) as j, s, $x from $from a group by k + 1, s having count(*) > 1)",
      s"(select max(id) as id, k, j, max(s) as s, $x from $from a group by rollup(k, j))",
      s"(select max(id) as id, max(k) as k, 7 as j, max(s) as s, $x from $from a)"
    )
  }

  private def window(depth: Int): String = {
    val from = relation(depth - 1)
    val order = "order by id, k, j, s, x"
    val ranked =
      s"select id, k, cast(row_number() over (partition by ${pick("k", "s", "k, s")} $order) as int) as j, s, x from $from w"
    pick(
      s"($ranked)",
      s"(select * from ($ranked) ranked where j <= 2)",
      s"(select id, k, max(j) over (partition by k) as j, s, max(x) over (partition by s) as x from $from w)"
    )
  }

  private def union(depth: Int): String = {
    val all = pick("all", "all", "")
    s"(select * from ${relation(depth - 1)} ${name()} union $all select * from ${relation(depth - 1)} ${name()})"
  }

  private def projection(depth: Int): String = pick(
    s"(select id, j as k, k as j, s, x from ${relation(depth - 1)} ${name()})",
    s"(select id, k + 1 as k, j, concat(s, '') as s, x from ${relation(depth - 1)} ${name()})",
    s"(select n.a as id, n.b.c as k, n.b.d as j, s, x from (select named_struct('a', id, 'b', named_struct('c', k, 'd', j)) as n, s, x from ${relation(depth -
        1)} ${name()}))",
    s"(select id, coalesce(k, -1) as k, j, s, x from ${relation(depth - 1)} ${name()})"
  )

  private def exploded(depth: Int): String =
    s"(select id, e as k, j, s, x from ${relation(depth - 1)} ${name()} lateral view ${pick("", "outer")} explode(${pick("array(k, j)", "array_remove(array(j, 3), 3)")}) ex as e)"

  private def exchanged(depth: Int): String =
    s"(select /*+ ${pick("repartition(3, k)", "repartition(3)", "rebalance(j)", "coalesce(1)", "repartition_by_range(3, k)")} */ * from ${relation(depth -
        1)} ${name()})"

  private def limited(depth: Int): String =
    s"(select * from ${relation(depth - 1)} ${name()} order by id, k, j, s, x limit ${pick(1, 10, 100)})"
}
