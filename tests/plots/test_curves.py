"""Curves as data: chances of verdicts, and Bayes factors under other priors."""

from dataclasses import replace
from functools import cache
from math import inf, log10

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from tests.plots.conftest import ENDS, assert_literal, assert_tidy, axes, crossed

import likelier as lk
from likelier.bayes_factor import BayesFactor
from likelier.errors import NotDefinedError, SettingError
from likelier.plots import chances, picture, sensitivity, style
from likelier.plots.curves import move_apart

SIZES_OF_DATA = (30, 100, 1000, 3000)


@cache
def planned(*, sizes=SIZES_OF_DATA, second=0.82, systems=("a", "b"), **settings):
    assumed = lk.Assumed.accuracies(0.8, second, agreement=0.9, systems=list(systems))
    plan = lk.plan(
        assumed,
        metric="accuracy",
        replications=100,
        draws=500,
        seed=0,
        **{"rope": 0.02} | settings,
    )
    return plan.chances(sizes)


def with_chances(*rows):
    result = planned(sizes=tuple(100 * (i + 1) for i in range(len(rows))))
    return replace(result, chances=rows)


def lines(ax):
    return {line.get_label(): line for line in ax.lines}


def test_lines_are_the_chances():
    result = planned()
    ax = result.plot(ax=axes())
    assert tuple(lines(ax)) == result.verdicts
    for verdict, line in lines(ax).items():
        assert tuple(line.get_xdata()) == result.sizes
        expected = [result.chance(verdict, size) for size in result.sizes]
        assert list(line.get_ydata()) == expected
        assert line.get_color() == style.LOOKS[verdict].colour


def test_bands_are_two_errors_wide():
    result = planned()
    ax = chances(result, ax=axes(), verdict="undecided")
    (band,) = ax.collections
    points = band.get_paths()[0].vertices
    for size in result.sizes:
        chance = result.chance("undecided", size)
        error = 2 * result.mcse(chance)
        at = points[points[:, 0] == size, 1]
        assert at.min() == pytest.approx(max(chance - error, 0))
        assert at.max() == pytest.approx(min(chance + error, 1))


def test_chances_go_from_0_to_100_percent():
    ax = chances(planned(), ax=axes())
    assert ax.get_ylim() == (0, 1)
    labels = [tick.get_text() for tick in ax.get_yticklabels()]
    assert labels == ["0 %", "25 %", "50 %", "75 %", "100 %"]


@pytest.mark.parametrize(
    ("sizes", "scale"),
    [((100, 1001), "log"), ((100, 1000), "linear"), ((500,), "linear")],
)
def test_sizes_of_more_than_a_decade_are_logarithmic(sizes, scale):
    ax = chances(planned(sizes=sizes), ax=axes())
    assert ax.get_xscale() == scale
    assert ax.get_xlim()[1] == sizes[-1]
    assert_tidy(ax)


def test_lines_differ_without_colour():
    looks = [look for name, look in style.LOOKS.items() if name != "decided"]
    assert len({(x.marker, x.filled, x.line) for x in looks}) == len(looks)


def test_lines_are_named_at_their_ends():
    result = planned()
    ax = chances(result, ax=axes())
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
        assert chances(result, ax=ax, verdict=verdict, label=label) is ax
    assert list(lines(ax)) == ["paired", "unpaired"]
    for label, line in lines(ax).items():
        expected = [plans[label].chance(verdict, size) for size in SIZES_OF_DATA]
        assert list(line.get_ydata()) == expected
    first, second = lines(ax).values()
    assert first.get_linestyle() != second.get_linestyle()
    assert first.get_marker() != second.get_marker()
    assert sorted(text.get_text() for text in ax.texts) == ["paired", "unpaired"]
    assert ax.get_title()  # both assume the same
    assert_tidy(ax)


def test_plans_of_other_sizes_share_the_axis():
    ax = axes()
    chances(planned(sizes=(50, 100)), ax=ax, verdict="better", label="small")
    chances(planned(sizes=(2000, 3000)), ax=ax, verdict="better", label="large")
    assert ax.get_xscale() == "log"
    left, right = ax.get_xlim()
    assert left <= 50
    assert right == 3000


def test_a_title_that_holds_for_one_plan_only_is_dropped():
    ax = chances(planned(), ax=axes(), verdict="better", label="2 points")
    assert "+0.0200" in ax.get_title().replace("\u00a0", " ")
    chances(planned(second=0.83), ax=ax, verdict="better", label="3 points")
    assert ax.get_title() == ""


def test_unknown_verdict_is_refused():
    with pytest.raises(SettingError, match="verdict must be one of"):
        chances(planned(), ax=axes(), verdict="best")


@pytest.mark.parametrize(("label", "size"), crossed([None, "paired", "x" * 80]))
def test_text_is_tidy_at_every_size(label, size):
    assert_tidy(chances(planned(), ax=axes(size), label=label))


@pytest.mark.parametrize("size", ENDS)
def test_two_whole_plans_are_tidy(size):
    ax = chances(planned(), ax=axes(size), label="paired")
    chances(planned(method="unpaired"), ax=ax, label="unpaired")
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
    ax = chances(result, ax=axes("column"))
    assert_tidy(ax)
    assert tuple(lines(ax)) == result.verdicts


@pytest.mark.parametrize("size", ENDS)
def test_names_are_not_read_as_mathematics(size):
    result = planned(systems=("$x_1$", "_" + "b" * 80))
    ax = chances(result, ax=axes(size), verdict="better", label="_$y$")
    assert_literal(ax.title)
    (name,) = ax.texts
    assert_literal(name)
    assert "_" in name.get_text()
    assert_tidy(ax)


@pytest.mark.parametrize("levels", [[0, 0, 0], [1, 1, 1], [0.5, 0.5], [0.2, 0.9], [0]])
def test_levels_are_moved_apart(levels):
    moved = move_apart([float(level) for level in levels], 0.1)
    assert (np.diff(np.sort(moved)) >= 0.1 - 1e-12).all()
    assert moved.max() <= 1
    assert moved.min() >= 0
    if len(set(levels)) == len(levels):
        assert list(moved) == levels


def test_same_result_same_bytes():
    first, second = (picture(planned(), form="svg") for _ in range(2))
    assert first == second


# --- factors against the strength of the prior -------------------------------------

GOLD = ["y", "n"] * 50
FIRST = ["y", "y"] * 20 + ["y", "n"] * 30
SECOND = ["y", "n"] * 45 + ["n", "y"] * 5
MIXED = (
    BayesFactor(-inf),
    BayesFactor(-3.0),
    BayesFactor(-1.0, "at most"),
    BayesFactor(0.5, mcse=0.3),
    BayesFactor(1.2, "at least"),
    BayesFactor(2.5),
    BayesFactor(inf),
)
CASES = {
    "near 1": [BayesFactor(x / 100) for x in range(7)],
    "for": [BayesFactor(0.4 * x) for x in range(7)],
    "against": [BayesFactor(-0.4 * x, mcse=0.1) for x in range(7)],
    "across": [BayesFactor(0.5 * x - 1.5) for x in range(7)],
    "far": [BayesFactor(-10.0 * x) for x in range(7)],
    "farthest": [BayesFactor(-400.0 - 1e-3 * x) for x in range(7)],
    "at most": [BayesFactor(-1 - x / 5, "at most") for x in range(7)],
    "at least": [BayesFactor(1 + x / 5, "at least") for x in range(7)],
    "infinite": [BayesFactor(inf)] * 7,
    "nothing": [BayesFactor(-inf)] * 7,
    "some missing": [None, None, BayesFactor(0.2), *[BayesFactor(1.0)] * 4],
    "mixed": list(MIXED),
}


@cache
def varied(*, systems=("a", "b"), rope=0.05, factor="rope", **settings):
    return lk.sensitivity(
        GOLD,
        FIRST,
        SECOND,
        metric="accuracy",
        systems=list(systems),
        rope=rope,
        factor=factor,
        draws=2000,
        seed=0,
        **settings,
    )


def with_factors(factors):
    whole = varied()
    pairs = zip(whole.comparisons, factors, strict=True)
    return replace(whole, comparisons=tuple(replace(c, factor=f) for c, f in pairs))


def points(ax):
    return [bars.lines[0] for bars in ax.containers]


def heights(ax):
    return [float(point.get_ydata()[0]) for point in points(ax)]


def arrows(ax):
    """Return the direction of each arrow by its strength."""
    texts = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    return {text.xy[0]: text.xyann[1] > 0 for text in texts}


def test_points_are_the_factors():
    result = varied()
    ax = result.plot(ax=axes())
    assert [float(p.get_xdata()[0]) for p in points(ax)] == list(result.strengths)
    assert heights(ax) == [c.factor.log10 for c in result.comparisons]
    assert ax.get_xscale() == "log"


def test_bars_are_two_errors_long():
    result = varied()
    ax = sensitivity(result, ax=axes())
    for bars, one in zip(ax.containers, result.comparisons, strict=True):
        (segment,) = bars.lines[2][0].get_segments()
        ends = [one.factor.log10 + 2 * k * one.factor.mcse for k in (-1, 1)]
        assert list(segment[:, 1]) == pytest.approx(ends)


def test_verdicts_stand_above_their_points():
    result = varied()
    ax = sensitivity(result, ax=axes())
    above = {t.xy[0]: t for t in ax.texts if hasattr(t, "xyann") and t.get_text()}
    for strength, one in zip(result.strengths, result.comparisons, strict=True):
        text = above[strength]
        assert text.get_text() == one.verdict.symbol
        assert text.xy[1] >= one.factor.log10
        assert text.xyann[1] > 0
        assert text.get_color() == style.LOOKS[one.verdict.name].colour


def test_lines_stand_where_jeffreys_words_change():
    ax = sensitivity(with_factors(CASES["across"]), ax=axes())
    flat = {
        float(li.get_ydata()[0]) for li in ax.lines if list(li.get_xdata()) == [0, 1]
    }
    steps = [log10(x) for x in (1, 3, 10, 30, 100)]
    low, high = ax.get_ylim()
    inside = {x for x in (*steps, *(-x for x in steps)) if low < x < high}
    assert sorted(flat) == pytest.approx(sorted(inside))


@pytest.mark.parametrize("name", ["for", "against", "across", "far"])
def test_words_at_the_right_are_those_of_the_factor(name):
    ax = sensitivity(with_factors(CASES[name]), ax=axes("slide"))
    words = [text for text in ax.texts if not hasattr(text, "xyann")]
    assert words
    for text in words:
        at = text.get_position()[1]
        label = BayesFactor(at).label
        assert text.get_text() == label.removesuffix(" equivalence")


def test_bounds_are_arrows():
    ax = sensitivity(with_factors(MIXED), ax=axes())
    strengths = varied().strengths
    rising = {0: False, 2: False, 4: True, 6: True}
    assert arrows(ax) == {strengths[i]: up for i, up in rising.items()}


def test_factors_without_an_end_lie_beyond_all_others():
    ax = sensitivity(with_factors(MIXED), ax=axes())
    levels = heights(ax)
    assert levels[1:-1] == [factor.log10 for factor in MIXED[1:-1]]
    assert levels[0] < min(levels[1:])
    assert levels[-1] > max(levels[:-1])
    low, high = ax.get_ylim()
    assert low < levels[0] < levels[-1] < high
    assert {"∞", "0"} <= {text.get_text() for text in ax.texts}


@pytest.mark.parametrize("name", CASES)
def test_text_is_tidy_in_a_column(name):
    assert_tidy(sensitivity(with_factors(CASES[name]), ax=axes("column")))


@pytest.mark.parametrize(
    ("name", "size"), crossed(["across", "far", "mixed"], ["slide", "usual"])
)
def test_factors_are_tidy_at_other_sizes(name, size):
    assert_tidy(sensitivity(with_factors(CASES[name]), ax=axes(size)))


@pytest.mark.parametrize("size", ENDS)
def test_one_strength(size):
    ax = sensitivity(varied(strengths=(2.0,)), ax=axes(size))
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["2"]
    assert_tidy(ax)


def test_many_strengths_are_not_all_named():
    strengths = tuple(round(0.1 * 1.15**i, 3) for i in range(40))
    whole = varied()
    many = replace(whole, strengths=strengths, comparisons=(whole.comparisons[0],) * 40)
    ax = sensitivity(many, ax=axes("column"))
    assert len(points(ax)) == 40
    assert 2 <= len(ax.get_xticks()) < 20


@pytest.mark.parametrize("factor", [None, "rope"])
def test_identical_systems(factor):
    settings = {"metric": "accuracy", "rope": 0.05, "factor": factor}
    result = lk.sensitivity(GOLD, FIRST, FIRST, **settings, draws=2000, seed=0)
    assert_tidy(sensitivity(result, ax=axes("column")))


@pytest.mark.parametrize("size", ENDS)
def test_names_above_factors_are_not_read_as_mathematics(size):
    ax = sensitivity(varied(systems=("$x_1$", "_" + "b" * 80)), ax=axes(size))
    assert_literal(ax.title)
    assert "…" in ax.get_title()
    assert_tidy(ax)


@pytest.mark.parametrize("factor", [None, "rope"])
def test_title_says_whether_the_prior_matters(factor):
    result = varied(factor=factor)
    verdicts = {one.verdict.name for one in result.comparisons}
    title = sensitivity(result, ax=axes()).get_title().replace("\u00a0", " ")
    (only, *others) = verdicts
    remark = f"{only} under every prior"
    if others:
        remark = "the verdict depends on the prior"
    assert title == f"b against a on accuracy: {remark}"
    one = replace(result, comparisons=(result.comparisons[0],) * 7)
    title = sensitivity(one, ax=axes()).get_title().replace("\u00a0", " ")
    assert title.endswith(f"{result.comparisons[0].verdict.name} under every prior")


def test_label_names_the_null():
    ax = sensitivity(varied(), ax=axes())
    assert ax.get_ylabel() == "Bayes factor for equivalence"
    settings = {"factor": "point", "strengths": (1.0, 2.0), "rope": None}
    ax = sensitivity(varied(**settings), ax=axes())
    assert ax.get_ylabel() == "Bayes factor for no difference"


def test_factors_that_were_asked_for_and_are_not_there_are_missed():
    before = plt.get_fignums()
    with pytest.raises(NotDefinedError, match="There must be a Bayes factor"):
        with_factors([None] * 7).plot()
    assert plt.get_fignums() == before


# --- differences under other priors, where no factor was asked for ------------------


@pytest.mark.parametrize("rope", [None, 0.05])
def test_without_a_factor_points_are_the_mean_differences(rope):
    result = varied(rope=rope, factor=None)
    ax = result.plot(ax=axes())
    marked = [line for line in ax.lines if line.get_marker() not in ("None", "")]
    assert [float(line.get_xdata()[0]) for line in marked] == list(result.strengths)
    assert [float(line.get_ydata()[0]) for line in marked] == [
        one.posterior.difference.mean() for one in result.comparisons
    ]
    assert ax.get_xscale() == "log"
    assert ax.get_ylabel() == "difference in accuracy,\nb minus a"


def test_bars_of_differences_are_their_intervals():
    result = varied(factor=None)
    ax = sensitivity(result, ax=axes())
    bars = {
        float(line.get_xdata()[0]): tuple(line.get_ydata())
        for line in ax.lines
        if len(line.get_xdata()) == 2
        and line.get_xdata()[0] == line.get_xdata()[1] > 0
        and tuple(line.get_ydata()) != (0, 1)
    }
    expected = zip(result.strengths, result.comparisons, strict=True)
    assert bars == {strength: tuple(one.hdi) for strength, one in expected}
    low, high = ax.get_ylim()
    assert low <= min(end for bar in bars.values() for end in bar)
    assert high >= max(end for bar in bars.values() for end in bar)


def test_verdicts_stand_above_their_intervals():
    result = varied(factor=None)
    ax = sensitivity(result, ax=axes())
    above = {text.xy[0]: text for text in ax.texts if text.get_text()}
    for strength, one in zip(result.strengths, result.comparisons, strict=True):
        text = above[strength]
        assert text.get_text() == one.verdict.symbol
        assert text.xy[1] == one.hdi.high
        assert text.xyann[1] > 0
        assert text.get_color() == style.LOOKS[one.verdict.name].colour


@pytest.mark.parametrize("rope", [None, 0.05, (-0.02, 0.1)])
def test_the_rope_is_a_band_behind_the_differences(rope):
    result = varied(rope=rope, factor=None)
    ax = sensitivity(result, ax=axes())
    bands = [p for p in ax.patches if to_hex(p.get_facecolor()) == style.ROPE]
    assert len(bands) == (rope is not None)
    for band in bands:
        ends = result.settings.rope.low, result.settings.rope.high
        assert band.get_y() == ends[0]
        assert band.get_y() + band.get_height() == pytest.approx(ends[1])


@pytest.mark.parametrize("size", ENDS)
@pytest.mark.parametrize("rope", [None, 0.05])
def test_differences_are_tidy_at_every_size(size, rope):
    names = ("$x_1$", "_" + "b" * 80)
    ax = sensitivity(varied(systems=names, rope=rope, factor=None), ax=axes(size))
    assert_literal(ax.title)
    assert_literal(ax.yaxis.label)
    assert_tidy(ax)


@pytest.mark.parametrize("size", ENDS)
def test_differences_under_one_prior(size):
    ax = sensitivity(varied(strengths=(2.0,), factor=None), ax=axes(size))
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["2"]
    assert_tidy(ax)


def test_same_differences_same_bytes():
    first, second = (picture(varied(factor=None), form="svg") for _ in range(2))
    assert first == second


def test_same_factors_same_bytes():
    first, second = (picture(varied(), form="svg") for _ in range(2))
    assert first == second
