"""The outlook: its closed form against simulation, and against lk.plan()."""

from functools import cache
from itertools import product

import numpy as np
import pytest

import likelier as lk
from likelier.interval import Rope
from likelier.outlook import CHANCE, chance_to_decide, outlook

Z = 1.959963984540054


@cache
def normals():
    return np.random.default_rng(0).normal(size=(2, 400_000))


def simulated(times, *, mean, sd, rope):
    """Draw a truth, the new items' mean and the posterior of all items."""
    truths, means = normals()
    truth = mean + sd * truths
    new = truth + sd / np.sqrt(times - 1) * means
    centre = (mean + (times - 1) * new) / times
    low, high = centre - Z * sd / np.sqrt(times), centre + Z * sd / np.sqrt(times)
    decided = (low > (0 if rope is None else rope.high)) | (
        high < (0 if rope is None else rope.low)
    )
    if rope is not None:
        decided |= (low >= rope.low) & (high <= rope.high)
    return decided.mean()


@pytest.mark.parametrize("mean", [0.0, 0.01, -0.03])
@pytest.mark.parametrize("rope", [None, Rope(-0.01, 0.01), Rope(-0.03, 0.005)])
@pytest.mark.parametrize("times", [1.05, 1.5, 4.0, 50.0])
def test_the_closed_form_agrees_with_simulation(mean, rope, times):
    setting = {"mean": mean, "sd": 0.012, "rope": rope}
    chance = chance_to_decide(np.array([times]), mass=0.95, **setting)

    assert chance[0] == pytest.approx(simulated(times, **setting), abs=0.004)


@pytest.mark.parametrize("mean", [0.0, 0.004, 0.011, 0.2])
@pytest.mark.parametrize("rope", [None, Rope.of(0.01)])
@pytest.mark.parametrize("mass", [0.5, 0.95, 0.999])
def test_chances_are_chances_and_go_to_certainty(mean, rope, mass):
    times = np.logspace(0, 12, 500)
    chances = chance_to_decide(times, mean=mean, sd=0.01, rope=rope, mass=mass)

    assert ((chances >= 0) & (chances <= 1)).all()
    assert chances[-1] > 0.999


@pytest.mark.parametrize("rope", [None, Rope.of(0.01)])
def test_a_larger_mass_needs_more_items(rope):
    more = [
        outlook(mean=0.02, sd=0.012, items=800, rope=rope, mass=mass).more
        for mass in (0.8, 0.9, 0.95, 0.99)
    ]

    assert more == sorted(more)
    assert more[0] < more[-1]


def test_the_nearer_the_edge_the_more_items():
    more = [
        outlook(mean=mean, sd=0.01, items=1000, rope=None, mass=0.95).more
        for mean in (0.0, 0.005, 0.01, 0.015, 0.019)
    ]

    assert more == sorted(more, reverse=True)


def test_items_scale_the_outlook():
    setting = {"mean": 0.01, "sd": 0.01, "rope": None, "mass": 0.95}
    few, many = (outlook(items=n, **setting).more for n in (100, 100_000))

    assert many == pytest.approx(1000 * few, rel=0.05)


def test_the_outlook_is_mirrored_with_the_systems():
    rope = Rope(-0.01, 0.03)
    one = outlook(mean=0.02, sd=0.02, items=500, rope=rope, mass=0.95)
    other = outlook(mean=-0.02, sd=0.02, items=500, rope=Rope(-0.03, 0.01), mass=0.95)

    assert one == other


@pytest.mark.parametrize(("sd", "items"), [(0.0, 100), (0.01, 0), (float("nan"), 9)])
def test_without_spread_or_items_there_is_none(sd, items):
    assert outlook(mean=0.01, sd=sd, items=items, rope=None, mass=0.95) is None


def test_more_than_a_million_times_the_items_are_none():
    # The mean lies at the rope's edge, with hardly a doubt.
    at_edge = {"mean": 0.01, "sd": 1e-3, "items": 10, "rope": Rope.of(0.01)}
    assert outlook(mass=0.95, **at_edge).more > 0

    result = outlook(mass=np.nextafter(1.0, 0.0), **at_edge)
    assert result.to_dict() == {"more": None, "chance": CHANCE}
    assert result.sentence("items").startswith("even a million times as many items")


@pytest.mark.parametrize("mean", [1.9, 1.97, 2.2])
def test_an_open_verdict_needs_more_than_nothing(mean):
    # The normal approximation is decided where the verdict is open.
    assert outlook(mean=mean, sd=1.0, items=100, rope=None, mass=0.95).more > 0


def test_the_number_has_two_digits_and_is_enough():
    for mean in np.linspace(0, 0.015, 7):
        setting = {"mean": mean, "sd": 0.01, "rope": None, "mass": 0.95}
        more = outlook(items=800, **setting).more
        chance = chance_to_decide(np.array([1 + more / 800]), **setting)[0]

        assert len(str(more).rstrip("0")) <= 2
        assert CHANCE <= chance < CHANCE + 0.05


CASES = [
    ((600, 20, 25, 30, 20, 22, 40, 243), "accuracy", 0.03),
    ((150, 10, 12, 10, 30, 28, 20, 140), "f1", 0.02),
    ((150, 10, 12, 10, 30, 28, 20, 140), "f1", None),
]


@pytest.mark.parametrize(("counts", "metric", "rope"), CASES)
def test_a_plan_agrees_on_real_cells(counts, metric, rope):
    cells = [list(column) for column in zip(*product("ny", repeat=3), strict=True)]
    table = lk.Outcomes.from_patterns(cells, counts, systems=["a", "b"])
    settings = {"metric": metric, "positive": "y" if metric == "f1" else None}
    result = lk.compare(table, rope=rope, seed=0, **settings)
    size = sum(counts) + result.outlook.more
    plan = lk.plan(lk.Assumed.pilot(table), rope=rope, seed=0, **settings)
    chances = plan.chances([size])
    decided = sum(chances.chance(v, size) for v in ("better", "worse", "equivalent"))

    assert decided == pytest.approx(CHANCE, abs=0.06)
