"""A session with the extension, and what the extension says about its queries."""

from __future__ import annotations

import os

from pyspark.sql import DataFrame, SparkSession

EXTENSION = "io.bloomjoin.spark.BloomJoinExtensions"

_JARS = "spark.jars"
_EXTENSIONS = "spark.sql.extensions"


def configure(
    builder: SparkSession.Builder, jar: str | os.PathLike[str] | None = None
) -> SparkSession.Builder:
    """Adds the extension, and the jar if given, to what the builder has of each; returns the builder.

    For a program that starts Spark itself, also as a local Connect server
    (``builder.remote("local[2]")``). Extensions and jars are fixed when Spark starts, so where
    something else starts it, that must name them: ``spark-submit --jars … --conf
    spark.sql.extensions=…``, or the same for ``start-connect-server.sh``.

    :param jar: a path or URL of ``bloomjoin-spark-ext_2.13-….jar``; None if the jar is in Spark's
        ``jars`` folder or comes by ``spark.jars.packages``
    :raises FileNotFoundError: if the jar is a local path at which there is no file
    :raises RuntimeError: if Spark runs already without the extension, or runs elsewhere
    """
    _require_start(builder)
    if jar is not None:
        _append(builder, _JARS, _location(os.fspath(jar)))
    return _append(builder, _EXTENSIONS, EXTENSION)


def decisions(spark: SparkSession) -> DataFrame:
    """Why each join side of the session's recent queries was pruned or not: two rows a join."""
    return spark.sql("SELECT * FROM bloom_join_decisions()")


def _require_start(builder: SparkSession.Builder) -> None:
    by_hand = f"Start it with --jars <the jar of Bloomjoin> --conf {_EXTENSIONS}={EXTENSION}."
    remote = _options(builder).get("spark.remote", os.environ.get("SPARK_REMOTE", ""))
    if remote.startswith("sc://"):
        raise RuntimeError(
            f"The Connect server {remote} runs already, and extensions are fixed when it starts."
            f" {by_hand} Its clients need no configure()."
        )
    running = SparkSession.getActiveSession()
    if running is not None and EXTENSION not in (running.conf.get(_EXTENSIONS, "") or ""):
        raise RuntimeError(
            "A session without Bloomjoin runs already, and extensions are fixed when Spark starts."
            f" Call configure() before it, or spark.stop() first. If it is not yours: {by_hand}"
        )


def _append(builder: SparkSession.Builder, key: str, value: str) -> SparkSession.Builder:
    present = [part for part in _options(builder).get(key, "").split(",") if part]
    return builder if value in present else builder.config(key, ",".join([*present, value]))


def _options(builder: SparkSession.Builder) -> dict[str, str]:
    return {key: str(value) for key, value in builder._options.items()}


def _location(jar: str) -> str:
    if "://" in jar or jar.startswith("local:"):
        return jar
    path = os.path.abspath(jar)
    if not os.path.isfile(path):
        raise FileNotFoundError(
            f"There is no jar at {path}. Build it with"
            " mvn -B -pl spark-ext -am -DskipTests package; it is in spark-ext/target."
        )
    return path
