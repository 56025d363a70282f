"""The notebooks as they are kept; that they run is for bin/notebooks --check."""

import json
from pathlib import Path

import pytest

from spark_start import ROOT

pytestmark = pytest.mark.session("classic")

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks_and_the_readme_lists_them() -> None:
    readme = (ROOT / "notebooks" / "README.md").read_text()
    assert NOTEBOOKS
    assert [n.name for n in NOTEBOOKS if f"({n.name})" not in readme] == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.name)
def test_a_notebook_is_kept_with_its_outputs(notebook: Path) -> None:
    cells = [c for c in json.loads(notebook.read_text())["cells"] if c["cell_type"] == "code"]
    outputs = [output for cell in cells for output in cell["outputs"]]
    hint = "run bin/notebooks --write"
    # What the first cell says names the machine, so bin/notebooks --write empties it.
    assert [c["execution_count"] for c in cells] == [None, *range(2, len(cells) + 1)], hint
    assert any("image/png" in output.get("data", {}) for output in outputs), hint
    assert [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"] == []
