"""Plots of a result as pictures inside a page: SVG, drawn by matplotlib."""

from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likelier.report.summary import Result
from likelier.results import Comparison, Pairs, PlanReport, Ranking, Sensitivity

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture:
    """A picture, and what it shows in words.

    Attributes
    ----------
    title
        What it shows.
    svg
        The picture, encoded for an address of data.
    """

    title: str
    svg: str


def pictures_of(result: Result) -> list[Picture]:
    """Draw what a result has beside its posterior: order, ranks, data sets, power."""
    if isinstance(result, Comparison):
        return _of_comparison(result)
    if isinstance(result, Pairs):
        return _of_pairs(result)
    if isinstance(result, Ranking):
        return _of_ranking(result)
    if isinstance(result, Sensitivity):
        return [_drawn("How the prior moves the answer", result.plot)]
    if isinstance(result, PlanReport):
        return [_drawn("The chance of each verdict", result.plot)]
    return []


def _of_comparison(result: Comparison) -> list[Picture]:
    if result.across is None:
        return []
    from likelier.plots.datasets import height

    sets = _drawn("Data set by data set", result.plot_data_sets, height(result))
    if not _is_triangle(result):
        return [sets]
    return [_drawn("What the next data set may show", result.plot_simplex), sets]


def _is_triangle(result: Comparison) -> bool:
    """Tell whether there are three regions: a triangle needs a rope for its top."""
    rope = result.rope
    return result.across is not None and rope is not None and rope.low < rope.high


def _of_pairs(result: Pairs) -> list[Picture]:
    from likelier.plots.order import height

    order = _drawn(
        "The order by the most probable relation of each pair, the best on top",
        result.plot,
        height(result),
    )
    if not all(map(_is_triangle, result.comparisons)):
        return [order]
    title = "What the next data set may show, pair by pair"
    return [order, Picture(title, _svg(result.plot_simplexes()))]


def _of_ranking(result: Ranking) -> list[Picture]:
    from likelier.plots.critical import height as height_of_critical
    from likelier.plots.ranks import height

    found = [
        *_of_pairs(result.pairs),
        _drawn("How probable each rank is", result.plot, height(result)),
    ]
    if result.friedman is None:
        return found
    tall = height_of_critical(result)
    return [*found, _drawn("Average ranks", result.plot_critical, tall)]


def _drawn(
    title: str, draw: "Callable[[Axes], object]", height: float | None = None
) -> Picture:
    from likelier.plots.picture import figure
    from likelier.plots.style import SIZE

    return Picture(title, _svg(figure(draw, height=height or SIZE[1])))


def _svg(drawn: "Figure") -> str:
    from likelier.plots.picture import saved

    return b64encode(saved(drawn, form="svg")).decode("ascii")
