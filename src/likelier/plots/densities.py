"""Posterior densities of both systems, one panel per metric (Wang & Li 2019)."""

from typing import TYPE_CHECKING, Any

import numpy as np

from likelier import wording
from likelier.distribution import Distribution, Draws
from likelier.errors import SettingError
from likelier.plots import style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from likelier.laws import Law
    from likelier.results import Comparison

_COLOURS = (style.WORSE, style.BETTER)
_ENDS = (0.001, 0.999)


def densities(
    results: "Sequence[Comparison]", *, beside: "Sequence[Comparison]" = ()
) -> "Figure":
    """Draw the posterior of each system's metric, and its HDI below.

    Parameters
    ----------
    results
        Comparisons of the same two systems, one per metric.
    beside
        The same by another method, drawn with dashes, such as the 2015 variant.
    """
    from matplotlib.figure import Figure

    if not results:
        message = "There must be at least one comparison to draw; got none."
        raise SettingError(message)
    figure = Figure(figsize=(4.2 * len(results), 3.6), layout="constrained")
    axes = figure.subplots(1, len(results), squeeze=False)[0]
    for place, result in enumerate(results):
        _panel(axes[place], result, dashed=False)
        if beside:
            _panel(axes[place], beside[place], dashed=True)
        axes[place].set_xlabel(style.literal(result.question.metric_name))
        axes[place].locator_params(axis="x", nbins=5)
        style.plain_axes(axes[place])
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=_columns(results),
    )
    return figure


def _columns(results: "Sequence[Comparison]") -> int:
    """Let a legend be as wide as the panels below it."""
    return 4 if len(results) > 2 else len(results)


def _panel(ax: "Axes", result: "Comparison", *, dashed: bool) -> None:
    names = result.question.shown_systems
    for place, (name, known) in enumerate(
        zip(names, result.posterior.systems, strict=True)
    ):
        points, height = curve(known)
        label = style.literal(name) + (" (mean over folds)" if dashed else "")
        line: dict[str, Any] = {
            "color": _COLOURS[place],
            "linestyle": "--" if dashed else "-",
        }
        ax.plot(points, height, label=label, **line)
        if not dashed:
            depth = -0.06 * (1 + place) * float(height.max())
            hdi = known.hdi(result.mass)
            ax.plot([hdi.low, hdi.high], [depth] * 2, linewidth=3, **line)
            told = wording.interval_name("hdi", result.mass) if place else ""
            ax.text(hdi.high, depth, f" {told}", fontsize=8, va="center")


def curve(known: Distribution) -> "tuple[np.ndarray, np.ndarray]":
    """Give points and heights of a density between its outer thousandths."""
    if isinstance(known, Draws):
        low, high = (float(end) for end in np.quantile(known.values, _ENDS))
        points = np.linspace(low, high, 60)
        return points, known.pdf(points)
    law: Law = known  # type: ignore[assignment]
    points = np.linspace(float(law.ppf(_ENDS[0])), float(law.isf(1 - _ENDS[1])), 300)
    return points, np.asarray(law.pdf(points))
