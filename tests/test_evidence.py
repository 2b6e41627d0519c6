"""Bayes factors: their bounds and their words."""

from math import log10

import pytest

from likelier.decision import Probabilities
from likelier.evidence import BayesFactor, rope_factor


def shares(equivalent, draws=1000):
    rest = 1 - equivalent
    return Probabilities(rest / 2, equivalent, rest / 2, draws)


@pytest.mark.parametrize(
    ("odds", "word"),
    [
        (1, "anecdotal"),
        (2.99, "anecdotal"),
        (3, "substantial"),
        (9.99, "substantial"),
        (10, "strong"),
        (29.9, "strong"),
        (30, "very strong"),
        (99.9, "very strong"),
        (100, "decisive"),
        (1e30, "decisive"),
    ],
)
def test_jeffreys_words(odds, word):
    assert BayesFactor(log10(odds)).label == f"{word} for equivalence"
    if odds > 1:
        assert BayesFactor(-log10(odds)).label == f"{word} against equivalence"


@pytest.mark.parametrize("size", [-1000.0, 1000.0])
def test_a_factor_may_be_beyond_what_a_float_holds(size):
    assert BayesFactor(size).strength == "decisive"
    assert BayesFactor(size).bf01 in (0.0, float("inf"))


def test_a_factor_is_posterior_over_prior_odds():
    factor = rope_factor(shares(0.8), shares(0.5))

    assert factor.bf01 == pytest.approx(4)
    assert factor.bound == "equal"
    assert rope_factor(shares(0.2), shares(0.8)).bf01 == pytest.approx(1 / 16)
    assert rope_factor(shares(0.3), shares(0.3)).log10 == 0


@pytest.mark.parametrize(
    ("inside", "bound", "bf01"),
    [(0.0, "at most", 3 / 1000), (1.0, "at least", 1000 / 3)],
)
def test_what_draws_do_not_resolve_is_a_bound(inside, bound, bf01):
    factor = rope_factor(shares(inside), shares(0.5))

    assert factor.bound == bound
    assert factor.bf01 == pytest.approx(bf01)
    assert factor.to_dict()["bound"] == bound


def test_a_bound_holds_for_whatever_draws_could_have_shown():
    most = rope_factor(shares(0.0), shares(0.5))
    least = rope_factor(shares(1.0), shares(0.5))

    # Three in n is what no draw at all leaves possible, with 95 %.
    assert rope_factor(shares(4 / 1000), shares(0.5)).log10 >= most.log10
    assert rope_factor(shares(996 / 1000), shares(0.5)).log10 <= least.log10


@pytest.mark.parametrize("prior", [None, shares(0.0), shares(1.0)])
def test_without_prior_odds_there_is_no_factor(prior):
    assert rope_factor(shares(0.5), prior) is None


def test_the_json_of_a_factor():
    assert BayesFactor(1.0).to_dict() == {
        "bf01": 10.0,
        "log10": 1.0,
        "label": "strong for equivalence",
        "bound": "equal",
    }
