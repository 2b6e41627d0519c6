"""Hierarchical comparisons against an independent dense grid, and against baycomp.

The file has means and standard deviations; they are sufficient but for one thing: the
prior of delta0 ends at the largest difference of a fold, which it lacks. Folds at
normal quantiles reach 2.8 standard deviations, folds at Student quantiles 3.7; drawn
ones lie between. Where data sets hardly differ that moves an answer by .05, so the
file's must lie between ours, with .01 for its own error.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.methods.folds.fold_tables import population, quantile_folds

FILE = Path(__file__).with_name("hierarchical_cases.json")
CASES = json.loads(FILE.read_text())["cases"]
ROPE = (-0.01, 0.01)


@pytest.fixture(scope="module", params=CASES, ids=lambda case: str(case["grid"]))
def answered(request):
    """Return our shares with folds that reach less far and further (folds, region)."""
    case = request.param
    sds = case.get("sds", [case.get("sd")] * len(case["means"]))
    shares = []
    for df in (None, 5):
        rows = zip(case["means"], sds, strict=True)
        folds = [quantile_folds(m, s, case["folds"], df=df) for m, s in rows]
        answer = population(folds, ROPE, runs=case["runs"], tolerance=1e-3)
        shares.append(answer.shares(*ROPE))
    return np.array(shares), case


def test_answers_lie_between_ours(answered):
    shares, case = answered
    low, high = shares.min(axis=0) - 0.01, shares.max(axis=0) + 0.01
    for source in {"grid", "baycomp"} & set(case):
        assert np.all((low <= case[source]) & (case[source] <= high))
    assert np.ptp(shares, axis=0).max() < 0.06


def test_the_file_is_complete():
    assert len(CASES) == 5
    assert all(abs(sum(case["grid"]) - 1) < 0.002 for case in CASES)
    assert sum("baycomp" in case for case in CASES) == 1
