"""Partial order of many systems as a graph, the best on top."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from likelier._typing import FloatArray
from likelier.plots import style, wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes

    from likelier.results.order import Order
    from likelier.results.ranking import Ranking

Pair = tuple[str, str]

# Inches for a level of the graph.
_LEVEL = 0.6
# Points: letters are not made smaller than this.
_LEAST = 5.0
# The letters of a name that other names of its row must leave room for, and what its
# frame takes, as a multiple of the size of letters.
_USUAL_NAME, _PADDING = 12, 2.2
# How far a line is bent aside, of the width of the axes.
_BENDS = (0.0, 0.12, -0.12, 0.18, -0.18, 0.24, -0.24, 0.32, -0.32)
# A bend up or down, in levels, beside one to the left or right.
_UPRIGHT = 2.4
_POINTS = 61
# Line between two systems, by what it says.
_LOOKS: dict[str, dict[str, Any]] = {
    "below": {"color": style.INK, "linestyle": "-", "linewidth": 1.1},
    "≈": {"color": style.EDGE, "linestyle": "--", "linewidth": 1.1},
    "?": {"color": style.INK, "linestyle": ":", "linewidth": 1.3},
    "circle": {"color": style.WORSE, "linestyle": "-", "linewidth": 1.1},
}
_KEY = {
    "below": "line: better than the one below",
    "≈": "dashes: equivalent",
    "?": "dots: undecided",
    "circle": "arrows: to the better one, in a circle",
}
_FRAME = {
    "boxstyle": "round,pad=0.45",
    "facecolor": "white",
    "edgecolor": style.EDGE,
    "linewidth": 0.8,
}
_MARK = {"boxstyle": "circle,pad=0.1", "facecolor": "white", "linewidth": 0}


def order(ranking: "Ranking", *, ax: "Axes") -> "Axes":
    """Draw the order of many systems as a graph.

    Use this for three systems and more, above all where they are not a chain. A system
    stands above those that it is better than, joined by lines to the nearest of them;
    equivalent and undecided pairs have lines of their own. In a row of systems that
    are all alike, or all undecided, only neighbours are joined; and where more pairs
    are undecided than there are systems, these are not joined but counted below.

    Parameters
    ----------
    ranking
        What `rank` returned.
    ax
        Where to draw.
    """
    rows = _rows(ranking.order)
    style.bare_axes(ax)
    ax.set_xlim(0, 1)
    ax.set_ylim(-0.6, max(rows) + 0.6)
    size = _letters(ax, rows)
    boxes = _boxes(ax, rows, size)
    lines = _lines(ranking.order, rows)
    for pair, kind in lines.items():
        _draw(ax, boxes, pair, kind, size)
    wording.title(ax, _title(ax, ranking))
    wording.xlabel(ax, _key(ranking, set(lines.values())))
    return ax


def order_height(ranking: "Ranking") -> float:
    """Return the inches that a graph of so many levels needs."""
    return 1.3 + _LEVEL * (1 + max(ranking.order.levels))


def _rows(relations: "Order") -> dict[int, list[str]]:
    """Put systems into rows by level, those that are alike beside each other."""
    rows: dict[int, list[str]] = defaultdict(list)
    for name, level in zip(relations.systems, relations.levels, strict=True):
        rows[level].append(name)
    for row in rows.values():
        _arrange(row, _kinds(relations))
    return rows


def _arrange(row: list[str], kinds: "Mapping[frozenset[str], str]") -> None:
    """Swap systems of a row while that leaves fewer lines to draw around others."""
    best = len(_needless(row, kinds))
    moved = True
    while moved:
        moved = False
        for i, j in combinations(range(len(row)), 2):
            row[i], row[j] = row[j], row[i]
            saved = len(_needless(row, kinds))
            if saved > best:
                best, moved = saved, True
            else:
                row[i], row[j] = row[j], row[i]


def _kinds(relations: "Order") -> dict[frozenset[str], str]:
    """Return the relation of pairs that are not below one another."""
    alike = {frozenset(pair): "≈" for pair in relations.equivalent}
    return alike | {frozenset(pair): "?" for pair in relations.undecided}


def _needless(
    row: "Sequence[str]", kinds: "Mapping[frozenset[str], str]"
) -> set[frozenset[str]]:
    """Return pairs that need no line: those between them are all joined alike."""
    needless = set()
    for i, j in combinations(range(len(row)), 2):
        run = {kinds.get(frozenset(pair)) for pair in combinations(row[i : j + 1], 2)}
        if j > i + 1 and len(run) == 1 and None not in run:
            needless.add(frozenset((row[i], row[j])))
    return needless


def _lines(relations: "Order", rows: "Mapping[int, list[str]]") -> dict[Pair, str]:
    """Return the pairs to join by a line, the lower first, and what each line says."""
    kinds = _kinds(relations)
    needless = set().union(*(_needless(row, kinds) for row in rows.values()))
    lines: dict[Pair, str] = dict.fromkeys(relations.covers, "below")
    # Among systems that are below each other in circles no line is a cover.
    lines |= dict.fromkeys(relations.circular, "circle")
    alike, undecided = (
        [pair for pair in pairs if frozenset(pair) not in needless]
        for pairs in (relations.equivalent, relations.undecided)
    )
    lines |= dict.fromkeys(alike, "≈")
    # So many that nothing could be read are counted below instead.
    if len(undecided) <= len(relations.systems):
        lines |= dict.fromkeys(undecided, "?")
    return lines


def _letters(ax: "Axes", rows: "Mapping[int, list[str]]") -> float:
    """Return the size of letters that fit between levels, and into the fullest row."""
    width, height = style.extent(ax)
    low, high = ax.get_ylim()
    longest = max(wording.width(name) for row in rows.values() for name in row)
    each = style.LETTER * min(longest, _USUAL_NAME) + _PADDING
    across = width / (max(map(len, rows.values())) * each)
    usual = style.points(ax, 10)
    return max(min(usual, 0.3 * (height - 3 * usual) / (high - low), across), _LEAST)


@dataclass(frozen=True, eq=False)
class Box:
    """Part of the axes that a name, or a mark, takes up.

    Attributes
    ----------
    x, y
        Its middle.
    wide, high
        Its size.
    """

    x: float
    y: float
    wide: float
    high: float

    def hit(self, curve: FloatArray) -> bool:
        """Return whether a curve runs through the box."""
        away = np.abs(curve - (self.x, self.y)) / (self.wide / 2, self.high / 2)
        return bool((away.max(axis=1) < 1).any())


def _boxes(ax: "Axes", rows: "Mapping[int, list[str]]", size: float) -> dict[str, Box]:
    """Write the names in frames, as long as a row has room for."""
    width, height = style.extent(ax)
    low, high = ax.get_ylim()
    tall = 2.6 * size * (high - low) / height
    boxes = {}
    for level, row in rows.items():
        room = int((width / len(row) - _PADDING * size) / (style.LETTER * size))
        for index, name in enumerate(row):
            x = (index + 0.5) / len(row)
            text = wording.shorten(name, min(max(room, 4), 30))
            style.write(ax, x, level, text, size, zorder=4, bbox=_FRAME)
            wide = (style.LETTER * wording.width(text) + 1.4) * size / width
            boxes[name] = Box(x, level, wide, tall)
    return boxes


def _draw(
    ax: "Axes", boxes: dict[str, Box], pair: Pair, kind: str, size: float
) -> None:
    """Join two systems, around those that stand between them."""
    ends = boxes[pair[0]], boxes[pair[1]]
    others = [box for name, box in boxes.items() if name not in pair]
    curve, clear = bent_line(*ends, others, ax.get_ylim())
    ax.plot(*curve.T, label=kind, zorder=2, **_LOOKS[kind])
    middle = len(curve) // 2
    if kind == "?" and clear:
        x, y = map(float, curve[middle])
        look = {"color": style.INK, "fontweight": "bold", "zorder": 3, "bbox": _MARK}
        style.write(ax, x, y, "?", 0.9 * size, **look)
        # Other lines must avoid marks as they avoid names.
        wide = 2 * size / style.extent(ax)[0]
        boxes["\0".join(pair)] = Box(x, y, wide, ends[0].high)
    elif kind == "circle":
        look = {"arrowstyle": "-|>", "color": style.WORSE, "mutation_scale": size}
        head, tail = tuple(curve[middle + 1]), tuple(curve[middle - 1])
        ax.annotate("", head, tail, arrowprops={**look, "shrinkA": 0})


def bent_line(
    one: Box, other: Box, others: "Iterable[Box]", heights: tuple[float, float]
) -> tuple[FloatArray, bool]:
    """Return points of a line between two boxes, and whether it meets no other box.

    Parameters
    ----------
    one, other
        Boxes to join.
    others
        Boxes to avoid.
    heights
        The ends of the vertical axis; the horizontal one goes from 0 to 1.
    """
    low, high = heights
    curves, obstacles = [_curve(one, other, bend) for bend in _BENDS], list(others)
    for curve in curves:
        inside = (curve >= (0.01, low + 0.1)) & (curve <= (0.99, high - 0.1))
        if inside.all() and not any(box.hit(curve) for box in obstacles):
            return curve, True
    return curves[0], False


def _curve(one: Box, other: Box, bend: float) -> FloatArray:
    """Return points from one middle to another, bent to a side."""
    start, end = np.array([one.x, one.y]), np.array([other.x, other.y])
    level = one.y == other.y
    aside = np.array([0.0, _UPRIGHT * bend] if level else [bend, 0.0])
    along = np.linspace(0, 1, _POINTS)[:, None]
    straight = (1 - along) * start + along * end
    return np.asarray(straight + 4 * along * (1 - along) * aside)


def _key(ranking: "Ranking", kinds: set[str]) -> str:
    """Write what the lines are, and what is least sure."""
    parts = [text for kind, text in _KEY.items() if kind in kinds]
    parts.append(f"least sure {ranking.least_sure()[1]}")
    if ranking.order.undecided and "?" not in kinds:
        parts.append(f"the other {len(ranking.order.undecided)} pairs: undecided")
    return wording.unbroken(*parts)


def _title(ax: "Axes", ranking: "Ranking") -> str:
    """Write the order, where it is a chain."""
    relations = ranking.order
    metric = wording.fit(ax, ranking.settings.metric_name, 0.5)
    if relations.chain is None:
        return f"{metric}: not all systems stand in one line"
    # Two lines for all names and the signs between them.
    letters = style.room(ax, 2.0, style.points(ax, 11))
    most = max(6, letters // len(relations.systems) - 3)
    names = [wording.shorten(name, most) for name in relations.systems]
    steps = [
        f"{'≈' if relations.alike[index, index + 1] else '<'} {name}"
        for index, name in enumerate(names[1:])
    ]
    but = f", {wording.unbroken('with exceptions')}" if relations.exceptions else ""
    return f"{metric}: {' '.join([names[0], *steps])}{but}"
