"""The SQL functions of Bloomjoin on columns, for classic and Spark Connect sessions.

They are calls by name: the session, or the server of it, must have the extension. An argument that
is out of range or of a wrong type is an ``AnalysisException``: when the DataFrame is made (classic)
or first looked at (Connect).
"""

from __future__ import annotations

from typing import Any, Union

from pyspark.sql import Column
from pyspark.sql import functions as F

ColumnOrName = Union[Column, str]


def bloom_agg(
    *key: ColumnOrName, expected_keys: int | None = None, fpp: float | None = None
) -> Column:
    """Aggregates to a Bloom filter (binary) that holds the keys of all rows.

    Rows with a null in the key are left out. Without any key the filter is empty, never null.

    :param key: the columns of the key, at least one, in the order in which the filter will be asked
    :param expected_keys: the number of distinct keys to have room for, at least 1; None lets the
        keys alone decide
    :param fpp: the false positive probability not to exceed, from 1e-12 to below 1; None is 0.01
    """
    named = {"expected_keys": expected_keys, "fpp": fpp}
    given = [_named(name, value) for name, value in named.items() if value is not None]
    return F.call_function("bloom_agg", *key, *given)


def bloom_union_agg(filter: ColumnOrName) -> Column:
    """Aggregates Bloom filters over keys of the same types to one that holds the keys of all.

    Nulls are left out; without any filter the result is null.
    """
    return F.call_function("bloom_union_agg", filter)


def bloom_might_contain(filter: bytes | ColumnOrName, *key: ColumnOrName) -> Column:
    """False if the key is not in the Bloom filter, true if it may be, null if either is null.

    :param filter: the bytes of a filter, or a binary column. Bytes stand in full in every plan that
        is printed; for megabytes use a column or :func:`bloomjoin.prune`
    :param key: the columns of the key, at least one, of the filter's types and in its order
    """
    return F.call_function("bloom_might_contain", _filter(filter), *key)


def bloom_info(filter: bytes | ColumnOrName) -> Column:
    """What a Bloom filter is, as a struct: structure, key types, keys, accuracy, sizes, properties.

    :param filter: the bytes of a filter, or a binary column; null gives null
    """
    return F.call_function("bloom_info", _filter(filter))


def _filter(filter: bytes | ColumnOrName) -> ColumnOrName:
    return F.lit(bytes(filter)) if isinstance(filter, (bytes, bytearray)) else filter


def _named(name: str, value: int | float) -> Column:
    """The argument ``name => value``, for which PySpark has no public function."""
    literal: Any = F.lit(value)
    if type(literal).__module__.startswith("pyspark.sql.connect."):
        from pyspark.sql.connect.column import Column as ConnectColumn
        from pyspark.sql.connect.expressions import NamedArgumentExpression

        return ConnectColumn(NamedArgumentExpression(name, literal._expr))
    from pyspark import SparkContext
    from pyspark.sql.classic.column import Column as ClassicColumn

    jvm: Any = SparkContext._jvm
    return ClassicColumn(jvm.PythonSQLUtils.namedArgumentExpression(name, literal._jc))
