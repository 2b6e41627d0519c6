"""Densities: of a difference, of both systems metric by metric, of an estimate."""

from itertools import pairwise
from math import ceil, inf
from typing import TYPE_CHECKING, Any

import numpy as np

from likelier import formatting
from likelier.density_curve import DensityCurve, window
from likelier.errors import SettingError
from likelier.plots import style, wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from likelier.interval import Interval
    from likelier.results.comparison import Comparison
    from likelier.results.estimate import Estimate
    from likelier.settings import Settings

# Width of the bar of an atom beside a curve, as a share of the picture.
_BAR = 0.014
# Panels beside each other on a page.
_PANELS = 3


def posterior(result: "Comparison", *, ax: "Axes") -> "Axes":
    """Draw the posterior of a difference with its HDI, rope and three probabilities.

    Parameters
    ----------
    result
        What `compare` returned.
    ax
        Where to draw.
    """
    law = result.posterior.difference
    curve = DensityCurve.of(law, *window(law, *result.hdi, 0.0, rope=result.rope))
    style.plain_axes(ax)
    ax.set_xlim(curve.x[0], curve.x[-1])
    style.band(ax, result.rope)
    _regions(ax, curve, result)
    note = _note(curve, result)
    _set_heights(ax, curve, note, above=2.9 if result.rope is None else 4.0)
    upright = [0, _top(curve)]
    style.line(ax, [0, 0], upright, style.INK, 0.8, linestyle=":", zorder=3)
    _interval(ax, result.hdi, result.end_texts())
    _probabilities(ax, result)
    wording.title(ax, wording.literal(result.headline()))
    wording.label_difference(ax, result.settings, note=note)
    return ax


def densities(
    results: "Sequence[Comparison]",
    *,
    beside: "Sequence[Comparison]" = (),
    width: str = "page",
) -> "Figure":
    """Draw the posterior of each system's metric with its HDI, a panel per metric.

    Parameters
    ----------
    results
        Comparisons of the same two systems, one per metric.
    beside
        The same by another method, drawn with dashes, such as the 2015 variant.
    width
        Width of the figure: column or page of a paper.

    References
    ----------
    Wang & Li (2019).
    """
    _check(results)
    columns = min(len(results), _PANELS) if width == "page" else 1
    rows = -(-len(results) // columns)
    high = 0.6 * style.width_named(width).height
    figure = style.new_figure(0.5 + high * rows, width)
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in panels[len(results) :]:
        axes.remove()
    for index, (axes, result) in enumerate(zip(panels, results, strict=False)):
        _systems(axes, result)
        if beside:
            _systems(axes, beside[index], dashed=True)
        style.plain_axes(axes)
        axes.locator_params(axis="x", nbins=5)
        wording.xlabel(axes, wording.literal(result.settings.metric_name))
    entries = panels[0].get_legend_handles_labels()
    look: dict[str, Any] = {"frameon": False, "fontsize": style.points(panels[0], 10)}
    ncols = 4 if columns > 2 else 2
    figure.legend(*entries, loc="outside upper left", ncols=ncols, **look)
    return figure


def estimate(result: "Estimate", *, ax: "Axes") -> "Axes":
    """Draw the distribution of one number, its interval and the observed value.

    Parameters
    ----------
    result
        What `estimate` returned.
    ax
        Where to draw.
    """
    law = result.distribution
    curve = DensityCurve.of(law, *window(law, result.value, *result.interval))
    style.plain_axes(ax)
    ax.fill_between(curve.x, curve.height, color=style.SAME_WASH, linewidth=0)
    style.line(ax, curve.x, curve.height, style.SOFT, 1)
    _bars(ax, curve, [{"facecolor": style.SAME}] * len(curve.atoms))
    upright = [0, _top(curve)]
    style.line(ax, [result.value] * 2, upright, style.INK, 0.8, linestyle=":")
    _set_heights(ax, curve)
    ends = (formatting.number(end, result.decimals) for end in result.interval)
    _interval(ax, result.interval, ends)
    value = formatting.number(result.value, result.decimals)
    wording.title(ax, f"{wording.literal(result.settings.metric_name)} {value}")
    wording.xlabel(ax, _estimate_label(ax, result.settings))
    return ax


def _estimate_label(ax: "Axes", settings: "Settings") -> str:
    if len(settings.systems) > 1:
        return wording.difference(ax, settings)
    return wording.literal(f"{settings.metric_name} of {settings.system_labels[0]}")


def _check(results: "Sequence[Comparison]") -> None:
    """Refuse comparisons without densities, or of different systems."""
    if not results:
        message = "There must be at least one comparison to draw; got none."
        raise SettingError(message)
    if len({result.settings.systems for result in results}) > 1:
        message = "A plot of densities must have the same two systems in all panels."
        raise SettingError(message, hint="Name two systems.")
    without = [r.settings.method for r in results if not r.system_laws]
    if without:
        message = f"Densities must be posteriors of both systems; got {without[0]}."
        raise SettingError(message, hint="plot() draws the posterior of a difference.")


def _note(curve: DensityCurve, result: "Comparison") -> str:
    """Write what bars are, and what the probabilities are of."""
    notes = []
    if curve.atoms and curve.height.any():
        share = f"{100 * sum(atom.share for atom in curve.atoms):.0f} %"
        only = len(curve.atoms) == 1
        where = f"exactly {curve.atoms[0].value:g}" if only else "at single values"
        notes.append(f"bar: {share} {where}")
    if result.posterior.regions is not None:
        notes.append(f"curve: {result.centre}")
        notes.append(f"percentages: the region that most of {result.foreseen} lies in")
    return "; ".join(notes)


def _top(curve: DensityCurve) -> float:
    """Return the height of a picture: that of the curve, or 1 where there is none."""
    return float(curve.height.max()) or 1.0


def _set_heights(
    ax: "Axes", curve: DensityCurve, note: str = "", *, above: float = 0.3
) -> None:
    """Leave room for the interval below a density, and for lines of letters above."""
    (width, height), size, top = style.extent(ax), style.points(ax, 10), _top(curve)
    lines = ceil(style.LETTER * size * len(note) / width)
    # What the layout will leave, less title and labels around the axes.
    left = 1.3 * height - (9.5 + 1.3 * lines) * size
    point = top / max(left - (above + 3) * size, 0.3 * height)
    ax.set_ylim(-3 * size * point, top + above * size * point)


def _regions(ax: "Axes", curve: DensityCurve, result: "Comparison") -> None:
    """Fill what is worse, equivalent and better, each with what tells it in grey."""
    low, high = style.ends(result.rope)
    # Where the probabilities are of the next data set, areas are not probabilities.
    direct = result.posterior.regions is None
    fills = style.REGIONS if direct else (style.REGIONS[1],) * 3
    ends = (-inf, low, high, inf)
    for (start, end), fill in zip(pairwise(ends), fills, strict=True):
        part = curve.between(start, end)
        ax.fill_between(part.x, part.height, **fill)
        style.line(ax, part.x, part.height, fill["facecolor"], 1)
    places = [(atom.value >= low) + (atom.value > high) for atom in curve.atoms]
    _bars(ax, curve, [fills[index] for index in places])


def _bars(ax: "Axes", curve: DensityCurve, fills: "Sequence[dict[str, Any]]") -> None:
    """Draw atoms as bars in proportion to their shares."""
    if not curve.atoms:
        return
    values, shares = (np.array(column) for column in zip(*curve.atoms, strict=True))
    width = _BAR * (curve.x[-1] - curve.x[0])
    if len(values) > 1 and not curve.height.any():
        width = 0.8 * float(np.diff(values).min())
    heights = _top(curve) * shares / shares.max()
    for value, height, fill in zip(values, heights, fills, strict=True):
        ax.bar(value, height, width, **fill)


def _interval(ax: "Axes", interval: "Interval", ends: "Iterable[str]") -> None:
    """Draw an interval below the density, with its ends and its name."""
    size, depth = style.points(ax, 9), 0.3 * ax.get_ylim()[0]
    look = {"zorder": 4, "solid_capstyle": "butt"}
    style.line(ax, [*interval], [depth] * 2, style.INK, 0.35 * size, **look)
    for end, text, side in zip(interval, ends, ("right", "left"), strict=True):
        text = f" {text.replace('-', '−')} "
        style.write(ax, end, depth, text, size, ha=side)
    name = formatting.interval_name(interval.kind, interval.mass)
    middle = (interval.low + interval.high) / 2
    below = {"va": "top", "color": style.SOFT}
    style.write_off(ax, middle, depth, -0.5 * size, name, fontsize=size, **below)


def _probabilities(ax: "Axes", result: "Comparison") -> None:
    """Write the probabilities over their regions, each with its word."""
    p, rope = result.probability, result.rope
    low, high = style.ends(rope)
    parts = [
        ((-inf, low), p.worse, "worse", style.WORSE_INK),
        ((low, high), p.equivalent, f"equivalent\n(within {rope})", style.SOFT),
        ((high, inf), p.better, "better", style.BETTER_INK),
    ]
    if rope is None:
        del parts[1]
    size = style.points(ax, 9)
    letters = [max(map(len, (*word.split("\n"), "> 99.9"))) for _, _, word, _ in parts]
    wide = style.LETTER * size / style.extent(ax)[0]
    left, right = ax.get_xlim()
    middles = [
        (np.clip(ends, left, right).mean() - left) / (right - left)
        for ends, *_ in parts
    ]
    places = style.spread(middles, [wide * (count + 1) for count in letters])
    for x, (_, share, word, colour) in zip(places, parts, strict=True):
        look = {"color": colour, "va": "top", "xycoords": ax.transAxes}
        bold = {"fontsize": 1.2 * size, "fontweight": "bold"}
        style.write_off(ax, x, 1.0, 0, p.text(share), **look, **bold)
        style.write_off(ax, x, 1.0, -1.5 * size, word, **look, fontsize=size)


def _systems(ax: "Axes", result: "Comparison", *, dashed: bool = False) -> None:
    """Draw the density of each system's metric, and its HDI below."""
    names, laws = result.settings.system_labels, result.system_laws
    for index, colour in enumerate((style.SAME, style.INK)):
        law, hdi = laws[index], result.system_intervals[index]
        curve = DensityCurve.of(law, *window(law, *hdi))
        name = wording.literal(names[index]) + (" (mean over folds)" if dashed else "")
        dashes = "--" if dashed else "-"
        style.line(ax, curve.x, curve.height, colour, 1.4, linestyle=dashes, label=name)
        if dashed:
            continue
        depth = -0.08 * (1 + index) * _top(curve)
        style.line(ax, [*hdi], [depth] * 2, colour, 3, solid_capstyle="butt")
        text = formatting.interval_name("hdi", result.mass) if index else ""
        look = {"ha": "left", "color": style.SOFT}
        style.write(ax, hdi.high, depth, f" {text}", style.points(ax, 8), **look)
