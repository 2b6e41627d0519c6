"""Prior and posterior of a difference about the null, and the Bayes factor there."""

from dataclasses import replace
from math import inf, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likelier.decision import ThreeProbabilities
from likelier.density_curve import DensityCurve
from likelier.distribution import Difference
from likelier.errors import NotDefinedError
from likelier.plots import style, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from likelier.bayes_factor import BayesFactor
    from likelier.interval import Rope
    from likelier.results.comparison import Comparison

# So few draws in a bandwidth say little of a density.
_FEWEST = 10
# Decades of density below the highest, and those that a dot may lie deeper.
_DEEP = 6.0
_PRIOR = style.Look(style.INK, "o", filled=False)


def factor(result: "Comparison", *, ax: "Axes") -> "Axes":
    """Draw prior and posterior of the difference, and what lies at the null.

    The axis of densities is logarithmic: the prior is flat and the posterior high, and
    for a point null the distance of the dots is the logarithm of the factor.

    Parameters
    ----------
    result
        What `compare` returned, with a Bayes factor.
    ax
        Where to draw.

    References
    ----------
    Zhang et al. (2016), Figure 6b, doi:10.1145/2911451.2911547.
    """
    bayes_factor, before, after = _needed(result)
    window = _window(after, result.rope)
    rope = result.rope if bayes_factor.of == "rope" else None
    prior, posterior = (_curve(law, window) for law in (before, after))
    dots = None if rope is not None else _dots(bayes_factor, prior)
    low, high = _reach(prior, posterior, dots)
    _draw_curves(ax, prior, posterior, 10**low)
    style.band(ax, rope)
    if rope is not None:
        text = _masses(before, after, rope)
    elif dots is not None:
        text = "density at 0: prior {} → posterior {}".format(*map(_text, dots))
        _draw_dots(ax, dots, low, high)
    ax.vlines(0, 10**low, 10**high, color=style.INK, linewidth=0.8, linestyle=":")
    _set_axes(ax, window, low, high)
    wording.title(ax, f"{result.evidence_line()}\n{text}")
    wording.label_difference(ax, result.settings)
    return ax


def _needed(result: "Comparison") -> "tuple[BayesFactor, Difference, Difference]":
    """Return the factor, prior and posterior, or refuse where there are none."""
    if result.factor is None or result.before_and_after is None:
        message = "A plot of the factor must have a Bayes factor; there is none."
        hint = "factor='rope' with a rope, or factor='point' for accuracy and recall."
        raise NotDefinedError(message, hint=hint)
    before, after = result.before_and_after
    return result.factor, before.difference, after.difference


def _window(after: Difference, rope: "Rope | None") -> tuple[float, float]:
    """Return the ends of the axis: the posterior, the rope and 0 are inside."""
    ends = (*after.interval(0.999), *style.ends(rope), 0.0)
    margin = 0.12 * max(max(ends) - min(ends), 1e-6)
    return min(ends) - margin, max(ends) + margin


def _curve(law: Difference, window: tuple[float, float]) -> DensityCurve:
    """Return a density, without what rests on too few draws."""
    curve = DensityCurve.of(law, *window)
    if curve.bandwidth is None or law.n_draws == 0:
        return curve
    least = _FEWEST / (law.n_draws * curve.bandwidth)
    return replace(curve, height=np.where(curve.height < least, 0.0, curve.height))


class _Dots(NamedTuple):
    """Decimal logarithms of both densities at 0."""

    prior: float
    posterior: float


def _dots(bayes_factor: "BayesFactor", prior: DensityCurve) -> _Dots:
    """Put the posterior as far from the prior as the factor says."""
    exact = bayes_factor.density
    height = np.interp(0, prior.x, prior.height) if exact is None else exact
    before = log10(height) if height > 0 else -inf
    return _Dots(before, before + bayes_factor.log10)


def _text(logarithm: float) -> str:
    """Write a number by its decimal logarithm, however large or small."""
    if abs(logarithm) == inf:
        return "∞" if logarithm > 0 else "0"
    return f"{10**logarithm:.2g}" if abs(logarithm) < 300 else f"1e{logarithm:.0f}"


def _masses(before: Difference, after: Difference, rope: "Rope") -> str:
    """Write how much of the prior and of the posterior lies in the rope."""
    shares = [ThreeProbabilities.of(law, rope) for law in (before, after)]
    prior, posterior = (share.text(share.equivalent) for share in shares)
    return f"within {rope}: prior {prior} → posterior {posterior}"


def _reach(
    prior: DensityCurve, posterior: DensityCurve, dots: _Dots | None
) -> tuple[float, float]:
    """Return the logarithms of the least and the largest density to show."""
    heights = np.concatenate([prior.height, posterior.height])
    logs = np.log10(heights[heights > 0])
    high = float(logs.max())
    low = max(float(logs.min()), high - _DEEP)
    if dots is not None:
        low = max(min(low, dots.posterior), low - _DEEP)
        high = min(max(high, dots.posterior), high + _DEEP)
    return low - 0.3, high + 0.1


def _draw_curves(
    ax: "Axes", prior: DensityCurve, posterior: DensityCurve, base: float
) -> None:
    """Draw the posterior as an area with an outline, the prior as dashes."""
    ax.set_yscale("log")
    heights = np.maximum(posterior.height, base)
    ax.fill_between(posterior.x, base, heights, color=style.SAME, alpha=0.4, lw=0)
    ax.plot(posterior.x, heights, color=style.SOFT, linewidth=1, label="posterior")
    heights = np.where(prior.height > 0, prior.height, np.nan)
    style.line(ax, prior.x, heights, style.INK, 1.2, linestyle="--", label="prior")


def _draw_dots(ax: "Axes", dots: _Dots, low: float, high: float) -> None:
    """Draw both densities at 0, and the factor as what lies between them."""
    ends = [10 ** min(max(log, low), high) for log in dots]
    ax.plot([0, 0], ends, color=style.INK, linewidth=1.5, zorder=3)
    beyond = "v" if dots.posterior < low else "^"
    marker = "o" if low <= dots.posterior <= high else beyond
    looks = _PRIOR, style.Look(style.INK, marker)
    for end, look in zip(ends, looks, strict=True):
        style.dot(ax, 0, end, look, 0.7 * style.points(ax, 10), clip_on=False)


def _set_axes(ax: "Axes", window: tuple[float, float], low: float, high: float) -> None:
    """Set the limits, with room for the legend above the densities."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    style.open_axes(ax)
    size, tall = style.points(ax, 9), style.extent(ax)[1]
    ax.set_xlim(*window)
    ax.set_ylim(10**low, 10 ** (high + (high - low) * 2.6 * size / tall))
    ax.yaxis.set_major_locator(LogLocator(numticks=max(3, int(tall / size / 3))))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda height, _: f"{height:g}"))
    wording.ylabel(ax, "density")
    ax.legend(
        loc="upper center",
        ncols=2,
        frameon=False,
        fontsize=size,
        borderaxespad=0.1,
        labelcolor=style.INK,
    )
