"""The way to ``io.bloomjoin.spark.BloomJoin`` in the driver's JVM."""

from __future__ import annotations

from typing import Any, Callable

from pyspark.sql import DataFrame, SparkSession


def require_classic(thing: DataFrame | SparkSession, function: str, instead: str) -> None:
    """Refuses a Spark Connect session, or a DataFrame of one.

    :raises NotImplementedError: that names the function and what to do instead
    """
    if type(thing).__module__.startswith("pyspark.sql.connect."):
        raise NotImplementedError(
            f"bloomjoin.{function} calls the driver's JVM, which a Spark Connect session cannot"
            f" reach. {instead}"
        )


def call(spark: SparkSession, method: Callable[[Any], Any]) -> Any:
    """What ``method`` returns for the class BloomJoin.

    :raises OSError: if a file cannot be read or written
    :raises RuntimeError: if the session has no jar of Bloomjoin
    """
    from py4j.java_gateway import JavaClass
    from py4j.protocol import Py4JJavaError

    jvm: Any = spark._jvm
    bloom = jvm.io.bloomjoin.spark.BloomJoin
    if not isinstance(bloom, JavaClass):
        raise RuntimeError(
            "The session has no jar of Bloomjoin. Start it with bloomjoin.configure(builder, jar)"
            " or with --jars."
        )
    try:
        return method(bloom)
    except Py4JJavaError as error:
        java = error.java_exception
        if java.getClass().getName() != "java.io.UncheckedIOException":
            raise
        raise OSError(java.getMessage()) from error


def strings(spark: SparkSession, values: tuple[str, ...]) -> Any:
    """The values as a ``String[]``."""
    gateway: Any = spark.sparkContext._gateway
    return _filled(gateway.new_array(gateway.jvm.java.lang.String, len(values)), values)


def byte_arrays(spark: SparkSession, values: tuple[bytes, ...]) -> Any:
    """The values as a ``byte[][]``."""
    gateway: Any = spark.sparkContext._gateway
    return _filled(gateway.new_array(gateway.jvm.byte, len(values), 0), values)


def _filled(array: Any, values: tuple[Any, ...]) -> Any:
    for i, value in enumerate(values):
        array[i] = value
    return array
