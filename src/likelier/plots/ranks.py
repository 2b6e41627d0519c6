"""How probable each rank of each system is, as a table of shades."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likelier import wording
from likelier.plots import labels, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from likelier.results import Ranking

FloatArray = NDArray[np.float64]

# Inches for a row: of a few systems, and of many.
_ROOMY, _DENSE = 0.42, 0.26
# Points: letters smaller than this are left out instead.
_LEAST = 4.0
# Above it the shade is so dark that letters must be white.
_DARK = 0.75


def ranks(ranking: "Ranking", *, ax: "Axes | None" = None) -> "Axes":
    """Draw how probable each rank of each system is.

    Use this to see how sure an order is: the best system stands on top, the first
    column is its probability to be the best, and the darker a cell, the more probable
    is that rank. Cells have their percentages where these fit, or else the
    probability to be the best stands at the right. An empty cell has less than half a
    percent.

    Parameters
    ----------
    ranking
        What `rank` returned.
    ax
        Where to draw; by default a new figure, higher where there are more systems.
    """
    axes = style.new_axes(height(ranking)) if ax is None else ax
    shares = ranking.ranks.probability[list(ranking.places)]
    names = [ranking.systems[place] for place in ranking.places]
    size = _letters(axes, len(names))
    _cells(axes, shares)
    if _fits(axes, len(names), size):
        _percentages(axes, shares, size)
    else:
        _chances_of_best(axes, ranking, size)
    _names(axes, names, size)
    _words(axes, ranking)
    return axes


def height(ranking: "Ranking") -> float:
    """Give the inches that a figure of so many systems needs."""
    count = len(ranking.systems)
    dense = min(max((count - 8) / 22, 0.0), 1.0)
    return 1.3 + count * (_ROOMY + dense * (_DENSE - _ROOMY))


def _letters(ax: "Axes", count: int) -> float:
    """Give the size of letters that fit into a row."""
    pitch = (style.extent(ax)[1] - 2.5 * style.points(ax, 10)) / count
    return max(min(style.points(ax, 10), 0.75 * pitch), _LEAST)


def _cells(ax: "Axes", shares: FloatArray) -> None:
    """Shade the cells from white to blue, with white rules between them."""
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("likelier", ["white", style.BETTER])
    count = len(shares)
    edges = np.arange(count + 1) + 0.5
    ax.pcolormesh(
        edges,
        edges - 1,
        shares,
        cmap=shades,
        vmin=0.0,
        vmax=1.0,
        edgecolors=style.BAND,
        linewidth=0.6,
    )
    ax.set_xlim(0.5, count + 0.5)
    ax.set_ylim(count - 0.5, -0.5)


def _fits(ax: "Axes", count: int, size: float) -> bool:
    """Say whether a percentage fits into a cell, next to the names."""
    width, height = style.extent(ax)
    wide = 3 * labels.LETTER * size < 0.7 * width / count
    return wide and 1.2 * size < (height - 2.5 * size) / count


def _percentages(ax: "Axes", shares: FloatArray, size: float) -> None:
    for row, column in np.argwhere(shares >= 0.005):
        share = float(shares[row, column])
        ax.text(
            column + 1,
            row,
            _percent(share),
            color="white" if share > _DARK else style.INK,
            fontsize=0.9 * size,
            fontweight="bold" if column == 0 else "normal",
            ha="center",
            va="center_baseline",
        )


def _percent(share: float) -> str:
    return ">99" if share >= 0.995 else f"{100 * share:.0f}"


def _chances_of_best(ax: "Axes", ranking: "Ranking", size: float) -> None:
    """Write at the right how probably each system is the best."""
    every = _every(ax, len(ranking.systems), size)
    for row, place in enumerate(ranking.places):
        if row % every:
            continue
        share = float(ranking.ranks.best[place])
        error = float(np.sqrt(share * (1 - share) / ranking.ranks.draws))
        ax.text(
            1.01,
            row,
            f"best {wording.percent(share, error, draws=ranking.ranks.draws)}",
            transform=ax.get_yaxis_transform(),
            color=style.INK,
            fontsize=size,
            va="center_baseline",
        )


def _every(ax: "Axes", count: int, size: float) -> int:
    """Count the rows that one line of letters takes."""
    pitch = (style.extent(ax)[1] - 2.5 * style.points(ax, 10)) / count
    return max(1, int(np.ceil(1.15 * size / max(pitch, 0.1) - 1e-9)))


def _names(ax: "Axes", names: list[str], size: float) -> None:
    """Name the rows at the left and number the columns below."""
    every = _every(ax, len(names), size)
    most = labels.room(ax, 0.35, size)
    rows = range(0, len(names), every)
    ax.set_yticks(rows, [style.shortened(names[row], most) for row in rows])
    letters = len(str(len(names))) + 1
    wide = max(1, -(-len(names) * letters // labels.room(ax, 0.6, size)))
    ax.set_xticks(range(1, len(names) + 1, wide))
    ax.tick_params(length=0, labelsize=size, colors=style.INK)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _words(ax: "Axes", ranking: "Ranking") -> None:
    most = labels.room(ax, 0.6, style.points(ax, 11))
    metric = style.shortened(ranking.metric_name, most)
    labels.title(ax, f"{metric}: probability of each rank in %")
    labels.below(ax, "rank, 1 is the best")
