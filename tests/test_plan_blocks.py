"""What blocks a verdict of compare() blocks that of a simulated sample."""

from dataclasses import replace

import numpy as np
import pytest
from tests.conftest import random_labels

import likelier as lk
from likelier import Assumed, Outcomes
from likelier._plan import plan

TAIL = [0.4] * 30 + [0.6] * 15 + [-3.0] * 2
SCORES = Outcomes.from_scores([0.0] * 47, TAIL)
LABELS = Outcomes.from_labels(*random_labels(0, n=60, classes=3).columns)
FEW = Outcomes.from_labels(
    list("a" * 8 + "b" * 40), list("b" + "a" * 7 + "b" * 40), list("a" * 8 + "b" * 40)
)
CLUSTERS = Outcomes.from_scores([0.0] * 47, TAIL, cluster=[i // 2 for i in range(47)])
CASES = {
    "scores": (SCORES, {"metric": "mean"}, 30),
    "losses": (SCORES, {"metric": "mean_loss"}, 30),
    "clusters": (CLUSTERS, {"metric": "mean"}, 20),
    "one way": (LABELS, {"metric": "accuracy", "prior": "bootstrap"}, 12),
    "small classes": (LABELS, {"metric": "macro_f1"}, 3),
    "few positives": (FEW, {"metric": "f1", "positive": "a"}, 25),
    "heavy prior": (LABELS, {"metric": "accuracy", "strength": 5}, 9),
    "light prior": (LABELS, {"metric": "accuracy", "strength": 4}, 9),
    "unpaired": (LABELS, {"metric": "accuracy", "method": "unpaired"}, 9),
}


def blocked_verdicts(sample, **settings):
    """Return whether compare() would block equivalence, and any other verdict."""
    result = lk.compare(sample, rope=0.01, draws=1000, seed=0, **settings)
    names = {name for finding in result.findings for name in finding.blocks}
    return ("equivalent" in names, "better" in names), result


@pytest.mark.parametrize("name", CASES)
def test_a_sample_is_blocked_where_compare_blocks(name):
    table, settings, n = CASES[name]
    trial = plan(Assumed.pilot(table, certain=True), seed=0, **settings).trial
    patterns = trial.truths.outcomes
    counts = np.random.default_rng(1).multinomial(
        n, patterns.counts / patterns.counts.sum(), size=25
    )
    outcomes = set()
    for row in counts.astype(float):
        kept = np.flatnonzero(row)
        labels = patterns.labels
        sample = replace(
            patterns,
            rows=patterns.rows[kept],
            counts=row[kept],
            sizes=patterns.sizes[kept],
            strata=patterns.strata[kept],
            labels=None if labels is None else labels[kept],
            same_classes=False,
        )
        expected, result = blocked_verdicts(sample, **settings)
        draws = result.posterior.difference.values[np.newaxis]
        actual = trial._checks.blocked(row[np.newaxis], draws)
        assert tuple(bool(one[0]) for one in actual) == expected
        outcomes.add(expected)
    assert len(outcomes) > 1 or name in ("heavy prior", "light prior", "unpaired")


def chances(assumed, n, **settings):
    settings = {"metric": "mean", "replications": 200, "seed": 0, **settings}
    return lk.plan(assumed, **settings).chances(n)


def test_a_plan_of_long_tailed_scores_is_undecided_where_compare_is():
    result = chances(Assumed.pilot(SCORES, certain=True), 47)
    assert result.chance("better", 47) < 0.6
    # With a rope that holds all, nothing shows equivalence either.
    wide = chances(Assumed.pilot(SCORES, certain=True), 47, rope=2.0)
    assert wide.chance("equivalent", 47) < 0.5
    assert sum(wide.chances[0].values()) == pytest.approx(1)


def test_a_heavy_prior_leaves_every_sample_undecided():
    assumed = Assumed.accuracies(0.5, 0.9, agreement=0.6)
    settings = {"metric": "accuracy", "replications": 100, "seed": 0, "strength": 30}
    result = lk.plan(assumed, **settings).chances([59, 60])
    assert result.chance("undecided", 59) == 1
    assert result.chance("undecided", 60) < 1


@pytest.mark.parametrize("certain", [True, False])
def test_a_pilot_that_would_be_blocked_is_remarked(certain):
    result = chances(Assumed.pilot(SCORES, certain=certain), 47)
    (note,) = [f for f in result.findings if f.code == "LIK125"]
    assert note.severity == "note"
    assert "the largest differences point the other way" in note.message
    assert note.blocks == ()


def test_other_pilots_are_not_remarked():
    assumed = Assumed.pilot(LABELS)
    settings = {"metric": "accuracy", "replications": 50, "seed": 0}
    assert lk.plan(assumed, **settings).chances(50).findings == ()
