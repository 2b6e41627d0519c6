"""The posterior of a difference, with its HDI, rope and three probabilities."""

from typing import TYPE_CHECKING

import numpy as np

from likelier import wording
from likelier.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from likelier.results import Comparison

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
    _histogram(axes, result, low, high)
    axes.axvline(0, color=style.INK, linewidth=1, linestyle=":", zorder=3)
    _interval(axes, result)
    _probabilities(axes, result)
    first, second = (_literal(name) for name in result.question.shown_systems)
    axes.set_title(_literal(result.headline()), color=style.INK, fontsize=12, pad=34)
    axes.set_xlabel(
        f"{_literal(result.question.metric_name)}: {second} minus {first}"
        if result.question.metric not in ("error_rate", "mean_loss")
        else f"{_literal(result.question.metric_name)}: {first} minus {second}"
    )
    style.plain_axes(axes)
    return axes


def _edges(result: "Comparison") -> tuple[float, float]:
    return (0.0, 0.0) if result.rope is None else (result.rope.low, result.rope.high)


def _histogram(ax: "Axes", result: "Comparison", low: float, high: float) -> None:
    values = result.posterior.difference.values
    ends = np.quantile(values, [0.0005, 0.9995])
    width = max(float(ends[1] - ends[0]), (high - low) / 2, 1e-9) / _BINS
    # Bins meet the rope's ends, so that the colours show the three probabilities.
    start = low - width * np.ceil((low - ends[0]) / width)
    below = np.arange(start, low - width / 2, width) if ends[0] < low else np.array([])
    inside = np.linspace(low, high, max(2, round((high - low) / width) + 1))
    above = high + width * np.arange(1, max(1, np.ceil((ends[1] - high) / width)) + 1)
    bins = np.unique(np.concatenate([below, inside, above]))
    heights, _ = np.histogram(values, bins=bins)
    density = heights / np.diff(bins)
    middles = (bins[:-1] + bins[1:]) / 2
    colours = [
        style.WORSE if m < low else style.BETTER if m > high else style.EQUIVALENT
        for m in middles
    ]
    ax.bar(bins[:-1], density, np.diff(bins), align="edge", color=colours, linewidth=0)
    ax.set_ylim(-0.2 * density.max(), 1.04 * density.max())
    if result.rope is not None:
        ax.axvspan(low, high, color=style.BAND, zorder=0, linewidth=0)


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
        text = f"{name} {wording.percent(share, p.mcse(share))}"
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


def _literal(text: str) -> str:
    """Keep matplotlib from reading a name as mathematics."""
    return text.replace("$", r"\$")
