"""The factor of the rope, and its bounds."""

import numpy as np
import pytest
from scipy import stats

from likelier.bayes_factor import rope_factor
from likelier.decision import ThreeProbabilities


def shares(equivalent, draws=1000):
    rest = 1 - equivalent
    return ThreeProbabilities(rest / 2, equivalent, rest / 2, draws)


def test_a_factor_is_posterior_over_prior_odds():
    factor = rope_factor(shares(0.8), shares(0.5))

    assert factor.bf01 == pytest.approx(4)
    assert factor.bound == "equal"
    assert rope_factor(shares(0.2), shares(0.8)).bf01 == pytest.approx(1 / 16)
    assert rope_factor(shares(0.3), shares(0.3)).log10 == 0


@pytest.mark.parametrize(
    ("inside", "bound", "odds"),
    [(0.0, "at most", 1 / 332.8), (1.0, "at least", 332.8)],
)
def test_draws_that_are_too_few_give_a_bound(inside, bound, odds):
    # No draw of 1,000 bounds a share by 2.996 in 1,000, with 95 %.
    factor = rope_factor(shares(inside), shares(0.5))

    assert factor.bound == bound
    assert factor.bf01 == pytest.approx(odds, rel=1e-3)
    assert factor.to_dict()["bound"] == bound


@pytest.mark.parametrize("rare", range(5))
def test_a_bound_covers_the_shares_that_so_few_draws_allow(rare):
    n = 50_000
    most = rope_factor(shares(rare / n, n), shares(0.5))
    least = rope_factor(shares(1 - rare / n, n), shares(0.5))
    share = most.bf01 / (1 + most.bf01)

    assert (most.bound, least.bound) == ("at most", "at least")
    assert least.log10 == pytest.approx(-most.log10)
    assert stats.binom.cdf(rare, n, share) == pytest.approx(0.05, abs=1e-4)


def test_bounds_go_over_into_factors_in_order():
    sizes = [rope_factor(shares(k / 1000), shares(0.5)).log10 for k in range(6)]

    assert sizes[:5] == sorted(sizes[:5])
    # The bound of four draws lies above the estimate by five; both are below 1.
    assert sizes[0] < sizes[5] < sizes[4] < 0


@pytest.mark.parametrize(("before", "after"), [(0.3, 0.02), (0.5, 0.97)])
def test_the_monte_carlo_error_is_that_of_repetition(before, after):
    rng, n = np.random.default_rng(0), 2000
    factors = [
        rope_factor(
            shares(rng.binomial(n, after) / n, n),
            shares(rng.binomial(n, before) / n, n),
        )
        for _ in range(2000)
    ]
    spread = np.std([factor.log10 for factor in factors])

    mcse = np.median([factor.mcse for factor in factors])
    assert mcse == pytest.approx(spread, rel=0.1)


@pytest.mark.parametrize(
    ("after", "prior"),
    [(0.5, None), (0.0, shares(0.0)), (1.0, shares(1.0)), (0.5, shares(0.5, draws=2))],
)
def test_without_odds_there_is_no_factor(after, prior):
    assert rope_factor(shares(after), prior) is None


def test_a_prior_that_draws_hardly_show_bounds_the_factor():
    few, many = (rope_factor(shares(0.5), shares(x)) for x in (0.0, 1.0))

    assert (few.bound, many.bound) == ("at least", "at most")
    assert few.log10 == pytest.approx(-many.log10)
    assert few.bf01 == pytest.approx(1000 / 3, rel=0.01)
    # At most, and yet for equivalence, says nothing.
    assert rope_factor(shares(0.002), shares(0.001)) is None
