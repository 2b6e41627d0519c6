"""Sums of items of many classes: the law of a weight for each item."""

from dataclasses import replace

import numpy as np
import pytest

from likelier import Outcomes, metrics
from likelier.methods.items.class_sums import ClassSums
from likelier.streams import Streams


def labels(n: int, classes: int, *, unequal: bool, seed: int = 0) -> Outcomes:
    """Make labels of two systems that err on a third of the items, some alike."""
    rng = np.random.default_rng(seed)
    shares = 1.0 / np.arange(1, classes + 1) if unequal else np.ones(classes)
    gold, guess, other = rng.choice(classes, (3, n), p=shares / shares.sum())
    first = np.where(rng.random(n) < 0.7, gold, guess)
    second = np.where(
        rng.random(n) < 0.7, gold, np.where(rng.random(n) < 0.5, guess, other)
    )
    return Outcomes.from_labels(gold, first, second)


@pytest.mark.parametrize(
    ("name", "unequal"),
    [
        ("macro_f1", False),
        ("macro_f1", True),
        ("macro_precision", False),
        ("mcc", True),
    ],
)
def test_law_is_that_of_a_weight_for_each_item(name: str, *, unequal: bool) -> None:
    metric = metrics.named(name)
    table = labels(2000, 9, unequal=unequal)
    view = metric.view(table).without_labels().merged()
    view = replace(view, counts=view.counts * 0.99)
    sums = ClassSums.of(view, metric)
    assert sums is not None
    n = 20_000
    drawn = sums.draw(metric, Streams.of(0, draws=n), purpose=0)
    rng = np.random.default_rng(7)
    weights = rng.standard_gamma(view.counts, (n, len(view.counts)))
    slow = metric.values(view, weights)
    for one, other in (
        *zip(drawn.T, slow.T, strict=True),
        (metric.differences(drawn), metric.differences(slow)),
    ):
        sd = other.std()
        assert one.mean() == pytest.approx(other.mean(), abs=0.05 * sd)
        assert one.std() == pytest.approx(sd, rel=0.03)
        levels = [0.025, 0.16, 0.5, 0.84, 0.975]
        gaps = np.quantile(one, levels) - np.quantile(other, levels)
        assert np.abs(gaps).max() < 0.08 * sd


def test_sums_of_each_class_have_exact_mean_covariance_and_skewness() -> None:
    metric = metrics.named("macro_f1")
    view = metric.view(labels(3000, 12, unequal=True)).without_labels().merged()
    sums = ClassSums.of(view, metric)
    assert sums is not None
    caught = []

    class Spy:
        def values(self, _: object, __: object, *, beside: np.ndarray) -> np.ndarray:
            caught.append(beside)
            return beside[:, :2]

    n = 40_000
    sums.draw(Spy(), Streams.of(0, draws=n), purpose=0)  # type: ignore[arg-type]
    drawn = np.vstack(caught)
    rows = np.column_stack([view.rows.toarray(), view.sizes])
    mean, variance = view.counts @ rows, view.counts @ rows**2
    used = variance > 0
    sd = np.sqrt(variance[used])
    assert np.abs((drawn.mean(axis=0) - mean)[used] / sd).max() < 5 / np.sqrt(n)
    exact = rows.T @ (view.counts[:, np.newaxis] * rows)
    scale = np.sqrt(np.outer(variance, variance))[np.ix_(used, used)]
    gaps = (np.cov(drawn.T) - exact)[np.ix_(used, used)] / scale
    assert np.abs(gaps).max() < 0.03
    third = 2 * (view.counts @ rows**3)[used] / sd**3
    centred = (drawn - drawn.mean(axis=0))[:, used] / sd
    assert np.abs((centred**3).mean(axis=0) - third).max() < 0.1


def test_declines_where_kinds_are_as_many_as_patterns_or_there_is_one_class() -> None:
    metric = metrics.named("macro_f1")
    two = metric.view(labels(300, 2, unequal=False)).without_labels()
    assert ClassSums.of(two, metric) is None
    spread = metric.view(labels(60, 50, unequal=False)).without_labels()
    assert ClassSums.of(spread, metric) is None
