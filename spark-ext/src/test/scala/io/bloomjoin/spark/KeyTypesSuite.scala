package io.bloomjoin.spark

/** Keys of every type that can be joined: what the join finds equal is never pruned. */
class KeyTypesSuite extends PruneSuite with TypedColumns {

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf.set("spark.sql.session.timeZone", "America/Los_Angeles")
    val rows = spark.range(-2000, 2000).selectExpr("id as n", "pmod(hash(id), 5) as cat")
    def typed(parity: Boolean, step: Int) = rows.where(s"n % $step = 0")
      .selectExpr("*", s"$parity as p")
      .selectExpr(Seq("n", "cat") ++ columns.map { case (name, value) =>
        s"if(n % 48 = 0 and n <> 0 and n <> 1984, null, $value) as $name"
      }: _*)
    table("large", typed(true, 1))
    table("small", typed(false, 16))
  }

  private def semi(left: String, right: String = null): String = {
    val other = if (right == null) left.replace("l.", "r.") else right
    s"select l.n from large l left semi join small r on $left = $other and r.cat = 1"
  }

  for ((name, _) <- columns if name != "boolean")
    test(s"$name keys") {
      assertPruned(semi(s"l.$name"), 3000)
    }

  test("boolean keys") {
    assertPruned(
      "select l.n from large l join (select max(boolean) as b from small where n = 16) r on l.boolean = r.b"
    )
  }

  test("time keys") {
    withConf("spark.sql.timeType.enabled" -> "true") {
      val time =
        "make_time(cast(pmod(%s.n, 24) as int), cast(pmod(%s.n, 60) as int), pmod(%s.n, 60) + 0.000001)"
      checkRows(semi(time.replace("%s", "l"), time.replace("%s", "r")))
    }
  }

  test("keys of types that are cast to be compared") {
    for (
      (left, right) <- Seq(
        "l.int" -> "r.bigint / 5000000",
        "l.tinyint" -> "r.n",
        "l.smallint" -> "cast(r.n as bigint)",
        "l.smallint" -> "cast(r.n as decimal(20, 3))",
        "l.bigint" -> "cast(r.bigint as string)",
        "cast(l.n as string)" -> "r.smallint",
        "l.decimal_10_2" -> "cast(r.decimal_10_2 as decimal(30, 5))",
        "l.decimal_19_2" -> "cast(r.decimal_19_2 as double)",
        "l.float" -> "r.double",
        "l.date" -> "cast(r.date as timestamp)",
        "cast(l.date as string)" -> "r.date",
        "l.timestamp" -> "cast(r.timestamp as timestamp_ntz)",
        "l.timestamp_ntz" -> "r.timestamp"
      )
    )
      assertPruned(semi(left, right))
  }

  test("timestamps with and without time zone in another zone") {
    withConf("spark.sql.session.timeZone" -> "Asia/Kolkata") {
      assertPruned(semi("l.timestamp", "cast(r.timestamp as timestamp_ntz)"))
      assertPruned(semi("l.date", "cast(r.date as timestamp)"))
    }
  }

  test("composite keys of up to four columns, nulls among them") {
    val keys = Seq("int", "string", "decimal_19_2", "date")
    for (count <- 2 to 4) {
      val condition = keys.take(count).map(k => s"l.$k = r.$k").mkString(" and ")
      assertPruned(
        s"select l.n, r.n from large l join small r on $condition where r.cat = 1",
        3000
      )
    }
  }

  test("a composite key prunes though each of its columns alone would not") {
    assertPruned(
      """select l.n from large l
         join (select n % 40 as a, n div 40 as b from small where n in (0, 1600, -16)) r
         on l.n % 40 = r.a and l.n div 40 = r.b""",
      3900
    )
  }

  test("null-safe equality keeps nulls where both sides have them") {
    for (key <- Seq("bigint", "double", "string", "struct", "binary"))
      assertPruned(
        s"""select l.n, r.n from large l
            join small r on l.$key <=> r.$key where r.n % 96 in (0, 16)""",
        3000
      )
    assertPruned(
      "select l.n from large l left semi join small r on l.n = r.n and l.date <=> r.date and r.cat = 1"
    )
  }

  test("null-safe equality with nulls on one side only") {
    assertPruned(
      """select l.n from large l
         left semi join (select int from small where int is not null and cat = 1) r
         on l.int <=> r.int""",
      3000
    )
    assertPruned(
      """select r.n, l.n from (select * from small where cat = 1) r
         left join (select * from large where int is not null) l on l.int <=> r.int"""
    )
  }

  test("char and varchar columns are compared as Spark pads them") {
    withConf("spark.sql.legacy.charVarcharAsString" -> "false") {
      for ((name, from) <- Seq("chars" -> "large", "short_chars" -> "small")) {
        spark.sql(
          s"""create table $name (n bigint, c5 char(5), c8 char(8), v8 varchar(8)) using parquet"""
        )
        spark.sql(
          s"""insert into $name select n, s, s, s from
              (select n, concat('c', n % 900, if(n % 3 = 0, ' ', '')) as s from $from)
              where length(s) <= 5"""
        )
      }
      for ((left, right) <- Seq("c5" -> "c5", "c5" -> "c8", "v8" -> "v8", "c8" -> "v8"))
        assertPruned(
          s"""select l.n, r.n from chars l join short_chars r on l.$left = r.$right
              where r.n > 1000 and r.n < 1300"""
        )
    }
  }

  /** Large and small tables of strings in different case, some with trailing blanks. */
  private def collated(name: String, from: String, case_ : String): Unit = {
    val text = s"concat($case_, cast(pmod(n, 500) as string), if(n % 32 = 0, ' ', ''))"
    val columns = Seq("UTF8_LCASE", "UTF8_LCASE_RTRIM", "UNICODE_CI", "UTF8_BINARY_RTRIM")
    spark.table(from).selectExpr(
      "n" +: "cat" +: columns.map(c => s"collate($text, '$c') as $c"): _*
    ).createOrReplaceTempView(name)
  }

  private val collations =
    Seq("utf8_lcase", "utf8_lcase_rtrim", "unicode_ci", "utf8_binary_rtrim")

  test("collated strings in joins prune by their collation keys") {
    collated("large_text", "large", "if(n % 3 = 0, 'K', 'k')")
    collated("small_text", "small", "if(n % 5 = 0, 'K', 'k')")
    for (c <- collations)
      assertPruned(
        s"select l.n, r.n from large_text l join small_text r on l.$c = r.$c where r.cat = 1",
        1000
      )
  }

  test("collated strings in IN, EXISTS, INTERSECT and EXCEPT yield stock's rows") {
    for (c <- collations) {
      checkRows(s"select n from large_text where $c in (select $c from small_text where cat = 1)")
      checkRows(
        s"""select n from small_text r where cat = 1
            and not exists (select 1 from large_text l where l.$c = r.$c and l.n % 7 = 0)"""
      )
      checkRows(
        s"""select n from small_text r where cat = 1
            and (n = 0 or exists (select 1 from large_text l where l.$c = r.$c and l.n % 7 = 0))"""
      )
    }
    checkRows(
      "select lower(unicode_ci) from large_text intersect select unicode_ci from small_text where cat = 1"
    )
    checkRows(
      "select utf8_lcase from small_text where cat = 1 except select utf8_lcase from large_text where n > 0"
    )
  }

  test("NOT IN over a collation that folds case and trims") {
    checkRows(
      """select * from values (collate('a', 'UTF8_LCASE_RTRIM')) t(c)
         where c not in (select collate('A ', 'UTF8_LCASE_RTRIM') from small)"""
    )
  }

  test("collated strings inside arrays, structs and expressions yield stock's rows") {
    for (c <- Seq("utf8_lcase", "unicode_ci"))
      for (
        key <- Seq(
          "array(%s)",
          "named_struct('a', %s)",
          "concat(%s, 'x')",
          "array(named_struct('a', 1, 'b', %s))"
        )
      )
        checkRows(
          s"""select l.n, r.n from large_text l join small_text r
              on ${key.format("l." + c)} = ${key.format("r." + c)} where r.cat = 1 and r.n > 0"""
        )
  }

  test("columns with a collation in the catalog") {
    for ((name, from) <- Seq("large_ci" -> "large", "small_ci" -> "small")) {
      spark.sql(
        s"create table $name (n bigint, s string collate unicode_ci, a array<string collate utf8_lcase>) using parquet"
      )
      spark.sql(
        s"insert into $name select n, concat(if(n % 3 = 0, 'X', 'x'), n), array(concat(if(n % 3 = 1, 'X', 'x'), n)) from $from"
      )
    }
    assertPruned(
      "select l.n, r.n from large_ci l join small_ci r on l.s = r.s where r.n > 900",
      3000
    )
    checkRows("select l.n, r.n from large_ci l join small_ci r on l.a = r.a where r.n > 900")
    checkRows("select l.n from large_ci l where s in (select upper(s) from small_ci where n > 900)")
  }
}
