"""The Bayes factor against the strength of the prior."""

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, inf, isfinite, log10
from typing import TYPE_CHECKING

from likelier.errors import NotDefinedError
from likelier.plots import labels, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from likelier.decision import Verdict
    from likelier.evidence import BayesFactor
    from likelier.results import Sensitivity

# Where Jeffreys' words begin; below 0 they are mirrored.
_WORDS = {
    0.0: "anecdotal",
    log10(3): "substantial",
    1.0: "strong",
    log10(30): "very strong",
    2.0: "decisive",
}
_STEPS = sorted({*_WORDS, *(-step for step in _WORDS)})
# The fewest decades to show: less would make much of little.
_LEAST_SPAN = 1.6


def sensitivity(result: "Sensitivity", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the Bayes factor under priors of different strength.

    Bars are two Monte-Carlo standard errors long on either side, arrows stand for
    bounds and for factors without an end, and each point has its verdict above it.

    Parameters
    ----------
    result
        What `sensitivity` returned.
    ax
        Where to draw; a new figure by default.
    """
    points = _points(result)
    axes = style.new_axes() if ax is None else ax
    ends = _ends(points)
    low, high = _reach(points, *ends)
    axes.set_ylim(low, high)
    style.open_axes(axes)
    strengths = [point.strength for point in points]
    _strengths(axes, strengths)
    _odds(axes, low, high)
    _jeffreys(axes, low, high)
    places = [_place(point, *ends) for point in points]
    axes.plot(strengths, places, color=style.FAINT, linewidth=0.8, zorder=2)
    for point, place in zip(points, places, strict=True):
        _draw(axes, point, place)
    labels.title(axes, _told(result, axes), pad=8)
    labels.below(axes, "strength of the prior, as a multiple of the usual one")
    labels.beside(axes, f"Bayes factor for {points[0].factor.null}")
    return axes


@dataclass(frozen=True, eq=False)
class _Point:
    """A factor and a verdict under one prior."""

    strength: float
    factor: "BayesFactor"
    verdict: "Verdict"

    @property
    def spread(self) -> float:
        """Two Monte-Carlo standard errors."""
        return 2 * self.factor.mcse if isfinite(self.factor.mcse) else 0.0

    @property
    def arrow(self) -> int:
        """Which way the factor may lie farther out: up 1, down -1, or neither 0."""
        if not isfinite(self.factor.log10):
            return 1 if self.factor.log10 > 0 else -1
        return {"at least": 1, "at most": -1}.get(self.factor.bound, 0)


def _points(result: "Sensitivity") -> list[_Point]:
    pairs = zip(result.strengths, result.comparisons, strict=True)
    points = [_Point(s, c.factor, c.verdict) for s, c in pairs if c.factor is not None]
    if not points:
        message = "There must be a Bayes factor under some prior to draw; got none."
        hint = "Give a rope, or factor='point' for accuracy, recall and specificity."
        raise NotDefinedError(message, hint=hint)
    return points


def _ends(points: "Sequence[_Point]") -> tuple[float, float]:
    """Give the least and the largest factor, where those without an end stand."""
    known = [point for point in points if isfinite(point.factor.log10)]
    low = min((p.factor.log10 - p.spread for p in known), default=0.0)
    high = max((p.factor.log10 + p.spread for p in known), default=0.0)
    beyond = max(1.0, 0.2 * (high - low))
    low -= beyond * any(point.factor.log10 == -inf for point in points)
    high += beyond * any(point.factor.log10 == inf for point in points)
    more = max(_LEAST_SPAN - (high - low), 0) / 2
    return low - more, high + more


def _reach(
    points: "Sequence[_Point]", least: float, most: float
) -> tuple[float, float]:
    """Give the ends of the axis, with room for arrows, zeros and verdicts."""
    below = 0.35 if any(point.factor.log10 == -inf for point in points) else 0.15
    above = 0.4 if any(point.arrow > 0 for point in points) else 0.25
    return least - below * (most - least), most + above * (most - least)


def _place(point: _Point, least: float, most: float) -> float:
    at = point.factor.log10
    return at if isfinite(at) else min(max(at, least), most)


def _strengths(ax: "Axes", strengths: "Sequence[float]") -> None:
    from matplotlib.ticker import NullLocator

    ax.set_xscale("log")
    least, most = min(strengths), max(strengths)
    wide = max((most / least) ** 0.06, 1.3)
    ax.set_xlim(least / wide, most * wide)
    ax.xaxis.set_minor_locator(NullLocator())
    letters = labels.room(ax, 0.75, style.points(ax, 9))
    decades, named = log10(most / least * wide**2), [least]
    for strength in strengths:
        needed = decades * (len(f"{strength:g}") + 2) / letters
        if log10(strength / named[-1]) >= needed:
            named.append(strength)
    ax.set_xticks(named, [f"{strength:g}" for strength in named])
    if least < 1 < most:
        ax.axvline(1, color=style.FAINT, linewidth=0.8, linestyle=":", zorder=1)


def _odds(ax: "Axes", low: float, high: float) -> None:
    """Write factors as odds: where Jeffreys' words change, or else at whole powers."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    room = style.extent(ax)[1] / style.points(ax, 9)
    powers = {tick for tick in range(ceil(low), floor(high) + 1) if abs(tick) > 2}
    steps = sorted({step for step in _STEPS if low < step < high} | powers)
    if len(steps) > 1 and 0.47 * room / (high - low) > 1.3:
        ax.set_yticks(steps)
    else:
        most = max(2, min(8, int(room / 2)))
        ax.yaxis.set_major_locator(MaxNLocator(most, integer=True))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda tick, _: _written(tick)))


def _written(tick: float) -> str:
    size = abs(tick)
    large = f"{10**size:,.0f}" if size < 5 else f"1e{size:.0f}"
    return f"{large} : 1" if tick >= 0 else f"1 : {large}"


def _jeffreys(ax: "Axes", low: float, high: float) -> None:
    """Draw where Jeffreys' words change, and write those that have room."""
    for step in _STEPS:
        if low < step < high:
            colour = style.EQUIVALENT if step == 0 else style.BAND
            ax.axhline(step, color=colour, linewidth=0.8, zorder=0)
    size = style.points(ax, 8)
    needed = 1.25 * size * (high - low) / style.extent(ax)[1]
    bounds = [-inf, *_STEPS, inf]
    for lower, upper in pairwise(bounds):
        start, end = max(lower, low), min(upper, high)
        if end - start < needed:
            continue
        ax.text(
            1.01,
            (start + end) / 2,
            _word(lower, upper),
            transform=ax.get_yaxis_transform(),
            color=style.FAINT,
            fontsize=size,
            va="center",
        )


def _word(lower: float, upper: float) -> str:
    """Name the evidence between two steps."""
    return f"{_WORDS[lower]} for" if lower >= 0 else f"{_WORDS[-upper + 0.0]} against"


def _draw(ax: "Axes", point: _Point, place: float) -> None:
    """Draw a point with its error or arrow, and its verdict above."""
    look, size = style.LOOKS[point.verdict.name], style.points(ax, 10)
    ax.errorbar(
        [point.strength],
        [place],
        yerr=[point.spread],
        color=look.colour,
        marker=look.marker,
        markersize=0.7 * size,
        markerfacecolor=look.colour if look.filled else "white",
        elinewidth=0.12 * size,
        capsize=0.2 * size,
        zorder=3,
    )
    if point.arrow:
        _arrow(ax, point, place, size)
    if not isfinite(point.factor.log10):
        _endless(ax, point, place, size)
    _symbol(ax, point, place, size)


def _symbol(ax: "Axes", point: _Point, place: float, size: float) -> None:
    above = 0.6 * size + (1.4 * size if point.arrow > 0 else 0)
    ax.annotate(
        point.verdict.symbol,
        (point.strength, place + point.spread),
        (0, above),
        textcoords="offset points",
        color=style.LOOKS[point.verdict.name].colour,
        fontsize=size,
        fontweight="bold",
        ha="center",
    )


def _arrow(ax: "Axes", point: _Point, place: float, size: float) -> None:
    colour = style.LOOKS[point.verdict.name].colour
    ax.annotate(
        "",
        (point.strength, place),
        (0, 1.9 * size * point.arrow),
        textcoords="offset points",
        arrowprops={"arrowstyle": "<-", "color": colour, "shrinkA": 0, "shrinkB": 0},
    )


def _endless(ax: "Axes", point: _Point, place: float, size: float) -> None:
    """Write a factor without an end below its point, or below its arrow."""
    rising = point.arrow > 0
    ax.annotate(
        "∞" if rising else "0",
        (point.strength, place),
        (0, -0.6 * size if rising else -2.0 * size),
        textcoords="offset points",
        color=style.LOOKS[point.verdict.name].colour,
        fontsize=size,
        ha="center",
        va="top",
    )


def _told(result: "Sensitivity", ax: "Axes") -> str:
    verdicts = list(dict.fromkeys(c.verdict.name for c in result.comparisons))
    asked = labels.asked(result.usual.question, ax)
    if len(verdicts) == 1:
        said = f"{verdicts[0]} under every prior"
    else:
        said = "the verdict depends on the prior"
    return f"{asked}: {labels.unbroken(said)}"
