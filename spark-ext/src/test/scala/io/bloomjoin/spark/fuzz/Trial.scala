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

  /** What makes the caches. */
  def caching: Seq[String] = cached.map { case (name, relation) =>
    s"cache lazy table $name as select ${schema.list} from ${relation.sql} source"
  }

  def sql: String = s"select ${schema.list} from ${query.sql} q"

  /** Ways of leaving something out, the greatest first. */
  def smaller: Iterator[Trial] = {
    val unneeded = settings.keys.filterNot(needed)
    val withFewerSettings =
      (if (unneeded.size > 1) Iterator(copy(settings = settings -- unneeded))
       else Iterator.empty) ++
        unneeded.iterator.map(key => copy(settings = settings - key))
    val withLessData = for {
      part <- Iterator(8, 2)
      i <- tables.indices.iterator if tables(i).rows > 0
    } yield copy(tables = tables.updated(i, tables(i).divided(part)))
    val ofCaches = cached.indices.iterator.flatMap { i =>
      val (name, relation) = cached(i)
      relation.smaller.map(r => copy(cached = cached.updated(i, name -> r)))
    }
    (query.smaller.map(q => copy(query = q)) ++ ofCaches ++ withFewerSettings ++ withLessData)
      .map(_.withoutUnreadCaches.withoutUnreadTables)
  }

  def withoutUnreadCaches: Trial =
    copy(cached = cached.filter { case (name, _) => reads(sql, name) })

  private def withoutUnreadTables: Trial = {
    val texts = sql +: cached.map(_._2.sql)
    copy(tables = tables.filter(t => texts.exists(reads(_, t.name))))
  }

  private def reads(sql: String, name: String) = s"\\b$name\\b".r.findFirstIn(sql).isDefined

  private def needed(key: String): Boolean =
    Set("spark.bloomjoin.minPrunedRows", "spark.bloomjoin.maxSelectivity").contains(key)
}
