"""Starting Spark for the tests: settings, the jar that the build made, a Connect server."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pyspark

from bloomjoin.session import EXTENSION

ROOT = Path(__file__).resolve().parents[2]

LOOPBACK = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
}


def the_jar() -> Path:
    jars = list((ROOT / "spark-ext" / "target").glob("bloomjoin-spark-ext_2.13-*.jar"))
    assert len(jars) == 1, f"one jar in spark-ext/target is needed, there are {jars}"
    return jars[0]


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return int(server.getsockname()[1])


@contextmanager
def connect_server(jar: Path, folder: Path) -> Iterator[str]:
    """The URL of a Connect server in a process of its own, which ends with the context."""
    port = free_port()
    conf = LOOPBACK | {
        "spark.sql.extensions": EXTENSION,
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
    }
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    command = [str(submit), "--master", "local[2]", "--jars", str(jar)]
    command += [part for key, value in conf.items() for part in ("--conf", f"{key}={value}")]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    log = folder / "server.log"
    with log.open("w") as out:
        # spark-submit replaces itself by java, so this is the server's process.
        server = subprocess.Popen(
            [*command, "spark-internal"], stdout=out, stderr=out, cwd=folder, env=own_environment()
        )
    try:
        _await(server, port, log)
        yield f"sc://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=60)


def own_environment() -> dict[str, str]:
    """The environment of a new process that is to start its own Spark."""
    keep = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_"))}
    return keep | {"SPARK_LOCAL_IP": "127.0.0.1"}


def _await(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    patience = time.monotonic() + 120
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            alive = server.poll() is None and time.monotonic() < patience
            assert alive, f"no Connect server:\n{log.read_text()}"
            time.sleep(0.2)
