"""The plot of a plan as data: lines are the chances of the verdicts."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from matplotlib import pyplot as plt
from tests.plots.conftest import SIZES, assert_literal, assert_tidy, axes

import likelier as lk
from likelier.errors import SettingError
from likelier.plots import power, style
from likelier.plots.picture import picture
from likelier.plots.power import _apart

SIZES_OF_DATA = (30, 100, 1000, 3000)


@cache
def planned(*, sizes=SIZES_OF_DATA, second=0.82, systems=("a", "b"), **settings):
    assumed = lk.Assumed.accuracies(0.8, second, agreement=0.9, systems=list(systems))
    return lk.power(
        assumed,
        metric="accuracy",
        sizes=sizes,
        replications=100,
        draws=500,
        seed=0,
        **{"rope": 0.02} | settings,
    )


def with_chances(*rows):
    result = planned(sizes=tuple(100 * (i + 1) for i in range(len(rows))))
    return replace(result, chances=rows)


def lines(ax):
    return {line.get_label(): line for line in ax.lines}


def test_lines_are_the_chances():
    result = planned()
    ax = result.plot(axes())
    assert tuple(lines(ax)) == result.verdicts
    for verdict, line in lines(ax).items():
        assert tuple(line.get_xdata()) == result.sizes
        wanted = [result.chance(verdict, size) for size in result.sizes]
        assert list(line.get_ydata()) == wanted
        assert line.get_color() == style.LOOKS[verdict].colour


def test_bands_are_two_errors_wide():
    result = planned()
    ax = power(result, ax=axes(), verdict="undecided")
    (band,) = ax.collections
    points = band.get_paths()[0].vertices
    for size in result.sizes:
        chance = result.chance("undecided", size)
        error = 2 * result.setting.mcse(chance)
        at = points[points[:, 0] == size, 1]
        assert at.min() == pytest.approx(max(chance - error, 0))
        assert at.max() == pytest.approx(min(chance + error, 1))


def test_chances_go_from_0_to_100_percent():
    ax = power(planned(), ax=axes())
    assert ax.get_ylim() == (0, 1)
    shown = [tick.get_text() for tick in ax.get_yticklabels()]
    assert shown == ["0 %", "25 %", "50 %", "75 %", "100 %"]


@pytest.mark.parametrize(
    ("sizes", "scale"),
    [((100, 1001), "log"), ((100, 1000), "linear"), ((500,), "linear")],
)
def test_sizes_of_more_than_a_decade_are_logarithmic(sizes, scale):
    ax = power(planned(sizes=sizes), ax=axes())
    assert ax.get_xscale() == scale
    assert ax.get_xlim()[1] == sizes[-1]
    assert_tidy(ax)


def test_lines_differ_without_colour():
    looks = [look for name, look in style.LOOKS.items() if name != "decided"]
    assert len({(x.marker, x.filled, x.line) for x in looks}) == len(looks)


def test_lines_are_named_at_their_ends():
    result = planned()
    ax = power(result, ax=axes())
    assert [text.get_text() for text in ax.texts] == list(result.verdicts)
    for text, verdict in zip(ax.texts, result.verdicts, strict=True):
        assert text.xy == (result.sizes[-1], result.chance(verdict, result.sizes[-1]))
        assert text.get_color() == style.LOOKS[verdict].colour
    assert ax.get_legend() is None


@pytest.mark.parametrize("verdict", ["better", "equivalent", "decided", "worse"])
def test_plans_are_compared_on_one_verdict(verdict):
    plans = {"paired": planned(), "unpaired": planned(method="unpaired")}
    ax = axes()
    for label, result in plans.items():
        assert power(result, ax=ax, verdict=verdict, label=label) is ax
    assert list(lines(ax)) == ["paired", "unpaired"]
    for label, line in lines(ax).items():
        wanted = [plans[label].chance(verdict, size) for size in SIZES_OF_DATA]
        assert list(line.get_ydata()) == wanted
    first, second = lines(ax).values()
    assert first.get_linestyle() != second.get_linestyle()
    assert first.get_marker() != second.get_marker()
    assert sorted(text.get_text() for text in ax.texts) == ["paired", "unpaired"]
    assert ax.get_title()  # both assume the same
    assert_tidy(ax)


def test_plans_of_other_sizes_share_the_axis():
    ax = axes()
    power(planned(sizes=(50, 100)), ax=ax, verdict="better", label="small")
    power(planned(sizes=(2000, 3000)), ax=ax, verdict="better", label="large")
    assert ax.get_xscale() == "log"
    left, right = ax.get_xlim()
    assert left <= 50
    assert right == 3000


def test_a_title_that_holds_for_one_plan_only_is_dropped():
    ax = power(planned(), ax=axes(), verdict="better", label="2 points")
    assert "+0.0200" in ax.get_title().replace("\u00a0", " ")
    power(planned(second=0.83), ax=ax, verdict="better", label="3 points")
    assert ax.get_title() == ""


def test_unknown_verdict_is_refused_and_nothing_is_left_open():
    with pytest.raises(SettingError, match="verdict must be one of"):
        power(planned(), ax=axes(), verdict="best")
    before = plt.get_fignums()
    with pytest.raises(SettingError, match="verdict must be one of"):
        power(planned(), verdict="best")
    assert plt.get_fignums() == before


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("label", [None, "paired", "x" * 80])
def test_text_is_tidy_at_every_size(size, label):
    assert_tidy(power(planned(), ax=axes(size), label=label))


@pytest.mark.parametrize("size", SIZES)
def test_two_whole_plans_are_tidy(size):
    ax = power(planned(), ax=axes(size), label="paired")
    power(planned(method="unpaired"), ax=ax, label="unpaired")
    assert_tidy(ax)


@pytest.mark.parametrize(
    "rows",
    [
        [{"better": 1.0}],
        [{"better": 1.0}, {"better": 1.0}],
        [{"undecided": 1.0}, {"better": 1.0}],
        [{"better": 0.2, "worse": 0.2, "equivalent": 0.2, "undecided": 0.4}] * 2,
    ],
)
def test_chances_of_0_and_1_and_single_sizes(rows):
    result = with_chances(*rows)
    ax = power(result, ax=axes("column"))
    assert_tidy(ax)
    assert tuple(lines(ax)) == result.verdicts


@pytest.mark.parametrize("size", SIZES)
def test_names_are_not_read_as_mathematics(size):
    result = planned(systems=("$x_1$", "_" + "b" * 80))
    ax = power(result, ax=axes(size), verdict="better", label="_$y$")
    assert_literal(ax.title)
    (name,) = ax.texts
    assert_literal(name)
    assert "_" in name.get_text()
    assert_tidy(ax)


@pytest.mark.parametrize("places", [[0, 0, 0], [1, 1, 1], [0.5, 0.5], [0.2, 0.9], [0]])
def test_places_are_moved_apart(places):
    moved = _apart([float(place) for place in places], 0.1)
    assert (np.diff(np.sort(moved)) >= 0.1 - 1e-12).all()
    assert moved.max() <= 1
    assert moved.min() >= 0
    if len(set(places)) == len(places):
        assert list(moved) == places


def test_same_result_same_bytes():
    first, second = (picture(planned(), form="svg") for _ in range(2))
    assert first == second
