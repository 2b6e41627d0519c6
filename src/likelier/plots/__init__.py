"""Plots: a result -> matplotlib axes, by the name of a kind of plot.

Every kind is drawn by one function, which is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from likelier._lazy import attach
from likelier.errors import LikelierError, SettingError
from likelier.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from likelier.plots.curves import chances as chances
    from likelier.plots.curves import sensitivity as sensitivity
    from likelier.plots.density import densities as densities
    from likelier.plots.density import estimate as estimate
    from likelier.plots.density import posterior as posterior
    from likelier.plots.figures import study as study
    from likelier.plots.forests import data_sets as data_sets
    from likelier.plots.forests import forest as forest
    from likelier.plots.forests import intervals as intervals
    from likelier.plots.order_graph import order as order
    from likelier.plots.prior_posterior import factor as factor
    from likelier.plots.rank_diagrams import critical_difference as critical_difference
    from likelier.plots.rank_diagrams import ranks as ranks
    from likelier.plots.triangle import simplex as simplex
    from likelier.plots.triangle import simplex_grid as simplex_grid
    from likelier.results.result import Result


class Plot(NamedTuple):
    """Kind of plot.

    Attributes
    ----------
    module, function
        Function that draws it, on axes or as a whole figure, and its module.
    height
        Function of the same module that returns the inches it needs, where they vary.
    whole
        Whether it is a figure of its own, and not drawn on axes.
    """

    module: str
    function: str
    height: str | None = None
    whole: bool = False


PLOTS = {
    "chances": Plot("curves", "chances"),
    "critical": Plot("rank_diagrams", "critical_difference", "critical_height"),
    "data-sets": Plot("forests", "data_sets", "data_sets_height"),
    "densities": Plot("density", "densities", whole=True),
    "estimate": Plot("density", "estimate"),
    "factor": Plot("prior_posterior", "factor"),
    "forest": Plot("forests", "forest", "forest_height"),
    "intervals": Plot("forests", "intervals", "intervals_height"),
    "order": Plot("order_graph", "order", "order_height"),
    "posterior": Plot("density", "posterior"),
    "ranks": Plot("rank_diagrams", "ranks", "ranks_height"),
    "sensitivity": Plot("curves", "sensitivity"),
    "simplex": Plot("triangle", "simplex"),
    "simplex of pairs": Plot("triangle", "simplex_grid", whole=True),
    "study": Plot("figures", "study", whole=True),
}
__getattr__, _, _functions = attach(
    __name__, {plot.function: plot.module for plot in PLOTS.values()}
)
__all__ = [*_functions, "draw", "figure", "height", "picture"]


def draw(
    result: "Result", kind: str, *, width: str = "page", ax: "Axes | None" = None
) -> "Axes | Figure":
    """Draw a kind of plot that a result has.

    Parameters
    ----------
    result
        Any result.
    kind
        One of its `plot_kinds`.
    width
        Width of a new figure: column or page of a paper.
    ax
        Where to draw; by default a new figure, which notebooks show.
    """
    plot, subject, more = _resolve(result, kind)
    function = _load(plot, plot.function)
    if plot.whole and ax is None:
        return function(subject, width=width, **more)
    if plot.whole:
        message = f"ax must be None for the plot {kind}, a figure of its own; got axes."
        raise SettingError(message, hint=f"plot('{kind}') returns the figure.")
    if ax is not None:
        return function(subject, ax=ax, **more)
    import matplotlib.pyplot as plt

    inches = style.width_named(width).inches, height(result, kind, width=width)
    axes = plt.subplots(figsize=inches, layout="constrained")[1]
    try:
        return function(subject, ax=axes, **more)
    except LikelierError:
        plt.close(plt.gcf())
        raise


def figure(
    result: "Result", kind: str | None = None, *, width: str = "page"
) -> "Figure":
    """Draw a result on a figure to be saved, apart from any that is on show.

    Parameters
    ----------
    result
        Any result.
    kind
        One of its `plot_kinds`; by default the first.
    width
        Width of the figure: column or page of a paper.
    """
    kind = result.plot_kind(kind)
    if _resolve(result, kind)[0].whole:
        return draw(result, kind, width=width)  # type: ignore[return-value]
    made = style.new_figure(height(result, kind, width=width), width)
    draw(result, kind, ax=made.subplots())
    return made


def height(result: "Result", kind: str | None = None, *, width: str = "page") -> float:
    """Return the inches that a plot on axes needs; by default the usual one."""
    plot, subject, _ = _resolve(result, result.plot_kind(kind))
    size = style.width_named(width)
    if plot.height is None:
        return size.height
    return size.row * _load(plot, plot.height)(subject)


def picture(
    result: "Result",
    kind: str | None = None,
    *,
    form: str = "png",
    width: str = "page",
) -> bytes:
    """Draw a result as the bytes of a png, svg or pdf; same result, same bytes."""
    from likelier.plots.figures import file_bytes

    return file_bytes(figure(result, kind, width=width), form)


def _load(plot: Plot, function: str) -> Any:
    return getattr(import_module(f"likelier.plots.{plot.module}"), function)


def _resolve(result: Any, kind: str) -> tuple[Plot, Any, dict[str, Any]]:
    """Return the plot of a kind, the result that it draws, and its settings."""
    if kind in ("intervals", "densities"):
        more = {"beside": result.beside} if kind == "densities" else {}
        return PLOTS[kind], result.results, more
    if kind != "study":
        result = _part(result)
    pairs = result.kind == "ranking" and kind == "simplex"
    return PLOTS["simplex of pairs" if pairs else kind], result, {}


def _part(result: Any) -> Any:
    """Return the one answer of a result that is made of others, or itself."""
    if result.kind == "plan":
        return result.chances
    results = getattr(result, "results", ())
    return _part(results[0]) if results else result
