"""Friedman's test against its formulas in fractions, scipy and a published table."""

from fractions import Fraction
from itertools import permutations, product
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.conftest import QUICK, bad_scores

from likelier.errors import InputError
from likelier.methods.folds.rank_tests import friedman

# Demšar 2006, Table 6: AUC of C4.5, with m, with cf, with both. The last two of the
# thirteenth row print .975 alike, but rank 2 and 3.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9752, 0.9748],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


@st.composite
def tables(draw, *, rows=(2, 8), systems=(2, 5), most=3):
    """Scores with many ties."""
    k = draw(st.integers(*systems))
    row = st.lists(st.integers(0, most), min_size=k, max_size=k)
    n = draw(st.integers(*rows))
    return np.array(draw(st.lists(row, min_size=n, max_size=n))) / 10


def slow(table):
    """Average ranks, chi-square with the usual tie correction, F: in fractions."""
    n, k = table.shape
    ranks = [
        [Fraction(2 * sum(y > x for y in row) + row.count(x) + 1, 2) for x in row]
        for row in table.tolist()
    ]
    sums = [sum(column) for column in zip(*ranks, strict=True)]
    plain = Fraction(12, n * k * (k + 1)) * sum(s**2 for s in sums) - 3 * n * (k + 1)
    ties = sum(
        row.count(x) ** 3 - row.count(x) for row in table.tolist() for x in set(row)
    )
    correction = 1 - Fraction(ties, n * k * (k**2 - 1))
    chi2 = plain / correction if correction else Fraction(0)
    rest = n * (k - 1) - chi2
    return [s / n for s in sums], plain, chi2, (n - 1) * chi2 / rest if rest else None


@given(tables())
@QUICK
def test_ranks_and_statistics_are_those_of_fractions(table):
    test = friedman(table)
    n, k = table.shape
    ranks, _, chi2, f = slow(table)

    assert test.average_ranks.tolist() == pytest.approx([float(r) for r in ranks])
    assert test.statistic == pytest.approx(float(chi2), rel=1e-14)
    assert test.p_value == pytest.approx(stats.chi2.sf(float(chi2), k - 1), rel=1e-9)
    assert (test.data_sets, test.systems) == (n, k)
    if f is None:
        assert test.f_statistic == inf
    else:
        assert test.f_statistic == pytest.approx(float(f), rel=1e-14)
        expected = stats.f.sf(float(f), k - 1, (k - 1) * (n - 1))
        assert test.f_p_value == pytest.approx(expected, rel=1e-9)


@given(tables(systems=(3, 6)).filter(lambda t: (np.ptp(t, axis=1) > 0).any()))
@QUICK
def test_scipy_is_equal(table):
    peer = stats.friedmanchisquare(*table.T)

    assert friedman(table).statistic == pytest.approx(peer.statistic, abs=1e-9)
    assert friedman(table).p_value == pytest.approx(peer.pvalue, rel=1e-8)


def test_the_table_of_demsar():
    test = friedman(DEMSAR)
    assert test.average_ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]

    # The paper does not correct for ties: 9.28 and 3.69.
    plain = slow(DEMSAR)[1]
    assert round(float(plain), 2) == 9.28
    assert round(float(13 * plain / (14 * 3 - plain)), 2) == 3.69
    assert test.statistic > 9.28
    assert test.f_statistic > 3.69
    assert test.f_p_value < 0.05


@given(tables(), st.randoms(use_true_random=False))
@QUICK
def test_rows_and_columns_may_come_in_any_order(table, random):
    test = friedman(table)
    n, k = table.shape
    rows = friedman(table[random.sample(range(n), n)])
    order = random.sample(range(k), k)
    columns = friedman(table[:, order])

    assert rows.average_ranks.tolist() == test.average_ranks.tolist()
    assert columns.average_ranks.tolist() == test.average_ranks[order].tolist()
    for other in (rows, columns):
        assert (other.statistic, other.p_value) == (test.statistic, test.p_value)
        assert (other.f_statistic, other.f_p_value) == (
            test.f_statistic,
            test.f_p_value,
        )


@given(tables())
@QUICK
def test_losses_are_scores_turned_round(table):
    test, losses = friedman(table), friedman(-table, higher_is_better=False)
    worst = friedman(table, higher_is_better=False)

    assert losses.average_ranks.tolist() == test.average_ranks.tolist()
    turned = table.shape[1] + 1 - test.average_ranks
    assert worst.average_ranks.tolist() == pytest.approx(turned.tolist())
    assert worst.p_value == test.p_value


@given(tables())
@QUICK
def test_bounds(table):
    test = friedman(table)
    n, k = table.shape

    assert 0 <= test.statistic <= n * (k - 1) * (1 + 1e-15)
    assert 0 < test.p_value <= 1
    assert 0 < test.f_p_value <= 1
    assert test.average_ranks.mean() == pytest.approx((k + 1) / 2)


@given(tables(), st.integers(0, 10**6))
@QUICK
def test_rounding_makes_no_ranks(table, seed):
    noise = np.random.default_rng(seed).uniform(-1e-16, 1e-16, size=table.shape)
    # A row of noise alone has no size to be small beside.
    level = table + 0.7

    assert friedman(level + noise).p_value == friedman(table).p_value


@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_the_unit_of_scores_does_not_matter(factor):
    assert friedman(DEMSAR * factor).p_value == friedman(DEMSAR).p_value


@pytest.mark.parametrize("value", [0.0, 0.3, -1e300])
@pytest.mark.parametrize("shape", [(2, 2), (5, 3), (20, 4)])
def test_identical_systems_have_p_1(value, shape):
    test = friedman(np.full(shape, value))

    assert (test.statistic, test.p_value, test.f_statistic, test.f_p_value) == (
        0,
        1,
        0,
        1,
    )
    assert set(test.average_ranks) == {(shape[1] + 1) / 2}


def test_two_systems_are_the_sign_test():
    # Six better, two worse: z = 4 / sqrt(8), and chi-square is its square.
    table = [[0, 1]] * 6 + [[1, 0]] * 2

    assert friedman(table).statistic == 2.0
    assert friedman(table).p_value == pytest.approx(2 * stats.norm.sf(2**0.5))


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("row", [(1, 2), (1, 2, 3), (1, 1, 2), (1, 2, 2, 3)])
def test_full_agreement_has_its_exact_chance(n, row):
    orders = sorted(set(permutations(row)))
    agree = sum(len(set(rows)) == 1 for rows in product(orders, repeat=n))
    test = friedman([row] * n)

    assert test.f_statistic == inf
    assert test.f_p_value == pytest.approx(agree / len(orders) ** n, rel=1e-12)


def test_full_agreement_of_two_systems_is_one_side_of_a_coin():
    assert friedman([[0, 1]] * 10).f_p_value == pytest.approx(2 / 2**10)


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (3, 0), (3, 1)])
def test_too_small_tables_are_refused(shape):
    with pytest.raises(InputError, match=f"got {shape[0]} and {shape[1]}"):
        friedman(np.ones(shape))


@given(bad_scores())
@QUICK
def test_missing_and_infinite_scores_are_refused(bad):
    with pytest.raises(InputError, match=r"finite; got .* at \(1, 0\)"):
        friedman([[1, 2, 3], [bad, 2, 3]])


@pytest.mark.parametrize("table", [[1, 2], [[1, 2], [3]], [["a", "b"], ["c", "d"]]])
def test_what_is_no_table_is_refused(table):
    with pytest.raises(InputError, match="scores must be a table"):
        friedman(table)
