"""What the next data set may show, as points of a triangle (Szymański & Gorman 2020).

Each point of the posterior gives the next data set a mass below, in and above the rope.
The three masses are a place in a triangle, and a probability is the share of the
posterior that lies nearest to a corner.
"""

from math import sqrt
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from likelier.errors import SettingError
from likelier.plots import labels, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Polygon

    from likelier.results import Comparison, Pairs

FloatArray = NDArray[np.float64]

_HEIGHT = sqrt(3) / 2
# Where the masses below, in and above the rope are 1.
_CORNERS = np.array([[0.0, 0.0], [0.5, _HEIGHT], [1.0, 0.0]])
_COLOURS = (style.WORSE, style.FAINT, style.BETTER)
# Pixels of the density along the base and up to the top.
_PIXELS = (300, 260)
# Shares of a side: a finer blur would leave dots, a coarser one would hide the form.
_FINEST, _COARSEST = 0.012, 0.05
# What is all in a corner must be seen in a small triangle too.
_FINEST_OF_GRID = 0.03
# Letters along a side: with fewer, corners are not named.
_LEAST_LETTERS = 15
# Inches for a triangle: of three systems, and of ten.
_ROOMY, _DENSE = 1.75, 1.1


def simplex(comparison: "Comparison", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the posterior of the three masses of the next data set as a triangle.

    Use this over many data sets, to see how sure the three probabilities are. At a
    corner all of the next data set lies in one region; thin lines part the triangle by
    the region that holds the most, and the shares of the posterior in these parts are
    the probabilities.

    Parameters
    ----------
    comparison
        What `compare_scores` returned for several data sets, with a rope.
    ax
        Where to draw; a new figure by default.

    References
    ----------
    Benavoli et al. (2017), http://jmlr.org/papers/v18/16-305.html; Szymański & Gorman
    (2020), Figures 1-3, doi:10.18653/v1/2020.emnlp-main.172.
    """
    masses = _masses(comparison)
    axes = style.new_axes() if ax is None else ax
    size = style.points(axes, 10)
    _triangle(axes, masses, _FINEST)
    names = _names(axes, comparison, size)
    _corners(axes, comparison, size, names)
    said = labels.unbroken(comparison.verdict.name)
    title = f"{labels.asked(comparison.question, axes)}: {said}"
    labels.title(axes, title, pad=(3.4 if names[0] else 2.0) * size)
    return axes


def simplex_grid(pairs: "Pairs") -> "Figure":
    """Draw the triangles of all pairs: the upper half of a table of systems.

    Use this for the figures of a paper on three to ten systems. Names stand on the
    diagonal; the key at the bottom left says which corner is whose.

    Parameters
    ----------
    pairs
        What `compare_pairs` returned for several data sets, with a rope.
    """
    from matplotlib.figure import Figure

    known = [(c, _masses(c)) for c in pairs.comparisons]
    count = len(pairs.systems)
    dense = min(max((count - 3) / 7, 0.0), 1.0)
    each = _ROOMY + dense * (_DENSE - _ROOMY)
    size = 8.5 - 2 * dense
    figure = Figure(figsize=(each * count, each * count), layout="constrained")
    cells = figure.add_gridspec(count, count)
    for place, name in enumerate(pairs.systems):
        _named(figure.add_subplot(cells[place, place]), name, each, size)
    for comparison, masses in known:
        row, column = (pairs.systems.index(s) for s in comparison.question.systems)
        axes = figure.add_subplot(cells[row, column])
        _triangle(axes, masses, _FINEST_OF_GRID)
        _corners(axes, comparison, size, ("", "", ""))
    _key(figure.add_subplot(cells[-1, 0]), pairs, size)
    return figure


@runtime_checkable
class _HasMasses(Protocol):
    """Regions that know the masses of the next data set, not only their winner."""

    def masses(self, low: float, high: float) -> FloatArray:
        """Give the masses below, between and above two ends (point, region)."""


def _masses(comparison: "Comparison") -> FloatArray:
    """Give the masses of the next data set at points of the posterior."""
    regions, rope = comparison.posterior.regions, comparison.rope
    if not isinstance(regions, _HasMasses):
        message = (
            "A triangle must come from several data sets: by the method hierarchical, "
            f"signed-rank or sign; got {comparison.origin.method['name']}."
        )
        raise SettingError(message, hint="plot() draws the posterior of a difference.")
    if rope is None or rope.low == rope.high:
        got = "none" if rope is None else str(rope)
        message = f"A triangle must have a rope, its upper corner; got {got}."
        raise SettingError(message, hint="compare_scores(..., rope=0.01)")
    return regions.masses(rope.low, rope.high)


def _triangle(ax: "Axes", masses: FloatArray, finest: float) -> None:
    """Draw a triangle with the density of the masses in it, in three colours."""
    outline = _outline(ax)
    shown = ax.imshow(
        _coloured(masses, finest),
        extent=(0.0, 1.0, 0.0, _HEIGHT),
        origin="lower",
        interpolation="bilinear",
        zorder=1,
    )
    shown.set_clip_path(outline)
    middle = _CORNERS.mean(axis=0)
    for corner in _CORNERS:
        across = (3 * middle - corner) / 2
        ax.plot(*zip(middle, across, strict=True), color=style.FAINT, linewidth=0.6)
    _set_limits(ax)


def _outline(ax: "Axes") -> "Polygon":
    """Draw the sides of a triangle."""
    from matplotlib.patches import Polygon

    shape = Polygon(
        _CORNERS, closed=True, fill=False, edgecolor=style.INK, linewidth=0.8
    )
    ax.add_patch(shape)
    return shape


def _bare(ax: "Axes") -> None:
    """Leave nothing of the axes: a triangle has none."""
    ax.set_xticks([])
    ax.set_yticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)


def _set_limits(ax: "Axes") -> None:
    _bare(ax)
    ax.set_aspect("equal")
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, _HEIGHT + 0.02)


def _coloured(masses: FloatArray, finest: float) -> FloatArray:
    """Give the density of the masses as an image: colours by part, denser is darker."""
    from matplotlib.colors import to_rgb

    inside, part = _pixels()
    height = _density(masses @ _CORNERS, inside, finest)
    image = np.empty((*height.shape, 4))
    image[..., :3] = np.array([to_rgb(colour) for colour in _COLOURS])[part]
    # The root keeps thin parts of the posterior in sight.
    image[..., 3] = np.sqrt(height / height.max())
    return image


def _pixels() -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Give which pixels lie in the triangle, and in which part of it."""
    wide, high = _PIXELS
    x = (np.arange(wide) + 0.5) / wide
    rope = np.repeat((np.arange(high) + 0.5)[:, None] / high, wide, axis=1)
    better = x - rope / 2
    shares = np.stack([1 - rope - better, rope, better])
    return shares.min(axis=0) >= 0, shares.argmax(axis=0)


def _density(
    places: FloatArray, inside: NDArray[np.bool_], finest: float
) -> FloatArray:
    """Count places per pixel and blur, without losing what is blurred out."""
    wide, high = _PIXELS
    # Rounding must not put a corner outside.
    across, up = np.clip(places, 0.0, (1.0, _HEIGHT)).T
    ends = ((0.0, _HEIGHT), (0.0, 1.0))
    counts = np.histogram2d(up, across, bins=(high, wide), range=ends)[0]
    spread = float(np.sqrt(places.var(axis=0).mean()))
    blur = wide * min(max(spread * len(places) ** (-1 / 6), finest), _COARSEST)
    room = ndimage.gaussian_filter(inside.astype(float), blur, mode="constant")
    found = ndimage.gaussian_filter(counts, blur, mode="constant")
    return np.where(inside, found / np.maximum(room, 1e-3), 0.0)


def _side(ax: "Axes") -> float:
    """Give the length of a side in points, less what the words around it take."""
    width, height = style.extent(ax)
    return min(width, (height - 6.5 * style.points(ax, 10)) / _HEIGHT)


def _names(ax: "Axes", comparison: "Comparison", size: float) -> tuple[str, str, str]:
    """Say whose each corner is; a tiny triangle has no room for it."""
    letters = int(_side(ax) / (labels.LETTER * size))
    if letters < _LEAST_LETTERS:
        return "", "", ""
    most = max(6, int(0.85 * letters) - len(" better"))
    first, second = (style.shortened(s, most) for s in comparison.question.systems)
    equal = f"equivalent (within {comparison.rope})"
    return f"{first} better", equal, f"{second} better"


def _corners(
    ax: "Axes", comparison: "Comparison", size: float, names: tuple[str, ...]
) -> None:
    """Write at each corner whose it is, and its probability; the largest in bold."""
    known = comparison.probability
    shares = known.worse, known.equivalent, known.better
    told = [known.shown(share) for share in shares]
    words = [f"{n}\n{p}" if n else p for n, p in zip(names, told, strict=True)]
    bold = tuple(share == max(shares) for share in shares)
    _write(ax, words, size, bold)


def _write(
    ax: "Axes",
    words: "Sequence[str]",
    size: float,
    bold: tuple[bool, ...] = (False, False, False),
) -> None:
    """Write words at the three corners, outside the triangle."""
    for corner, word, colour, heavy in zip(
        _CORNERS, words, _COLOURS, bold, strict=True
    ):
        top = corner[1] > 0
        ax.annotate(
            word,
            corner,
            (0, 0.35 * size if top else -0.35 * size),
            textcoords="offset points",
            color=colour,
            fontsize=size,
            fontweight="bold" if heavy else "normal",
            ha="center",
            va="bottom" if top else "top",
        )


def _named(ax: "Axes", name: str, inches: float, size: float) -> None:
    """Write the name of a system where its row and its column meet."""
    most = max(6, int(72 * inches / (labels.LETTER * 1.2 * size)))
    ax.text(
        0.5,
        0.5,
        style.shortened(name, most),
        transform=ax.transAxes,
        color=style.INK,
        fontsize=1.1 * size,
        fontweight="bold",
        ha="center",
        va="center",
    )
    _bare(ax)


def _key(ax: "Axes", pairs: "Pairs", size: float) -> None:
    """Say which corner is whose, in the empty half of the table."""
    _outline(ax).set_edgecolor(style.FAINT)
    rope = pairs.comparisons[0].rope
    words = ("row\nbetter", f"equivalent\n(within {rope})", "column\nbetter")
    _write(ax, words, 0.9 * size)
    _set_limits(ax)
