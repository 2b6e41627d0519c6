"""Approximate randomization against all swaps, with fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK, random_labels

import likelier as lk
from likelier import LikelierError, Outcomes, metrics
from likelier.methods.items.randomization import Randomization
from likelier.streams import Streams

TENTHS = st.integers(-30, 30).map(lambda x: Fraction(x, 10))


def enumerated(first, second):
    """The share of all swaps with a mean at least as far from 0, exactly."""
    gains = [Fraction(b) - Fraction(a) for a, b in zip(first, second, strict=True)]
    observed = abs(sum(gains))
    sums = [
        sum(s * g for s, g in zip(signs, gains, strict=True))
        for signs in product((1, -1), repeat=len(gains))
    ]
    return Fraction(sum(abs(total) >= observed for total in sums), len(sums))


def p_of(first, second, *, exact=None, draws=None, seed=0, metric=metrics.mean):
    table = Outcomes.from_scores([float(x) for x in first], [float(x) for x in second])
    return Randomization(exact=exact).null(table, metric, Streams.of(seed, draws=draws))


@QUICK
@given(rows=st.lists(st.tuples(TENTHS, TENTHS), min_size=1, max_size=9))
def test_every_swap_counts_and_ties_tie(rows):
    first, second = zip(*rows, strict=True)
    truth = float(enumerated(first, second))

    assert p_of(first, second, exact=True).p_value == pytest.approx(truth, rel=1e-12)
    assert p_of(first, second, metric=metrics.mean_loss).p_value == pytest.approx(
        truth, rel=1e-12
    )


# .1 + .2 is not .3: here float sums break ties.
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["0"] * 3, ["0.1", "0.2", "-0.3"]),
        (["0"] * 3, ["0.1", "0.2", "0.3"]),
        (["0.1", "0.2", "0.3", "0.7"], ["0.3", "0.1", "0.2", "0.8"]),
        (["0"] * 5, ["0.1", "0.1", "0.1", "-0.3", "0.7"]),
        (["0"] * 6, ["0.3", "0.6", "0.9", "-0.1", "-0.2", "-0.3"]),
    ],
)
def test_sums_that_tie_only_without_rounding(first, second):
    first, second = map(Fraction, first), map(Fraction, second)
    first, second = list(first), list(second)
    truth = float(enumerated(first, second))

    assert p_of(first, second).p_value == pytest.approx(truth, rel=1e-12)
    drawn = p_of(first, second, exact=False, draws=20_000)
    assert abs(drawn.p_value - truth) <= 4 * np.sqrt(truth * (1 - truth) / 2e4) + 1e-4


@pytest.mark.parametrize("exponent", [-300, -15, -12, -9, -6, 3, 6, 12, 90])
@pytest.mark.parametrize("seed", range(3))
def test_the_unit_of_the_scores_does_not_matter(seed, exponent):
    rng = np.random.default_rng(seed)
    first, second = (
        [Fraction(int(x), 10) for x in rng.integers(-9, 30, 8)] for _ in "ab"
    )
    unit = Fraction(10) ** exponent
    scaled = [[x * unit for x in column] for column in (first, second)]
    truth = float(enumerated(first, second))
    null = p_of(*scaled, draws=4000)

    assert abs(null.p_value - truth) <= 5 * null.mcse + 1e-9


def test_small_gains_beside_large_ones_are_gains():
    first, second = [0.0] * 8, [1.0, -1.0, *[1e-10] * 6]
    truth = float(enumerated(first, second))

    null = p_of(first, second, draws=20_000)
    assert truth == 1 / 2 + 1 / 64
    assert abs(null.p_value - truth) <= 5 * null.mcse + 1e-9


@pytest.mark.parametrize("draws", [1, 10, 999])
def test_a_drawn_p_value_is_a_multiple_and_never_0(draws):
    rng = np.random.default_rng(0)
    table = Outcomes.from_scores(rng.random(50), 2 + rng.random(50))
    null = Randomization(exact=False).null(
        table, metrics.mean, Streams.of(0, draws=draws)
    )

    assert null.p_value == 1 / (draws + 1)
    labels = random_labels(1).outcomes()
    null = Randomization().null(labels, metrics.macro_f1, Streams.of(0, draws=draws))
    assert null.p_value * (draws + 1) == pytest.approx(null.details["s"] + 1)
    assert null.p_value >= 1 / (draws + 1)


@pytest.mark.parametrize("copies", [0, 40])
@pytest.mark.parametrize("metric", ["mean", "ratio"])
def test_many_distinct_items_are_swapped_by_fair_coins(copies, metric):
    """Some stand once, others often; a mean, exactly, and the same as a ratio."""
    rng = np.random.default_rng(4)
    first, second = rng.integers(0, 100, size=(2, 160)) / 100
    pair = first[0], second[0]
    first, second = (
        np.append(first, pair * copies),
        np.append(second, pair[::-1] * copies),
    )
    exact = p_of(first, second).p_value
    chosen = metrics.mean
    if metric == "ratio":
        chosen = metrics.Metric(
            "ratio", ("score", "items"), lambda score, items: score / items
        )
    drawn = p_of(first, second, exact=False, draws=20_000, metric=chosen)

    assert 0.01 < exact < 0.99
    assert abs(drawn.p_value - exact) < 4.5 * drawn.mcse


@pytest.mark.parametrize("exact", [None, False])
def test_the_p_value_does_not_know_the_order_of_rows(exact):
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 10, size=(2, 40)) / 10
    p_values = set()
    for _ in range(100):
        order = rng.permutation(40)
        p_values.add(p_of(first[order], second[order], exact=exact, draws=200).p_value)

    assert len(p_values) == 1


def test_exact_is_refused_where_it_is_not_possible():
    table = random_labels(2).outcomes()

    with pytest.raises(LikelierError, match="macro_f1 has no exact randomization"):
        Randomization(exact=True).null(table, metrics.macro_f1, Streams.of(0))


def test_an_exact_p_value_has_no_monte_carlo_error():
    null = p_of([0, 0, 0, 0, 1], [1, 1, 1, 1, 1])

    assert null.p_value == pytest.approx(0.125, rel=1e-12)
    assert null.mcse == 0
    assert null.details == {"swapped items": 4}


@pytest.mark.parametrize("n", [1, 30, 1000])
def test_one_size_of_gain_is_a_coin(n):
    p = p_of([0] * n, [0.7] * n).p_value

    assert p == pytest.approx(2.0 ** (1 - n), rel=1e-9)


def test_gains_of_two_sizes_are_convolved():
    rng = np.random.default_rng(3)
    first, second = rng.integers(0, 4, size=(2, 300))
    exact = p_of(first, second).p_value
    drawn = p_of(first, second, exact=False, draws=20_000)

    assert abs(drawn.p_value - exact) < 4.5 * drawn.mcse


def test_pairing_is_kept():
    rng = np.random.default_rng(0)
    first = rng.normal(size=300).round(3)
    second = (first + rng.normal(0.02, 0.04, size=300)).round(3)
    assert np.corrcoef(first, second)[0, 1] > 0.998

    assert lk.null_test(first, second, metric="mean").p_value < 1e-6
    assert lk.compare(first, second, metric="mean", seed=0).probability.better > 0.999


def test_clusters_are_swapped_whole():
    cluster = np.repeat([0, 1, 2, 3], 5)
    table = Outcomes.from_scores([0] * 20, [1] * 20, cluster=cluster)

    null = Randomization().null(table, metrics.mean, Streams.of(0))
    assert null.p_value == pytest.approx(2 / 2**4)


def test_a_metric_of_one_class_is_swapped_too():
    table = random_labels(4, n=100, right=(0.4, 0.9)).outcomes().binary("a")

    for metric in (metrics.recall, metrics.specificity):
        exact = Randomization().null(table, metric, Streams.of(0))
        drawn = Randomization(exact=False).null(table, metric, Streams.of(0))
        assert abs(exact.p_value - drawn.p_value) <= 4.5 * drawn.mcse + 1e-4
        assert exact.statistic == pytest.approx(drawn.statistic)


def test_fractions_of_items_cannot_be_swapped():
    table = Outcomes.from_patterns([["a"], ["a"], ["b"]], [1.5], systems=["x", "y"])

    with pytest.raises(LikelierError, match="whole counts"):
        Randomization().null(table, metrics.accuracy, Streams.of(0))


def test_equal_values_tie_whatever_the_order_of_their_sums():
    """.1 + .2 is not .3, and a root of the mean has no exact test."""
    root = metrics.Metric("root", ("score", "items"), lambda s, n: np.sqrt(s / n))
    first, second = [0, 0, 0, 0.3], [0.1, 0.2, 0.7, 0]
    drawn = p_of(first, second, metric=root, draws=4000)

    # Both sums are 1.3 together, so that the roots order swaps as the means do.
    tenths = [[round(10 * x) for x in column] for column in (first, second)]
    truth = float(enumerated(*tenths))
    assert truth == 0.625
    assert abs(drawn.p_value - truth) <= 5 * drawn.mcse


def macro_f1(gold, predicted, classes):
    scores = []
    for label in classes:
        pairs = list(zip(gold, predicted, strict=True))
        hits = sum(g == p == label for g, p in pairs)
        whole = gold.count(label) + predicted.count(label)
        scores.append(Fraction(2 * hits, whole) if whole else Fraction(0))
    return sum(scores) / len(classes)


def test_classes_of_an_average_are_those_of_both_systems():
    """The second system alone predicts c, which no item has."""
    gold, first, second = "aabbaabbaabb", "aabbabbbabba", "aabcaabbaabb"
    classes = sorted({*gold, *first, *second})
    differ = [i for i in range(12) if first[i] != second[i]]
    differences = []
    for choice in product((False, True), repeat=len(differ)):
        swapped = {i for i, swap in zip(differ, choice, strict=True) if swap}
        a = "".join(second[i] if i in swapped else first[i] for i in range(12))
        b = "".join(first[i] if i in swapped else second[i] for i in range(12))
        differences.append(macro_f1(gold, b, classes) - macro_f1(gold, a, classes))
    observed = abs(differences[0])
    truth = sum(abs(x) >= observed for x in differences) / len(differences)
    table = Outcomes.from_labels(gold, first, second)

    for outcomes in (table, table.swapped().merged()):
        streams = Streams.of(0, draws=8000)
        drawn = Randomization().null(outcomes, metrics.macro_f1, streams)
        assert abs(drawn.p_value - truth) <= 5 * drawn.mcse
