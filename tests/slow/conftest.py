"""Calibration by simulation: all tests here are slow, and print their figures."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from likelier import Outcomes

HERE = Path(__file__).parent
TableMaker = Callable[[Sequence[float]], Outcomes]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder as slow, before marks choose tests."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def table_of() -> TableMaker:
    """Make outcomes of counts of the eight cells (gold, first, second)."""
    cells = np.array(list(product((0, 1), repeat=3)))
    ones = Outcomes.from_patterns(list(cells.T), np.ones(8), systems=["a", "b"])
    start = ones.binary("1")
    return lambda counts: replace(start, counts=np.asarray(counts, dtype=float))


@pytest.fixture(scope="session")
def show() -> Callable[[str, Iterable[Sequence[object]]], None]:
    """Print a table of figures; seen with ``pytest -s``."""

    def write(title: str, rows: Iterable[Sequence[object]]) -> None:
        lines = ["  ".join(f"{_text(cell):>12}" for cell in row) for row in rows]
        sys.stdout.write("\n".join(["", title, *lines, ""]))

    return write


def _text(cell: object) -> str:
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)
