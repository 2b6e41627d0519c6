"""Scores beside gold labels, on the command line."""

import json

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    gold = rng.random(60) < 0.4
    first, second = (gold * shift + rng.normal(size=60).round(2) for shift in (1, 2))
    lines = [
        f"{'spam' if g else 'ham'},{a},{b}"
        for g, a, b in zip(gold, first, second, strict=True)
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["y,a,b", *lines, ""]))
    return path, gold, first


WORDS = ("--gold", "y", "--systems", "a,b", "--positive", "spam")


def test_both_metrics_are_those_of_scikit_learn(call, table):
    path, gold, first = table
    more = ("--metric", "roc_auc,average_precision", "--draws", "1000", "--json", "-")
    answers = json.loads(call("compare", path, *WORDS, *more).out)["comparisons"]
    values = [one["estimates"][0]["value"] for one in answers]

    assert values == pytest.approx(
        [roc_auc_score(gold, first), average_precision_score(gold, first)], rel=1e-12
    )


def test_delong(call, table):
    done = call(
        "compare", table[0], *WORDS, "--metric", "roc_auc", "--method", "delong"
    )

    assert done.code == 0
    assert "(delong, two-sided)" in done.out


def test_labels_in_place_of_scores_are_refused(call, table):
    words = ("--gold", "a", "--systems", "y,b", "--metric", "roc_auc")
    done = call("compare", table[0], *words)

    assert done.code == 2
    assert "number" in done.err
