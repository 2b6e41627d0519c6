"""Curves: chances against the number of items, factors against the prior."""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor, inf, isfinite, log10
from typing import TYPE_CHECKING

import numpy as np

from likelier import formatting
from likelier._typing import FloatArray
from likelier.errors import NotDefinedError
from likelier.plots import style, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.ticker import LogLocator

    from likelier.bayes_factor import BayesFactor
    from likelier.decision import Verdict
    from likelier.results.plan_report import Chances
    from likelier.results.sensitivity import Sensitivity

# Line, marker and whether it is filled, for one verdict of several plans.
_PLANS = (("-", "o", True), ("--", "s", False), ("-.", "^", True), (":", "D", False))
_END = "name at the end of a line"
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


def chances(
    result: "Chances",
    *,
    ax: "Axes",
    verdict: str | None = None,
    label: str | None = None,
) -> "Axes":
    """Draw the chance of each verdict against the number of items.

    Plans are compared by several calls with the same axes: choose one verdict, and
    name each plan with a label. Bands are two Monte-Carlo standard errors wide on
    either side.

    Parameters
    ----------
    result
        What `plan(...).chances(...)` returned.
    ax
        Where to draw.
    verdict
        The only verdict to draw, such as better, or decided for any clear one; by
        default all that came up.
    label
        The name of the plan, such as paired; by default lines are named by verdicts.
    """
    if verdict is not None:
        result.chance(verdict, result.sizes[0])  # refuses one that is none
    earlier = len(_named(ax))
    if verdict is None:
        for name in result.verdicts:
            text = name if label is None else f"{name} ({label})"
            _chance_line(ax, result, name, text, style.LOOKS[name], thin=earlier > 0)
    else:
        line, marker, filled = _PLANS[earlier % len(_PLANS)]
        look = style.LOOKS.get(verdict, style.LOOKS["decided"])
        look = replace(look, line=line, marker=marker, filled=filled)
        _chance_line(ax, result, verdict, label or verdict, look)
    # A title must hold for all plans on the ax.
    title = _assumption(ax, result)
    wording.title(ax, title if ax.get_title() == title or not earlier else "", pad=9)
    _set_chances(ax, verdict)
    _set_items(ax)
    _name_ends(ax)
    return ax


def sensitivity(result: "Sensitivity", *, ax: "Axes") -> "Axes":
    """Draw the difference, or the Bayes factor, under priors of different strength.

    Each point has its verdict above it, and bars are the interval. Of a factor, bars
    are two Monte-Carlo standard errors long on either side, and arrows stand for bounds
    and for factors without an end.

    Parameters
    ----------
    result
        What `sensitivity` returned.
    ax
        Where to draw.
    """
    if all(comparison.settings.factor is None for comparison in result.comparisons):
        return _differences(result, ax)
    points = _points(result)
    least, most = _ends(points)
    low, high = _reach(points, least, most)
    ax.set_ylim(low, high)
    style.open_axes(ax)
    strengths = [point.strength for point in points]
    _set_strengths(ax, strengths)
    _set_odds(ax, low, high)
    _jeffreys(ax, low, high)
    heights = [min(max(point.factor.log10, least), most) for point in points]
    ax.plot(strengths, heights, color=style.SOFT, linewidth=0.8, zorder=2)
    for point, y in zip(points, heights, strict=True):
        _draw_point(ax, point, y)
    _name_strengths(ax, result)
    wording.ylabel(ax, f"Bayes factor for {points[0].factor.null}")
    return ax


def _name_strengths(ax: "Axes", result: "Sensitivity") -> None:
    """Say whether the verdict depends on the prior, and what the axis is."""
    verdicts = list(dict.fromkeys(each.verdict.name for each in result.comparisons))
    remark = f"{verdicts[0]} under every prior"
    if len(verdicts) > 1:
        remark = "the verdict depends on the prior"
    wording.title(ax, wording.pairing(ax, result.settings, remark), pad=8)
    wording.xlabel(ax, "strength of the prior, 1 is the usual")


def _differences(result: "Sensitivity", ax: "Axes") -> "Axes":
    """Draw the mean difference and its interval under every prior."""
    size = style.points(ax, 10)
    style.open_axes(ax)
    _set_strengths(ax, result.strengths)
    for strength, each in zip(result.strengths, result.comparisons, strict=True):
        look, mean = (
            style.verdict_dot(each.verdict.name),
            each.posterior.difference.mean(),
        )
        low, high = each.hdi
        style.line(ax, [strength] * 2, [low, high], look.colour, 0.2 * size)
        ax.plot([strength], [mean], **look.marked(0.7 * size), zorder=3)
        text = {"color": look.colour, "fontsize": size, "fontweight": "bold"}
        style.write_off(ax, strength, high, 0.6 * size, each.verdict.symbol, **text)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.12 * (high - low))
    ax.axhline(0, color=style.SAME, linewidth=0.8, zorder=0)
    if result.settings.rope is not None:
        ends = (result.settings.rope.low, result.settings.rope.high)
        ax.axhspan(*ends, color=style.ROPE, zorder=-1)
    _name_strengths(ax, result)
    wording.ylabel(ax, wording.difference(ax, result.settings).replace(", ", ",\n", 1))
    wording.name_sides(ax, result.settings, upright=True)
    return ax


def _named(ax: "Axes") -> "list[Line2D]":
    """Return the lines that carry a name; matplotlib's own begin with a score."""
    return [line for line in ax.lines if not str(line.get_label()).startswith("_")]


def _chance_line(
    ax: "Axes",
    result: "Chances",
    verdict: str,
    label: str,
    look: style.Look,
    *,
    thin: bool = False,
) -> None:
    chance = np.array([result.chance(verdict, size) for size in result.sizes])
    spread = 2 * np.array([result.mcse(share) for share in chance])
    usual = style.points(ax, 9)
    size = usual * (0.6 if thin else 1.0)
    ax.plot(
        result.sizes,
        chance,
        label=wording.fit(ax, label, 0.5, usual),
        linestyle=look.line,
        linewidth=0.18 * size,
        **look.marked(0.55 * size),
        clip_on=False,
        zorder=3,
    )
    low, high = np.maximum(chance - spread, 0), np.minimum(chance + spread, 1)
    ax.fill_between(result.sizes, low, high, color=look.colour, alpha=0.13, linewidth=0)


def _assumption(ax: "Axes", result: "Chances") -> str:
    gap = formatting.number(result.assumed.difference, 4, signed=True)
    rope = result.settings.rope
    remarks = f"assumed difference {gap}", "no rope" if rope is None else f"rope {rope}"
    return wording.pairing(ax, result.settings, *remarks)


def _set_chances(ax: "Axes", verdict: str | None) -> None:
    style.open_axes(ax)
    ax.set_ylim(0, 1)
    shares = np.linspace(0, 1, 5)
    ax.set_yticks(shares, [f"{100 * share:.0f} %" for share in shares])
    ax.grid(axis="y", color=style.ROPE, linewidth=0.6)
    ax.set_axisbelow(True)
    clear = "a clear verdict" if verdict == "decided" else f"the verdict {verdict}"
    wording.ylabel(ax, f"chance of {'the verdict' if verdict is None else clear}")
    wording.xlabel(ax, "items")


def _set_items(ax: "Axes") -> None:
    """Set the axis of sizes, logarithmic where they span more than a decade."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

    sizes = np.unique(np.concatenate([_data(line)[0] for line in _named(ax)]))
    least, most = float(sizes[0]), float(sizes[-1])
    longest = max(wording.width(str(line.get_label())) for line in _named(ax))
    letters = style.room(ax, 1.05, style.points(ax, 9)) - longest
    count = max(2, letters // (3 + len(f"{most:,.0f}")))
    if most > 10 * least:
        ax.set_xscale("log")
        ax.set_xlim(least / (most / least) ** 0.03, most)
        ax.xaxis.set_major_locator(_decades(least, most, count))
        ax.xaxis.set_minor_locator(NullLocator())
    elif most > least:
        ax.set_xlim(least - 0.03 * (most - least), most)
        ax.xaxis.set_major_locator(MaxNLocator(count, integer=True))
    else:
        ax.set_xlim(0, most)
        ax.set_xticks([most])
    ax.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:,.0f}"))


def _decades(least: float, most: float, count: int) -> "LogLocator":
    """Return ticks of a logarithmic axis, about as many as there is room for."""
    from matplotlib.ticker import LogLocator

    each = count / log10(most / least)
    subs = (1.0, 2.0, 5.0) if each >= 3.4 else (1.0, 3.0) if each >= 2.2 else (1.0,)
    return LogLocator(subs=subs, numticks=max(count, 2))


def _data(line: "Line2D") -> tuple[FloatArray, FloatArray]:
    x, y = line.get_data()
    return np.asarray(x, dtype=float), np.asarray(y, dtype=float)


def _name_ends(ax: "Axes") -> None:
    """Name all lines at their right ends, also those of earlier calls."""
    for old in [text for text in ax.texts if text.get_label() == _END]:
        old.remove()
    lines, height = _named(ax), style.extent(ax)[1]
    size = min(style.points(ax, 9), 0.7 * height / len(lines))
    ends = [(float(x[-1]), float(y[-1])) for x, y in map(_data, lines)]
    levels = move_apart([y for _, y in ends], 1.45 * size / height)
    for line, end, level in zip(lines, ends, levels, strict=True):
        colour = line.get_color()
        lead = {"arrowstyle": "-", "color": colour, "linewidth": 0.5, "shrinkA": 1}
        name = ax.annotate(
            str(line.get_label()),
            end,
            (1.06, level),
            textcoords=ax.transAxes,
            color=colour,
            fontsize=size,
            va="center",
            arrowprops={**lead, "shrinkB": 4, "relpos": (0, 0.5)},
        )
        name.set_label(_END)


def move_apart(levels: list[float], gap: float) -> FloatArray:
    """Move levels apart until no two are closer than a gap, in the same order."""
    # Of equal levels the first is the highest, as in a list.
    order = np.lexsort((-np.arange(len(levels)), np.asarray(levels)))
    steps = gap * np.arange(len(levels))
    # Less its steps, a row that keeps the gap is one that does not fall.
    flat = np.maximum.accumulate(np.asarray(levels)[order] - steps)
    moved = np.empty(len(levels))
    moved[order] = np.minimum(flat, 1 - steps[-1]) + steps
    return moved


@dataclass(frozen=True, eq=False)
class _Point:
    """Factor and verdict under one prior."""

    strength: float
    factor: "BayesFactor"
    verdict: "Verdict"

    @property
    def spread(self) -> float:
        """Two Monte-Carlo standard errors."""
        return 2 * self.factor.mcse if isfinite(self.factor.mcse) else 0.0

    @property
    def endless(self) -> bool:
        """Whether the factor is infinite or 0."""
        return not isfinite(self.factor.log10)

    @property
    def arrow(self) -> int:
        """Direction in which the factor may lie farther out: 1 up, -1 down, or 0."""
        if self.endless:
            return 1 if self.factor.log10 > 0 else -1
        return {"at least": 1, "at most": -1}.get(self.factor.bound, 0)


def _points(result: "Sensitivity") -> list[_Point]:
    pairs = zip(result.strengths, result.comparisons, strict=True)
    points = [_Point(s, c.factor, c.verdict) for s, c in pairs if c.factor is not None]
    if not points:
        message = "There must be a Bayes factor under some prior to draw; got none."
        hint = "Use more draws, or factor='point' for accuracy, recall and specificity."
        raise NotDefinedError(message, hint=hint)
    return points


def _ends(points: "Sequence[_Point]") -> tuple[float, float]:
    """Return the least and the largest factor, where those without an end stand."""
    finite = [point for point in points if not point.endless]
    low = min((p.factor.log10 - p.spread for p in finite), default=0.0)
    high = max((p.factor.log10 + p.spread for p in finite), default=0.0)
    beyond = max(1.0, 0.2 * (high - low))
    low -= beyond * any(point.factor.log10 == -inf for point in points)
    high += beyond * any(point.factor.log10 == inf for point in points)
    more = max(_LEAST_SPAN - (high - low), 0) / 2
    return low - more, high + more


def _reach(
    points: "Sequence[_Point]", least: float, most: float
) -> tuple[float, float]:
    """Return the ends of the axis, with room for arrows, zeros and verdicts."""
    below = 0.35 if any(point.factor.log10 == -inf for point in points) else 0.15
    above = 0.4 if any(point.arrow > 0 for point in points) else 0.25
    return least - below * (most - least), most + above * (most - least)


def _set_strengths(ax: "Axes", strengths: "Sequence[float]") -> None:
    from matplotlib.ticker import NullLocator

    ax.set_xscale("log")
    least, most = min(strengths), max(strengths)
    wide = max((most / least) ** 0.06, 1.3)
    ax.set_xlim(least / wide, most * wide)
    ax.xaxis.set_minor_locator(NullLocator())
    letters = style.room(ax, 0.75, style.points(ax, 9))
    decades, named = log10(most / least * wide**2), [least]
    for strength in strengths:
        needed = decades * (len(f"{strength:g}") + 2) / letters
        if log10(strength / named[-1]) >= needed:
            named.append(strength)
    ax.set_xticks(named, [f"{strength:g}" for strength in named])
    if least < 1 < most:
        ax.axvline(1, color=style.SOFT, linewidth=0.8, linestyle=":", zorder=1)


def _set_odds(ax: "Axes", low: float, high: float) -> None:
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
    ax.yaxis.set_major_formatter(FuncFormatter(lambda tick, _: _odds(tick)))


def _odds(tick: float) -> str:
    size = abs(tick)
    large = f"{10**size:,.0f}" if size < 5 else f"1e{size:.0f}"
    return f"{large} : 1" if tick >= 0 else f"1 : {large}"


def _jeffreys(ax: "Axes", low: float, high: float) -> None:
    """Draw where Jeffreys' words change, and write those that have room."""
    for step in _STEPS:
        if low < step < high:
            colour = style.SAME if step == 0 else style.ROPE
            ax.axhline(step, color=colour, linewidth=0.8, zorder=0)
    size = style.points(ax, 8)
    needed = 1.25 * size * (high - low) / style.extent(ax)[1]
    for lower, upper in pairwise([-inf, *_STEPS, inf]):
        start, end = max(lower, low), min(upper, high)
        if end - start >= needed:
            word = f"{_WORDS[lower]} for" if lower >= 0 else f"{_WORDS[-upper]} against"
            style.write_right(ax, (start + end) / 2, word, size, color=style.SOFT)


def _draw_point(ax: "Axes", point: _Point, y: float) -> None:
    """Draw a point with its error or arrow, and its verdict above."""
    look, size = style.verdict_dot(point.verdict.name), style.points(ax, 10)
    x, up = point.strength, point.arrow > 0
    ax.errorbar(
        [x],
        [y],
        yerr=[point.spread],
        **look.marked(0.7 * size),
        elinewidth=0.12 * size,
        capsize=0.2 * size,
        zorder=3,
    )
    text = {"color": look.colour, "fontsize": size}
    if point.arrow:
        arrow = {"arrowstyle": "<-", "color": look.colour, "shrinkA": 0, "shrinkB": 0}
        style.write_off(ax, x, y, 1.9 * size * point.arrow, "", arrowprops=arrow)
    if point.endless:
        number, below = ("∞", -0.6) if up else ("0", -2.0)
        style.write_off(ax, x, y, below * size, number, va="top", **text)
    above = 0.6 * size + (1.4 * size if up else 0)
    symbol = point.verdict.symbol
    style.write_off(ax, x, y + point.spread, above, symbol, fontweight="bold", **text)
