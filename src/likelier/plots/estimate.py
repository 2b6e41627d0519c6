"""What is known of one number: its density, its interval and the value seen."""

from typing import TYPE_CHECKING

import numpy as np

from likelier import wording
from likelier.plots import style
from likelier.plots.densities import curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from likelier.results import Estimate


def estimate(result: "Estimate", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the distribution of an estimate.

    Parameters
    ----------
    result
        What `estimate` returned.
    ax
        Where to draw; a new figure by default.
    """
    axes = style.new_axes() if ax is None else ax
    points, height = curve(result.distribution)
    top = max(float(np.max(height, initial=0.0)), 1e-300)
    axes.fill_between(points, height, color=style.BETTER, alpha=0.6, linewidth=0)
    axes.axvline(result.value, color=style.INK, linewidth=1, linestyle=":")
    low, high = result.interval
    axes.plot([low, high], [-0.06 * top] * 2, color=style.INK, linewidth=4)
    name = wording.interval_name(result.interval.kind, result.interval.mass)
    ends = " to ".join(wording.number(end, result.decimals) for end in (low, high))
    axes.set_title(f"{name} {ends}", color=style.INK, fontsize=11)
    systems = " against ".join(reversed(result.question.shown_systems))
    axes.set_xlabel(style.literal(f"{result.question.metric_name} of {systems}"))
    style.plain_axes(axes)
    return axes
