"""The answer's own rope and mass are among the stops, and every stop is possible."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK, random_labels
from tests.report.conftest import COMPARISONS
from tests.results.every_kind import result

import likelier as lk
from likelier import Outcomes
from likelier.interval import Rope, rope_texts
from likelier.results.what_if import Stops, mass_text, nice_step

TABLE = random_labels(3, n=80, classes=2)
FEW = {"draws": 1000, "seed": 0}
ROPES = [None, 0.0, 1e-9, 0.003, 0.02, 0.5, 0.979, 0.981, 0.999, 0.0123456789]
LOPSIDED = [(-0.01, 0.03), (-0.03, 0.01), (0.0, 0.02), (-0.02, 0.0), (-1e-9, 0.4)]
METRICS = ["accuracy", "error_rate", "f1", "mcc", "macro_f1"]


def compared(rope=None, *, table=TABLE, **settings):
    options = {"metric": "accuracy", "rope": rope, **FEW} | settings
    if options["metric"] == "f1":
        options["positive"] = "a"
    return lk.compare(*table.columns, **options)


def same(rope=None):
    """Compare systems whose every draw is the same: scores that do not vary."""
    table = Outcomes.from_scores([0.5] * 20, [0.5] * 20)
    return lk.compare(table, metric="mean", rope=rope, prior="bootstrap", **FEW)


def scored(scale, rope=None, *, metric="mean"):
    rng = np.random.default_rng(5)
    first = rng.normal(scale, scale / 10, 40)
    table = Outcomes.from_scores(first, first + rng.normal(scale / 50, scale / 40, 40))
    return lk.compare(table, metric=metric, rope=rope, **FEW)


def half(rope):
    return 0.0 if rope is None else max(-rope.low, rope.high)


def check(stops, settings):
    assert stops.ropes[stops.rope] == settings.rope
    assert stops.masses[stops.mass] == settings.mass
    for ends in (map(half, stops.ropes), stops.masses):
        assert all(first < second for first, second in pairwise(ends))
    assert half(stops.ropes[0]) == 0
    assert None not in stops.ropes[1:]
    assert 0 < stops.masses[0] < stops.masses[-1] < 1
    assert 15 <= len(stops.ropes) <= 60, "too coarse or too fine for a slider"


def written(text):
    """Read a rope as a page shows it."""
    if text == "no rope":
        return None
    if text.startswith("±"):
        return Rope(-float(text[1:]), float(text[1:]))
    low, high = text.split(" to ")
    return Rope(float(low), float(high))


@pytest.mark.parametrize("rope", [*ROPES, *LOPSIDED])
@pytest.mark.parametrize("metric", METRICS)
def test_own_rope_and_mass_are_among_stops_that_increase(rope, metric):
    actual = compared(rope, metric=metric)
    check(Stops.of(actual), actual)


@pytest.mark.parametrize("rope", [*ROPES, *LOPSIDED, 20.0])
def test_systems_that_do_not_vary_have_stops(rope):
    actual = same(rope)
    assert tuple(actual.hdi) == (0, 0)
    check(Stops.of(actual), actual)


@pytest.mark.parametrize("name", COMPARISONS)
def test_every_kind_of_comparison_has_stops(name):
    actual = result(name)
    check(Stops.of(actual), actual)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("rope", [None, 0.9, (-0.5, 0.01)])
def test_every_stop_is_a_rope_that_the_metric_takes(metric, rope):
    stops = Stops.of(compared(rope, metric=metric))
    for stop in [*stops.ropes[1::6], *stops.ropes[-2:]]:
        assert compared(stop, metric=metric, draws=5).rope == stop
    for mass in (stops.masses[0], stops.masses[-1]):
        assert compared(rope, metric=metric, draws=5, mass=mass).mass == mass


@pytest.mark.parametrize("scale", [1e-7, 1e-3, 1.0, 1e6, 1e12])
@pytest.mark.parametrize("metric", ["mean", "mean_loss"])
def test_scores_of_any_size_have_stops_that_reach_beyond_the_interval(scale, metric):
    for share in (None, 1e-3, 0.02):
        rope = None if share is None else share * scale
        actual = scored(scale, rope, metric=metric)
        stops = Stops.of(actual)
        check(stops, actual)
        assert half(stops.ropes[-1]) >= max(map(abs, actual.hdi))
        assert half(stops.ropes[1]) <= max(map(abs, actual.hdi)) / 10
        last = scored(scale, stops.ropes[-1], metric=metric)
        assert last.verdict.name == "equivalent"


@given(
    rope=st.floats(1e-12, 0.99) | st.tuples(st.floats(-0.9, 0), st.floats(0, 0.9)),
    mass=st.floats(0.01, 0.9999),
)
@QUICK
def test_any_question_is_among_its_stops(rope, mass):
    actual = compared(rope, mass=mass, draws=50)
    check(Stops.of(actual), actual)


@pytest.mark.parametrize("rope", [None, 0.0137, *LOPSIDED])
@pytest.mark.parametrize("scale", [0.01, 1.0, 1e6])
def test_texts_are_the_numbers(rope, scale):
    settings = rope if rope is None else Rope.of(rope)
    settings = (
        settings
        if settings is None
        else Rope(settings.low * scale, settings.high * scale)
    )
    stops = Stops.of(scored(scale, settings))
    for index, stop in enumerate(stops.ropes):
        if index != stops.rope:  # its own rope may have more digits than are written
            assert written(rope_texts([stop])[0]) == stop
    for mass in stops.masses:
        number, sign = mass_text(mass).split(" ")
        assert sign == "%"
        assert float(number) / 100 == pytest.approx(mass, rel=1e-12)


@pytest.mark.parametrize("rope", LOPSIDED)
def test_lopsided_ropes_keep_their_proportion(rope):
    settings = Rope.of(rope)
    for stop in Stops.of(compared(rope)).ropes:
        if stop is not None:
            first, second = stop.low * settings.high, stop.high * settings.low
            assert first == pytest.approx(second, rel=1e-5, abs=1e-15)
            assert (stop.low == 0) == (settings.low == 0)
            assert (stop.high == 0) == (settings.high == 0)


def test_without_a_rope_or_with_one_of_width_zero_the_others_are_even():
    for rope in (None, 0.0):
        for stop in Stops.of(compared(rope)).ropes[1:]:
            assert stop.low == -stop.high


@pytest.mark.parametrize("step", [0.001, 0.002, 0.05, 1.0, 20.0])
def test_a_nice_step_is_large_enough_for_itself(step):
    assert nice_step(step) == step


@given(st.floats(1e-300, 1e300))
@QUICK
def test_nice_steps_are_1_2_or_5_and_just_large_enough(least):
    step = nice_step(least)
    digit, _ = f"{step:.12e}".split("e")
    assert float(digit) in (1, 2, 5)
    assert least * (1 - 1e-6) <= step < 2.5 * least * (1 + 1e-6)
