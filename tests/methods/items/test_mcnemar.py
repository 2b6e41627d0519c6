"""McNemar, the sign test and Yang & Liu's tests against exact numbers."""

from fractions import Fraction
from math import comb, erfc, sqrt

import numpy as np
import pytest

import likelier as lk
from likelier import LikelierError, Outcomes, metrics
from likelier.methods.items.p_values import fair_coin, normal_p
from likelier.methods.items.sign_tests import McNemar, PTest, SignTest, STest
from likelier.streams import Streams

NO_DRAWS = Streams.of(0)


def rational(b, c, *, mid_p=False):
    """Two-sided p-value of b heads and c tails, as a fraction."""
    n, fewer = b + c, min(b, c)
    if b == c:
        return Fraction(1)
    tail = Fraction(sum(comb(n, k) for k in range(fewer + 1)), 2**n)
    if mid_p:
        tail -= Fraction(comb(n, fewer), 2 ** (n + 1))
    return min(Fraction(1), 2 * tail)


@pytest.mark.parametrize("mid_p", [False, True])
def test_every_table_up_to_60_is_exact(mid_p):
    for b in range(61):
        assert fair_coin(b, 60, mid_p=mid_p) == fair_coin(60, b, mid_p=mid_p)
        for c in range(b, 61):
            expected = float(rational(b, c, mid_p=mid_p))
            p = fair_coin(b, c, mid_p=mid_p)
            assert abs(p - expected) <= 1e-11 * expected, (b, c)
            assert b != c or p == 1


@pytest.mark.parametrize("mid_p", [False, True])
def test_a_p_value_too_small_for_a_float_is_the_least_above_0(mid_p):
    assert fair_coin(5000, 0, mid_p=mid_p) == 5e-324
    assert normal_p(1000.0) == 5e-324
    test = McNemar(mid_p=mid_p).null(table_of(0, 5000), metrics.accuracy, NO_DRAWS)
    assert test.p_value == 5e-324


def table_of(b, c, *, both=3, neither=2):
    """Second only right b times, first only right c times."""
    rows = [["y"] * 4, ["n", "y", "y", "n"], ["y", "n", "y", "n"]]
    return Outcomes.from_patterns(rows, [b, c, both, neither], systems=["x", "y"])


@pytest.mark.parametrize(
    ("b", "c"), [(0, 1), (1, 0), (3, 3), (7, 2), (40, 60), (500, 430)]
)
@pytest.mark.parametrize("metric", [metrics.accuracy, metrics.error_rate])
def test_discordant_items_are_counted_from_the_table(b, c, metric):
    table = table_of(b, c)
    exact = McNemar().null(table, metric, NO_DRAWS)
    mid = McNemar(mid_p=True).null(table, metric, NO_DRAWS)

    assert exact.p_value == pytest.approx(float(rational(b, c)), rel=1e-11)
    assert mid.p_value == pytest.approx(float(rational(b, c, mid_p=True)), rel=1e-10)
    assert exact.details == {"better": b, "worse": c, "discordant items": b + c}
    assert exact.statistic == b - c
    assert SignTest().null(table, metric, NO_DRAWS).p_value == exact.p_value


@pytest.mark.parametrize("both", [0, 10**12])
def test_counts_may_be_very_large(both):
    table = table_of(500_000_000_000 + 500_000, 500_000_000_000 - 500_000, both=both)
    p = McNemar().null(table, metrics.accuracy, NO_DRAWS).p_value

    assert p == pytest.approx(erfc(1 / sqrt(2)), rel=1e-4)


def test_far_tails_do_not_vanish():
    p = McNemar().null(table_of(1000, 0), metrics.accuracy, NO_DRAWS).p_value

    assert p == pytest.approx(2.0**-999, rel=1e-9)


def test_recall_counts_the_positive_items_only():
    gold = ["y"] * 6 + ["n"] * 4
    first = ["n"] * 4 + ["y"] * 2 + ["y"] * 4
    second = ["y"] * 6 + ["n"] * 4
    table = Outcomes.from_labels(gold, first, second).binary("y")

    recall = McNemar().null(table, metrics.recall, NO_DRAWS)
    specificity = McNemar().null(table, metrics.specificity, NO_DRAWS)
    assert (recall.details["better"], recall.details["worse"]) == (4, 0)
    assert (specificity.details["better"], specificity.details["worse"]) == (4, 0)


def test_clusters_are_refused_with_the_cure():
    table = Outcomes.from_labels("aabb", "abab", "aabb", cluster=[0, 0, 1, 1])

    with pytest.raises(LikelierError, match="randomization or the sign test"):
        McNemar().null(table, metrics.accuracy, NO_DRAWS)


def test_scores_are_refused_by_mcnemar_but_not_by_the_sign_test():
    table = Outcomes.from_scores([0.1, 0.2, 0.3], [0.5, 0.7, 0.1])

    with pytest.raises(LikelierError, match="right or wrong"):
        McNemar().null(table, metrics.mean, NO_DRAWS)
    sign = SignTest().null(table, metrics.mean, NO_DRAWS)
    assert sign.details == {"better": 2, "worse": 1, "items that differ": 3}
    loss = SignTest().null(table, metrics.mean_loss, NO_DRAWS)
    assert loss.details == {"better": 1, "worse": 2, "items that differ": 3}


def test_a_small_steady_gain_is_noticed():
    rng = np.random.default_rng(0)
    right = rng.random(4000) < 0.8
    better = right | (rng.random(4000) < 0.06)
    assert np.corrcoef(right, better)[0, 1] > 0.9
    gold = np.ones(4000, int)
    result = lk.null_test(
        gold, right.astype(int), better.astype(int), metric="accuracy", method="mcnemar"
    )

    assert result.p_value < 1e-6


@pytest.mark.parametrize(
    ("b", "c"), [(6, 6), (7, 5), (12, 0), (9, 4), (20, 5), (300, 260)]
)
def test_the_s_test_is_the_published_one(b, c):
    null = STest().null(table_of(b, c), metrics.accuracy, NO_DRAWS)
    z = (b - c) / sqrt(b + c)
    expected = float(rational(b, c)) if b + c <= 12 else erfc(abs(z) / sqrt(2))

    assert null.statistic == pytest.approx(z)
    assert null.p_value == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(("b", "c"), [(6, 6), (7, 5), (30, 10), (0, 9)])
def test_the_p_test_is_that_of_two_proportions(b, c):
    null = PTest().null(table_of(b, c), metrics.accuracy, NO_DRAWS)
    n = b + c + 5
    first, second = (c + 3) / n, (b + 3) / n
    pooled = (first + second) / 2
    z = (second - first) / sqrt(2 * pooled * (1 - pooled) / n)

    assert null.statistic == pytest.approx(z)
    assert null.p_value == pytest.approx(erfc(abs(z) / sqrt(2)), rel=1e-10)
    turned = PTest().null(table_of(b, c), metrics.error_rate, NO_DRAWS)
    assert turned.statistic == pytest.approx(z)
    assert turned.p_value == pytest.approx(null.p_value, rel=1e-10)


def test_the_p_test_of_precision_has_two_denominators():
    rows = [["y", "y", "n", "n"], ["y", "n", "y", "n"], ["y", "y", "n", "n"]]
    table = Outcomes.from_patterns(rows, [30, 10, 20, 40], systems=["x", "y"])
    null = PTest().null(table.binary("y"), metrics.precision, NO_DRAWS)
    first, second, pooled = 30 / 50, 40 / 40, 70 / 90
    z = (second - first) / sqrt(pooled * (1 - pooled) * (1 / 50 + 1 / 40))

    assert null.statistic == pytest.approx(z)


@pytest.mark.parametrize("name", ["f1", "macro_recall", "mcc"])
def test_the_p_test_refuses_what_is_no_share(name):
    metric = metrics.named(name)
    table = table_of(5, 3)
    table = table.binary("y") if metric.of_one_class else table

    with pytest.raises(LikelierError, match="share of items"):
        PTest().null(table, metric, NO_DRAWS)


@pytest.mark.parametrize("method", [McNemar(), SignTest(), STest()])
def test_tests_by_item_refuse_metrics_that_are_no_sum(method):
    with pytest.raises(LikelierError, match="must be a sum"):
        method.null(table_of(5, 3).binary("y"), metrics.f1, NO_DRAWS)
