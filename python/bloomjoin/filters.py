"""Filters by hand, on classic sessions: ``io.bloomjoin.spark.BloomJoin`` in Python.

A filter is bytes in the filter format, which the column functions, files and Hadoop jobs take too.
All functions raise PySpark's ``IllegalArgumentException`` if bytes are not a filter or columns do
not fit it, and ``NotImplementedError`` on a Spark Connect session.
"""

from __future__ import annotations

import os
from typing import cast

from pyspark.sql import DataFrame, SparkSession

from bloomjoin._jvm import byte_arrays, call, require_classic, strings

_AGGREGATE = "Aggregate instead: df.agg(bloom_agg(...)).first()[0]."
_FILES = "Keep the filter in a binary column of a table instead."
_SOURCE = "Do it in a job with a classic session."


def build(
    source: DataFrame, *key_columns: str, fpp: float = 0.01, expected_keys: int | None = None
) -> bytes:
    """The filter over the keys of ``source``: the bytes that ``bloom_agg`` gives.

    The rows are read once; those with a null in a key column are left out.

    :param key_columns: the columns of the key, at least one, in the order of later questions
    :param fpp: the false positive probability not to exceed, from 1e-12 to below 1
    :param expected_keys: the number of distinct keys to have room for, at least 1; None lets the
        keys alone decide
    """
    require_classic(source, "build", _AGGREGATE)
    spark, names = source.sparkSession, strings(source.sparkSession, key_columns)
    if expected_keys is None:
        return cast(bytes, call(spark, lambda b: b.build(source._jdf, float(fpp), names)))
    room = int(expected_keys)
    return cast(bytes, call(spark, lambda b: b.build(source._jdf, room, float(fpp), names)))


def add(filter: bytes, source: DataFrame, *key_columns: str) -> bytes:
    """The filter with the keys of ``source`` added. Its size stays, so its accuracy falls beyond
    the keys that it has room for; :func:`bloomjoin.bloom_info` tells."""
    require_classic(source, "add", "Unite instead, by bloom_union_agg.")
    names = strings(source.sparkSession, key_columns)
    return cast(
        bytes, call(source.sparkSession, lambda b: b.add(bytes(filter), source._jdf, names))
    )


def union(spark: SparkSession, *filters: bytes) -> bytes:
    """The filter of the keys of all filters, at least one; without their properties."""
    require_classic(spark, "union", "Unite instead by bloom_union_agg.")
    array = byte_arrays(spark, tuple(bytes(filter) for filter in filters))
    return cast(bytes, call(spark, lambda b: b.union(array)))


def prune(dataset: DataFrame, filter: bytes, *key_columns: str) -> DataFrame:
    """The rows whose key may be in the filter: all that have a partner there, and a few more.

    Rows with a null in a key column are dropped. The filter is broadcast.

    :param key_columns: the columns of the key, of the filter's types or narrower, in its order
    """
    require_classic(dataset, "prune", "Filter instead: df.where(bloom_might_contain(filter, ...)).")
    spark, names = dataset.sparkSession, strings(dataset.sparkSession, key_columns)
    pruned = call(spark, lambda b: b.prune(dataset._jdf, bytes(filter), names))
    return DataFrame(pruned, spark)


def save(spark: SparkSession, filter: bytes, path: str | os.PathLike[str]) -> None:
    """Writes the filter to a file, in place of one that may be there; readers never see half of it.

    :param path: on any file system that the session's Hadoop configuration knows
    :raises OSError: if it cannot be written
    """
    require_classic(spark, "save", _FILES)
    call(spark, lambda b: b.save(spark._jsparkSession, bytes(filter), os.fspath(path)))


def load(spark: SparkSession, path: str | os.PathLike[str]) -> bytes:
    """The filter of a file.

    :raises OSError: if the file cannot be read or is not a filter
    """
    require_classic(spark, "load", _FILES)
    return cast(bytes, call(spark, lambda b: b.load(spark._jsparkSession, os.fspath(path))))


def with_source(filter: bytes, source: DataFrame) -> bytes:
    """The filter with the state of ``source``'s files or tables noted, for :func:`is_stale`."""
    require_classic(source, "with_source", _SOURCE)
    noted = call(source.sparkSession, lambda b: b.withSource(bytes(filter), source._jdf))
    return cast(bytes, noted)


def is_stale(filter: bytes, source: DataFrame) -> bool:
    """Whether the files or tables that ``source`` reads have changed since :func:`with_source`.

    Looks at the file system; reads no data.
    """
    require_classic(source, "is_stale", _SOURCE)
    return cast(bool, call(source.sparkSession, lambda b: b.isStale(bytes(filter), source._jdf)))


def explain(query: DataFrame) -> str:
    """In words, for each join of a query, whether its sides are pruned and why.

    Before the query has run the rows are estimates; after it they are counted.
    """
    require_classic(query, "explain", "Run it and read bloomjoin.decisions(spark) instead.")
    return cast(str, call(query.sparkSession, lambda b: b.explain(query._jdf)))
