"""run_document.py <document> <preparation> <check>: runs the Python of a document in this process.

The three share their names. The preparation and the check are Python text; blocks that a test does
not see run as a reader would run them, from top to bottom, in the root of the checkout.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# A block under the name of the document, at its own line, so that a failure shows the place.
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main(document: Path, preparation: str, check: str) -> None:
    names = {"__name__": "document"}
    exec(compile(preparation, "preparation", "exec"), names)
    text = document.read_text()
    for block in BLOCK.finditer(text):
        lines_above = text.count("\n", 0, block.start(1))
        exec(compile("\n" * lines_above + block.group(1), str(document), "exec"), names)
    exec(compile(check, "check", "exec"), names)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
