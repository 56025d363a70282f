package io.bloomjoin.spark.fuzz

import io.bloomjoin.spark.fuzz.RandomSettings.Settings

/**
 * A query and all that it needs to run.
 *
 * @param seed
 *   yields the tables anew
 * @param cached
 *   relations that are cached before the query and are read by it
 */
private[fuzz] final case class Trial(
    seed: Long,
    tables: Seq[Table],
    cached: Seq[(String, Relation)],
    query: Relation,
    schema: Schema,
    settings: Settings
) {
  def sql: String = s"select ${schema.list} from ${query.sql} q"

  /** Each way of leaving something out, the greatest first. */
  def smaller: Iterator[Trial] =
    query.smaller.map(q => copy(query = q)) ++
      cached.indices.iterator.flatMap { i =>
        val (name, relation) = cached(i)
        relation.smaller.map(r => copy(cached = cached.updated(i, name -> r)))
      } ++
      settings.keys.iterator.filterNot(needed).map(key => copy(settings = settings - key))

  /** Each way of leaving out the rows of tables. */
  def withLessData: Iterator[Trial] =
    tables.indices.iterator.filter(tables(_).rows > 0).map(i =>
      copy(tables = tables.updated(i, tables(i).halved))
    )

  def withoutUnreadCaches: Trial =
    copy(cached = cached.filter { case (name, _) => reads(sql, name) })

  /** Without tables that are not read. */
  def withoutUnreadTables: Trial = {
    val texts = sql +: cached.map(_._2.sql)
    copy(tables = tables.filter(t => texts.exists(reads(_, t.name))))
  }

  private def reads(sql: String, name: String) = s"\\b$name\\b".r.findFirstIn(sql).isDefined

  private def needed(key: String): Boolean =
    Set("spark.bloomjoin.minPrunedRows", "spark.bloomjoin.maxSelectivity").contains(key)
}
