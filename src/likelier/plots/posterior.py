"""The posterior of a difference, with its HDI, rope and three probabilities."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likelier import wording
from likelier.distribution import Difference, Draws
from likelier.interval import Interval
from likelier.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from likelier.results import Comparison

FloatArray = NDArray[np.float64]
Colours = tuple[str, str, str]

_BINS = 80
_COLOURS = (style.WORSE, style.EQUIVALENT, style.BETTER)
# How far a density is drawn beyond its middle 95 %, as a multiple of that; a normal
# one is drawn whole.
_REACH = 0.75


def posterior(result: "Comparison", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the posterior of the difference of a comparison.

    Parameters
    ----------
    result
        What `compare` returned.
    ax
        Where to draw; a new figure by default.
    """
    axes = style.new_axes() if ax is None else ax
    low, high = _edges(result)
    _density(axes, result, low, high)
    axes.axvline(0, color=style.INK, linewidth=1, linestyle=":", zorder=3)
    _interval(axes, result)
    _probabilities(axes, result)
    axes.set_title(
        style.literal(result.headline()), color=style.INK, fontsize=12, pad=34
    )
    axes.title.set_wrap(True)
    axes.set_xlabel(_label(result))
    style.plain_axes(axes)
    return axes


def turned(result: "Comparison") -> bool:
    """Say whether the difference is the first minus the second: less is better."""
    known = ("error_rate", "mean_loss")
    return result.question.metric in known or result.question.less_is_better


def _label(result: "Comparison") -> str:
    """Say what is taken from what, and what the probabilities are of."""
    names = [style.literal(name) for name in result.question.shown_systems]
    first, second = reversed(names) if turned(result) else names
    said = f"{style.literal(result.question.metric_name)}: {second} minus {first}"
    if result.posterior.regions is None:
        return said
    return (
        f"{said}, {result.centre}\n"
        f"(percentages: the region that most of {result.foreseen} lies in)"
    )


def _edges(result: "Comparison") -> tuple[float, float]:
    return (0.0, 0.0) if result.rope is None else (result.rope.low, result.rope.high)


def _density(ax: "Axes", result: "Comparison", low: float, high: float) -> None:
    """Fill the density in three colours that meet at the rope's ends."""
    difference = result.posterior.difference
    # Where the probabilities are of the next data set, areas are not probabilities.
    colours = _COLOURS if result.posterior.regions is None else (style.EQUIVALENT,) * 3
    if isinstance(difference, Draws):
        top = _histogram(ax, difference, (low, high), colours)
    else:
        top = _curve(ax, result, (low, high), colours)
    ax.set_ylim(-0.2 * top, 1.04 * top)
    if result.rope is not None:
        ax.axvspan(low, high, color=style.BAND, zorder=0, linewidth=0)


def _histogram(
    ax: "Axes", draws: Draws, ends: tuple[float, float], colours: Colours
) -> float:
    """Draw bars that meet at the rope's ends, and give the height of the tallest."""
    values, (low, high) = draws.values, ends
    least, most = (float(end) for end in np.quantile(values, [0.0005, 0.9995]))
    finest = 1e-9 * max(1.0, abs(least), abs(most))
    width = max(most - least, (high - low) / 2, finest) / _BINS
    half = 0.0 if high > low else width / 2
    inside = np.linspace(low - half, high + half, max(2, round((high - low) / width)))
    parts = (
        (low - _steps(low - most, low - least, width)[::-1], values < low),
        (inside, (values >= low) & (values <= high)),
        (high + _steps(least - high, most - high, width), values > high),
    )
    tallest = 0.0
    for (edges, chosen), colour in zip(parts, colours, strict=True):
        if chosen.any() and len(edges) > 1:
            height = np.histogram(values[chosen], bins=edges)[0] / np.diff(edges)
            ax.bar(edges[:-1], height, np.diff(edges), align="edge", color=colour)
            tallest = max(tallest, float(height.max()))
    return tallest


def _steps(near: float, far: float, width: float) -> FloatArray:
    """Give the edges of bars from an end of the rope outwards, where draws are."""
    if far <= 0:
        return np.zeros(0)
    first = int(max(near, 0.0) // width)
    last = max(first + 1, int(np.ceil(far / width)))
    return np.float64(width) * np.arange(first, last + 1)


def _curve(
    ax: "Axes", result: "Comparison", ends: tuple[float, float], colours: Colours
) -> float:
    """Fill a density between its outer parts, and give its height."""
    law, (low, high) = result.posterior.difference, ends
    left, right = _window(law, result.hdi)
    outside = [np.linspace(low, left, 100), np.linspace(right, high, 100)]
    beyond = [part for part in outside if part[0] < part[-1]]
    inside = [end for end in ends if left < end < right]
    points = np.unique(np.concatenate([np.linspace(left, right, 400), inside, *beyond]))
    density = law.pdf(points)
    parts = points <= low, (points >= low) & (points <= high), points >= high
    for part, colour in zip(parts, colours, strict=True):
        ax.fill_between(points[part], density[part], color=colour, linewidth=0)
    return float(density.max())


def _window(law: Difference, hdi: Interval) -> tuple[float, float]:
    """Give the stretch to draw: heavy tails end where next to nothing is to be seen."""
    low, high = law.interval(0.95)
    reach = _REACH * (high - low)
    left, right = law.interval(0.999)
    ends = max(left, low - reach), min(right, high + reach)
    return min(ends[0], hdi.low), max(ends[1], hdi.high)


def _interval(ax: "Axes", result: "Comparison") -> None:
    hdi, show = result.hdi, result.decimals
    height = ax.get_ylim()[0] * 0.3
    ax.plot([hdi.low, hdi.high], [height] * 2, color=style.INK, linewidth=4, zorder=4)
    name = wording.interval_name("hdi", result.mass)
    for end, side in ((hdi.low, "right"), (hdi.high, "left")):
        text = f" {wording.number(end, show, signed=True)} "
        ax.text(end, height, text, ha=side, va="center", color=style.INK, fontsize=9)
    middle, under = (hdi.low + hdi.high) / 2, height * 1.5
    ax.text(middle, under, name, ha="center", va="top", color=style.INK, fontsize=9)


def _probabilities(ax: "Axes", result: "Comparison") -> None:
    p = result.probability
    parts = [
        (0.0, "left", "worse", p.worse, style.WORSE),
        (1.0, "right", "better", p.better, style.BETTER),
    ]
    if result.rope is not None:
        name = f"equivalent (within {result.rope})"
        parts.append((0.5, "center", name, p.equivalent, style.FAINT))
    for x, side, name, share, colour in parts:
        text = f"{name} {p.shown(share)}"
        ax.text(
            x,
            1.04,
            text,
            ha=side,
            va="bottom",
            color=colour,
            transform=ax.transAxes,
            fontweight="bold",
            fontsize=10,
        )
