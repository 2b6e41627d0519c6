"""Sums of very many units: their moments are those of the Dirichlet distribution."""

import numpy as np
import pytest
from scipy import sparse, stats

import likelier as lk
from likelier import Outcomes, metrics
from likelier.methods import Paired
from likelier.methods.items.many_units import ManyUnits
from likelier.streams import Streams

N = 1200


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    scores = rng.gamma(0.3, 1.0, (N, 2)) + 0.001
    return Outcomes.from_scores(*scores.T)


def test_the_moments_are_those_of_dirichlet_weights(table):
    shapes = np.full(N, 1 - 1 / N)
    shapes[:50] = 3.0
    many = ManyUnits.of(table, shapes)
    drawn = many.sums(np.random.default_rng(1), 40_000)
    rows = np.column_stack([table.rows.toarray(), table.sizes])

    assert drawn.mean(axis=0) == pytest.approx(shapes @ rows, rel=3e-3)
    # Weights are independent Gammas: their variance is their shape.
    covariance = (rows * shapes[:, np.newaxis]).T @ rows
    np.testing.assert_allclose(np.cov(drawn.T), covariance, rtol=0.03)
    skew = 2 * shapes @ rows**3 / (shapes @ rows**2) ** 1.5
    np.testing.assert_allclose(stats.skew(drawn), skew, atol=0.04)


def test_few_units_and_sparse_tables_are_drawn_as_they_are(table):
    assert ManyUnits.of(table, np.full(N, 2.5)) is None
    few = table.rows[:500]
    rows = sparse.csr_array((N, 12))
    view = type("View", (), {"rows": rows, "sizes": np.ones(N)})
    assert ManyUnits.of(view, np.full(N, 0.999)) is None
    view = type("View", (), {"rows": few, "sizes": np.ones(500)})
    assert ManyUnits.of(view, np.full(500, 0.999)) is None


def test_the_posterior_has_the_spread_of_its_formula(table):
    """The mean of scores has the variance s² / n of Bessel's n - 1, nearly."""
    difference = Paired().posterior(table, metrics.mean, Streams.of(0)).difference
    scores = table.rows.toarray()
    gains = scores[:, 1] - scores[:, 0]
    assert difference.mean() == pytest.approx(gains.mean(), abs=0.003 * gains.std())
    assert difference.std() == pytest.approx(gains.std() / np.sqrt(N), rel=0.02)
    alone = lk.estimate(table, systems=["first"], metric="mean", seed=0)
    assert alone.interval.low < scores[:, 0].mean() < alone.interval.high


def test_exchanging_systems_turns_the_answer_round(table):
    turned = Outcomes.from_scores(*table.rows.toarray().T[::-1])
    here, there = (lk.compare(t, metric="mean", draws=2000, seed=0)
                   for t in (table, turned))  # fmt: skip
    assert [*here.hdi] == pytest.approx([-end for end in there.hdi][::-1])
