"""The column functions, on a classic and on a Connect session."""

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from bloomjoin import bloom_agg, bloom_info, bloom_might_contain, bloom_union_agg


def test_a_filter_is_the_one_that_sql_builds(spark: SparkSession) -> None:
    in_python = spark.range(1000).agg(bloom_agg("id")).first()[0]
    in_sql = spark.sql("SELECT bloom_agg(id) FROM range(1000)").first()[0]
    assert bytes(in_python) == bytes(in_sql)


def test_names_and_columns_are_keys(spark: SparkSession) -> None:
    keys = spark.range(100).select("id", F.col("id").cast("string").alias("name"))
    filter = bytes(keys.agg(bloom_agg("id", F.upper("name"))).first()[0])
    assert bytes(keys.agg(bloom_agg(F.col("id"), F.upper("name"))).first()[0]) == filter
    types = keys.select(bloom_info(filter).key_types).first()[0]
    assert types == ["bigint", "string"]


def test_expected_keys_and_fpp_are_those_of_sql(spark: SparkSession) -> None:
    for python, sql in [
        (bloom_agg("id", expected_keys=100_000), "expected_keys => 100000"),
        (bloom_agg("id", fpp=0.001), "fpp => 0.001"),
        (bloom_agg("id", expected_keys=5000, fpp=1e-6), "fpp => 1e-6, expected_keys => 5000"),
    ]:
        told = spark.sql(f"SELECT bloom_agg(id, {sql}) FROM range(1000)").first()[0]
        assert bytes(spark.range(1000).agg(python).first()[0]) == bytes(told)


def test_a_filter_passes_its_keys_and_few_others(spark: SparkSession) -> None:
    filter = bytes(spark.range(1000).agg(bloom_agg("id")).first()[0])
    asked = spark.range(100_000).where(bloom_might_contain(filter, "id"))
    assert asked.where("id < 1000").count() == 1000
    assert asked.count() < 1000 + 2 * 0.01 * 99_000


def test_a_filter_can_be_a_column(spark: SparkSession) -> None:
    filters = spark.range(10).groupBy((F.col("id") % 2).alias("odd")).agg(bloom_agg("id").alias("f"))
    told = filters.select("odd", bloom_might_contain("f", F.lit(4).cast("bigint")).alias("may"))
    assert {row.odd: row.may for row in told.collect()} == {0: True, 1: False}


def test_nulls_are_answered_with_null(spark: SparkSession) -> None:
    filter = bytes(spark.range(10).agg(bloom_agg("id")).first()[0])
    key, none = F.lit(None).cast("bigint"), F.lit(None).cast("binary")
    row = spark.range(1).select(
        bloom_might_contain(filter, key), bloom_might_contain(none, "id"), bloom_info(none)
    )
    assert list(row.first()) == [None, None, None]


def test_a_union_holds_the_keys_of_all(spark: SparkSession) -> None:
    parts = spark.range(1000).groupBy((F.col("id") % 3).alias("part"))
    filters = parts.agg(bloom_agg("id", expected_keys=1000).alias("f"))
    whole = spark.range(1000).agg(bloom_agg("id", expected_keys=1000).alias("f"))
    united = filters.agg(bloom_union_agg("f").alias("f"))
    both = [df.select(bloom_info("f").alias("i")).first().i for df in (united, whole)]
    assert len({(i.estimated_keys, i.fpp, i.fill, i.size_bytes) for i in both}) == 1
    f = bytes(united.first().f)
    assert spark.range(1000).where(bloom_might_contain(f, "id")).count() == 1000


def test_info_has_the_documented_fields(spark: SparkSession) -> None:
    filter = bytes(spark.range(1000).agg(bloom_agg("id", fpp=0.05)).first()[0])
    info = spark.range(1).select(bloom_info(filter).alias("info")).first().info
    assert (info.structure, info.key_types, info.keys) == ("split-block", ["bigint"], 1000)
    assert (info.target_fpp, info.stored_bytes) == (0.05, len(filter))


@pytest.mark.parametrize("wrong", [{"fpp": 1.5}, {"fpp": -0.1}, {"expected_keys": 0}])
def test_arguments_out_of_range_are_named(spark: SparkSession, wrong: dict[str, float]) -> None:
    with pytest.raises(AnalysisException, match=f"{next(iter(wrong))} must be"):
        spark.range(10).agg(bloom_agg("id", **wrong)).collect()


def test_another_key_type_is_refused(spark: SparkSession) -> None:
    filter = bytes(spark.range(10).agg(bloom_agg("id")).first()[0])
    with pytest.raises(AnalysisException, match="(?is)bigint.*string|string.*bigint"):
        asked = spark.range(10).select(bloom_might_contain(filter, F.col("id").cast("string")))
        asked.collect()
