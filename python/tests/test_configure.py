"""What configure() sets, and when it refuses."""

import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import bloomjoin
from bloomjoin.session import EXTENSION
from spark_start import own_environment

pytestmark = pytest.mark.session("classic")

LOCAL_CONNECT = """
import sys
import bloomjoin
from pyspark.sql import SparkSession
builder = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false")
spark = bloomjoin.configure(builder, sys.argv[1]).getOrCreate()
assert type(spark).__module__.startswith("pyspark.sql.connect."), type(spark)
print(spark.range(10).agg(bloomjoin.bloom_info(bloomjoin.bloom_agg("id")).keys).first()[0])
"""

WITHOUT_JAR = """
import bloomjoin
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
for call in (lambda: bloomjoin.configure(SparkSession.builder),
             lambda: bloomjoin.build(spark.range(10), "id")):
    try:
        call()
    except RuntimeError as e:
        print(e)
"""


def output(program: str, folder: Path, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=own_environment() | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def options(builder: SparkSession.Builder) -> dict[str, str]:
    return dict(builder._options)


def test_the_extension_and_the_jar_join_those_that_are_there(spark: SparkSession, jar: Path) -> None:
    builder = SparkSession.builder.config("spark.jars", "other.jar")
    builder.config("spark.sql.extensions", "org.example.Other")
    for _ in range(2):
        bloomjoin.configure(builder, jar)
        told = options(builder)
        assert told["spark.jars"] == f"other.jar,{jar}"
        assert told["spark.sql.extensions"] == f"org.example.Other,{EXTENSION}"


def test_without_a_jar_only_the_extension_is_set(spark: SparkSession) -> None:
    assert options(bloomjoin.configure(SparkSession.builder)) == {"spark.sql.extensions": EXTENSION}


def test_urls_are_left_as_they_are(spark: SparkSession) -> None:
    url = "hdfs://there/bloomjoin.jar"
    assert options(bloomjoin.configure(SparkSession.builder, url))["spark.jars"] == url


def test_a_jar_that_is_not_there_is_refused() -> None:
    with pytest.raises(FileNotFoundError, match=r"no jar at /.*none\.jar\. Build it"):
        bloomjoin.configure(SparkSession.builder, "none.jar")


def test_a_local_connect_server_gets_the_extension(jar: Path, tmp_path: Path) -> None:
    # In testing PySpark lets its server choose a free port.
    assert output(LOCAL_CONNECT, tmp_path, str(jar), SPARK_TESTING="1").strip() == "10"


def test_a_session_without_bloomjoin_is_refused(tmp_path: Path) -> None:
    lines = output(WITHOUT_JAR, tmp_path).strip().splitlines()
    assert len(lines) == 2
    assert "A session without Bloomjoin runs already" in lines[0]
    assert "no jar of Bloomjoin" in lines[1]
