"""The bootstrap against full enumeration and analytic standard errors."""

from fractions import Fraction
from math import factorial, sqrt

import numpy as np
import pytest

import likelier as lk
from likelier import LikelierError, Outcomes, metrics
from likelier.methods.items.bootstrap import Bootstrap
from likelier.streams import Streams

# Ten documents: only A right on 4, only B right on 2, no difference on 4.
TOY = ([1] * 4 + [0] * 2 + [1] * 4, [0] * 4 + [1] * 6)


def enumerated(*, ties):
    """P(delta* beyond 2 delta) over all test sets of ten documents, exactly."""
    total = Fraction(0)
    for a in range(11):
        for b in range(11 - a):
            gap = a - b
            if gap > 4 or (ties and gap == 4):
                ways = factorial(10) // (
                    factorial(a) * factorial(b) * factorial(10 - a - b)
                )
                total += (
                    ways
                    * Fraction(4, 10) ** a
                    * Fraction(2, 10) ** b
                    * (Fraction(4, 10) ** (10 - a - b))
                )
    return total


def test_the_enumeration_is_that_of_the_literature():
    assert round(float(enumerated(ties=False)), 6) == 0.145673
    assert round(float(enumerated(ties=True)), 6) == 0.268357


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["scores", "labels"])
def test_the_toy_example_of_ten_documents(ties, seed, kind):
    metric = metrics.mean if kind == "scores" else metrics.accuracy
    table = Outcomes.from_scores(*TOY)
    if kind == "labels":
        table = Outcomes.from_labels([1] * 10, *TOY)
    null = Bootstrap(ties=ties).null(table, metric, Streams.of(seed, draws=20_000))
    truth = float(enumerated(ties=ties))

    assert abs(null.p_value - truth) < 4 * sqrt(truth * (1 - truth) / 20_000)
    assert null.details["b"] == 20_000
    assert null.p_value == (null.details["s"] + 1) / 20_001
    assert null.statistic == pytest.approx(-0.2)


@pytest.mark.parametrize("ties", [False, True])
def test_one_sided_in_the_other_direction(ties):
    table = Outcomes.from_scores(*TOY)
    p = {
        alternative: Bootstrap(alternative=alternative, ties=ties)
        .null(table, metrics.mean, Streams.of(0, draws=20_000))
        .p_value
        for alternative in ("as-observed", "less", "greater", "two-sided")
    }

    assert p["as-observed"] == p["less"] < 0.5 < p["greater"]
    assert p["less"] < p["two-sided"] < 1


def test_an_unknown_alternative_is_refused():
    table = Outcomes.from_scores(*TOY)

    with pytest.raises(LikelierError, match="alternative"):
        Bootstrap(alternative="upper").null(table, metrics.mean, Streams.of(0))


@pytest.mark.parametrize("seed", range(10))
def test_the_standard_error_is_the_analytic_one(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 150))
    first = rng.normal(size=n)
    second = 0.8 * first + rng.normal(0.1, 0.5, size=n)
    table = Outcomes.from_scores(first, second)
    streams = Streams.of(seed, draws=5000)
    drawn = Bootstrap().estimate(table, metrics.mean, streams)
    truth = (second - first).std() / sqrt(n)

    assert abs(drawn.standard_error() / truth - 1) < 4.5 / sqrt(2 * 5000)
    assert abs(drawn.values.mean() - (second - first).mean()) < 5 * truth / sqrt(5000)


def test_pairing_is_kept():
    rng = np.random.default_rng(0)
    first = rng.normal(size=300)
    second = first + rng.normal(0.02, 0.04, size=300)
    assert np.corrcoef(first, second)[0, 1] > 0.998
    result = lk.null_test(
        first, second, metric="mean", method="bootstrap", draws=9999, seed=0
    )

    assert result.p_value == 1 / 10_000


def test_clusters_are_drawn_whole():
    rng = np.random.default_rng(1)
    cluster = np.repeat(np.arange(60), 10)
    first = np.repeat(rng.normal(size=60), 10) + rng.normal(0, 0.1, size=600)
    table = Outcomes.from_scores(first, cluster=cluster)
    streams = Streams.of(0, draws=8000)
    drawn = Bootstrap().estimate(table, metrics.mean, streams)
    means = first.reshape(60, 10).mean(axis=1)
    truth = means.std() / sqrt(60)

    assert table.clustered
    assert (table.n_units, table.n_items) == (60, 600)
    assert abs(drawn.standard_error() / truth - 1) < 4.5 / sqrt(2 * 8000)
    single = Bootstrap().estimate(Outcomes.from_scores(first), metrics.mean, streams)
    assert single.standard_error() < truth / 2


def test_clusters_of_unequal_size_make_a_ratio():
    rng = np.random.default_rng(2)
    sizes = rng.integers(1, 9, size=200)
    cluster = np.repeat(np.arange(200), sizes)
    score = rng.normal(np.repeat(rng.normal(size=200), sizes))
    table = Outcomes.from_scores(score, cluster=cluster)
    drawn = Bootstrap().estimate(table, metrics.mean, Streams.of(0, draws=8000))
    sums = np.bincount(cluster, weights=score)
    residual = sums - score.mean() * sizes
    linearised = sqrt(200) * residual.std() / len(score)

    assert metrics.mean.observed(table)[0] == pytest.approx(score.mean(), abs=1e-14)
    assert drawn.standard_error() == pytest.approx(linearised, rel=0.08)


def test_fractions_of_items_cannot_be_drawn():
    table = Outcomes.from_patterns([["a"], ["a"], ["b"]], [1.5], systems=["x", "y"])

    with pytest.raises(LikelierError, match="whole number of items"):
        Bootstrap().null(table, metrics.accuracy, Streams.of(0))


def test_the_interval_is_a_confidence_interval():
    table = Outcomes.from_scores(np.arange(50.0))
    drawn = Bootstrap().estimate(table, metrics.mean, Streams.of(0, draws=1000))

    assert drawn.confidence(0.9).kind == "confidence"
    assert tuple(drawn.confidence(0.9)) == tuple(drawn.values.interval(0.9))
