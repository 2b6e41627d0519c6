"""The law of a difference: its tails, its intervals, and its mirror image."""

from functools import cache

import mpmath as mp
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.conftest import FEW
from tests.laws.oracles import DIGITS, stored

from likelier.errors import SettingError
from likelier.laws import BetaLaw, DifferenceLaw, F1Law, f1, fbeta

LAWS = {
    "plain": DifferenceLaw(f1(70, 22, 21), f1(80, 15, 12)),
    "beta": DifferenceLaw(BetaLaw(71, 23), BetaLaw(60, 31)),
    "equal": DifferenceLaw(BetaLaw(30, 12), BetaLaw(30, 12)),
    "unequal sizes": DifferenceLaw(BetaLaw(3, 4), BetaLaw(300, 500)),
    "many": DifferenceLaw(F1Law(1.2e6, 1e5), F1Law(1.201e6, 1e5)),
    "very many": DifferenceLaw(BetaLaw(1e12, 1e11), BetaLaw(1.00001e12, 1e11)),
    "flat": DifferenceLaw(BetaLaw(1, 1), BetaLaw(1, 1)),
    "flat and narrow": DifferenceLaw(BetaLaw(1, 1), BetaLaw(20, 5)),
    "skewed": DifferenceLaw(F1Law(101, 2), F1Law(95, 9)),
    "rare": DifferenceLaw(BetaLaw(1, 1e9), BetaLaw(3, 1e9)),
    "both perfect": DifferenceLaw(BetaLaw(101, 1), BetaLaw(101, 1)),
    "one perfect": DifferenceLaw(BetaLaw(100, 2), BetaLaw(101, 1)),
    "all and nothing": DifferenceLaw(BetaLaw(1, 1000), BetaLaw(1000, 1)),
}
# A law that ends abruptly beside one so narrow that it smooths nothing: few
# predictions, all right, against very many.
ABRUPT = {
    "few and perfect": DifferenceLaw(BetaLaw(11, 1), BetaLaw(95_001, 5_001)),
    "perfect and few": DifferenceLaw(BetaLaw(95_001, 5_001), BetaLaw(11, 1)),
    "no items": DifferenceLaw(BetaLaw(1, 1), BetaLaw(1e6, 1e6)),
}
FBETA = DifferenceLaw(fbeta(20, 4, 7, beta=2), fbeta(22, 6, 5, beta=2))
MASSES = (0.5, 0.99)

by_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
by_any_law = pytest.mark.parametrize(
    "law", [*LAWS.values(), *ABRUPT.values()], ids=[*LAWS, *ABRUPT]
)


@cache
def hdi_of(law, mass):
    return law.hdi(mass)


@cache
def interval_of(law, mass):
    return law.interval(mass)


@cache
def tails_of(law, interval):
    return law.share_below(interval.low), law.share_above(interval.high)


def mass_of(law, interval):
    return 1 - sum(tails_of(law, interval))


# --- tails -------------------------------------------------------------------


def test_both_tails_against_40_digits():
    for case in stored("difference"):
        kind = BetaLaw if case["scale"] == 1 else F1Law
        second, first = (kind(*counts) for counts in case["pair"])
        law, x = DifferenceLaw(first, second), case["margin"]
        with mp.workdps(DIGITS):
            above = mp.exp(mp.mpf(case["log"]))
        assert abs(law.share_above(x) - above) < 1e-12, case
        assert abs(law.share_below(x) - (1 - above)) < 1e-12, case
        assert law.share_below(x) + law.share_above(x) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("x", [-0.3, 0.0, 0.12])
def test_tails_against_a_fine_double_sum(x):
    law = LAWS["beta"]
    middles = (np.arange(4000) + 0.5) / 4000
    first, second = (
        stats.beta(a, b).pdf(middles) / 4000 for a, b in ((71, 23), (60, 31))
    )
    below = first @ np.interp(
        middles + x, middles + 0.5 / 4000, np.cumsum(second), left=0, right=1
    )
    assert law.share_below(x) == pytest.approx(below, abs=1e-6)


def test_tails_of_fbeta_against_draws():
    rng = np.random.default_rng(0)
    drawn = FBETA.second.rvs(100_000, rng) - FBETA.first.rvs(100_000, rng)
    for x in (-0.1, 0.0, 0.05):
        share = FBETA.share_below(x)
        error = np.sqrt(share * (1 - share) / len(drawn))
        assert abs((drawn <= x).mean() - share) < 4 * error


def test_an_interval_of_fbeta_takes_few_exact_shares(monkeypatch):
    # Each is an integral of integrals: 161 of them took a minute.
    calls = []

    def counted(share):
        return lambda law, x: calls.append(x) or share(law, x)

    for name in ("share_below", "share_above"):
        monkeypatch.setattr(DifferenceLaw, name, counted(getattr(DifferenceLaw, name)))
    low, high = FBETA.hdi(0.95)
    assert len(calls) <= 12
    assert 1 - FBETA.share_below(low) - FBETA.share_above(high) == pytest.approx(
        0.95, abs=1e-4
    )


@by_any_law
def test_moments(law):
    assert law.mean() == pytest.approx(law.second.mean() - law.first.mean(), abs=1e-15)
    assert law.std() == pytest.approx(np.sqrt(law.first.var() + law.second.var()))
    assert (law.mcse(), law.n_draws) == (0.0, 0)


@by_any_law
def test_nothing_lies_beyond_one(law):
    for x in (-1.0, 1.0, -1.5, 2.0):
        assert law.share_below(x) == (0.0 if x < 0 else 1.0)
        assert law.share_above(x) == (1.0 if x < 0 else 0.0)


def test_small_tails_are_not_one_minus_the_other():
    law = DifferenceLaw(BetaLaw(500_001, 500_001), BetaLaw(520_001, 480_001))
    assert 0 < law.share_below(0.0) < 1e-170
    assert law.share_above(0.0) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("x", [float("nan"), float("inf"), -float("inf")])
def test_only_finite_differences(x):
    with pytest.raises(SettingError, match="finite"):
        LAWS["plain"].share_below(x)


# --- intervals ---------------------------------------------------------------


@by_any_law
@pytest.mark.parametrize("mass", MASSES)
def test_equal_tails_are_equal(law, mass):
    interval = interval_of(law, mass)
    assert (interval.kind, interval.mass) == ("equal-tailed", mass)
    tail = (1 - mass) / 2
    assert tails_of(law, interval) == pytest.approx((tail, tail), abs=3e-5)


@by_any_law
@pytest.mark.parametrize("mass", MASSES)
def test_hdi_holds_its_mass_and_is_shortest(law, mass):
    hdi = hdi_of(law, mass)
    assert (hdi.kind, hdi.mass) == ("hdi", mass)
    assert mass_of(law, hdi) == pytest.approx(mass, abs=3e-5)
    assert hdi.width <= (1 + 1e-4) * interval_of(law, mass).width


@pytest.mark.parametrize("name", ["plain", "beta", "unequal sizes", "many", "skewed"])
def test_intervals_of_smooth_laws_hold_their_mass_to_1e_6(name):
    law = LAWS[name]
    for mass in MASSES:
        assert mass_of(law, hdi_of(law, mass)) == pytest.approx(mass, abs=1e-6)
        assert mass_of(law, interval_of(law, mass)) == pytest.approx(mass, abs=1e-6)


@pytest.mark.parametrize("name", ["plain", "beta", "unequal sizes", "skewed"])
def test_density_is_equally_high_at_both_ends_of_the_hdi(name):
    law = LAWS[name]
    low, high = law.pdf(np.array(tuple(hdi_of(law, 0.95))))
    assert low == pytest.approx(high, rel=2e-3)


@by_law
def test_interval_of_a_larger_mass_is_wider(law):
    for of in (hdi_of, interval_of):
        widths = [of(law, mass).width for mass in MASSES]
        assert widths == sorted(widths)
        assert -1 <= of(law, 0.99).low < of(law, 0.99).high <= 1


@pytest.mark.parametrize("mass", [0.0, 1.0, -0.5, 1.5, float("nan")])
def test_a_mass_lies_between_0_and_1(mass):
    for of in (LAWS["plain"].hdi, LAWS["plain"].interval):
        with pytest.raises(SettingError, match="mass"):
            of(mass)


# --- density -----------------------------------------------------------------


@by_law
def test_density_integrates_to_one(law):
    points = np.linspace(*law.ends(), 20_001)
    heights = law.pdf(points)
    assert (heights >= 0).all()
    assert np.trapezoid(heights, points) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("law", ABRUPT.values(), ids=ABRUPT.keys())
def test_density_of_an_abrupt_law_integrates_to_one(law):
    points = np.linspace(*law.ends(), 20_001)
    assert np.trapezoid(law.pdf(points), points) == pytest.approx(1, abs=1e-3)


def test_density_against_the_integral_over_one_of_the_laws():
    law, x = LAWS["beta"], np.linspace(-0.3, 0.2, 11)
    y = (np.arange(20_000) + 0.5) / 20_000
    first, second = stats.beta(71, 23).pdf, stats.beta(60, 31).pdf
    expected = [(first(y) * second(y + gap)).mean() for gap in x]
    assert law.pdf(x) == pytest.approx(expected, abs=2e-3 * max(expected))


@by_any_law
def test_nothing_to_see_beyond_the_ends(law):
    (low, high), sd = law.ends(), law.std()
    beyond = [low - 0.5 * sd, low - 5 * sd, high + 0.5 * sd, high + 5 * sd, -1.5, 1.5]
    assert (law.pdf(np.array(beyond)) * sd).max() < 1e-3


# --- exchanged systems -------------------------------------------------------


@by_any_law
def test_exchanged_laws_mirror_every_number(law):
    mirror = DifferenceLaw(law.second, law.first)
    assert mirror.mean() == -law.mean()
    assert mirror.std() == pytest.approx(law.std(), rel=1e-15)
    for x in (0.0, 0.3 * law.std()):
        assert mirror.share_above(x) == law.share_below(-x)
        assert mirror.share_below(x) == law.share_above(-x)


@pytest.mark.parametrize("name", ["beta", "unequal sizes", "skewed", "one perfect"])
def test_exchanged_laws_mirror_their_intervals(name):
    law = LAWS[name]
    mirror = DifferenceLaw(law.second, law.first)
    for ours, theirs in (
        (hdi_of(law, 0.95), mirror.hdi(0.95)),
        (interval_of(law, 0.95), mirror.interval(0.95)),
    ):
        turned = (-theirs.high, -theirs.low)
        assert tuple(ours) == pytest.approx(turned, abs=1e-6 * law.std())


@pytest.mark.parametrize("kind", [BetaLaw, F1Law])
@pytest.mark.parametrize("counts", [(37, 8), (101, 1), (1, 1)])
def test_equal_laws_differ_by_nothing(kind, counts):
    law = DifferenceLaw(kind(*counts), kind(*counts))
    assert law.share_below(0.0) == law.share_above(0.0) == 0.5
    assert law.mean() == 0
    for mass in (0.95, 0.99):
        low, high = law.hdi(mass)
        assert low == pytest.approx(-high, abs=1e-3 * law.std())


counts = st.floats(-0.3, 5).map(lambda power: 10.0**power)
some_laws = st.builds(
    lambda kind, a, b: kind(a, b), st.sampled_from([BetaLaw, F1Law]), counts, counts
)


@given(some_laws, some_laws, st.sampled_from(MASSES))
@settings(FEW, phases=[Phase.generate])
def test_intervals_of_any_laws_hold_their_mass(first, second, mass):
    law = DifferenceLaw(first, second)
    assert mass_of(law, law.interval(mass)) == pytest.approx(mass, abs=1e-3)
    assert mass_of(law, law.hdi(mass)) == pytest.approx(mass, abs=1e-3)
