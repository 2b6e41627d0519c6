"""The posterior of a difference, with its HDI, rope and three probabilities."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likelier import wording
from likelier.distribution import Difference, Draws
from likelier.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from likelier.results import Comparison

FloatArray = NDArray[np.float64]
_BINS = 80


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
    first, second = (style.literal(name) for name in result.question.shown_systems)
    axes.set_title(
        style.literal(result.headline()), color=style.INK, fontsize=12, pad=34
    )
    axes.title.set_wrap(True)
    axes.set_xlabel(
        f"{style.literal(result.question.metric_name)}: {second} minus {first}"
        if result.question.metric not in ("error_rate", "mean_loss")
        else f"{style.literal(result.question.metric_name)}: {first} minus {second}"
    )
    style.plain_axes(axes)
    return axes


def _edges(result: "Comparison") -> tuple[float, float]:
    return (0.0, 0.0) if result.rope is None else (result.rope.low, result.rope.high)


def _density(ax: "Axes", result: "Comparison", low: float, high: float) -> None:
    """Fill the density in three colours that meet at the rope's ends."""
    difference = result.posterior.difference
    if isinstance(difference, Draws):
        top = _histogram(ax, difference, low, high)
    else:
        top = _curve(ax, difference, low, high)
    ax.set_ylim(-0.2 * top, 1.04 * top)
    if result.rope is not None:
        ax.axvspan(low, high, color=style.BAND, zorder=0, linewidth=0)


def _histogram(ax: "Axes", draws: Draws, low: float, high: float) -> float:
    """Draw bars that meet at the rope's ends, and give the height of the tallest."""
    values = draws.values
    least, most = (float(end) for end in np.quantile(values, [0.0005, 0.9995]))
    finest = 1e-9 * max(1.0, abs(least), abs(most))
    width = max(most - least, (high - low) / 2, finest) / _BINS
    half = 0.0 if high > low else width / 2
    inside = np.linspace(low - half, high + half, max(2, round((high - low) / width)))
    parts = (
        (low - _steps(low - most, low - least, width)[::-1], values < low, style.WORSE),
        (inside, (values >= low) & (values <= high), style.EQUIVALENT),
        (high + _steps(least - high, most - high, width), values > high, style.BETTER),
    )
    tallest = 0.0
    for edges, chosen, colour in parts:
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


def _curve(ax: "Axes", law: Difference, low: float, high: float) -> float:
    left, right = law.interval(0.999)
    points = np.unique(np.concatenate([np.linspace(left, right, 400), [low, high]]))
    density = law.pdf(points)
    for part, colour in (
        (points <= low, style.WORSE),
        ((points >= low) & (points <= high), style.EQUIVALENT),
        (points >= high, style.BETTER),
    ):
        ax.fill_between(points[part], density[part], color=colour, linewidth=0)
    return float(density.max())


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
