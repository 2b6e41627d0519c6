"""A release gate as a test: copy it into your project, beside its other tests.

It reads predictions.csv (or the file that PREDICTIONS names): a column of gold labels
and one column for each of two systems, on the same items.
"""

import csv
import os
from pathlib import Path

import pytest

import likelier as lk

SYSTEMS = ("baseline", "candidate")


@pytest.fixture(scope="module")
def columns():
    """Read the gold labels and what both systems said."""
    path = Path(os.environ.get("PREDICTIONS", "predictions.csv"))
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [[row[name] for row in rows] for name in ("gold", *SYSTEMS)]


def compared(columns, metric, rope):
    """Compare the candidate with the baseline."""
    return lk.compare(
        *columns, systems=SYSTEMS, metric=metric, positive="spam", rope=rope, seed=0
    )


def test_the_candidate_is_better(columns):
    """Stop a release that is no real gain in F1."""
    result = compared(columns, "f1", rope=0.01)
    assert result.probability.better > 0.95, explained(result)


def test_the_candidate_does_not_lose_recall(columns):
    """Stop a release that loses recall, and let doubt pass."""
    result = compared(columns, "recall", rope=0.02)
    assert result.verdict.name not in ("worse", "leans worse"), explained(result)


def explained(result):
    """Say what was found, and how many more items would decide."""
    ahead = result.outlook_line()
    return result.sentence() if ahead is None else f"{result.sentence()}; {ahead}"
