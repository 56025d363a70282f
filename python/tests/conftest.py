"""Sessions of both kinds. A process can have one kind only, so pytest runs once for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import bloomjoin
from spark_start import LOOPBACK, connect_server, the_jar


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--session", choices=["classic", "connect"], default="classic")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "session(kind): runs with this kind of session only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kind = config.getoption("--session")
    fits = {True: [], False: []}
    for item in items:
        marker = item.get_closest_marker("session")
        fits[marker is None or marker.args[0] == kind].append(item)
    config.hook.pytest_deselected(items=fits[False])
    items[:] = fits[True]


@pytest.fixture(scope="session")
def jar() -> Path:
    return the_jar()


@pytest.fixture(scope="session")
def spark(
    request: pytest.FixtureRequest, jar: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("spark")
    if request.config.getoption("--session") == "connect":
        with connect_server(jar, folder) as url:
            session = SparkSession.builder.remote(url).getOrCreate()
            yield session
            session.stop()
        return
    builder = SparkSession.builder.master("local[2]").config(map=LOOPBACK)
    builder.config("spark.sql.warehouse.dir", str(folder / "warehouse"))
    session = bloomjoin.configure(builder, jar).getOrCreate()
    yield session
    session.stop()
