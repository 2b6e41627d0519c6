"""Triangles: what the next data set may show (Szymański & Gorman 2020).

Each point of the posterior gives the next data set a mass below, in and above the rope.
The three masses are a point of a triangle, and a probability is the share of the
posterior that lies nearest to a corner.
"""

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from likelier._typing import FloatArray
from likelier.errors import SettingError
from likelier.plots import style, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Polygon
    from matplotlib.path import Path

    from likelier.results.comparison import Comparison
    from likelier.results.ranking import Ranking

_HEIGHT = sqrt(3) / 2
# Where the masses below, in and above the rope are 1.
_CORNERS = np.array([[0.0, 0.0], [0.5, _HEIGHT], [1.0, 0.0]])
_COLOURS = (style.WORSE, style.SOFT, style.BETTER)
_INKS = (style.WORSE_INK, style.SOFT, style.BETTER_INK)
# Pixels of the density along the base and up to the top.
_PIXELS = (150, 130)
_SHADES = 12
# Shares of a side: a finer blur would leave dots, a coarser one would hide the form.
_FINEST, _COARSEST = 0.012, 0.05
# In a small triangle a posterior that is all in a corner must still be visible.
_FINEST_OF_GRID = 0.03
# Letters along a side: with fewer, corners are not named.
_LEAST_LETTERS = 15


def simplex(comparison: "Comparison", *, ax: "Axes") -> "Axes":
    """Draw the posterior of the three masses of the next data set as a triangle.

    Use this over many data sets, to see how sure the three probabilities are. At a
    corner all of the next data set lies in one region; thin lines part the triangle by
    the region that holds the most, and the shares of the posterior in these parts are
    the probabilities.

    Parameters
    ----------
    comparison
        What `compare_folds` returned for several data sets, with a rope.
    ax
        Where to draw.

    References
    ----------
    Benavoli et al. (2017), http://jmlr.org/papers/v18/16-305.html; Szymański & Gorman
    (2020), Figures 1-3, doi:10.18653/v1/2020.emnlp-main.172.
    """
    masses = _masses(comparison)
    size = style.points(ax, 10)
    _triangle(ax, masses, _FINEST)
    names = _names(ax, comparison, size)
    _probabilities(ax, comparison, size, names)
    title = wording.pairing(ax, comparison.settings, comparison.verdict.name)
    wording.title(ax, title, pad=(3.4 if names[0] else 2.0) * size, ha="center")
    return ax


def simplex_grid(ranking: "Ranking", *, width: str = "page") -> "Figure":
    """Draw the triangles of all pairs: the upper half of a table of systems.

    Use this for the figures of a paper on three to ten systems. Names stand on the
    diagonal; the key at the bottom left says which corner is whose.

    Parameters
    ----------
    ranking
        What `rank` returned for several data sets, with a rope.
    width
        Width of the figure: column or page of a paper.
    """
    masses = [_masses(comparison) for comparison in ranking.comparisons]
    count = len(ranking.systems)
    inches = style.width_named(width).inches
    each = inches / count
    size = min(max(4.8 * each, 6.2), 8.5)
    figure = style.new_figure(inches, width)
    cells = figure.add_gridspec(count, count)
    for index, name in enumerate(ranking.systems):
        axes = figure.add_subplot(cells[index, index])
        most = max(6, int(72 * each / (style.LETTER * 1.2 * size)))
        middle = {"transform": axes.transAxes, "fontweight": "bold"}
        text = wording.shorten(name, most)
        style.write(axes, 0.5, 0.5, text, 1.1 * size, **middle)
        style.bare_axes(axes)
    for comparison, drawn in zip(ranking.comparisons, masses, strict=True):
        row, column = map(ranking.systems.index, comparison.settings.systems)
        axes = figure.add_subplot(cells[row, column])
        _triangle(axes, drawn, _FINEST_OF_GRID)
        _probabilities(axes, comparison, size, ("", "", ""))
    _key(figure.add_subplot(cells[-1, 0]), ranking, size)
    return figure


def _masses(comparison: "Comparison") -> FloatArray:
    """Return the masses of the next data set at points of the posterior."""
    regions, rope = comparison.posterior.regions, comparison.rope
    if regions is None:
        message = (
            "A triangle must come from several data sets: by the method hierarchical, "
            f"signed-rank or sign; got {comparison.settings.method}."
        )
        raise SettingError(message, hint="plot() draws the posterior of a difference.")
    if rope is None or rope.low == rope.high:
        got = "none" if rope is None else str(rope)
        message = f"A triangle must have a rope, its upper corner; got {got}."
        raise SettingError(message, hint="compare_folds(..., rope=0.01)")
    return regions.masses(rope.low, rope.high)


def _triangle(ax: "Axes", masses: FloatArray, finest: float) -> None:
    """Draw a triangle with the density of the masses in it, in three colours."""
    _outline(ax)
    _shade(ax, _density(masses @ _CORNERS, _inside(), finest))
    middle = _CORNERS.mean(axis=0)
    for corner in _CORNERS:
        across = (3 * middle - corner) / 2
        ax.plot(*zip(middle, across, strict=True), color=style.SOFT, linewidth=0.6)
    _set_limits(ax)


def _outline(ax: "Axes", colour: str = style.INK) -> None:
    """Draw the sides of a triangle."""
    shape = {"fill": False, "edgecolor": colour, "linewidth": 0.8}
    ax.add_patch(_polygon(_CORNERS, **shape))


def _polygon(corners: Any, **look: Any) -> "Polygon":
    from matplotlib.patches import Polygon

    return Polygon(corners, closed=True, **look)


def _set_limits(ax: "Axes") -> None:
    style.bare_axes(ax)
    ax.set_aspect("equal")
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, _HEIGHT + 0.02)


def _shade(ax: "Axes", height: FloatArray) -> None:
    """Fill the part of each corner with its colour, the denser the darker."""
    from matplotlib.collections import PathCollection

    wide, high = _PIXELS
    x, y = (np.arange(wide) + 0.5) / wide, (np.arange(high) + 0.5) / high * _HEIGHT
    levels = np.arange(1, _SHADES) / _SHADES
    # Each shade lies over those before it, together as dark as its level says; the
    # root keeps thin parts of the posterior in sight.
    dark = np.sqrt(height / height.max())
    rest = 1 - levels
    layers = 1 - rest / np.append(1.0, rest[:-1])
    shown = levels < dark.max()
    paths = _contours(x, y, dark, levels[shown])
    middle = _CORNERS.mean(axis=0)
    for index, colour in enumerate(_COLOURS):
        corner, *others = np.roll(_CORNERS, -index, axis=0)
        kite = [corner, (corner + others[0]) / 2, middle, (corner + others[1]) / 2]
        part = _polygon(kite, edgecolor="none", facecolor="none")
        ax.add_patch(part)
        for path, layer in zip(paths, layers[shown], strict=True):
            # A file holds a path that is drawn alone only once, whatever its colours.
            look = {"facecolors": [(colour, float(layer))], "edgecolors": "none"}
            filled = PathCollection([path], **look)
            filled.set_transform(ax.transData)
            ax.add_collection(filled, autolim=False)
            filled.set_clip_path(part)


def _contours(
    x: FloatArray, y: FloatArray, height: FloatArray, levels: FloatArray
) -> "list[Path]":
    """Return what lies above each level."""
    from contourpy import FillType, contour_generator
    from matplotlib.path import Path

    form = FillType.OuterCode
    contours = contour_generator(x, y, height, fill_type=form)
    paths = []
    for level in levels:
        outlines = zip(*contours.filled(level, 2.0), strict=True)
        paths.append(Path.make_compound_path(*(Path(*one) for one in outlines)))
    return paths


def _inside() -> NDArray[np.bool_]:
    """Return which pixels lie in the triangle."""
    wide, high = _PIXELS
    x = (np.arange(wide) + 0.5) / wide
    rope = np.repeat((np.arange(high) + 0.5)[:, None] / high, wide, axis=1)
    better = x - rope / 2
    return np.asarray(np.minimum(better, 1 - rope - better) >= 0)


def _density(
    points: FloatArray, inside: NDArray[np.bool_], finest: float
) -> FloatArray:
    """Count points per pixel and blur, without losing what is blurred out."""
    wide, high = _PIXELS
    # Rounding must not put a corner outside.
    across, up = np.clip(points, 0.0, (1.0, _HEIGHT)).T
    ends = ((0.0, _HEIGHT), (0.0, 1.0))
    counts = np.histogram2d(up, across, bins=(high, wide), range=ends)[0]
    spread = float(np.sqrt(points.var(axis=0).mean()))
    blur = wide * min(max(spread * len(points) ** (-1 / 6), finest), _COARSEST)
    room = ndimage.gaussian_filter(inside.astype(float), blur, mode="constant")
    blurred = ndimage.gaussian_filter(counts, blur, mode="constant")
    return np.where(inside, blurred / np.maximum(room, 1e-3), 0.0)


def _names(ax: "Axes", comparison: "Comparison", size: float) -> tuple[str, ...]:
    """Return whose each corner is; a tiny triangle has no room for it."""
    width, height = style.extent(ax)
    # Less what the words around the triangle take.
    side = min(width, (height - 6.5 * style.points(ax, 10)) / _HEIGHT)
    letters = int(side / (style.LETTER * size))
    if letters < _LEAST_LETTERS:
        return "", "", ""
    most = max(6, int(0.85 * letters) - len(" better"))
    first, second = (wording.shorten(s, most) for s in comparison.settings.systems)
    middle = f"equivalent (within {comparison.rope})"
    return f"{first} better", middle, f"{second} better"


def _probabilities(
    ax: "Axes", comparison: "Comparison", size: float, names: tuple[str, ...]
) -> None:
    """Write at each corner whose it is, and its probability; the largest in bold."""
    p = comparison.probability
    shares = p.worse, p.equivalent, p.better
    texts = [
        f"{name}\n{p.text(share)}" if name else p.text(share)
        for name, share in zip(names, shares, strict=True)
    ]
    largest = [index for index in range(3) if shares[index] == max(shares)]
    _write(ax, texts, size, largest)


def _write(
    ax: "Axes", texts: "Sequence[str]", size: float, bold: "Sequence[int]" = ()
) -> None:
    """Write texts at the three corners, outside the triangle, and some in bold."""
    for index, (x, y) in enumerate(_CORNERS):
        above, level = (0.35, "bottom") if y > 0 else (-0.35, "top")
        weight = "bold" if index in bold else "normal"
        look = {"color": _INKS[index], "fontsize": size, "fontweight": weight}
        style.write_off(ax, x, y, above * size, texts[index], va=level, **look)


def _key(ax: "Axes", ranking: "Ranking", size: float) -> None:
    """Write which corner is whose, in the empty half of the table."""
    _outline(ax, style.SOFT)
    rope = ranking.comparisons[0].rope
    texts = ("row\nbetter", f"equivalent\n(within {rope})", "column\nbetter")
    _write(ax, texts, 0.9 * size)
    _set_limits(ax)
