package io.bloomjoin.spark.fuzz

/** Where the rows of a table are. */
private[fuzz] sealed trait Storage {

  /** @param path for a table's own files */
  def create(table: Table, rows: String, path: String): Seq[String]

  def drop(table: Table): Seq[String] = Seq(s"drop table ${table.name}")
}

private[fuzz] object Storage {

  /** Computed anew at each reading, row by row. */
  case object View extends Storage {
    override def create(table: Table, rows: String, path: String): Seq[String] =
      Seq(s"create temporary view ${table.name} as $rows")

    override def drop(table: Table): Seq[String] = Seq(s"drop view ${table.name}")
  }

  final case class Cache(isLazy: Boolean) extends Storage {
    override def create(table: Table, rows: String, path: String): Seq[String] =
      Seq(s"cache ${if (isLazy) "lazy " else ""}table ${table.name} as $rows")

    override def drop(table: Table): Seq[String] =
      Seq(s"uncache table ${table.name}", s"drop view ${table.name}")
  }

  /** A table of the catalog; `clause` says how its files are divided. */
  final case class Files(format: String, clause: String = "") extends Storage {
    override def create(table: Table, rows: String, path: String): Seq[String] =
      Seq(s"create table ${table.name} using $format $clause as ${divided(rows)}")
  }

  /** Files that are no table of the catalog; the settings of a query decide which source reads. */
  case object Path extends Storage {
    override def create(table: Table, rows: String, path: String): Seq[String] = Seq(
      s"insert overwrite directory '$path' using parquet ${divided(rows)}",
      s"create temporary view ${table.name} as select * from parquet.`$path`"
    )

    override def drop(table: Table): Seq[String] = View.drop(table)
  }

  /** Strings of a bounded length; those of a fixed one are padded. */
  final case class Padded(kind: String) extends Storage {
    override def create(table: Table, rows: String, path: String): Seq[String] = {
      val columns = table.schema.columns.map { c =>
        s"${c.name} ${if (c.kind.isPlainString) s"$kind(9)" else c.kind.sql}"
      }
      Seq(
        s"create table ${table.name} (${columns.mkString(", ")}) using parquet",
        s"insert into ${table.name} ${divided(rows)}"
      )
    }
  }

  private def divided(rows: String): String =
    rows.replaceFirst("^select", "select /*+ repartition(3) */")

  def random(schema: Schema, choices: Choices): Storage = {
    val bucketed = (schema.id +: schema.keys).filter(c => c.kind.isNumber || c.kind.isPlainString)
    choices.weighted[Storage](
      2 -> (() => View),
      1 -> (() => Cache(choices.chance(0.5))),
      5 -> (() => Files("parquet")),
      1 -> (() => Files(if (schema.hasCollations) "parquet" else "orc")), // ORC cannot have them
      2 -> (() => Files("parquet", "partitioned by (x)")),
      2 -> { () =>
        val key = choices.of(bucketed).name
        Files("parquet", s"clustered by ($key) sorted by ($key) into ${choices.pick(3, 4)} buckets")
      },
      2 -> (() => Path),
      1 -> (() => Padded(choices.pick("char", "varchar")))
    )
  }
}
