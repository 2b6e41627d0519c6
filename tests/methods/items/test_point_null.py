"""The point null by Savage-Dickey: exact, or close to nested quadrature."""

from itertools import product
from math import log

import mpmath as mp
import numpy as np
import pytest
from tests.conftest import LABEL_METRICS, random_labels
from tests.methods.items import quadrature
from tests.methods.items.factor_tables import (
    APART,
    TABLES,
    apart,
    gains_of,
    others,
    pairs,
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
    found = lk.compare(
        table, metric=metric, positive=positive, factor="point", seed=seed, **settings
    )
    return found.factor


# Closed forms against mpmath.


def over_logit(a, b, extra=lambda x: 1):
    """Integrate x^a (1-x)^b extra(x) over the logit of x."""
    middle, width = mp.log(mp.mpf(a) / b), mp.sqrt(1 / mp.mpf(a) + 1 / mp.mpf(b))

    def f(z):
        x, y = 1 / (1 + mp.exp(-z)), 1 / (1 + mp.exp(z))
        return x**a * y**b * extra(x)

    # The trapezoid rule: such integrands fall off on both sides.
    return mp.fsum(f(middle + k * width / 5) for k in range(-320, 321)) * width / 5


@pytest.mark.parametrize("lost", [0.6, 1.0, 3.0, 40.0])
@pytest.mark.parametrize("won", [0.6, 1.0, 9.5, 400.0])
@pytest.mark.parametrize("kept", [0.5, 2.0, 1000.0])
def test_equal_gains_is_the_integral_along_the_diagonal(lost, won, kept):
    # The density of y - x at 0: the integral over t of the density at x = y = t.
    with mp.workdps(25):
        integral = over_logit(lost + won - 1, kept) / mp.mpf(2) ** (lost + won - 1)
        gammas = mp.loggamma(lost) + mp.loggamma(won) + mp.loggamma(kept)
        exact = mp.log(integral) + mp.loggamma(lost + won + kept) - gammas

    assert equal_gains(lost, won, kept).log == pytest.approx(float(exact), abs=1e-9)


BETAS = [(1.0, 1.0), (0.7, 2.0), (5.0, 3.0), (400.0, 30.0), (20.0, 500.0)]


@pytest.mark.parametrize("first", BETAS)
@pytest.mark.parametrize("second", BETAS)
def test_equal_rates_is_the_integral_of_both_densities(first, second):
    with mp.workdps(25):
        integral = over_logit(first[0] + second[0] - 1, first[1] + second[1] - 1)
        exact = mp.log(integral / (mp.beta(*first) * mp.beta(*second)))

    assert equal_rates(first, second).log == pytest.approx(float(exact), abs=1e-9)


def test_closed_forms_of_huge_counts_are_those_of_the_normal_distribution():
    lost, won, kept = 5e8, 5e8 + 3e4, 9e9
    n = lost + won + kept
    variance = ((lost + won) / n - ((won - lost) / n) ** 2) / n
    normal = -(((won - lost) / n) ** 2) / variance / 2 - log(2 * np.pi * variance) / 2

    assert equal_gains(lost, won, kept).log == pytest.approx(normal, abs=1e-3)
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


@pytest.mark.parametrize("first", COUNTS)
@pytest.mark.parametrize("second", COUNTS)
def test_the_density_of_a_tie_of_beta_laws(first, second):
    found = log_density_of_tie(accuracy(*first), accuracy(*second))
    closed = equal_rates(*(tuple(n + 1.0 for n in pair) for pair in (first, second)))

    assert found == pytest.approx(closed.log, abs=1e-7)
    assert found == log_density_of_tie(accuracy(*second), accuracy(*first))


@pytest.mark.parametrize("first", [(0, 0, 0), (40, 9, 3), (300, 10, 20), (3, 80, 90)])
@pytest.mark.parametrize("second", [(0, 0, 0), (30, 20, 5), (5, 400, 200)])
def test_the_density_of_a_tie_of_f1_laws(first, second):
    # F = 2U/(1+U), so that dF/dU = 2/(1+U)²; both laws at the same U.
    (a, b), (c, d) = ((x[0] + 1, x[1] + x[2] + 2) for x in (first, second))
    with mp.workdps(25):
        integral = over_logit(a + c - 1, b + d - 1, lambda u: (1 + u) ** 2 / 2)
        exact = float(mp.log(integral / (mp.beta(a, b) * mp.beta(c, d))))

    assert log_density_of_tie(f1(*first), f1(*second)) == pytest.approx(exact, abs=1e-8)


def test_a_tie_of_laws_that_both_peak_at_one_end_is_infinite():
    sharp = accuracy(0, 5, prior=0.5)

    assert log_density_of_tie(sharp, sharp) == np.inf


# Importance draws against nested quadrature.


@pytest.mark.parametrize(("positive", "negative"), TABLES)
def test_pairs_of_two_classes(positive, negative):
    found, exact = pairs(positive, negative, strength=1.0)

    assert found.log == pytest.approx(exact, abs=ERROR)
    assert found.mcse < ERROR


@pytest.mark.parametrize(("first", "second"), APART)
def test_other_items_of_two_classes(first, second):
    found, exact = others(first, second, strength=1.0)

    assert found.log == pytest.approx(exact, abs=ERROR)
    assert found.mcse < ERROR


@pytest.mark.parametrize("classes", [2, 3, 8])
@pytest.mark.parametrize("tilt", [1.0, 1.2, 1.6])
def test_few_items_where_the_whole_is_one_dirichlet(classes, tilt, monkeypatch):
    # Shares that are as many as items make one distribution, with a closed form; the
    # draws for few items do not know that.
    monkeypatch.setattr(gain_density, "_UNLIKE", -1.0)
    rng = np.random.default_rng(classes)
    lost, won, kept = rng.integers(2, 90, size=(3, classes)).astype(float)
    gains = GainParameters(
        lost, won * tilt, kept, lost + won * tilt + kept, np.zeros(classes, int)
    )
    found = density_at_zero(gains, Streams.of(0), purpose=5)
    exact = equal_gains(*(float(total[0]) for total in gains.totals()))

    assert found.log == pytest.approx(exact.log, abs=ERROR)


def test_many_items_where_the_whole_is_one_dirichlet():
    rng = np.random.default_rng(0)
    lost, won, kept = rng.integers(2, 90, size=(3, 5)).astype(float)
    gains = GainParameters(lost, won * 3, kept, lost + won * 3 + kept, np.zeros(5, int))
    found = density_at_zero(gains, Streams.of(0), purpose=5)
    exact = equal_gains(*(float(total[0]) for total in gains.totals()))

    assert found.log == pytest.approx(exact.log, abs=1e-9)
    assert found.mcse < 1e-9


@pytest.mark.parametrize("classes", [3, 10])
@pytest.mark.parametrize("items", [0, 2, 20, 200])
def test_more_classes_against_plain_draws(classes, items):
    rng = np.random.default_rng(classes + items)
    prior = np.array([classes - 1, classes - 1, classes**2 - 2 * classes + 2])
    counts = rng.multinomial(items, [0.1, 0.12, 0.78], size=classes)
    parts, shares = (counts + prior).astype(float), counts.sum(axis=1) + 1.0
    gains = GainParameters(*parts.T, shares, np.zeros(classes, int))
    found = density_at_zero(gains, Streams.of(0), purpose=5)

    n = 400_000
    drawn = np.zeros(n)
    weights = rng.standard_gamma(shares, size=(n, classes))
    for weight, part in zip(weights.T, parts, strict=True):
        lost, won, kept = rng.standard_gamma(part[:, np.newaxis], size=(3, n))
        drawn += weight * (won - lost) / (lost + won + kept)
    drawn /= weights.sum(axis=1)
    window = 0.1 * drawn.std()
    share = np.mean(np.abs(drawn) < window)
    error = np.sqrt((1 - share) / share / n)

    # The window bends the density by less than .3 %.
    assert found.log == pytest.approx(log(share / window / 2), abs=4 * error + 0.004)


@pytest.mark.parametrize(
    "gains",
    [
        gains_of((12, 22, 73), (6, 8, 90), (104, 101)),
        gains_of((2, 1, 4), (30, 60, 90), (4, 177)),
        gains_of((1, 1, 2), (1, 1, 2), (1, 1)),
        apart([(41, 11), (61, 11)], [(26, 26), (31, 41)], [51, 71]),
    ],
)
def test_the_monte_carlo_error_is_what_seeds_show(gains):
    found = [
        density_at_zero(gains, Streams.of(seed, draws=4000), purpose=5)
        for seed in range(40)
    ]
    spread = np.std([density.log for density in found])

    assert np.median([d.mcse for d in found]) == pytest.approx(spread, rel=0.35)


# Through compare().


@pytest.mark.parametrize("metric", LINEAR)
@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_the_factor_is_posterior_over_prior_density(metric, method):
    # Gold n: nn, ny, yn, yy; then gold y.
    counts = [60, 9, 4, 10, 12, 25, 8, 40]
    found = point(eight(*counts), metric, method=method)
    n, p = np.array(counts[:4]), np.array(counts[4:])
    if method == "paired":
        negative, positive = (n[1], n[2], n[0] + n[3]), (p[2], p[1], p[0] + p[3])
        prior = np.array([1, 1, 2])
        after = {"recall": positive, "specificity": negative}.get(metric)
        if after is None:
            shares = (p.sum() + 1, n.sum() + 1)
            both = quadrature.paired(positive + prior, negative + prior, shares)
            exact = both - quadrature.paired(prior, prior, (1, 1))
        else:
            exact = equal_gains(*(after + prior)).log - equal_gains(1, 1, 2).log
    else:
        rates = {  # right and wrong of the first and of the second
            "recall": [(p[2] + p[3], p[0] + p[1]), (p[1] + p[3], p[0] + p[2])],
            "specificity": [(n[0] + n[1], n[2] + n[3]), (n[0] + n[2], n[1] + n[3])],
        }
        a, b = (
            np.array([rates[m][i] for m in ("recall", "specificity")]) + 1
            for i in (0, 1)
        )
        if metric in rates:
            first, second = (np.array(pair) + 1.0 for pair in rates[metric])
            exact = equal_rates(tuple(first), tuple(second)).log
        else:
            shares = np.array([p.sum() + 1, n.sum() + 1])
            one = np.ones(2)
            before = quadrature.unpaired((one, one, one), (one, one, one))
            exact = quadrature.unpaired((*a.T, shares), (*b.T, shares)) - before

    assert found.of == "point"
    assert found.log10 == pytest.approx(exact / log(10), abs=0.02)
    assert (found.mcse == 0) == (metric in ("recall", "specificity"))


@pytest.mark.parametrize("metric", LINEAR)
@pytest.mark.parametrize("method", ["paired", "unpaired"])
@pytest.mark.parametrize("n", [1, 3, 50, 10**6])
def test_identical_systems_have_a_factor_for_no_difference(metric, method, n):
    table = eight(n, 0, 0, n, n, 0, 0, n)
    assert point(table, metric, method=method).log10 >= 0


@pytest.mark.parametrize("metric", LINEAR)
@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_swapping_the_systems_changes_nothing(metric, method):
    table = eight(60, 9, 4, 10, 12, 25, 8, 40)
    swapped = eight(60, 4, 9, 10, 12, 8, 25, 40)
    one, other = (point(t, metric, method=method) for t in (table, swapped))

    if metric in ("recall", "specificity"):
        assert one.log10 == pytest.approx(other.log10, abs=1e-12)
    else:
        assert one.log10 == pytest.approx(other.log10, abs=5 * (one.mcse + 1e-9))


@pytest.mark.parametrize("metric", LINEAR)
def test_two_classes_under_the_objective_prior_are_refused(metric):
    # What is lost and won has a prior of 4 quarters, or 2: the density is infinite.
    with pytest.raises(NotDefinedError, match="infinite") as caught:
        point(eight(*[5] * 8), metric, method=Paired(prior="objective"))

    assert "uniform" in caught.value.hint


def test_error_rate_has_the_factor_of_accuracy():
    table = eight(60, 9, 4, 10, 12, 25, 8, 40)

    assert point(table, "error_rate").log10 == point(table, "accuracy").log10


def test_more_classes_have_a_closed_form_under_the_objective_prior():
    labels = random_labels(0, n=300, classes=4, right=(0.6, 0.75))
    found = lk.compare(*labels.columns, metric="accuracy", factor="point", seed=0)
    gold, first, second = map(np.array, labels.columns)
    won = np.sum((second == gold) & (first != gold))
    lost = np.sum((second != gold) & (first == gold))
    # Of the 16 cells of each of 4 classes 3 are won and 3 are lost.
    prior = np.array([12 / 16, 12 / 16, 40 / 16])
    after = equal_gains(*(np.array([lost, won, 300 - lost - won]) + prior))
    exact = (after.log - equal_gains(*prior).log) / log(10)

    assert "objective" in found.recipe
    assert found.factor.log10 == pytest.approx(exact, abs=1e-9)
    assert found.factor.mcse == 0


@pytest.mark.parametrize("name", REFUSED)
def test_other_metrics_are_refused_with_the_reason(name):
    metric = lk.metrics.named(name)
    positive = "y" if metric.of_one_class else None
    with pytest.raises(NotDefinedError) as caught:
        lk.compare(
            eight(*[5] * 8), metric=name, positive=positive, factor="point", seed=0
        )

    assert "point null" in str(caught.value)
    assert metric.name in str(caught.value)
    assert "rope" in str(caught.value.hint)


@pytest.mark.parametrize("name", ["f1", "f2", "precision", "npv", "jaccard"])
def test_metrics_of_infinite_density_are_refused_as_such(name):
    with pytest.raises(NotDefinedError, match="infinite"):
        lk.compare(eight(*[5] * 8), metric=name, positive="y", factor="point", seed=0)


def test_scores_have_no_point_null():
    scores = lk.Outcomes.from_scores([0.1, 0.5, 0.2], [0.3, 0.4, 0.9])
    with pytest.raises(NotDefinedError):
        lk.compare(scores, metric="mean", factor="point", seed=0)


@pytest.mark.parametrize("method", [Paired, Unpaired])
@pytest.mark.parametrize("factor", ["point", "kde"])
def test_a_factor_needs_a_proper_prior(method, factor):
    with pytest.raises(NotDefinedError, match="bootstrap"):
        lk.compare(
            eight(*[5] * 8),
            metric="accuracy",
            factor=factor,
            method=method(prior="bootstrap"),
            seed=0,
        )


@pytest.mark.parametrize("method", [Paired, Unpaired])
@pytest.mark.parametrize("metric", LINEAR)
@pytest.mark.parametrize("strength", [0.01, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.4])
def test_weak_priors_of_infinite_density_are_refused(method, metric, strength):
    with pytest.raises(NotDefinedError, match="infinite"):
        point(eight(*[5] * 8), metric, method=method(strength=strength))


@pytest.mark.parametrize("prior", [1.0, 2.0])
@pytest.mark.parametrize("metric", ["f1", "recall", "precision"])
def test_independent_laws_have_an_exact_point_null(metric, prior):
    table = eight(50, 9, 4, 10, 12, 25, 8, 40)
    way = Independent(prior=prior)
    found = lk.compare(table, metric=metric, positive="y", factor="point", method=way)
    chances = found.posterior.difference
    near = chances.share_below(1e-6) - chances.share_below(-1e-6)
    before = found.prior.difference
    prior_near = before.share_below(1e-6) - before.share_below(-1e-6)

    assert found.factor.mcse == 0
    assert found.factor.bf01 == pytest.approx(near / prior_near, rel=1e-4)


def test_an_unknown_factor_is_refused():
    with pytest.raises(LikelierError, match="factor"):
        lk.compare(eight(*[5] * 8), metric="accuracy", factor="points", seed=0)


# Why F1 and precision have none.


@pytest.fixture(scope="module")
def prior_draws():
    """Draws of the eight cells under the paper's prior (cell, draw)."""
    rng, n = np.random.default_rng(0), 4_000_000
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
    found = heights(second - first)

    # The design's figures; each factor of ten adds as much again: a logarithm.
    assert found[0] == pytest.approx(2.54, abs=0.02)
    assert found[2] == pytest.approx(3.61, abs=0.2)
    assert found[0] + 0.3 < found[1] < found[2] - 0.3


def test_the_prior_density_of_equal_precision_is_infinite(prior_draws):
    p, n = prior_draws
    tp = [p[2] + p[3], p[1] + p[3]]
    fp = [n[2] + n[3], n[1] + n[3]]
    first, second = (t / (t + f) for t, f in zip(tp, fp, strict=True))
    found = heights(second - first)

    assert found[0] + 0.3 < found[1] < found[2] - 0.3


def test_the_prior_density_of_equal_recall_is_finite(prior_draws):
    p, _ = prior_draws
    found = heights((p[1] - p[2]) / p.sum(axis=0))

    assert found == pytest.approx([1.5 * 0.99, 1.5, 1.5], abs=0.15)


# The law of Bayes factors.


@pytest.mark.parametrize("items", [5, 30, 300])
def test_wrong_evidence_is_as_rare_as_it_must_be(items):
    # Under equal gains and the prior conditioned on them, BF10 >= k has a probability
    # of at most 1/k, and BF10 is 1 on average. Along x = y = t/2 the prior is that of
    # t ~ Beta(a + b - 1, c) = Beta(1, 2).
    rng, n = np.random.default_rng(items), 100_000
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
