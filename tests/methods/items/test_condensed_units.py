"""Few units that stand for many: same cumulants, same law, and no hidden tails."""

from dataclasses import replace

import numpy as np
import pytest

import likelier as lk
from likelier import Outcomes, metrics
from likelier.methods.items.condensed_units import condensed
from likelier.metrics.metric import Metric
from likelier.streams import DRAWS

RATIO = Metric("ratio", ("part", "whole"), lambda part, whole: part / whole)


def marks(n: int, seed: int = 0) -> Outcomes:
    """Make distinct scores of two systems."""
    rng = np.random.default_rng(seed)
    first = rng.random(n)
    return Outcomes.from_scores(first, first + rng.normal(0.01, 0.1, n))


def ratios(n: int) -> Outcomes:
    """Make parts and wholes of two systems, of items of unequal length."""
    rng = np.random.default_rng(1)
    whole = rng.integers(5, 40, (2, n)) + rng.random((2, n))
    part = whole * rng.beta(4, 2, (2, n))
    statistics = [{"part": p, "whole": w} for p, w in zip(part, whole, strict=True)]
    return Outcomes.from_statistics(*statistics)


def clusters(n: int) -> Outcomes:
    """Make clusters of labels, of unequal size."""
    rng = np.random.default_rng(2)
    gold, first, second = rng.integers(2, size=(3, 9 * n))
    return Outcomes.from_labels(
        gold, first, second, cluster=rng.integers(n, size=9 * n)
    )


def test_moments_up_to_the_fourth_are_those_of_all_units() -> None:
    for table, metric in (
        (marks(700), metrics.mean),
        (clusters(1500), metrics.accuracy),
    ):
        view = metric.view(table).without_labels()
        few = condensed(view, metric)
        assert few is not None
        assert len(few.counts) < len(view.counts) / 4
        assert (few.counts > 0).all()
        rows = np.column_stack([view.rows.toarray(), view.sizes])
        scale = np.sqrt((rows**2).mean(axis=0))
        for order in range(5):
            sums = []
            for units in (view, few):
                one = np.column_stack([units.rows.toarray(), units.sizes])
                one = one / np.where(scale > 0, scale, 1.0)
                products = np.ones((len(one), 1))
                for _ in range(order):
                    wide = products[:, :, np.newaxis] * one[:, np.newaxis]
                    products = wide.reshape(len(one), -1)
                sums.append(units.counts @ products)
            np.testing.assert_allclose(*sums, rtol=1e-9, atol=1e-9 * view.counts.sum())


def cdf(gaps: np.ndarray, shapes: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Compute P(sum W (gap - x) < 0), W Gammas, from the characteristic function.

    Gil-Pelaez: 1/2 - 1/pi times the integral of Im phi(t) / t over t > 0.
    """
    result = []
    for x in points:
        away = gaps - x
        away = away / np.sqrt(shapes @ away**2)
        t = (np.arange(400) + 0.5) * 0.025
        log = -(shapes @ np.log1p(-1j * np.outer(away, t)))
        result.append(0.5 - (np.exp(log).imag / t).sum() * 0.025 / np.pi)
    return np.array(result)


@pytest.mark.parametrize("n", [300, 1500])
def test_law_is_that_of_all_units_by_inversion_of_its_transform(n: int) -> None:
    rng = np.random.default_rng(n)
    skewed = rng.gamma(0.7, size=(2, n))
    for table in (marks(n), Outcomes.from_scores(*skewed)):
        view = metrics.mean.view(table)
        view = replace(view, counts=view.counts * (1 - 1 / n))
        few = condensed(view, metrics.mean)
        assert few is not None
        gaps, some = (np.diff(u.rows.toarray(), axis=1)[:, 0] for u in (view, few))
        points = gaps.mean() + np.linspace(-3, 3, 7) * gaps.std() / np.sqrt(n)
        exact = cdf(gaps, view.counts, points)
        assert 0 < exact[0] < 0.01 < 0.99 < exact[-1] < 1
        assert np.abs(cdf(some, few.counts, points) - exact).max() < 3e-5


@pytest.mark.parametrize(
    ("table", "metric"),
    [
        (marks(1000), metrics.mean),
        (ratios(1000), RATIO),
        (clusters(1500), metrics.accuracy),
    ],
    ids=["mean", "ratio", "clusters"],
)
def test_posterior_is_that_of_a_weight_for_each_unit(
    table: Outcomes, metric: Metric
) -> None:
    result = lk.compare(table, metric=metric, seed=0, draws=10_000)
    difference = result.posterior.difference
    view = metric.view(table)
    rng = np.random.default_rng(5)
    # The bootstrap prior; the default moves it by a unit in 1,500.
    weights = rng.standard_gamma(view.counts, (10_000, len(view.counts)))
    drawn = metric.differences(metric.values(view, weights))
    sd = drawn.std()
    assert difference.mean() == pytest.approx(drawn.mean(), abs=0.05 * sd)
    assert difference.std() == pytest.approx(sd, rel=0.03)
    levels = [0.025, 0.16, 0.5, 0.84, 0.975]
    gaps = np.quantile(difference.values, levels) - np.quantile(drawn, levels)
    assert np.abs(gaps).max() < 0.08 * sd


def test_units_with_long_tails_are_drawn_one_by_one() -> None:
    rng = np.random.default_rng(0)
    heavy = Outcomes.from_scores(*rng.standard_cauchy((2, 5000)))
    assert condensed(metrics.mean.view(heavy), metrics.mean) is None


def test_single_system_and_equal_systems() -> None:
    scores = np.random.default_rng(3).random(2000)
    same = lk.compare(Outcomes.from_scores(scores, scores), metric="mean", seed=0)
    assert abs(same.posterior.difference.mean()) < 1e-3
    alone = Outcomes.from_scores(scores)
    few = condensed(metrics.mean.view(alone), metrics.mean)
    assert few is not None
    assert len(few.counts) <= 9


def test_a_hundred_thousand_scores_have_all_draws_and_exchange_exactly() -> None:
    table = marks(100_000)
    result = lk.compare(table, metric="mean", seed=0)
    assert result.settings.draws == DRAWS
    other = lk.compare(table.swapped().merged(), metric="mean", seed=0)
    np.testing.assert_array_equal(
        result.posterior.difference.values, -other.posterior.difference.values
    )


@pytest.mark.parametrize("far", [1e6, 1e9, 1e11])
def test_scores_far_from_zero_have_the_posterior_of_the_same_nearer(far: float) -> None:
    scores = np.random.default_rng(4).normal(size=(2, 400))
    scores = (scores + far) - far  # rounded, as they are there
    here, there = (
        lk.compare(Outcomes.from_scores(*(scores + to)), metric="mean", seed=0)
        for to in (0.0, far)
    )
    sd = here.posterior.systems[0].std()
    for near, away in zip(here.posterior.systems, there.posterior.systems, strict=True):
        assert away.mean() - far == pytest.approx(near.mean(), abs=0.05 * sd)
        assert away.std() == pytest.approx(near.std(), rel=0.03)
    assert [*there.hdi] == pytest.approx([*here.hdi], abs=0.05 * sd)


def test_an_answer_says_where_sums_are_drawn_together() -> None:
    few, many = (
        lk.compare(marks(n), metric="mean", seed=0, draws=2000).paragraph()
        for n in (100, 700)
    )
    assert ".0005" not in few
    assert ".0005" in many
