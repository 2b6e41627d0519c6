"""The point null by Savage-Dickey: exact, or close to nested quadrature."""

from itertools import product
from math import log

import numpy as np
import pytest
from tests.conftest import LABEL_METRICS, random_labels
from tests.methods.items import density_oracles
from tests.methods.items.density_oracles import oracle
from tests.methods.items.factor_tables import (
    gains_of,
    gains_of_other_items,
    paired_densities,
    unpaired_densities,
)

import likelier as lk
from likelier.bayes_factor import equal_gains, equal_rates
from likelier.errors import LikelierError, NotDefinedError
from likelier.laws import accuracy, f1
from likelier.laws.difference import log_density_of_tie
from likelier.methods.items import gain_density
from likelier.methods.items.dirichlet import Paired, Unpaired
from likelier.methods.items.exact_laws import Independent
from likelier.methods.items.gain_density import GainParameters, density_at_zero
from likelier.streams import Streams

LINEAR = ("accuracy", "error_rate", "recall", "specificity")
TAGGING = ("token_accuracy", "sentence_accuracy", "oov_accuracy")
REFUSED = sorted({*LABEL_METRICS} - {*LINEAR, *TAGGING})
ERROR = 0.02 * log(10)


def eight(*counts):
    """Make outcomes of (gold, first, second), first all of n, then all of y."""
    cells = list(zip(*product("ny", repeat=3), strict=True))
    return lk.Outcomes.from_patterns(list(map(list, cells)), counts, systems=["a", "b"])


def point(table, metric, *, seed=0, **settings):
    positive = "y" if metric in ("recall", "specificity") else None
    result = lk.compare(
        table, metric=metric, positive=positive, factor="point", seed=seed, **settings
    )
    return result.factor


# Closed forms against mpmath.


@pytest.mark.parametrize(
    ("name", "arguments", "settings"),
    [
        ("gains", (0.6, 1.0, 2.0), {}),
        ("rates", ((0.7, 2.0), (5.0, 3.0)), {}),
        ("f1", ((40, 9, 3), (30, 20, 5)), {}),
        ("plain_draws", (3, 2), {}),
        ("paired", ((0, 0, 1), (1, 0, 0)), {"strength": 1.0}),
        ("unpaired", ([(1, 0), (0, 2)], [(0, 1), (1, 1)]), {"strength": 1.0}),
    ],
)
def test_stored_oracles_are_those_of_their_code(name, arguments, settings):
    stored = oracle(name, *arguments, **settings)
    computed = density_oracles.compute(name, *arguments, **settings)

    assert stored == pytest.approx(computed, abs=1e-9)


def test_every_oracle_is_stored():
    keys = {density_oracles.key_of(*case) for case in density_oracles.cases()}

    assert keys == set(density_oracles.STORED)


def test_equal_gains_is_the_integral_along_the_diagonal():
    for case in product(
        density_oracles.LOST, density_oracles.WON, density_oracles.TIED
    ):
        exact = oracle("gains", *case)
        assert equal_gains(*case).log == pytest.approx(exact, abs=1e-9), case


def test_equal_rates_is_the_integral_of_both_densities():
    for first, second in product(density_oracles.BETAS, repeat=2):
        exact = oracle("rates", first, second)
        assert equal_rates(first, second).log == pytest.approx(exact, abs=1e-9)


def test_closed_forms_of_huge_counts_are_those_of_the_normal_distribution():
    lost, won, tied = 5e8, 5e8 + 3e4, 9e9
    n = lost + won + tied
    variance = ((lost + won) / n - ((won - lost) / n) ** 2) / n
    normal = -(((won - lost) / n) ** 2) / variance / 2 - log(2 * np.pi * variance) / 2

    assert equal_gains(lost, won, tied).log == pytest.approx(normal, abs=1e-3)
    p, q = (6e8, 4e8), (6e8 + 2e5, 4e8 - 2e5)
    variance = 2 * 0.24 / 1e9
    normal = -((2e-4) ** 2) / variance / 2 - log(2 * np.pi * variance) / 2
    assert equal_rates(p, q).log == pytest.approx(normal, abs=0.02)


@pytest.mark.parametrize(("lost", "won"), [(0.5, 0.5), (0.1, 0.2)])
def test_closed_forms_refuse_an_infinite_density(lost, won):
    with pytest.raises(NotDefinedError, match="infinite"):
        equal_gains(lost, won, 1.0)
    with pytest.raises(NotDefinedError, match="infinite"):
        equal_rates((lost, 3.0), (won, 3.0))


# Ties of laws against mpmath.

COUNTS = [(0, 0), (3, 0), (40, 9), (2000, 5), (5, 2000), (30_000, 70_000)]


def test_the_density_of_a_tie_of_beta_laws():
    for first, second in product(COUNTS, repeat=2):
        density = log_density_of_tie(accuracy(*first), accuracy(*second))
        shapes = (tuple(n + 1.0 for n in pair) for pair in (first, second))

        assert density == pytest.approx(equal_rates(*shapes).log, abs=1e-7)
        assert density == log_density_of_tie(accuracy(*second), accuracy(*first))


@pytest.mark.parametrize("first", density_oracles.FIRST_F1)
@pytest.mark.parametrize("second", density_oracles.SECOND_F1)
def test_the_density_of_a_tie_of_f1_laws(first, second):
    exact = oracle("f1", first, second)

    assert log_density_of_tie(f1(*first), f1(*second)) == pytest.approx(exact, abs=1e-8)


def test_a_tie_of_laws_that_both_peak_at_one_end_is_infinite():
    sharp = accuracy(0, 5, prior=0.5)

    assert log_density_of_tie(sharp, sharp) == np.inf


# Importance draws against nested quadrature.


@pytest.mark.parametrize(("positive", "negative"), density_oracles.TABLES)
def test_pairs_of_two_classes(positive, negative):
    density, exact = paired_densities(positive, negative, strength=1.0)

    assert density.log == pytest.approx(exact, abs=ERROR)
    assert density.mcse < ERROR


@pytest.mark.parametrize(("first", "second"), density_oracles.OTHER_ITEMS)
def test_other_items_of_two_classes(first, second):
    density, exact = unpaired_densities(first, second, strength=1.0)

    assert density.log == pytest.approx(exact, abs=ERROR)
    assert density.mcse < ERROR


@pytest.mark.parametrize("classes", [2, 3, 8])
@pytest.mark.parametrize("tilt", [1.0, 1.2, 1.6])
def test_few_items_where_the_whole_is_one_dirichlet(classes, tilt, monkeypatch):
    # Shares that are as many as items make one distribution, with a closed form; the
    # draws for few items do not know that.
    monkeypatch.setattr(gain_density, "_UNLIKE", -1.0)
    rng = np.random.default_rng(classes)
    lost, won, tied = rng.integers(2, 90, size=(3, classes)).astype(float)
    gains = GainParameters(
        lost, won * tilt, tied, lost + won * tilt + tied, np.zeros(classes, int)
    )
    density = density_at_zero(gains, Streams.of(0), purpose=5)
    exact = equal_gains(*(float(total[0]) for total in gains.totals()))

    assert density.log == pytest.approx(exact.log, abs=ERROR)


def test_many_items_where_the_whole_is_one_dirichlet():
    rng = np.random.default_rng(0)
    lost, won, tied = rng.integers(2, 90, size=(3, 5)).astype(float)
    gains = GainParameters(lost, won * 3, tied, lost + won * 3 + tied, np.zeros(5, int))
    density = density_at_zero(gains, Streams.of(0), purpose=5)
    exact = equal_gains(*(float(total[0]) for total in gains.totals()))

    assert density.log == pytest.approx(exact.log, abs=1e-9)
    assert density.mcse < 1e-9


@pytest.mark.parametrize("classes", density_oracles.CLASSES)
@pytest.mark.parametrize("items", density_oracles.ITEMS)
def test_more_classes_against_plain_draws(classes, items):
    parts, shares, _ = density_oracles.class_parameters(classes, items)
    gains = GainParameters(*parts.T, shares, np.zeros(classes, int))
    density = density_at_zero(gains, Streams.of(0), purpose=5)
    expected, error = oracle("plain_draws", classes, items)

    # The window bends the density by less than .3 %.
    assert density.log == pytest.approx(expected, abs=4 * error + 0.004)


@pytest.mark.parametrize(
    "gains",
    [
        gains_of((12, 22, 73), (6, 8, 90), (104, 101)),
        gains_of((2, 1, 4), (30, 60, 90), (4, 177)),
        gains_of((1, 1, 2), (1, 1, 2), (1, 1)),
        gains_of_other_items([(41, 11), (61, 11)], [(26, 26), (31, 41)], [51, 71]),
    ],
)
def test_the_monte_carlo_error_is_what_seeds_show(gains):
    densities = [
        density_at_zero(gains, Streams.of(seed, draws=4000), purpose=5)
        for seed in range(40)
    ]
    spread = np.std([density.log for density in densities])
    error = np.median([density.mcse for density in densities])

    assert error == pytest.approx(spread, rel=0.35)


def test_a_rough_density_is_drawn_again_with_sixteen_times_the_draws():
    gains = gains_of((1, 1, 2), (1, 1, 2), (1, 1))
    few, more = (
        density_at_zero(gains, Streams.of(0, draws=n), purpose=5) for n in (150, 2400)
    )

    assert few == more
    assert more.mcse < 0.02
    # Fewer draws are not made up for a second time.
    assert density_at_zero(gains, Streams.of(0, draws=50), purpose=5).mcse > 0.02


# Through compare().


@pytest.mark.parametrize("metric", LINEAR)
@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_the_factor_is_posterior_over_prior_density(metric, method):
    table = eight(*density_oracles.COUNTS)
    items = density_oracles.items_of(density_oracles.COUNTS, method)
    if metric in ("recall", "specificity"):
        index = ("recall", "specificity").index(metric)
        if method == "paired":
            prior = np.array([1, 1, 2])
            exact = equal_gains(*(items[index] + prior)).log - equal_gains(*prior).log
        else:  # right and wrong of the first and of the second
            exact = equal_rates(*(np.array(part[index]) + 1.0 for part in items)).log
    else:
        nothing = density_oracles.items_of([0] * 8, method)
        exact = oracle(method, *items, strength=1.0)
        exact -= oracle(method, *nothing, strength=1.0)
    factor = point(table, metric, method=method)

    assert factor.of == "point"
    assert factor.log10 == pytest.approx(exact / log(10), abs=0.02)
    assert (factor.mcse == 0) == (metric in ("recall", "specificity"))


@pytest.mark.parametrize("metric", LINEAR)
@pytest.mark.parametrize("method", ["paired", "unpaired"])
@pytest.mark.parametrize("n", [1, 3, 50, 10**6])
def test_identical_systems_have_a_factor_for_no_difference(metric, method, n):
    table = eight(n, 0, 0, n, n, 0, 0, n)
    assert point(table, metric, method=method, draws=5000).log10 >= 0


@pytest.mark.parametrize("metric", LINEAR)
@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_swapping_the_systems_changes_nothing(metric, method):
    table = eight(60, 9, 4, 10, 12, 25, 8, 40)
    swapped = eight(60, 4, 9, 10, 12, 8, 25, 40)
    one, other = (
        point(t, metric, method=method, draws=10_000) for t in (table, swapped)
    )

    if metric in ("recall", "specificity"):
        assert one.log10 == pytest.approx(other.log10, abs=1e-12)
    else:
        assert one.log10 == pytest.approx(other.log10, abs=5 * (one.mcse + 1e-9))


@pytest.mark.parametrize("metric", LINEAR)
def test_two_classes_under_the_objective_prior_are_refused(metric):
    # What is lost and won has a prior of 4 quarters, or 2: the density is infinite.
    with pytest.raises(NotDefinedError, match="infinite") as caught:
        point(eight(*[5] * 8), metric, method=Paired(prior="objective"), draws=100)

    assert "uniform" in caught.value.hint


def test_error_rate_has_the_factor_of_accuracy():
    table = eight(60, 9, 4, 10, 12, 25, 8, 40)

    assert point(table, "error_rate").log10 == point(table, "accuracy").log10


def test_more_classes_have_a_closed_form_under_the_objective_prior():
    labels = random_labels(0, n=300, classes=4, right=(0.6, 0.75))
    result = lk.compare(*labels.columns, metric="accuracy", factor="point", seed=0)
    gold, first, second = map(np.array, labels.columns)
    won = np.sum((second == gold) & (first != gold))
    lost = np.sum((second != gold) & (first == gold))
    # Of the 16 cells of each of 4 classes 3 are won and 3 are lost.
    prior = np.array([12 / 16, 12 / 16, 40 / 16])
    after = equal_gains(*(np.array([lost, won, 300 - lost - won]) + prior))
    exact = (after.log - equal_gains(*prior).log) / log(10)

    assert result.factor.prior == "objective"
    assert result.factor.log10 == pytest.approx(exact, abs=1e-9)
    assert result.factor.mcse == 0


def point_refusal(name):
    """The error of a point null of a metric that has none."""
    metric = lk.metrics.named(name)
    settings = {"positive": "y" if metric.of_one_class else None, "draws": 100}
    with pytest.raises(NotDefinedError) as caught:
        lk.compare(eight(*[5] * 8), metric=name, factor="point", seed=0, **settings)
    return caught.value


def test_other_metrics_are_refused_with_the_reason():
    for name in REFUSED:
        error = point_refusal(name)

        assert "point null" in str(error)
        assert lk.metrics.named(name).name in str(error)
        assert "rope" in str(error.hint)


@pytest.mark.parametrize("name", ["f1", "f2", "precision", "npv", "jaccard"])
def test_metrics_of_infinite_density_are_refused_as_such(name):
    assert "infinite" in str(point_refusal(name))


def test_scores_have_no_point_null():
    scores = lk.Outcomes.from_scores([0.1, 0.5, 0.2], [0.3, 0.4, 0.9])
    with pytest.raises(NotDefinedError):
        lk.compare(scores, metric="mean", factor="point", seed=0)


@pytest.mark.parametrize("method", [Paired, Unpaired])
@pytest.mark.parametrize("factor", ["point", "kde"])
def test_a_factor_rests_on_a_proper_prior_that_it_names(method, factor):
    settings = {"metric": "accuracy", "factor": factor, "draws": 2000, "seed": 0}
    table = eight(*range(3, 11))
    proper = lk.compare(table, method=method(prior="uniform"), **settings)
    for prior in (None, "bootstrap"):
        result = lk.compare(table, method=method(prior=prior), **settings)
        assert result.factor.prior == "uniform"
        assert result.factor == proper.factor
        assert result.posterior.difference.mean() != proper.posterior.difference.mean()


@pytest.mark.parametrize("method", [Paired, Unpaired])
@pytest.mark.parametrize("metric", LINEAR)
def test_weak_priors_of_infinite_density_are_refused(method, metric):
    for strength in (0.01, 0.25, 0.4):
        with pytest.raises(NotDefinedError, match="infinite"):
            point(eight(*[5] * 8), metric, method=method(strength=strength), draws=100)


@pytest.mark.parametrize("prior", [1.0, 2.0])
@pytest.mark.parametrize("metric", ["f1", "recall", "precision"])
def test_independent_laws_have_an_exact_point_null(metric, prior):
    table = eight(50, 9, 4, 10, 12, 25, 8, 40)
    settings = {"positive": "y", "factor": "point", "method": Independent(prior=prior)}
    result = lk.compare(table, metric=metric, **settings)
    after, before = (
        law.share_below(1e-6) - law.share_below(-1e-6)
        for law in (result.posterior.difference, result.before_and_after[0].difference)
    )

    assert result.factor.mcse == 0
    assert result.factor.bf01 == pytest.approx(after / before, rel=1e-4)


def test_an_unknown_factor_is_refused():
    with pytest.raises(LikelierError, match="factor"):
        lk.compare(eight(*[5] * 8), metric="accuracy", factor="points", seed=0)


# Why F1 and precision have none.


@pytest.fixture(scope="module")
def prior_draws():
    """Draws of the eight cells under the paper's prior (cell, draw)."""
    rng, n = np.random.default_rng(0), 2_000_000
    mu = rng.random(n)
    positive = rng.standard_exponential((4, n))
    negative = rng.standard_exponential((4, n))
    positive *= mu / positive.sum(axis=0)
    negative *= (1 - mu) / negative.sum(axis=0)
    return positive, negative


def heights(differences):
    return [np.mean(np.abs(differences) < e) / (2 * e) for e in (0.01, 0.001, 0.0001)]


def test_the_prior_density_of_equal_f1_is_infinite(prior_draws):
    p, n = prior_draws
    tp = [p[2] + p[3], p[1] + p[3]]
    fp = [n[2] + n[3], n[1] + n[3]]
    first, second = (
        2 * t / (t + f + p.sum(axis=0)) for t, f in zip(tp, fp, strict=True)
    )
    near_0 = heights(second - first)

    # The design's figures; each factor of ten adds as much again: a logarithm.
    assert near_0[0] == pytest.approx(2.54, abs=0.02)
    assert near_0[2] == pytest.approx(3.61, abs=0.2)
    assert near_0[0] + 0.3 < near_0[1] < near_0[2] - 0.3


def test_the_prior_density_of_equal_precision_is_infinite(prior_draws):
    p, n = prior_draws
    tp = [p[2] + p[3], p[1] + p[3]]
    fp = [n[2] + n[3], n[1] + n[3]]
    first, second = (t / (t + f) for t, f in zip(tp, fp, strict=True))
    near_0 = heights(second - first)

    assert near_0[0] + 0.3 < near_0[1] < near_0[2] - 0.3


def test_the_prior_density_of_equal_recall_is_finite(prior_draws):
    p, _ = prior_draws
    near_0 = heights((p[1] - p[2]) / p.sum(axis=0))

    assert near_0 == pytest.approx([1.5 * 0.99, 1.5, 1.5], abs=0.15)


# The law of Bayes factors.


@pytest.mark.parametrize("items", [5, 30, 300])
def test_wrong_evidence_is_as_rare_as_it_must_be(items):
    # Under equal gains and the prior conditioned on them, BF10 >= k has a probability
    # of at most 1/k, and BF10 is 1 on average. Along x = y = t/2 the prior is that of
    # t ~ Beta(a + b - 1, c) = Beta(1, 2).
    rng, n = np.random.default_rng(items), 30_000
    differ = rng.beta(1, 2, size=n)
    shares = np.column_stack([differ / 2, differ / 2, 1 - differ])
    tables, counts = np.unique(
        rng.multinomial(items, shares), axis=0, return_counts=True
    )
    prior = equal_gains(1, 1, 2).log
    against = np.exp(
        [prior - equal_gains(*(row + np.array([1, 1, 2]))).log for row in tables]
    )
    weight = counts / n

    for k in (3, 10, 30):
        assert weight[against >= k].sum() <= 1 / k
    if items > 30:  # the mean hangs on tables too rare to be drawn
        return
    error = np.sqrt(weight @ against**2 - (weight @ against) ** 2) / np.sqrt(n)
    assert weight @ against == pytest.approx(1, abs=5 * error)
