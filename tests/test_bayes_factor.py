"""A Bayes factor and its words."""

from math import inf, log10

import pytest

from likelier.bayes_factor import BayesFactor


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


@pytest.mark.parametrize(
    ("of", "null"),
    [("rope", "equivalence"), ("point", "no difference"), ("kde", "no difference")],
)
def test_a_factor_names_its_null(of, null):
    assert BayesFactor(2.0, of=of).label == f"decisive for {null}"
    assert BayesFactor(2.0, of=of).to_dict()["of"] == of


@pytest.mark.parametrize("size", [-1000.0, 1000.0])
def test_a_factor_may_be_beyond_what_a_float_holds(size):
    factor = BayesFactor(size)

    assert factor.strength == "decisive"
    assert factor.bf01 in (0.0, inf)
    assert factor.to_dict()["bf01"] is None
    assert factor.to_dict()["log10"] == size


def test_the_json_of_a_factor():
    assert BayesFactor(1.0, mcse=0.1, prior="uniform").to_dict() == {
        "of": "rope",
        "bf01": 10.0,
        "log10": 1.0,
        "mcse": 0.1,
        "label": "strong for equivalence",
        "bound": "equal",
        "prior": "uniform",
    }
