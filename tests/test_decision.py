"""Ropes, probabilities, and every rule on every relation of HDI and rope."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from tests.conftest import QUICK, bad_ropes

from likelier import LikelierError
from likelier.decision import (
    EVERY,
    NAMES,
    RULES,
    Hypotheses,
    ThreeProbabilities,
    Verdict,
    decide,
)
from likelier.distribution import Draws, Posterior
from likelier.findings import Finding, blocking
from likelier.interval import Interval, Rope, similar_ropes
from likelier.laws.real_line import StudentLaw
from likelier.results.comparison import Comparison
from likelier.settings import DataSummary, Settings

ANY = ThreeProbabilities(0.2, 0.3, 0.5, 100)
ROPE = Rope.of(0.1)


def even(low, high, rope):
    """Return the probabilities of a difference spread evenly over the interval."""
    ends = (0.0, 0.0) if rope is None else (rope.low, rope.high)
    points = np.linspace(low, high, 1001)
    worse, better = (points < ends[0]).mean(), (points > ends[1]).mean()
    return ThreeProbabilities(worse, 1 - worse - better, better, 0)


def symbol(low, high, rope, *, rule="hdi-rope", probabilities=None):
    hdi = Interval(low, high, mass=0.95, kind="hdi")
    probabilities = probabilities or even(low, high, rope)
    return decide(rule, hdi=hdi, rope=rope, probabilities=probabilities).symbol


WITH_ROPE = {
    (0.2, 0.3): "≫",
    (-0.3, -0.2): "≪",
    (-0.05, 0.05): "≈",
    (0.0, 0.0): "≈",
    (0.05, 0.2): ">",
    (-0.2, 0.05): "~",
    (-0.5, 0.05): "<",
    (-0.2, 0.2): "?",
    # Ends that touch an edge are not beyond it.
    (0.1, 0.2): ">",
    (0.1, 0.1): "≈",
    (-0.2, -0.1): "<",
    (-0.1, -0.1): "≈",
    (-0.1, 0.1): "≈",
    (-0.1, 0.2): "~",
    (-0.1, 0.4): ">",
    (-0.2, 0.1): "~",
    (0.05, 0.1): "≈",
    (-0.1, 0.05): "≈",
}
NO_ROPE = {
    (0.1, 0.2): "≫",
    (-0.2, -0.1): "≪",
    (-0.1, 0.2): "?",
    (0.0, 0.2): "?",
    (-0.2, 0.0): "?",
    (0.0, 0.0): "?",
}


def test_hdi_against_a_rope():
    assert {ends: symbol(*ends, ROPE) for ends in WITH_ROPE} == WITH_ROPE
    assert {ends: symbol(*ends, None) for ends in NO_ROPE} == NO_ROPE


def test_zhangs_rule_is_never_undecided_with_a_rope():
    for ends, expected in WITH_ROPE.items():
        actual = symbol(*ends, ROPE, rule="zhang")
        assert actual == expected or expected in "?~"
        assert actual in "≫≪≈><"


@pytest.mark.parametrize(
    ("ends", "expected"), [((-0.2, 0.3), ">"), ((-0.3, 0.2), "<"), ((0.1, 0.2), "≫")]
)
@pytest.mark.parametrize("rope", [ROPE, None])
def test_zhangs_rule_takes_the_side_of_the_midpoint(ends, expected, rope):
    if rope is None or expected != "≫":
        assert symbol(*ends, rope, rule="zhang") == expected


def test_mirrored_data_mirror_the_verdict():
    mirror = {"≫": "≪", "≪": "≫", ">": "<", "<": ">"}
    ends = [-0.3, -0.1, -0.05, 0.0, 0.05, 0.1, 0.3]
    for low, high in product(ends, ends):
        if low <= high:
            for rope in (ROPE, None):
                here, there = symbol(low, high, rope), symbol(-high, -low, rope)
                assert there == mirror.get(here, here)


@pytest.mark.parametrize(
    ("shares", "regions", "bayes"),
    [
        ((0.2, 0.3, 0.5), "≫", "≲"),
        ((0.2, 0.2, 0.6), "≫", "≳"),
        ((0.5, 0.3, 0.2), "≪", "≲"),
        ((0.3, 0.4, 0.3), "≈", "≲"),
        ((0.4, 0.2, 0.4), "?", "≲"),
        ((0.5, 0.0, 0.5), "?", "≲"),
        ((0.2, 0.4, 0.4), "?", "≲"),
        ((0.0, 0.0, 1.0), "≫", "≳"),
    ],
)
@pytest.mark.parametrize("rope", [ROPE, None])
def test_rules_of_probabilities(shares, regions, bayes, rope):
    p = ThreeProbabilities(*shares, 100)

    assert symbol(-1, 1, rope, rule="regions", probabilities=p) == regions
    assert symbol(-1, 1, rope, rule="bayes-test", probabilities=p) == bayes


@pytest.mark.parametrize(
    ("shares", "mass", "expected"),
    [
        ((0.01, 0.03, 0.96), 0.95, "≫"),
        ((0.02, 0.03, 0.95), 0.95, "≫"),
        ((0.96, 0.03, 0.01), 0.95, "≪"),
        ((0.02, 0.96, 0.02), 0.95, "≈"),
        ((0.02, 0.04, 0.94), 0.95, ">"),
        ((0.94, 0.04, 0.02), 0.95, "<"),
        ((0.02, 0.04, 0.94), 0.9, "≫"),
        ((0.05, 0.9, 0.05), 0.95, "~"),
        # A tie leans nowhere.
        ((0.4, 0.2, 0.4), 0.95, "?"),
        ((0.5, 0.0, 0.5), 0.95, "?"),
        ((0.5, 0.0, 0.5), 0.4, "?"),
        ((0.1, 0.45, 0.45), 0.95, "?"),
        # Several regions hold a small mass: the largest counts.
        ((0.35, 0.0, 0.65), 0.3, "≫"),
        ((0.35, 0.4, 0.25), 0.2, "≈"),
        # A tie up to rounding is a tie.
        ((0.5 + 1e-15, 0.0, 0.5 - 1e-15), 0.95, "?"),
    ],
)
@pytest.mark.parametrize("rope", [ROPE, None])
def test_a_region_must_hold_the_mass(shares, mass, expected, rope):
    hdi = Interval(-1, 1, mass=mass, kind="hdi")
    verdict = decide(
        "region-mass", hdi=hdi, rope=rope, probabilities=ThreeProbabilities(*shares, 0)
    )

    assert verdict.symbol == expected


def test_an_unknown_rule_is_refused():
    with pytest.raises(LikelierError, match=r"rule must be one of .*hdi-rope"):
        symbol(0, 1, None, rule="majority")


def test_a_verdict_says_its_name_and_its_rule():
    hdi = Interval(0.2, 0.3, mass=0.95, kind="hdi")
    verdict = decide("hdi-rope", hdi=hdi, rope=ROPE, probabilities=ANY)
    expected = {"symbol": "≫", "name": "better", "rule": "hdi-rope", "open": False}
    assert verdict.to_dict() == {**expected, "reason": None}


def test_a_block_leaves_no_verdict():
    hdi = Interval(0.2, 0.3, mass=0.95, kind="hdi")
    verdict = decide("hdi-rope", hdi=hdi, rope=ROPE, probabilities=ANY)
    block = Finding("LIK112", "5 draws", "block", "too few draws", blocks=EVERY)
    assert verdict.unless(None) is verdict
    expected = Verdict("?", "undecided", "hdi-rope", open=True, reason="too few draws")
    assert verdict.unless(block) == expected


def test_a_finding_blocks_the_verdicts_that_it_names_and_no_other():
    block = Finding("X", "", "block", "r", blocks=("better", "undecided"))
    warning = Finding("X", "", severity="warning")
    assert blocking([warning, block], "undecided") is block
    assert blocking([warning, block], "better") is block
    assert blocking([warning, block], "equivalent") is None
    assert blocking([warning], "better") is None


def test_an_interval_of_little_mass_says_nothing_against_the_most_probable_side():
    shares = {(0.6, 0.1, 0.3): "?", (0.1, 0.6, 0.3): "?", (0.1, 0.1, 0.8): "≫"}
    for numbers, expected in shares.items():
        p = ThreeProbabilities(*numbers, 0)
        assert symbol(0.2, 0.3, ROPE, probabilities=p) == expected


@pytest.mark.parametrize(
    ("better", "open_"), [(0.51, True), (0.94, True), (0.96, False), (0.04, False)]
)
def test_a_bayes_test_is_open_below_the_mass(better, open_):
    p = ThreeProbabilities(1 - better, 0.0, better, 0)
    hdi = Interval(-1, 1, mass=0.95, kind="hdi")
    verdict = decide("bayes-test", hdi=hdi, rope=None, probabilities=p)
    assert verdict.open == open_
    assert Hypotheses(1 - better, better).verdict(0.95) == verdict


# --- ropes ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "ends", "text"),
    [
        (0.01, (-0.01, 0.01), "±0.01"),
        (0, (0, 0), "±0"),
        (1, (-1, 1), "±1"),
        (np.float64(0.5), (-0.5, 0.5), "±0.5"),
        ((-0.01, 0.02), (-0.01, 0.02), "-0.01 to +0.02"),
        ([0, 0.02], (0, 0.02), "+0 to +0.02"),
        (np.array([-0.1, 0.1]), (-0.1, 0.1), "±0.1"),
        (Rope(-1.0, 2.0), (-1, 2), "-1 to +2"),
    ],
)
def test_a_rope_is_a_half_width_or_two_ends(value, ends, text):
    rope = Rope.of(value)

    assert (rope.low, rope.high) == ends
    assert str(rope) == text
    assert str(rope.low) != "-0.0"


def test_similar_ropes_are_as_lopsided():
    rope = Rope(-0.03, 0.01)

    assert rope.half_width == 0.03
    assert Rope(-0.01, 0.03).half_width == 0.03
    ropes = similar_ropes(rope, [0.0, 0.015, 0.03, 0.06])
    assert ropes == (None, Rope(-0.015, 0.005), rope, Rope(-0.06, 0.02))
    assert similar_ropes(None, [0.0, 0.01]) == (None, Rope(-0.01, 0.01))
    nothing = Rope.of(0)
    assert similar_ropes(nothing, [0.0, 0.01]) == (nothing, Rope(-0.01, 0.01))


@QUICK
@given(rope=bad_ropes())
def test_what_is_no_rope_is_refused(rope):
    with pytest.raises(LikelierError, match=r"(?s)rope must be .*Hint: rope=0.01"):
        Rope.of(rope)


@pytest.mark.parametrize("rope", ["0.01", "wide", ("a", "b"), {-0.1: 1, 0.1: 1}])
def test_what_is_no_number_is_refused(rope):
    with pytest.raises(LikelierError, match="rope must be"):
        Rope.of(rope)


# --- probabilities ----------------------------------------------------------


def test_exact_ties_count_half_to_each_side_without_a_rope():
    p = ThreeProbabilities.of(Draws(np.array([-1.0, 0.0, 0.0, 1.0, 2.0])), None)

    assert (p.worse, p.equivalent, p.better) == pytest.approx((0.4, 0, 0.6))


def test_ends_of_the_rope_belong_to_it():
    values = np.array([-0.2, -0.1, 0.0, 0.1, 0.1, 0.2])
    p = ThreeProbabilities.of(Draws(values), ROPE)

    assert (p.worse, p.equivalent, p.better) == pytest.approx((1 / 6, 4 / 6, 1 / 6))


def test_a_rope_of_nothing_holds_exact_ties():
    p = ThreeProbabilities.of(Draws(np.array([-1.0, 0.0, 0.0, 1.0])), Rope.of(0))

    assert (p.worse, p.equivalent, p.better) == (0.25, 0.5, 0.25)


@pytest.mark.parametrize("side", [1, -1])
def test_a_tiny_probability_of_equivalence_keeps_its_digits(side):
    p = ThreeProbabilities.of(StudentLaw(side * 0.5, 0.01, 400.0), ROPE)
    tail = stats.t(400).cdf
    expected = tail(-40) - tail(-60)

    assert 0 < expected < 1e-30
    assert p.equivalent == pytest.approx(expected, rel=1e-9, abs=0)
    small = p.worse if side > 0 else p.better
    assert small == pytest.approx(tail(-60), rel=1e-9, abs=0)


def test_mirrored_draws_count_as_half_of_them():
    values = np.array([0.5, 0.3, -0.5, -0.3])

    assert ThreeProbabilities.of(Draws(values, mirrored=True), ROPE).draws == 2
    assert ThreeProbabilities.of(Draws(values), ROPE).draws == 4


class Fixed:
    """Regions with fixed probabilities, which record the ends they are called with."""

    n_independent = 70

    def __init__(self, *shares):
        self.fixed, self.calls = shares, []

    def shares(self, low, high):
        self.calls.append((low, high))
        return self.fixed


def test_regions_are_those_of_the_rope():
    regions = Fixed(0.2, 0.3, 0.5)
    p = ThreeProbabilities.of_regions(regions, Rope.of((-0.1, 0.2)))

    assert (p.worse, p.equivalent, p.better, p.draws) == (0.2, 0.3, 0.5, 70)
    assert regions.calls == [(-0.1, 0.2)]


def test_regions_without_a_rope_share_what_is_equal():
    regions = Fixed(0.2, 0.3, 0.5)
    p = ThreeProbabilities.of_regions(regions, None)

    assert (p.worse, p.equivalent, p.better) == pytest.approx((0.35, 0, 0.65))
    assert regions.calls == [(0, 0)]


@pytest.mark.parametrize(("p", "expected"), [(0, 0), (1, 0), (0.5, 0.05), (0.2, 0.04)])
def test_the_monte_carlo_error_of_a_share(p, expected):
    assert ThreeProbabilities(0, 0, 1, 100).mcse(p) == pytest.approx(expected)


# --- the words are those of the verdict -------------------------------------

WORDS = {
    "better": "is better than",
    "worse": "is worse than",
    "equivalent": "are practically equivalent",
    "leans better": "is probably better than",
    "leans worse": "is probably worse than",
    "leans equivalent": "are probably equivalent",
    "undecided": "undecided: ",
    "more probably better": "is more probably better than",
    "more probably not better": "is more probably not better than",
}


def comparison(values, rope, rule):
    draws = Draws(values)
    data = DataSummary(("old", "new"), (0.5, 0.6), 10, 10, 2)
    chosen = {"rope": rope, "mass": 0.9, "rule": rule}
    return Comparison(
        settings=Settings("accuracy", None, "test", {}, data, **chosen),
        findings=(),
        posterior=Posterior((draws, draws), draws),
        difference=0.1,
    )


def assert_true_to_the_largest(result):
    """Check that the words never name a side that is not the most probable one."""
    p, name = result.probability.to_dict(), result.verdict.name
    for side, share in p.items():
        if name in (side, f"leans {side}") and result.rule != "zhang":
            assert share == max(p.values())
    if result.rule == "bayes-test":
        assert (name == "more probably better") == (p["better"] > 0.5)


def test_every_symbol_has_words():
    assert set(NAMES.values()) == set(WORDS)


def test_the_words_are_those_of_the_verdict_for_many_results():
    rng = np.random.default_rng(0)
    names = set()
    for i in range(10_000):
        rule = list(RULES)[i % len(RULES)]
        rope = None if rng.random() < 0.2 else Rope.of(rng.choice([0.1, 0.5, 1.0]))
        spread = rng.choice([0.02, 0.3, 2.0])
        result = comparison(rng.normal(rng.normal(), spread, size=20), rope, rule)
        name = result.verdict.name
        headline = result.headline()
        matching = [key for key, words in WORDS.items() if words in headline]
        assert matching == [name]
        assert ("more probably" in headline) == (rule == "bayes-test")
        assert ("not surely" in headline) == name.startswith("leans")
        assert_true_to_the_largest(result)
        symbol = result.verdict.symbol
        assert repr(result).startswith(f"<Comparison {symbol} {result.headline()}: ")
        assert NAMES[result.verdict.symbol] == name
        names.add(name)

    assert names == set(WORDS)
