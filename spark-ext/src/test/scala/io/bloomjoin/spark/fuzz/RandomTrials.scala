package io.bloomjoin.spark.fuzz

/** Random trials over the same few tables, without end; the same for the same seed. */
private[fuzz] object RandomTrials {
  def of(seed: Long): Iterator[Trial] = {
    val choices = new Choices(seed)
    val schema = Schema.random(choices)
    val tables = Seq.tabulate(5)(i => Table.random(s"t$i", schema, choices)) :+
      Table.random("large", schema, choices).copy(rows = 2500)
    val relations = new RandomRelations(schema, tables, choices)
    Iterator.continually {
      val cached = if (choices.chance(0.1)) Seq("cached" -> relations.joined(2)) else Seq.empty
      val readable = tables ++ cached.map { case (name, relation) =>
        tables.head.copy(name = name, rows = relation.rows.toInt)
      }
      val query =
        new RandomRelations(schema, readable, choices).joined(choices.pick(1, 2, 2, 3, 3, 4))
      Trial(seed, tables, cached, query, schema, RandomSettings.next(choices)).withoutUnreadCaches
    }
  }
}
