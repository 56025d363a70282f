"""What a Connect session cannot do, and what to do instead."""

import pytest
from pyspark.sql import SparkSession

import bloomjoin

pytestmark = pytest.mark.session("connect")


def test_the_java_api_is_refused_by_name(spark: SparkSession) -> None:
    ids = spark.range(10)
    calls = {
        "build": lambda: bloomjoin.build(ids, "id"),
        "add": lambda: bloomjoin.add(b"", ids, "id"),
        "union": lambda: bloomjoin.union(spark, b""),
        "prune": lambda: bloomjoin.prune(ids, b"", "id"),
        "save": lambda: bloomjoin.save(spark, b"", "f"),
        "load": lambda: bloomjoin.load(spark, "f"),
        "with_source": lambda: bloomjoin.with_source(b"", ids),
        "is_stale": lambda: bloomjoin.is_stale(b"", ids),
        "explain": lambda: bloomjoin.explain(ids),
    }
    for name, call in calls.items():
        with pytest.raises(NotImplementedError, match=rf"bloomjoin\.{name} .*Spark Connect"):
            call()


def test_configure_refuses_a_server_that_runs(spark: SparkSession, jar: str) -> None:
    with pytest.raises(RuntimeError, match="sc://127.0.0.1.*runs already.*--jars"):
        bloomjoin.configure(SparkSession.builder.remote("sc://127.0.0.1:1"), jar)
