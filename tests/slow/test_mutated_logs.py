"""A thousand damaged logs of every format: refused by name, or read rightly."""

import os
from pathlib import Path

import pytest
from tests.readers.logs.mutated_logs import FORMATS, outcomes

# Folders with further logs of the same layout, such as ``lm_eval/samples_*.jsonl``.
FURTHER = [Path(name) for name in os.environ.get("LOGS", "").split(":") if name]


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_logs_are_refused_or_right(name, tmp_path, show):
    counts = outcomes(name, tmp_path, n=1_000, seed=7, further=FURTHER)
    show(f"Damaged logs of {name}", sorted(counts.items()))
    assert counts.total() >= 1_000
    assert sum(n for kind, n in counts.items() if kind.startswith("read")) > 100
