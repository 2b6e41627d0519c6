"""The prior of one system alone: closed forms, slow code, bounds, coverage."""

import numpy as np
import pytest
from scipy import stats

import likelier as lk
from likelier import Outcomes, metrics
from likelier.methods.items.dirichlet import Paired, Unpaired
from likelier.methods.items.extremes_prior import ExtremeCells
from likelier.streams import Streams

DRAWS = 20_000


def drawn(table, metric, *, seed=0, draws=DRAWS, method=None):
    method = Paired() if method is None else method
    return method.estimate(table, metric, Streams.of(seed, draws=draws)).values


@pytest.mark.parametrize("strength", [0.5, 1.0, 3.0])
@pytest.mark.parametrize(("right", "n"), [(17, 20), (30, 30), (0, 25), (60, 100)])
def test_right_and_wrong_are_a_beta_law(right, n, strength):
    gold, said = ["a"] * n, ["a"] * right + ["b"] * (n - right)
    tables = (
        (Outcomes.from_labels(gold, said), metrics.accuracy),
        (Outcomes.from_scores([float(s == "a") for s in said]), metrics.mean),
    )
    less = 1 - 1 / n
    law = stats.beta(less * right + strength, less * (n - right) + strength)
    for table, metric in tables:
        values = drawn(table, metric, method=Paired("extremes", strength))
        assert stats.kstest(values, law.cdf).pvalue > 1e-4


def test_scores_have_one_more_like_the_best_and_one_like_the_worst():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=25)
    shapes = np.full(25, 1 - 1 / 25)
    shapes[[scores.argmin(), scores.argmax()]] += 1
    slow = rng.dirichlet(shapes, size=DRAWS) @ scores
    for metric in (metrics.mean, metrics.mean_loss):
        fast = drawn(Outcomes.from_scores(scores), metric)
        assert stats.ks_2samp(slow, fast).pvalue > 1e-4


def test_clusters_have_one_more_like_the_best_and_one_like_the_worst():
    """Best and worst by what they add to a ratio, not by their own shares."""
    right, sizes = np.array([9, 1, 2, 40, 0]), np.array([10, 1, 4, 60, 1])
    gold = ["a"] * sizes.sum()
    said = [
        x for r, s in zip(right, sizes, strict=True) for x in "a" * r + "b" * (s - r)
    ]
    cluster = np.repeat(np.arange(5), sizes)
    table = Outcomes.from_labels(gold, said, cluster=cluster)
    gain = right - right.sum() / sizes.sum() * sizes
    shapes = np.full(5, 0.8)
    shapes[[gain.argmin(), gain.argmax()]] += 1
    weights = np.random.default_rng(0).dirichlet(shapes, size=DRAWS)
    slow = (weights @ right) / (weights @ sizes)
    assert stats.ks_2samp(slow, drawn(table, metrics.accuracy)).pvalue > 1e-4


@pytest.mark.parametrize(("score", "ends"), [(0.7, (0.0, 1.0)), (3.0, (0.0, 6.0))])
def test_scores_that_are_all_alike_have_the_ends_of_the_scale(score, ends):
    values = drawn(Outcomes.from_scores([score] * 30), metrics.mean)
    weights = np.random.default_rng(0).dirichlet([29.0, 1.0, 1.0], size=DRAWS)
    slow = weights @ [score, *ends]
    assert stats.ks_2samp(slow, values).pvalue > 1e-4


@pytest.mark.parametrize(
    ("columns", "metric"),
    [
        (("ab" * 20, "ab" * 20), "macro_f1"),
        (("abc" * 20, "abc" * 19 + "bca"), "kappa"),
        (("abc" * 20, "abc" * 19 + "bca"), "balanced_accuracy"),
        (("ab" * 20, "ba" * 20), "accuracy"),
    ],
)
def test_intervals_hold_the_value_and_keep_their_bounds(columns, metric):
    result = lk.estimate(*map(list, columns), metric=metric, seed=0, draws=2000)
    low, high = lk.metrics.named(metric).bounds
    assert low <= result.interval.low <= result.value <= result.interval.high <= high
    assert result.interval.low < result.interval.high


@pytest.mark.parametrize("metric", ["accuracy", "f1", "macro_f1", "mcc", "mean"])
@pytest.mark.parametrize("prior", [None, "uniform", "bootstrap"])
def test_every_comparison_has_the_interval_of_the_estimate(metric, prior):
    rng = np.random.default_rng(3)
    gold = rng.choice(["0", "1"], 80)
    columns = [np.where(rng.random(80) < p, gold, "1") for p in (0.7, 0.9)]
    data = [gold, *columns]
    if metric == "mean":
        data = [rng.random(80) for _ in range(2)]
        prior = None if prior == "uniform" else prior
    settings = {"metric": metric, "seed": 5, "draws": 2000}
    result = lk.compare(*data, prior=prior, **settings)
    for i, interval in enumerate(result.system_intervals):
        alone = [data[i]] if metric == "mean" else [gold, columns[i]]
        estimate = lk.estimate(*alone, **settings)
        assert tuple(interval) == pytest.approx(tuple(estimate.interval), abs=1e-12)
        assert interval.low <= result.settings.data.observed[i] <= interval.high


def test_thirty_of_thirty_are_not_certain():
    result = lk.compare([1] * 30, [1] * 29 + [0], metric="mean", seed=0)
    low, high = result.system_intervals[0]
    assert (round(low, 2), high) == (0.91, 1.0)


@pytest.mark.parametrize("name", ["accuracy", "macro_f1", "mean"])
def test_many_tables_at_once_are_drawn_as_one_by_one(name):
    rng = np.random.default_rng(4)
    gold = rng.choice(list("abc"), 40)
    said = [np.where(rng.random(40) < 0.8, gold, rng.choice(list("abc"), 40))] * 2
    table = Outcomes.from_labels(gold, *said)
    if name == "mean":
        table = Outcomes.from_scores(*rng.integers(0, 4, (2, 40)).astype(float))
    metric = metrics.named(name)
    n = int(table.counts.sum())
    counts = rng.multinomial(n, table.counts / n, size=2).astype(float)
    values = Unpaired().draw_tables(table, metric, counts, rng, draws=DRAWS)
    for row, some in zip(counts, values, strict=True):
        one = ExtremeCells.of_metric(table.only(0), metric, strength=1.0, generic=True)
        shapes = one.shapes(one.tables(row[np.newaxis])[0])
        weights = rng.dirichlet(np.maximum(shapes, 1e-12), size=DRAWS)
        slow = metric.values(one.view, weights)[:, 0]
        assert stats.ks_2samp(slow, some[:, 0]).pvalue > 1e-4


@pytest.mark.parametrize("clusters", [None, 12])
@pytest.mark.parametrize("wrong", [0, 5, 60])
@pytest.mark.parametrize(
    "metric", ["mcc", "kappa", "macro_f1", "weighted_f1", "f1_of_macro", "macro_mcc"]
)
def test_a_class_that_the_other_system_invents_changes_no_interval(
    metric, wrong, clusters
):
    gold = list("abc") * 20
    cluster = None if clusters is None else [i % clusters for i in range(len(gold))]
    first = [*("bca" * 20)[:wrong], *gold[wrong:]]
    second = [*(f"invented {i % 3}" for i in range(7)), *gold[7:]]
    settings = {"metric": metric, "cluster": cluster, "draws": 1000, "seed": 0}
    both = lk.compare(gold, first, second, **settings)
    for labels, value, interval in zip(
        (first, second), both.settings.data.observed, both.system_intervals, strict=True
    ):
        alone = lk.estimate(gold, labels, **settings)
        assert alone.value == value
        assert list(alone.interval) == list(interval)


def test_systems_of_unlike_tables_have_as_many_draws():
    # Long tails are drawn unit by unit, and of so many fewer times than usual.
    rng = np.random.default_rng(0)
    marks, tails = rng.integers(2, size=30_000), rng.standard_cauchy(30_000)
    table = Outcomes.from_scores(marks, tails)

    result = lk.compare(table, metric="mean", method="unpaired", seed=0)

    first, second = result.posterior.systems
    assert len(first) == len(second) == result.settings.draws < 50_000
