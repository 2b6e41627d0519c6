"""Holm and Benjamini-Hochberg against their definitions in fractions."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.conftest import QUICK

from likelier.errors import InputError
from likelier.methods.folds.rank_tests import benjamini_hochberg, holm

BOTH = [holm, benjamini_hochberg]
lists = st.lists(
    st.integers(0, 1000).map(lambda x: x / 1000) | st.floats(0, 1),
    min_size=1,
    max_size=12,
)


def rejected_by_holm(p, alpha):
    """Step down: stop at the first that is too large."""
    left = sorted(range(len(p)), key=lambda i: p[i])
    rejected = set()
    for step, i in enumerate(left):
        if p[i] * (len(p) - step) > alpha:
            break
        rejected.add(i)
    return rejected


def rejected_by_bh(p, alpha):
    """Step up: all up to the last that is small enough."""
    left = sorted(range(len(p)), key=lambda i: p[i])
    last = max(
        (s for s, i in enumerate(left, 1) if p[i] * len(p) / s <= alpha), default=0
    )
    return set(left[:last])


@pytest.mark.parametrize(
    ("adjust", "reject"),
    [(holm, rejected_by_holm), (benjamini_hochberg, rejected_by_bh)],
)
@given(lists)
@QUICK
def test_adjusted_is_the_least_level_that_rejects(adjust, reject, p):
    exact = [Fraction(x) for x in p]
    n = len(p)
    grid = {
        min(Fraction(1), x * m / s)
        for x in exact
        for m in range(1, n + 1)
        for s in range(1, n + 1)
    }
    expected = [Fraction(1)] * n
    for alpha in sorted(grid, reverse=True):
        for i in reject(exact, alpha):
            expected[i] = alpha

    assert adjust(p) == pytest.approx(
        [float(x) for x in expected], rel=1e-14, abs=1e-300
    )


def test_by_hand_in_every_order():
    # 3 x .01, 2 x .02, 1 x .03 is .03, .04, .03: the last is raised to .04.
    of_holm = {0.01: 0.03, 0.02: 0.04, 0.03: 0.04}
    # 3/1 x .01, 3/2 x .02, 3/3 x .03 are all .03.
    for p in permutations(of_holm):
        assert holm(p) == pytest.approx([of_holm[x] for x in p])
        assert benjamini_hochberg(p) == pytest.approx([0.03] * 3)


def test_the_example_of_benjamini_and_hochberg():
    # Their section 3.2: at .05 four of fifteen are rejected, by Bonferroni three.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
    p += [0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    mixed = np.random.default_rng(0).permutation(15)

    assert (benjamini_hochberg(p) <= 0.05).tolist() == [True] * 4 + [False] * 11
    assert (holm(p) <= 0.05).sum() == 3
    for adjust in BOTH:
        assert adjust(np.array(p)[mixed]).tolist() == adjust(p)[mixed].tolist()


@given(lists, st.randoms(use_true_random=False))
@QUICK
def test_order_bounds_and_monotony(p, random):
    order = random.sample(range(len(p)), len(p))
    for adjust in BOTH:
        adjusted = adjust(p)
        assert adjust(np.array(p)[order]).tolist() == adjusted[order].tolist()
        assert ((np.array(p) <= adjusted * (1 + 1e-15)) & (adjusted <= 1)).all()
        ranked = adjusted[np.argsort(p, kind="stable")]
        assert (np.diff(ranked) >= 0).all()
    assert (benjamini_hochberg(p) <= holm(p) * (1 + 1e-15)).all()


@given(lists, st.data())
@QUICK
def test_smaller_p_values_are_never_adjusted_to_larger_ones(p, data):
    i = data.draw(st.integers(0, len(p) - 1))
    smaller = [*p[:i], p[i] / 2, *p[i + 1 :]]
    for adjust in BOTH:
        assert (adjust(smaller) <= adjust(p) * (1 + 1e-15)).all()


def test_scipy_is_equal():
    p = np.random.default_rng(1).random(50) ** 3

    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p))


@pytest.mark.parametrize("adjust", BOTH)
def test_one_p_value_stays_and_the_given_ones_are_not_changed(adjust):
    assert adjust([0.03]) == pytest.approx([0.03])
    assert adjust([1.0, 1.0]).tolist() == [1.0, 1.0]
    assert adjust([0.0, 1.0]).tolist() == [0.0, 1.0]
    given_ = np.array([0.3, 0.1])
    adjust(given_)
    assert given_.tolist() == [0.3, 0.1]


@pytest.mark.parametrize("adjust", BOTH)
@pytest.mark.parametrize(
    "p",
    [
        [],
        [float("nan")],
        [0.1, float("nan")],
        [-0.1],
        [1.1],
        [float("inf")],
        [[0.1]],
        0.1,
    ],
)
def test_what_is_no_list_of_p_values_is_refused(adjust, p):
    with pytest.raises(InputError, match="p-values must be"):
        adjust(p)
