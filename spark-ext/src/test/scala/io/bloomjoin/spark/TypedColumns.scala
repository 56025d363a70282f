package io.bloomjoin.spark

/** A column of each type that can be the key of a join, its extreme values among them. */
trait TypedColumns {

  /** Columns of both tables as expressions over n, -2000 to 1999, and of the row's parity p. */
  protected val columns = Seq(
    "boolean" -> "n % 2 = 0 and n > 0",
    "tinyint" -> "cast(pmod(n, 256) - 128 as tinyint)",
    "smallint" -> "cast(if(n = 1984, -32768, if(n = -1984, 32767, n)) as smallint)",
    "int" -> "cast(if(n = 1984, -2147483648, if(n = -1984, 2147483647, n * 1000)) as int)",
    "bigint" ->
      "if(n = 1984, -9223372036854775808, if(n = -1984, 9223372036854775807, n * 5000000000))",
    "float" ->
      "cast(case when n = 0 then if(p, -0.0f, 0.0f) when n = 16 then float('NaN') when n = -16 then float('-inf') else n / 3 end as float)",
    "double" ->
      "case when n = 0 then if(p, -0.0d, 0.0d) when n = 16 then double('NaN') when n = -16 then double('inf') else n / 3 end",
    "decimal_10_2" -> "cast(n * 1.25 as decimal(10, 2))",
    "decimal_19_2" -> "cast(n * 40000000000000.25 as decimal(19, 2))",
    "decimal_38_10" ->
      "cast(n as decimal(28, 0)) * cast('1234567890123.0123456789' as decimal(24, 10))",
    "string" ->
      "case n when 0 then '' when 16 then 'é' when 32 then '\uD83D\uDE00' else concat('key', n) end",
    "binary" ->
      "case n when 0 then x'' when 16 then x'00' when 32 then x'0000' else cast(hex(n) as binary) end",
    "date" -> "date_add(date'1500-01-01', cast(n as int))",
    "timestamp" -> "timestampadd(microsecond, n * 40000000000001, timestamp'1582-10-10 00:00:00')",
    "timestamp_ntz" ->
      "timestampadd(microsecond, n * 40000000000001, timestamp_ntz'1582-10-10 00:00:00')",
    "year_month" -> "make_ym_interval(0, cast(n as int))",
    "day_time" -> "make_dt_interval(0, 0, 0, n / 1000)",
    "struct" ->
      "named_struct('a', n, 'b', named_struct('c', concat('c', n % 7), 'd', if(n % 32 = 0, null, n)))",
    "floats" -> "named_struct('f', if(n = 0, if(p, -0.0d, 0.0d), n / 7))",
    "array" -> "array(n, if(n % 32 = 0, null, n + 1))",
    "strings" -> "array(concat('s', n), '')",
    "structs" -> "array(named_struct('a', if(n = 0, if(p, -0.0f, 0.0f), float(n))))"
  )
}
