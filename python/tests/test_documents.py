"""The Python blocks of the documents, each document in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from run_document import BLOCK
from spark_start import LOOPBACK, ROOT, own_environment, the_jar

pytestmark = pytest.mark.session("classic")

A_SESSION = f"""
import bloomjoin
from pyspark.sql import SparkSession
spark = bloomjoin.configure(SparkSession.builder, {str(the_jar())!r}).getOrCreate()
"""

HAS_THE_EXTENSION = """
assert spark.sql("SELECT bloom_info(bloom_agg(id)).keys FROM range(10)").first()[0] == 10
spark.stop()
"""

GOLDEN_FILES = """
from pathlib import Path
import xxhash

def ask(fields, bits, key):
    return bool(might_contain(fields, bits, xxhash.xxh64_intdigest(key.encode())))

files = sorted(Path("hadoop-io/src/test/resources/golden").glob("*.bin"))
assert len(files) >= 8, files
for file in files:
    fields, bits = read(file.read_bytes())
    assert fields["types"] == ["string"] and fields["properties"] == {"source": "golden"}, file
    assert all(ask(fields, bits, f"key-{i}") for i in range(fields["keys"])), file
    passed = sum(ask(fields, bits, f"other-{i}") for i in range(10000))
    assert passed < 1000, f"{file} passes {passed} of 10000 other keys"
    assert fields["keys"] > 0 or passed == 0, file

damaged = bytearray(files[0].read_bytes())
damaged[-5] ^= 1
try:
    read(damaged)
    raise SystemExit("damaged bytes were read")
except AssertionError as refused:
    assert str(refused) == "damaged"
"""

# Each document that has Python, with what must be there before its first block, and what must hold
# after its last one.
DOCUMENTS = {
    "README.md": ("", HAS_THE_EXTENSION),
    "python/README.md": ("", HAS_THE_EXTENSION),
    "docs/functions.md": (
        A_SESSION,
        "assert 500 <= bloomjoin.prune(spark.range(1000), filter, 'id').count() < 525"
        + HAS_THE_EXTENSION,
    ),
    "docs/filter-format.md": ("", GOLDEN_FILES),
}


def markdown() -> list[Path]:
    folders = [ROOT, *(ROOT / name for name in ("docs", "python", "notebooks", "benchmarks"))]
    return sorted(file for folder in folders for file in folder.glob("*.md"))


def test_all_documents_with_python_are_run() -> None:
    with_python = {
        str(file.relative_to(ROOT)) for file in markdown() if BLOCK.search(file.read_text())
    }
    assert with_python == set(DOCUMENTS)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_python_of_a_document_runs(document: str, tmp_path: Path) -> None:
    conf = LOOPBACK | {
        "spark.master": "local[2]",
        "spark.sql.warehouse.dir": str(tmp_path / "warehouse"),
    }
    (tmp_path / "spark-defaults.conf").write_text("".join(f"{k} {v}\n" for k, v in conf.items()))
    preparation, check = DOCUMENTS[document]
    runner = Path(__file__).parent / "run_document.py"
    done = subprocess.run(
        [sys.executable, str(runner), document, preparation, check],
        cwd=ROOT,
        env=own_environment() | {"SPARK_CONF_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
