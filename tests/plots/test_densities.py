"""The densities as data: what is drawn are the laws of the systems."""

from functools import cache

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import likelier as lk
from likelier.errors import SettingError
from likelier.plots import style
from likelier.plots.densities import densities
from likelier.plots.picture import saved

mpl.use("Agg")

METRICS = ("precision", "recall", "f1")
FOLDS = {
    "tp": [[80, 84], [78, 83], [81, 80]],
    "fp": [[20, 17], [22, 16], [18, 19]],
    "fn": [[20, 16], [22, 17], [21, 18]],
}


@cache
def results(*, systems=("a", "b"), metrics=METRICS, **settings):
    rows = {name: [*x, *x[::-1]] for name, x in FOLDS.items()}
    table = lk.outcomes.from_counts(rows, systems=list(systems))
    return [
        lk.bayes_test(table, metric=metric, repetitions=3, **settings)
        for metric in metrics
    ]


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
    figure = densities(results())
    assert [ax.get_xlabel() for ax in figure.axes] == ["precision", "recall", "F1"]


@pytest.mark.parametrize("place", range(3))
def test_curves_are_the_laws_between_their_quantiles(place):
    ax, result = densities(results()).axes[place], results()[place]
    for line, law in zip(lines(ax, "-"), result.posterior.systems, strict=True):
        x, y = line.get_data()
        assert law.cdf(x[0]) == pytest.approx(0.001, abs=1e-9)
        assert law.sf(x[-1]) == pytest.approx(0.001, abs=1e-9)
        assert y == pytest.approx(law.pdf(np.asarray(x)))
        assert np.trapezoid(y, x) == pytest.approx(0.998, abs=1e-3)


@pytest.mark.parametrize("mass", [0.8, 0.95])
def test_bars_are_the_hdis(mass):
    tested = results(mass=mass)
    figure = densities(tested)
    for ax, result in zip(figure.axes, tested, strict=True):
        shown = [tuple(line.get_xdata()) for line in hdi_lines(ax)]
        wanted = [tuple(law.hdi(mass)) for law in result.posterior.systems]
        assert shown == [pytest.approx(ends) for ends in wanted]
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
    first, second = lines(densities(results()).axes[0], "-")
    assert (first.get_color(), second.get_color()) == (style.WORSE, style.BETTER)
    assert legend(densities(results())) == ["a", "b"]


def test_draws_are_drawn_as_well():
    settings = {"method": "monte-carlo", "draws": 5000, "seed": 0}
    for ax in densities(results(**settings)).axes:
        for line in lines(ax, "-"):
            x, y = line.get_data()
            assert np.trapezoid(y, x) == pytest.approx(1, abs=0.1)


def test_one_metric():
    figure = densities(results(metrics=("f1",)))
    assert len(figure.axes) == 1


def test_nothing_to_draw_is_refused():
    with pytest.raises(SettingError, match="at least one comparison"):
        densities([])


@pytest.mark.parametrize("name", ["$x^2$", r"$\frac{", "a_b", "_hidden", "e\u0301"])
def test_names_are_not_read_as_mathematics(name):
    figure = densities(results(systems=(name, "b")))
    FigureCanvasAgg(figure).draw()
    shown = legend(figure)
    assert len(shown) == 2
    text = figure.legends[0].get_texts()[0]
    told, is_maths = text._preprocess_math(text.get_text())
    assert is_maths is False
    assert name in told


@pytest.mark.parametrize(
    ("form", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_same_results_same_bytes(form, start):
    first, second = (saved(densities(results()), form=form) for _ in range(2))
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
