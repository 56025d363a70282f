package io.bloomjoin.spark.fuzz

/**
 * A type that can be the key of a join.
 *
 * @param sql
 *   as it is declared
 * @param family
 *   types of one family can be compared with each other
 * @param value
 *   its value for the number `n`, an int from -400 to 400, and the row's parity `p`, as SQL; values
 *   of numbers are `n` for most `n`, so that they match across types
 */
private[fuzz] final case class ColumnType(sql: String, family: String, value: String) {
  def valueOf(n: String, p: String): String =
    s"(${value.replaceAll("\\bn\\b", n).replaceAll("\\bp\\b", p)})"

  def isNumber: Boolean = family == "number"

  /** A floating-point number; -0.0 and NaN are among its values. */
  def isFloating: Boolean = sql == "float" || sql == "double"

  def isPlainString: Boolean = family == "string"

  def isCollated: Boolean = sql.startsWith("string collate")
}

private[fuzz] object ColumnType {
  private def number(sql: String, value: String) = ColumnType(sql, "number", value)

  private def extremes(sql: String, least: String, greatest: String) =
    number(sql, s"cast(case n when 16 then $least when -16 then $greatest else n end as $sql)")

  private def floating(sql: String, suffix: String) = number(
    sql,
    s"""cast(case n when 0 then if(p, -0.0$suffix, 0.0$suffix) when 16 then double('NaN')
        when -16 then double('-inf') when 17 then double('inf') else n end as $sql)"""
  )

  private def decimal(precision: Int, scale: Int) = {
    val sql = s"decimal($precision, $scale)"
    number(sql, s"cast(n${if (scale > 1) " + if(n % 5 = 0, 0.25, 0)" else ""} as $sql)")
  }

  private def collated(name: String) = ColumnType(
    s"string collate $name",
    name,
    s"""cast(case when n = 0 then '' when n % 7 = 0 then if(p, 'ÉT', 'ét')
        else concat(if(p, 'K', 'k'), n${if (name.contains("RTRIM")) ", if(p, '  ', '')" else ""})
        end as string collate $name)"""
  )

  private def own(sql: String, value: String) = ColumnType(sql, sql, value)

  val string: ColumnType = ColumnType(
    "string",
    "string",
    "case when n = 0 then '' when n = 16 then 'é' when n % 3 = 0 then cast(n as string) else concat('key', n) end"
  )

  val common: Seq[ColumnType] = Seq(
    number("tinyint", "cast(n % 128 as tinyint)"),
    extremes("smallint", "-32768", "32767"),
    extremes("int", "-2147483648", "2147483647"),
    extremes("bigint", "-9223372036854775808", "9223372036854775807"),
    decimal(5, 0),
    decimal(10, 2),
    decimal(19, 4),
    decimal(38, 10),
    floating("float", "f"),
    floating("double", "d"),
    string,
    ColumnType("date", "time", "date_add(date'1582-10-10', n)"),
    ColumnType(
      "timestamp",
      "time",
      "timestampadd(microsecond, if(n % 4 = 1, 1, 0), timestampadd(hour, n * 12, timestamp'1970-01-01 00:00:00'))"
    ),
    ColumnType(
      "timestamp_ntz",
      "time",
      "timestampadd(hour, n * 12, timestamp_ntz'2026-03-01 00:00:00')"
    )
  )

  val rare: Seq[ColumnType] = Seq(
    own("boolean", "n > 3"),
    own("binary", "case n when 0 then x'' when 16 then x'00' else cast(hex(n) as binary) end"),
    own("interval year to month", "make_ym_interval(0, n)"),
    own("interval day to second", "make_dt_interval(n, 0, 0, 0.000001)"),
    own(
      "struct<a: int, b: struct<c: string>>",
      "named_struct('a', if(n % 8 = 0, null, n), 'b', named_struct('c', concat('c', n % 7)))"
    ),
    own("struct<f: double>", "named_struct('f', if(n = 0, if(p, -0.0d, 0.0d), n / 7))"),
    own("array<int>", "array(n, if(n % 8 = 0, null, n + 1))"),
    own("array<string>", "if(n = 0, cast(array() as array<string>), array(concat('s', n), ''))"),
    collated("UTF8_LCASE"),
    collated("UNICODE_CI"),
    collated("UTF8_BINARY_RTRIM")
  )
}
