"""The Java API by its Python names, on a classic session."""

from pathlib import Path

import pytest
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import bloomjoin
from bloomjoin import bloom_agg, bloom_info

pytestmark = pytest.mark.session("classic")


def keys_of(spark: SparkSession, filter: bytes) -> int:
    return int(spark.range(1).select(bloom_info(filter).estimated_keys).first()[0])


def test_build_gives_the_bytes_of_bloom_agg(spark: SparkSession) -> None:
    keys = spark.range(1000).select("id", F.col("id").cast("string").alias("name"))
    for given in [{}, {"fpp": 0.001}, {"expected_keys": 5000}, {"expected_keys": 5, "fpp": 0.1}]:
        aggregated = keys.agg(bloom_agg("id", "name", **given)).first()[0]
        assert bloomjoin.build(keys, "id", "name", **given) == bytes(aggregated)


def test_prune_keeps_what_may_match(spark: SparkSession) -> None:
    filter = bloomjoin.build(spark.range(0, 1000, 2), "id")
    pruned = bloomjoin.prune(spark.range(1000).withColumn("twice", F.col("id") * 2), filter, "id")
    assert pruned.columns == ["id", "twice"]
    assert pruned.where("id % 2 = 0").count() == 500
    assert pruned.count() < 500 + 3 * 0.01 * 500


def test_a_saved_filter_is_loaded_as_it_was(spark: SparkSession, tmp_path: Path) -> None:
    filter = bloomjoin.build(spark.range(1000), "id")
    file = tmp_path / "ids.bloom"
    bloomjoin.save(spark, filter, file)
    assert file.read_bytes() == filter
    assert bloomjoin.load(spark, str(file)) == filter


def test_added_and_united_keys_are_in(spark: SparkSession) -> None:
    low = bloomjoin.build(spark.range(1000), "id", expected_keys=2000)
    high = bloomjoin.build(spark.range(1000, 2000), "id", expected_keys=2000)
    united = bloomjoin.union(spark, low, high)
    assert bloomjoin.prune(spark.range(2000), united, "id").count() == 2000
    added = bloomjoin.add(low, spark.range(1000, 2000), "id")
    assert bloomjoin.prune(spark.range(2000), added, "id").count() == 2000
    assert keys_of(spark, added) == keys_of(spark, united) == pytest.approx(2000, rel=0.05)


def test_a_filter_is_stale_when_its_files_change(spark: SparkSession, tmp_path: Path) -> None:
    table = str(tmp_path / "table")
    spark.range(10).write.parquet(table)
    source = spark.read.parquet(table)
    filter = bloomjoin.with_source(bloomjoin.build(source, "id"), source)
    assert not bloomjoin.is_stale(filter, spark.read.parquet(table))
    spark.range(10, 20).write.mode("append").parquet(table)
    assert bloomjoin.is_stale(filter, spark.read.parquet(table))


def test_explain_names_the_reasons(spark: SparkSession) -> None:
    told = bloomjoin.explain(spark.range(10).join(spark.range(5), "id"))
    assert "Inner on id = id" in told
    assert "[NOT_SELECTIVE]" in told


def test_a_missing_file_is_an_os_error_with_its_path(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no-such.bloom"):
        bloomjoin.load(spark, tmp_path / "no-such.bloom")


def test_wrong_arguments_are_refused(spark: SparkSession) -> None:
    with pytest.raises(IllegalArgumentException, match="not a filter"):
        bloomjoin.prune(spark.range(10), b"no filter", "id")
    with pytest.raises(IllegalArgumentException, match="at least 1"):
        bloomjoin.build(spark.range(10), "id", expected_keys=0)
    with pytest.raises(IllegalArgumentException, match="at least one"):
        bloomjoin.union(spark)
