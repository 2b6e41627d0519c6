"""Densities as data: the numbers of the results are drawn."""

import subprocess
import sys
import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from tests.plots.conftest import assert_tidy
from tests.plots.conftest import axes as sized
from tests.plots.scored import compared as folds_compared
from tests.plots.scored import same_scores

import likelier as lk
from likelier import formatting
from likelier.distribution import Draws, Posterior
from likelier.errors import SettingError
from likelier.interval import Rope
from likelier.plots import densities, posterior, style
from likelier.plots.figures import file_bytes

GOLD = ["y", "n"] * 50
FIRST = ["y", "y"] * 20 + ["y", "n"] * 30
SECOND = ["y", "n"] * 45 + ["n", "y"] * 5
# Less than an eye can see.
UNSEEN = 0.01


@cache
def compared(*, rope=0.05, systems=("a", "b"), metric="f1", **settings):
    return lk.compare(
        GOLD,
        FIRST,
        SECOND,
        metric=metric,
        positive="y",
        systems=list(systems),
        rope=rope,
        draws=4000,
        seed=0,
        **settings,
    )


def with_draws(values, rope):
    draws = Draws(np.asarray(values, dtype=float))
    result = compared()
    return replace(
        result,
        settings=replace(result.settings, rope=None if rope is None else Rope.of(rope)),
        posterior=Posterior((draws, draws), difference=draws),
    )


def normal(middle, spread, n=20_000):
    return np.random.default_rng(1).normal(middle, spread, n)


def skewed():
    return 0.3 - np.random.default_rng(2).gamma(1.2, 0.05, 20_000)


def drawn(result):
    """Lay out for real: a bare figure has a canvas that draws nothing."""
    ax = result.plot(ax=sized())
    canvas = FigureCanvasAgg(ax.figure)
    ax.figure.draw_without_rendering()
    return ax, canvas.get_renderer()


def boxes(texts, renderer):
    return [text.get_window_extent(renderer) for text in texts]


@pytest.fixture
def axes():
    return Figure().subplots()


def bars(ax):
    return [bar for drawn in ax.containers for bar in drawn.patches]


def parts(ax):
    """Return the outlines of a curve's regions by their colour."""
    outlines = {}
    for part in ax.collections:
        for path in part.get_paths():
            colour = to_hex(part.get_facecolor()[0])
            outlines.setdefault(colour, []).append(path.vertices)
    return outlines


def areas(ax):
    """Return the area of each region, as a share of all."""
    total = dict.fromkeys((style.WORSE, style.SAME, style.BETTER), 0.0)
    for colour, outlines in parts(ax).items():
        for x, y in (np.asarray(outline).T for outline in outlines):
            total[colour] += abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
    for bar in bars(ax):
        total[to_hex(bar.get_facecolor())] += bar.get_height() * bar.get_width()
    whole = sum(total.values())
    return [area / whole for area in total.values()]


def band(ax):
    bands = [
        patch
        for patch in ax.patches
        if isinstance(patch, Rectangle) and to_hex(patch.get_facecolor()) == style.ROPE
    ]
    return bands[0] if bands else None


def hdi_line(ax):
    return next(line for line in ax.lines if max(line.get_ydata()) < 0)


def texts(ax):
    return [text.get_text() for text in ax.texts]


POSTERIORS = {
    "clear": (normal(0.1, 0.02), 0.01),
    "asymmetric-rope": (normal(0.02, 0.02), (-0.01, 0.03)),
    "one-sided-rope": (normal(0.01, 0.02), (0.0, 0.02)),
    "very-wide-rope": (normal(0.001, 0.002), 10.0),
    "tiny-rope": (normal(0.001, 0.002), 1e-9),
    "rope-0": (normal(0.001, 0.002), 0.0),
    "tiny-difference": (normal(1e-7, 1e-7), 1e-7),
    "below": (normal(-0.2, 0.01), 0.01),
    "skewed": (skewed(), 0.1),
    "no-rope": (normal(0.01, 0.02), None),
    "no-rope-far": (normal(0.4, 0.02), None),
    "one-draw": (np.array([0.25]), 0.1),
    "constant-in-rope": (np.zeros(500), 0.01),
    "constant-at-the-edge": (np.full(500, 0.01), 0.01),
    "constant-at-the-lower-edge": (np.full(500, -0.01), 0.01),
    "constant-no-rope": (np.zeros(500), None),
}


@cache
def pictured(name):
    """Draw a result, once for all tests that look at it."""
    result = with_draws(*POSTERIORS[name])
    return result, posterior(result, ax=Figure().subplots())


@pytest.mark.parametrize("name", POSTERIORS)
def test_coloured_areas_are_the_probabilities(name):
    result, ax = pictured(name)
    p = result.probability
    if not name.startswith("constant-no-rope"):  # a tie counts half to either side
        shares = [p.worse, p.equivalent, p.better]
        assert areas(ax) == pytest.approx(shares, abs=UNSEEN)


@pytest.mark.parametrize("name", POSTERIORS)
def test_colours_change_at_the_ends_of_the_rope(name):
    result, ax = pictured(name)
    low, high = style.ends(result.rope)
    slack = 1e-9 * max(1.0, abs(low), abs(high))
    for colour, outlines in parts(ax).items():
        every = np.concatenate(outlines)
        x = every[every[:, 1] > 0, 0]
        assert colour != style.WORSE or x.max(initial=low) <= low + slack
        assert colour != style.BETTER or x.min(initial=high) >= high - slack


@pytest.mark.parametrize("name", POSTERIORS)
def test_bar_of_the_interval_ends_where_the_hdi_does(name):
    result, ax = pictured(name)
    assert list(hdi_line(ax).get_xdata()) == [result.hdi.low, result.hdi.high]
    for end in result.hdi:
        text = formatting.number(end, result.decimals, signed=True)
        assert f" {text} ".replace("-", "−") in texts(ax)
    assert "95 % HDI" in texts(ax)


def test_worse_is_hatched_and_nothing_else():
    _, ax = pictured("asymmetric-rope")
    hatched = {to_hex(p.get_facecolor()[0]): p.get_hatch() for p in ax.collections}
    assert hatched.keys() == {style.WORSE, style.SAME, style.BETTER}
    assert [colour for colour, hatch in hatched.items() if hatch] == [style.WORSE]


def test_a_value_that_many_draws_share_is_a_bar_beside_the_curve(axes):
    values = np.concatenate([np.zeros(6000), normal(0.02, 0.02, 4000)])
    ax = posterior(with_draws(values, 0.01), ax=axes)
    (bar,) = bars(ax)
    assert bar.get_x() + bar.get_width() / 2 == pytest.approx(0)
    assert to_hex(bar.get_facecolor()) == style.SAME
    assert "(bar: 60 % exactly 0)" in ax.get_xlabel()
    assert parts(ax).keys() == {style.WORSE, style.SAME, style.BETTER}


@pytest.mark.parametrize("rope", [0.05, (-0.02, 0.2), 0.9, None])
def test_band_has_the_edges_of_the_rope(rope, axes):
    result = compared(rope=rope)
    patch = band(posterior(result, ax=axes))
    if rope is None:
        assert patch is None
    else:
        left, right = patch.get_x(), patch.get_x() + patch.get_width()
        assert left == result.rope.low
        assert right == pytest.approx(result.rope.high, abs=1e-15)


@pytest.mark.parametrize("rope", [0.05, (-0.02, 0.2), None])
def test_text_gives_the_three_probabilities(rope, axes):
    result = compared(rope=rope)
    p, words = result.probability, texts(posterior(result, ax=axes))
    expected = {"worse": p.worse, "better": p.better}
    if rope is not None:
        expected[f"equivalent\n(within {Rope.of(rope)})"] = p.equivalent
    for name, share in expected.items():
        number = words[words.index(name) - 1]
        assert number == formatting.percent(share, p.mcse(share))
    assert any("equivalent" in text for text in words) == (rope is not None)


def test_colours_of_the_text_are_those_of_the_bars(axes):
    ax = posterior(compared(), ax=axes)
    colours = {text.get_text().split()[0]: text.get_color() for text in ax.texts}
    assert colours["worse"] == style.WORSE_INK
    assert colours["better"] == style.BETTER_INK


@pytest.mark.parametrize("size", ["column", "usual", "slide"])
@pytest.mark.parametrize("name", ["clear", "below", "asymmetric-rope", "tiny-rope"])
def test_probabilities_stand_over_their_regions_and_nothing_overlaps(name, size):
    result = with_draws(*POSTERIORS[name])
    ax = posterior(result, ax=sized(size))
    assert_tidy(ax)
    places = {text.get_text().split()[0]: text.xy[0] for text in ax.texts[3:9]}
    assert places["worse"] < places["equivalent"] < places["better"]
    low, high = style.ends(result.rope)
    left, right = ax.get_xlim()
    worse, better = ((end - left) / (right - left) for end in (low, high))
    if name in ("below", "asymmetric-rope"):
        assert places["worse"] < worse
    if name in ("clear", "asymmetric-rope"):
        assert places["better"] > better


def test_title_is_the_headline_and_zero_is_marked(axes):
    result = compared()
    ax = posterior(result, ax=axes)
    assert ax.get_title() == result.headline()
    assert any(list(line.get_xdata()) == [0, 0] for line in ax.lines)
    assert texts(ax)[-2:] == ["← a better", "b better →"]


@pytest.mark.parametrize(
    ("metric", "label"),
    [
        ("accuracy", "difference in accuracy, b minus a"),
        ("error_rate", "difference in error rate (less is better), a minus b"),
    ],
)
def test_label_says_what_is_subtracted(metric, label, axes):
    assert posterior(compared(metric=metric), ax=axes).get_xlabel() == label


def test_mass_is_written(axes):
    assert "80 % HDI" in texts(posterior(compared(mass=0.8), ax=axes))


def test_axes_are_used_and_no_figure_is_opened(axes):
    before = plt.get_fignums()
    assert compared().plot(ax=axes) is axes
    assert plt.get_fignums() == before


def test_without_axes_one_figure_is_opened_for_the_notebook():
    before = plt.get_fignums()
    ax = compared().plot()
    assert len(plt.get_fignums()) == len(before) + 1
    plt.close(ax.figure)


def assert_inside(texts, ax, renderer):
    whole = ax.figure.bbox
    for box in boxes(texts, renderer):
        assert box.x0 >= 0
        assert box.x1 <= whole.width
        assert box.y0 >= 0
        assert box.y1 <= whole.height


def test_rendered_text_stays_inside_the_figure():
    ax, renderer = drawn(compared(rope=0.01))
    assert_inside([*ax.texts, ax.title, ax.xaxis.label], ax, renderer)


@pytest.mark.parametrize("rope", [0.01, (-0.001, 0.02), 1e-9, 0.12345678])
def test_rendered_texts_do_not_overlap(rope):
    assert_tidy(compared(rope=rope).plot(ax=sized()))


def test_interval_has_room_inside_a_wide_rope():
    assert_tidy(with_draws(normal(0.001, 0.002), 0.5).plot(ax=sized("column")))


def test_long_names_stay_inside_the_figure():
    names = ("a-baseline-with-a-rather-long-name-v1", "its-candidate-of-2024-10-31-v2")
    ax, renderer = drawn(compared(systems=names))
    assert_inside([ax.title, ax.xaxis.label], ax, renderer)


def pairs(names):
    """Put names in pairs; an odd last one has a plain partner."""
    return [(*names[i : i + 2], "b")[:2] for i in range(0, len(names), 2)]


MATHS = ["$x^2$", r"$\frac{", "$", "$$", r"\$", r"a\$b$", r"\frac{1}{2}", "a_b^c", "%"]


@pytest.mark.parametrize("names", pairs(MATHS))
def test_names_are_not_read_as_mathematics(names):
    ax, _ = drawn(compared(systems=names))
    for text in (ax.title, ax.xaxis.label):
        read, is_maths = text._preprocess_math(text.get_text())
        assert is_maths is False
        assert [name for name in names if name not in read] == []


ANYWHERE = ["\x1b[31m", "a\nb", "\0", "\u202eabc", "e\u0301", "\U0001f600"]


@pytest.mark.parametrize("names", pairs(ANYWHERE))
def test_names_from_anywhere_are_drawn_without_a_warning(names):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax, _ = drawn(compared(systems=names))
        FigureCanvasAgg(ax.figure).draw()
    assert "\n" not in ax.get_title()


def test_constant_difference_far_from_zero_needs_little_memory():
    # In a process of its own: the plot must not ask for bins by the billion.
    code = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
import matplotlib
matplotlib.use("Agg")
import likelier as lk
result = lk.compare([0, 0, 0], [1, 1, 1], metric="mean", prior="bootstrap",
                    draws=500, seed=0)
assert result.hdi.low == result.hdi.high == 1.0, result.hdi
assert sum(len(bars.patches) for bars in result.plot().containers) < 1000
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]


METHODS = {
    "correlated-t": {"sets": 1},
    "hierarchical": {"sets": 5},
    "hierarchical, two": {"sets": 2},
    "signed-rank": {"sets": 12},
    "sign": {"sets": 12},
}


@cache
def scored(name, rope=0.01):
    method = name.partition(",")[0]
    return folds_compared(method=method, rope=rope, **METHODS[name])


@pytest.mark.parametrize(
    ("name", "rope"),
    [*((name, 0.01) for name in METHODS), ("correlated-t", None), ("sign", None)],
)
def test_scores_are_drawn_with_their_interval_and_probabilities(name, rope):
    result = scored(name, rope)
    ax, renderer = drawn(result)
    assert list(hdi_line(ax).get_xdata()) == [result.hdi.low, result.hdi.high]
    p = result.probability
    assert texts(ax)[texts(ax).index("better") - 1] == p.text(p.better)
    assert_inside([*ax.texts, ax.title, ax.xaxis.label], ax, renderer)


@pytest.mark.parametrize("name", METHODS)
def test_areas_have_colours_only_where_they_are_the_probabilities(name):
    result = scored(name)
    ax = posterior(result, ax=Figure().subplots())
    colours = set(parts(ax)) | {to_hex(bar.get_facecolor()) for bar in bars(ax)}
    label = ax.get_xlabel()
    if name == "correlated-t":
        assert colours == {style.WORSE, style.SAME, style.BETTER}
        assert "next data set" not in label
    else:
        assert colours == {style.SAME}
        assert result.centre in label
        assert result.foreseen in label


def test_heavy_tails_do_not_flatten_the_picture():
    # Two folds leave one degree of freedom: 0.999 of it lies within 16 points.
    table = lk.Scores.from_arrays([0.80, 0.81], [0.82, 0.86])
    result = lk.compare_folds(table, rope=0.01)
    ax = posterior(result, ax=Figure().subplots())
    left, right = ax.get_xlim()
    wide = result.hdi.high - result.hdi.low
    far = result.posterior.difference.interval(0.999)
    assert far.high - far.low > 40 * wide
    assert right - left < 3 * wide
    assert left < result.hdi.low < result.hdi.high < right


def test_light_tails_are_drawn_whole():
    table = lk.Scores.from_arrays(*np.random.default_rng(0).normal(0.8, 0.02, (2, 30)))
    result = lk.compare_folds(table, rope=0.01)
    ax = posterior(result, ax=Figure().subplots())
    every = np.concatenate([part for each in parts(ax).values() for part in each])
    low, high = result.posterior.difference.interval(0.999)
    assert every[:, 0].min() < low < high < every[:, 0].max()


def test_curve_inside_a_wide_rope_falls_to_nothing_where_the_law_does():
    table = lk.Scores.from_arrays(*np.random.default_rng(0).normal(0.8, 0.02, (2, 30)))
    result = lk.compare_folds(table, rope=0.1)
    ax = posterior(result, ax=Figure().subplots())
    points = np.concatenate(parts(ax)[style.SAME])
    upper = points[points[:, 1] > 0]
    law = result.posterior.difference
    assert upper[:, 1] == pytest.approx(law.pdf(upper[:, 0]), rel=1e-9)
    low, high = law.interval(0.9999)
    outside = (points[:, 0] < low) | (points[:, 0] > high)
    assert outside.any()
    assert points[outside, 1].max() < 0.01 * points[:, 1].max()


@pytest.mark.parametrize("better", [True, False])
def test_label_of_scores_says_what_is_subtracted(better):
    table = lk.Scores.from_arrays(
        [0.8, 0.81, 0.83], [0.82, 0.86, 0.85], higher_is_better=better
    )
    result = lk.compare_folds(table, rope=0.01)
    label = (
        "difference in score, second minus first"
        if better
        else "difference in score (less is better), first minus second"
    )
    assert posterior(result, ax=Figure().subplots()).get_xlabel() == label


@pytest.mark.parametrize("sets", [1, 4])
def test_identical_systems_on_folds(sets):
    ax, _ = drawn(lk.compare_folds(same_scores(sets=sets, folds=6), rope=0.01))
    left, right = ax.get_xlim()
    assert left < 0 < right
    assert left == pytest.approx(-right, rel=0.05)


# --- densities of both systems, metric by metric --------------------------------------

OF_A_CLASS = ("precision", "recall", "f1")
COUNTS = {
    "tp": [[80, 84], [78, 83], [81, 80]],
    "fp": [[20, 17], [22, 16], [18, 19]],
    "fn": [[20, 16], [22, 17], [21, 18]],
}


@cache
def results(*, systems=("a", "b"), metrics=OF_A_CLASS, **settings):
    rows = {name: [*x, *x[::-1]] for name, x in COUNTS.items()}
    table = lk.Outcomes.from_statistics(rows, systems=list(systems))
    return [
        lk.compare_folds(table, metric=metric, repetitions=3, **settings)
        for metric in metrics
    ]


@cache
def usual():
    """Draw the usual results, once for all tests that look at them."""
    return densities(results())


def lines(ax, style_):
    return [
        line
        for line in ax.lines
        if line.get_linestyle() == style_ and len(line.get_xdata()) > 2
    ]


def hdi_lines(ax):
    return [line for line in ax.lines if line.get_linewidth() == 3]


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_a_panel_per_metric():
    figure = usual()
    assert [ax.get_xlabel() for ax in figure.axes] == ["precision", "recall", "F1"]


def test_curves_are_the_laws():
    for ax, result in zip(usual().axes, results(), strict=True):
        for line, law in zip(lines(ax, "-"), result.posterior.systems, strict=True):
            x, y = line.get_data()
            assert max(law.cdf(x[0]), law.sf(x[-1])) < 0.001
            assert y == pytest.approx(law.pdf(np.asarray(x)))
            assert np.trapezoid(y, x) == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("mass", [0.8, 0.95])
def test_bars_are_the_hdis(mass):
    tested = results(mass=mass)
    figure = densities(tested)
    for ax, result in zip(figure.axes, tested, strict=True):
        intervals = [tuple(line.get_xdata()) for line in hdi_lines(ax)]
        hdis = [tuple(law.hdi(mass)) for law in result.posterior.systems]
        assert intervals == [pytest.approx(ends) for ends in hdis]
        assert all(max(line.get_ydata()) < 0 for line in hdi_lines(ax))
        assert f"{100 * mass:g} % HDI" in [t.get_text().strip() for t in ax.texts]


def test_the_variant_of_2015_stands_beside_it_with_dashes():
    plain, mean = results(), results(rho1=1, rho2=1)
    figure = densities(plain, beside=mean)
    for ax, ours, theirs in zip(figure.axes, plain, mean, strict=True):
        dashed = lines(ax, "--")
        for line, law in zip(dashed, theirs.posterior.systems, strict=True):
            x, y = line.get_data()
            assert y == pytest.approx(law.pdf(np.asarray(x)))
        for thin, wide in zip(lines(ax, "-"), dashed, strict=True):
            # The calibrated posterior is taller and thinner.
            assert max(thin.get_ydata()) > max(wide.get_ydata())
            assert np.ptp(thin.get_xdata()) < np.ptp(wide.get_xdata())
            assert thin.get_color() == wide.get_color()
        assert len(hdi_lines(ax)) == 2
        assert ours is not theirs
    assert legend(figure) == [
        "a",
        "b",
        "a (mean over folds)",
        "b (mean over folds)",
    ]


def test_two_systems_have_two_colours():
    first, second = lines(usual().axes[0], "-")
    assert (first.get_color(), second.get_color()) == (style.SAME, style.INK)
    assert legend(usual()) == ["a", "b"]


def test_draws_are_drawn_as_well():
    settings = {"method": "monte-carlo", "draws": 5000, "seed": 0}
    for ax in densities(results(**settings)).axes:
        for line in lines(ax, "-"):
            x, y = line.get_data()
            assert np.trapezoid(y, x) == pytest.approx(1, abs=0.01)


def test_one_metric():
    figure = densities(results(metrics=("f1",)))
    assert len(figure.axes) == 1


def test_nothing_to_draw_is_refused():
    with pytest.raises(SettingError, match="at least one comparison"):
        densities([])


LEGEND = ["$x^2$", r"$\frac{", "a_b", "_hidden", "e\u0301"]


@pytest.mark.parametrize("names", pairs(LEGEND))
def test_names_in_the_legend_are_not_read_as_mathematics(names):
    figure = densities(results(systems=names, metrics=("f1",)))
    FigureCanvasAgg(figure).draw()
    assert len(legend(figure)) == 2
    for name, text in zip(names, figure.legends[0].get_texts(), strict=True):
        read, is_maths = text._preprocess_math(text.get_text())
        assert is_maths is False
        assert name in read


@pytest.mark.parametrize(
    ("form", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_same_results_same_bytes(form, start):
    few = results(metrics=("f1",))
    first, second = (file_bytes(densities(few), form=form) for _ in range(2))
    assert first.startswith(start)
    assert first == second


def test_text_stays_inside_the_figure():
    figure = densities(results(), beside=results(rho1=1, rho2=1))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    texts = [text for ax in figure.axes for text in (*ax.texts, ax.xaxis.label)]
    for text in (*texts, *figure.legends[0].get_texts()):
        box = text.get_window_extent(renderer)
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height


# --- one estimate -----------------------------------------------------------------

LABELS, PREDICTED = [1, 1, 0, 0] * 25, [1, 0, 0, 0] * 25


@pytest.mark.parametrize("metric", ["recall", "f1", "macro_f1", "mcc"])
@pytest.mark.parametrize("method", [None, "bootstrap"])
def test_bar_and_line_stand_where_the_numbers_are(metric, method):
    result = lk.estimate(
        LABELS, PREDICTED, metric=metric, method=method, seed=0, draws=500
    )
    axes = style.new_figure(3.5).subplots()
    assert result.plot(ax=axes) is axes

    _, dotted, bar = axes.lines
    assert dotted.get_xdata()[0] == result.value
    assert list(bar.get_xdata()) == list(result.interval)
    assert formatting.number(result.value, result.decimals) in axes.get_title()
    assert any(text.get_text().startswith("95 %") for text in axes.texts)


def test_a_constant_has_a_plot():
    result = lk.estimate(np.ones(9), metric="mean", seed=0, draws=50)
    axes = style.new_figure(3.5).subplots()
    assert result.plot(ax=axes).get_xlabel() == "mean score of first"
