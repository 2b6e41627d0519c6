"""Plots of factors as data: prior and posterior, and their values at the null."""

from dataclasses import replace
from functools import cache
from math import inf

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from tests.plots.conftest import ENDS, assert_literal, assert_tidy, axes, crossed

import likelier as lk
from likelier.bayes_factor import BayesFactor
from likelier.decision import ThreeProbabilities
from likelier.distribution import Draws, Posterior
from likelier.errors import NotDefinedError
from likelier.plots import factor, style
from likelier.plots.figures import file_bytes

GOLD = ["y", "n"] * 100
FIRST = ["y", "y"] * 40 + ["y", "n"] * 60
SECOND = ["y", "n"] * 80 + ["n", "y"] * 20


@cache
def compared(
    *, rope=0.05, systems=("a", "b"), metric="accuracy", factor="rope", **settings
):
    return lk.compare(
        GOLD,
        FIRST,
        SECOND,
        metric=metric,
        systems=list(systems),
        rope=rope,
        factor=factor,
        **{"draws": 20_000, "seed": 0} | settings,
    )


def with_draws(values, **settings):
    draws = Draws(np.asarray(values, dtype=float))
    result, after = compared(**settings), Posterior((draws, draws), draws)
    before, _ = result.before_and_after
    return replace(result, posterior=after, before_and_after=(before, after))


def exact():
    """Return a comparison whose posterior and prior are exact laws."""
    rows = {"tp": [[80, 84]], "fp": [[20, 17]], "fn": [[20, 16]]}
    table = lk.Outcomes.from_statistics(rows, systems=["a", "b"])
    result = lk.compare(table, metric="f1", method="independent", rope=0.1)
    flat = {"tp": [[1, 1]], "fp": [[1, 1]], "fn": [[1, 1]]}
    blank = lk.Outcomes.from_statistics(flat, systems=["a", "b"])
    prior = lk.compare(blank, metric="f1", method="independent").posterior
    both = (prior, result.posterior)
    return replace(result, before_and_after=both, factor=BayesFactor(0.5))


def laws(result):
    """Return prior and posterior that the factor rests on, with their labels."""
    return zip(("prior", "posterior"), result.before_and_after, strict=True)


def curve(ax, label):
    """Return the points and heights of a density, those of the axis left out."""
    (line,) = (line for line in ax.lines if line.get_label() == label)
    x, height = (np.asarray(column, dtype=float) for column in line.get_data())
    return x, np.where(height > ax.get_ylim()[0] * 1.001, height, 0.0)


def mass(ax, label, low, high):
    x, height = curve(ax, label)
    inside = np.linspace(low, high, 2000)
    return float(np.trapezoid(np.interp(inside, x, height), inside))


def dots(ax):
    return [line for line in ax.lines if line.get_marker() not in ("None", "")]


@pytest.mark.parametrize("rope", [0.05, (-0.02, 0.1), 0.2])
def test_areas_in_the_rope_are_the_masses(rope):
    result = compared(rope=rope)
    ax = factor(result, ax=axes())
    ends = result.rope.low, result.rope.high
    for label, law in laws(result):
        share = ThreeProbabilities.of(law.difference, result.rope).equivalent
        assert mass(ax, label, *ends) == pytest.approx(share, abs=0.01)


def test_words_are_the_masses_and_the_evidence():
    result = compared()
    shares = [
        ThreeProbabilities.of(law.difference, result.rope) for _, law in laws(result)
    ]
    prior, posterior = (share.text(share.equivalent) for share in shares)
    assert factor(result, ax=axes()).get_title() == (
        f"{result.evidence_line()}\nwithin ±0.05: prior {prior} → posterior {posterior}"
    )


def test_the_posterior_is_that_of_the_proper_prior_and_the_title_names_it():
    result = compared()
    proper = compared(prior="uniform")
    assert result.settings.parameters["prior"] == "swap"
    assert result.factor.prior == "uniform"
    title = factor(result, ax=axes()).get_title()
    assert "prior uniform" in title.partition("\n")[0]
    for (_, one), (_, other) in zip(laws(result), laws(proper), strict=True):
        assert one.difference.hdi(0.9) == other.difference.hdi(0.9)
    assert proper.before_and_after[1].difference.hdi(
        0.9
    ) == proper.posterior.difference.hdi(0.9)


def test_band_is_the_rope():
    result = compared(rope=(-0.02, 0.1))
    ax = factor(result, ax=axes())
    (band,) = (p for p in ax.patches if to_hex(p.get_facecolor()) == style.ROPE)
    assert band.get_x() == -0.02
    assert band.get_x() + band.get_width() == pytest.approx(0.1)


@pytest.mark.parametrize("of", ["point", "kde"])
@pytest.mark.parametrize("rope", [None, 0.05])
def test_distance_of_the_dots_is_the_factor(of, rope):
    result = compared(factor=of, rope=rope)
    ax = factor(result, ax=axes())
    before, after = (float(dot.get_ydata()[0]) for dot in dots(ax))
    assert [float(dot.get_xdata()[0]) for dot in dots(ax)] == [0, 0]
    assert np.log10(after / before) == pytest.approx(result.factor.log10)
    near = 1e-6 if of == "kde" else 0.2  # the prior of a point null is exact
    assert np.interp(0.0, *curve(ax, "prior")) == pytest.approx(before, rel=near)
    assert not [p for p in ax.patches if to_hex(p.get_facecolor()) == style.ROPE]
    assert ax.get_title().startswith(f"{result.evidence_line()}\ndensity at 0: prior")


def test_dot_lies_on_the_posterior_where_there_are_draws():
    # With no difference in the data the draws themselves show the density at 0.
    as_good = ["y", "n"] * 60 + ["y", "y"] * 40
    result = lk.compare(GOLD, FIRST, as_good, metric="accuracy", factor="point", seed=0)
    ax = factor(result, ax=axes())
    _, after = dots(ax)
    height = np.interp(0.0, *curve(ax, "posterior"))
    assert float(after.get_ydata()[0]) == pytest.approx(height, rel=0.05)


def test_exact_laws_are_drawn_as_they_are():
    result = exact()
    ax = factor(result, ax=axes())
    for label, law in laws(result):
        x, heights = curve(ax, label)
        inside = heights > 0
        assert heights[inside] == pytest.approx(law.difference.pdf(x)[inside])
    assert_tidy(ax)


def test_prior_and_posterior_differ_without_colour():
    ax = factor(compared(), ax=axes())
    styles = {line.get_label(): line.get_linestyle() for line in ax.lines}
    assert (styles["prior"], styles["posterior"]) == ("--", "-")
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["posterior", "prior"]


@pytest.mark.parametrize(
    ("settings", "size"),
    crossed([{}, {"rope": 0.001}, {"rope": 0.5}, {"rope": None, "factor": "point"}]),
    ids=str,
)
def test_text_is_tidy_at_every_size(settings, size):
    assert_tidy(factor(compared(**settings), ax=axes(size)))


@pytest.mark.parametrize("size", ENDS)
def test_names_are_not_read_as_mathematics(size):
    ax = factor(compared(systems=("$x_1$", "_" + "b" * 80)), ax=axes(size))
    assert_tidy(ax)
    assert_literal(ax.xaxis.label)
    assert "…" in ax.get_xlabel()
    assert r"\$x_1\$" in ax.get_xlabel()


@pytest.mark.parametrize(
    ("case", "size"), crossed([(-inf, "v"), (-111.0, "v"), (inf, "^")])
)
def test_factor_far_beyond_the_axis_is_an_arrow_at_its_end(case, size):
    log, marker = case
    result = compared(rope=None, factor="point")
    result = replace(result, factor=BayesFactor(log, of="point"))
    ax = factor(result, ax=axes(size))
    _, after = dots(ax)
    assert after.get_marker() == marker
    low, high = ax.get_ylim()
    assert low <= float(after.get_ydata()[0]) <= high
    assert_tidy(ax)


@pytest.mark.parametrize("bound", ["at most", "at least"])
def test_bounds_are_in_the_title(bound):
    ax = factor(replace(compared(), factor=BayesFactor(-2.0, bound)), ax=axes("column"))
    assert bound in ax.get_title()
    assert_tidy(ax)


def test_identical_systems():
    settings = {"metric": "accuracy", "rope": 0.01, "factor": "rope", "seed": 0}
    result = lk.compare(GOLD, FIRST, FIRST, **settings)
    assert_tidy(factor(result, ax=axes()))


@pytest.mark.parametrize("value", [0.0, 0.05, 0.3])
def test_constant_posterior(value):
    ax = factor(with_draws(np.full(500, value)), ax=axes())
    low, high = ax.get_xlim()
    assert low < min(value, -0.05) < max(value, 0.05) < high
    assert_tidy(ax)


def test_without_a_factor_or_its_laws_it_says_what_is_missing():
    before = plt.get_fignums()
    missing = r"must have a Bayes factor(.|\n)*Hint: factor='rope' with a rope"
    for result in (
        compared(factor=None),
        compared(rope=None, factor=None),
        replace(compared(), before_and_after=None),
        replace(compared(), factor=None),
    ):
        with pytest.raises(NotDefinedError, match=missing):
            result.plot("factor")
    assert plt.get_fignums() == before


def test_without_axes_one_figure_is_opened():
    ax = compared().plot("factor")
    assert ax.figure.number in plt.get_fignums()
    plt.close(ax.figure)


def test_same_result_same_bytes():
    first, second = (
        file_bytes(factor(compared(), ax=axes()).figure, form="svg") for _ in range(2)
    )
    assert first == second
