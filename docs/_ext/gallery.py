"""Draw the pictures of the gallery: run the code of its page.

    python docs/_ext/gallery.py        writes docs/pictures/gallery/

The last line of a block draws the picture that follows it on the page.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl

from likelier.plots.figures import file_bytes

DOCS = Path(__file__).resolve().parents[1]
PAGE = DOCS / "gallery.md"
STEP = re.compile(
    r"^```python\n(?P<code>.*?)^```$|\]\((?P<path>pictures/gallery/[\w-]+\.svg)\)",
    flags=re.DOTALL | re.MULTILINE,
)


def main() -> None:
    """Write all pictures, and remove those that the page no longer has."""
    drawn = dict(pictures(PAGE.read_text(encoding="utf-8")))
    for old in set((DOCS / "pictures" / "gallery").glob("*")) - set(drawn):
        old.unlink()
    for path, data in drawn.items():
        path.write_bytes(data)
    size = sum(map(len, drawn.values()))
    sys.stdout.write(f"{len(drawn)} pictures, {size:,} bytes\n")


def pictures(text: str) -> Iterator[tuple[Path, bytes]]:
    """Yield the path and the bytes of each picture of a page."""
    from matplotlib import pyplot as plt

    mpl.use("Agg")
    names: dict[str, Any] = {}
    drawn = None
    for step in STEP.finditer(text):
        if step["code"]:
            drawn = run(step["code"], names)
        else:
            figure = drawn if hasattr(drawn, "savefig") else drawn.figure
            yield DOCS / step["path"], file_bytes(figure, "svg")
            plt.close("all")


def run(code: str, names: dict[str, Any]) -> Any:
    """Run a block and return the value of its last line."""
    *lines, last = ast.parse(code).body
    exec(compile(ast.Module(lines, []), str(PAGE), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(PAGE), "eval"), names)


if __name__ == "__main__":
    main()
