"""Damaged logs are refused by name, or read as a plain reading reads them."""

import pytest
from tests.readers.logs.mutated_logs import FORMATS, outcomes


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_logs_are_refused_or_right(name, tmp_path):
    counts = outcomes(name, tmp_path, n=30, seed=1)
    assert counts.total() >= 30
    assert sum(n for kind, n in counts.items() if kind.startswith("read")) > 2
