"""The partial order of many systems as a graph, the best on top."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from likelier.plots import labels, style
from likelier.plots.curves import Box, between

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from likelier.results import Order, Pairs

FloatArray = NDArray[np.float64]
Pair = tuple[str, str]

# Inches for a level of the graph.
_LEVEL = 0.75
# Points: letters are not made smaller than this.
_LEAST = 4.5
# The letters of a name that other names of its row must leave room for, and what its
# frame takes, as a multiple of the size of letters.
_USUAL_NAME, _PADDING = 12, 2.2
# How a line between two systems looks, and what it says.
_LOOKS: dict[str, dict[str, Any]] = {
    "below": {"color": style.INK, "linestyle": "-", "linewidth": 1.1},
    "≈": {"color": style.BETTER, "linestyle": "--", "linewidth": 1.1},
    "?": {"color": style.WORSE, "linestyle": ":", "linewidth": 1.3},
    "circle": {"color": style.WORSE, "linestyle": "-", "linewidth": 1.1},
}
_FRAME = {
    "boxstyle": "round,pad=0.45",
    "facecolor": "white",
    "edgecolor": style.FAINT,
    "linewidth": 0.8,
}
_TOLD = {
    "below": "line: better than the one below",
    "≈": "dashes: equivalent",
    "?": "dots: undecided",
    "circle": "arrows: to the better one, in a circle",
}


def order(pairs: "Pairs", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the order of many systems as a graph.

    Use this for three systems and more, above all where they are not a chain. A system
    stands above those that it is better than, joined by lines to the nearest of them;
    equivalent and undecided pairs have lines of their own. In a row of systems that
    are all alike, or all undecided, only neighbours are joined; and where more pairs
    are undecided than there are systems, these are not joined but counted below.

    Parameters
    ----------
    pairs
        What `compare_pairs` returned.
    ax
        Where to draw; by default a new figure, higher where there are more levels.
    """
    known = pairs.order
    axes = style.new_axes(height(pairs)) if ax is None else ax
    places = _places(known)
    _limits(axes, places)
    size = _letters(axes, places)
    boxes = _boxes(axes, places, size)
    drawn = _joined(known, places)
    for pair, kind in drawn.items():
        _line(axes, boxes, pair, kind, size)
    _words(axes, pairs, list(dict.fromkeys(drawn.values())))
    return axes


def height(pairs: "Pairs") -> float:
    """Give the inches that a figure of so many levels needs."""
    return 1.3 + _LEVEL * (1 + max(pairs.order.levels))


@dataclass(frozen=True)
class _Place:
    """Where a system stands: across from 0 to 1, up in levels, and in its row."""

    x: float
    level: int
    at: int
    of: int


def _places(known: "Order") -> dict[str, _Place]:
    """Put systems into rows, those that are alike beside each other."""
    rows: dict[int, list[str]] = defaultdict(list)
    for name, level in zip(known.systems, known.levels, strict=True):
        rows[level].append(name)
    for row in rows.values():
        _arrange(row, known)
    return {
        name: _Place((at + 0.5) / len(row), level, at, len(row))
        for level, row in rows.items()
        for at, name in enumerate(row)
    }


def _arrange(row: list[str], known: "Order") -> None:
    """Swap neighbours of a row while that leaves fewer lines to draw around others."""
    kinds = _kinds(known)
    best = len(_needless(row, kinds))
    moved = True
    while moved:
        moved = False
        for i, j in combinations(range(len(row)), 2):
            row[i], row[j] = row[j], row[i]
            found = len(_needless(row, kinds))
            if found > best:
                best, moved = found, True
            else:
                row[i], row[j] = row[j], row[i]


def _kinds(known: "Order") -> dict[frozenset[str], str]:
    """Give what is said of pairs that are not below one another."""
    alike = {frozenset(pair): "≈" for pair in known.equivalent}
    return alike | {frozenset(pair): "?" for pair in known.undecided}


def _needless(
    row: "Sequence[str]", kinds: "Mapping[frozenset[str], str]"
) -> set[frozenset[str]]:
    """Give pairs that need no line: what is between them is joined the same way."""
    found = set()
    for i, j in combinations(range(len(row)), 2):
        run = {kinds.get(frozenset(pair)) for pair in combinations(row[i : j + 1], 2)}
        if j > i + 1 and len(run) == 1 and None not in run:
            found.add(frozenset((row[i], row[j])))
    return found


def _joined(known: "Order", places: "Mapping[str, _Place]") -> dict[Pair, str]:
    """Give the pairs to join by a line, the lower first, and what each line says."""
    rows: dict[int, list[str]] = defaultdict(list)
    for name in sorted(places, key=lambda name: places[name].at):
        rows[places[name].level].append(name)
    kinds = _kinds(known)
    needless = set().union(*(_needless(row, kinds) for row in rows.values()))
    drawn: dict[Pair, str] = dict.fromkeys(known.covers, "below")
    # Among systems that are below each other in circles no line is a cover.
    _, label = connected_components(known.below, connection="strong")
    for i, j in np.argwhere(known.below & (label[:, None] == label)):
        drawn[known.systems[i], known.systems[j]] = "circle"
    wanted = [
        [pair for pair in chosen if frozenset(pair) not in needless]
        for chosen in (known.equivalent, known.undecided)
    ]
    drawn |= dict.fromkeys(wanted[0], "≈")
    # So many that nothing could be read are told below instead.
    if len(wanted[1]) <= len(known.systems):
        drawn |= dict.fromkeys(wanted[1], "?")
    return drawn


def _limits(ax: "Axes", places: "Mapping[str, _Place]") -> None:
    ax.set_xlim(0, 1)
    ax.set_ylim(-0.6, max(place.level for place in places.values()) + 0.6)
    ax.set_xticks([])
    ax.set_yticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)


def _letters(ax: "Axes", places: "Mapping[str, _Place]") -> float:
    """Give the size of letters that fit between levels, and into the fullest row."""
    width, height = style.extent(ax)
    low, high = ax.get_ylim()
    row = max(place.of for place in places.values())
    letters = min(max(style.width(name) for name in places), _USUAL_NAME)
    across = width / (row * (labels.LETTER * letters + _PADDING))
    usual = style.points(ax, 10)
    return max(min(usual, 0.3 * (height - 3 * usual) / (high - low), across), _LEAST)


def _boxes(ax: "Axes", places: "Mapping[str, _Place]", size: float) -> dict[str, Box]:
    """Write the names in frames, as long as a row has room for."""
    width, height = style.extent(ax)
    low, high = ax.get_ylim()
    boxes = {}
    for name, place in places.items():
        room = int((width / place.of - _PADDING * size) / (labels.LETTER * size))
        shown = style.shortened(name, min(max(room, 4), 30))
        ax.text(
            place.x,
            place.level,
            shown,
            color=style.INK,
            fontsize=size,
            ha="center",
            va="center",
            zorder=4,
            bbox=_FRAME,
        )
        wide = (labels.LETTER * style.width(shown) + 1.4) * size / width
        tall = 2.6 * size * (high - low) / height
        boxes[name] = Box(place.x, place.level, wide, tall)
    return boxes


def _line(
    ax: "Axes", boxes: dict[str, Box], pair: Pair, kind: str, size: float
) -> None:
    """Join two systems, around those that stand between them."""
    ends = boxes[pair[0]], boxes[pair[1]]
    others = [box for name, box in boxes.items() if name not in pair]
    curve, clear = between(*ends, others, ax.get_ylim())
    ax.plot(*curve.T, label=kind, zorder=2, **_LOOKS[kind])
    middle = len(curve) // 2
    if kind == "?" and clear:
        x, y = map(float, curve[middle])
        _mark(ax, x, y, size)
        # Marks are in the way of other lines as names are.
        wide = 2 * size / style.extent(ax)[0]
        boxes["\0".join(pair)] = Box(x, y, wide, ends[0].high)
    elif kind == "circle":
        _arrow(ax, curve[middle - 1], curve[middle + 1], size)


def _mark(ax: "Axes", x: float, y: float, size: float) -> None:
    """Write a question mark on a line."""
    ax.text(
        x,
        y,
        "?",
        color=style.WORSE,
        fontsize=0.9 * size,
        fontweight="bold",
        ha="center",
        va="center",
        zorder=3,
        bbox={"boxstyle": "circle,pad=0.1", "facecolor": "white", "linewidth": 0},
    )


def _arrow(ax: "Axes", start: FloatArray, end: FloatArray, size: float) -> None:
    """Draw the head of an arrow on a line."""
    look = {"arrowstyle": "-|>", "color": style.WORSE, "mutation_scale": size}
    head, tail = (end[0], end[1]), (start[0], start[1])
    ax.annotate("", head, tail, arrowprops={**look, "shrinkA": 0})


def _words(ax: "Axes", pairs: "Pairs", kinds: "Sequence[str]") -> None:
    """Let the title be the order, and say below what the lines are."""
    labels.title(ax, _title(ax, pairs))
    told = [_TOLD[kind] for kind in _TOLD if kind in kinds]
    told.append(f"least sure {pairs.least_sure()[1]}")
    if pairs.order.undecided and "?" not in kinds:
        told.append(f"the other {len(pairs.order.undecided)} pairs: undecided")
    labels.below(ax, ", ".join(labels.unbroken(part) for part in told))


def _title(ax: "Axes", pairs: "Pairs") -> str:
    known, size = pairs.order, style.points(ax, 11)
    metric = style.shortened(pairs.metric_name, labels.room(ax, 0.5, size))
    if known.chain is None:
        return f"{metric}: not all systems stand in one line"
    # Two lines for all names and the signs between them.
    most = max(6, labels.room(ax, 2.0, size) // len(known.systems) - 3)
    names = [style.shortened(name, most) for name in known.systems]
    steps = [
        f"{'≈' if known.alike[at, at + 1] else '<'} {name}"
        for at, name in enumerate(names[1:])
    ]
    but = f", {labels.unbroken('with exceptions')}" if known.exceptions else ""
    return f"{metric}: {' '.join([names[0], *steps])}{but}"
