"""Densities: of a difference, of both systems metric by metric, of an estimate."""

from typing import TYPE_CHECKING, Any

import numpy as np

from likelier import formatting
from likelier._typing import FloatArray
from likelier.distribution import Distribution, Draws
from likelier.errors import SettingError
from likelier.plots import style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from likelier.laws import Law
    from likelier.results.comparison import Comparison
    from likelier.results.estimate import Estimate
    from likelier.settings import Settings

Colours = tuple[str, str, str]

_BINS = 80
_COLOURS = (style.WORSE, style.EQUIVALENT, style.BETTER)
# How far a density is drawn beyond its middle 95 %, as a multiple of that; a normal
# one is drawn whole.
_REACH = 0.75
# Shares of a density where its curve begins and ends.
_ENDS = (0.001, 0.999)


def posterior(result: "Comparison", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the posterior of a difference with its HDI, rope and three probabilities.

    Parameters
    ----------
    result
        What `compare` returned.
    ax
        Where to draw; a new figure by default.
    """
    axes = style.new_axes() if ax is None else ax
    # Where the probabilities are of the next data set, areas are not probabilities.
    direct = result.posterior.regions is None
    colours = _COLOURS if direct else (style.EQUIVALENT,) * 3
    if isinstance(result.posterior.difference, Draws):
        top = _bars(axes, result.posterior.difference, style.ends(result.rope), colours)
    else:
        top = _areas(axes, result, colours)
    axes.set_ylim(-0.2 * top, 1.04 * top)
    style.band(axes, result.rope)
    axes.axvline(0, color=style.INK, linewidth=1, linestyle=":", zorder=3)
    _interval(axes, result)
    _probabilities(axes, result)
    style.title(axes, style.literal(result.headline()), pad=34, size=12)
    style.xlabel(axes, _label(axes, result))
    style.plain_axes(axes)
    return axes


def densities(
    results: "Sequence[Comparison]", *, beside: "Sequence[Comparison]" = ()
) -> "Figure":
    """Draw the posterior of each system's metric with its HDI, a panel per metric.

    Parameters
    ----------
    results
        Comparisons of the same two systems, one per metric.
    beside
        The same by another method, drawn with dashes, such as the 2015 variant.

    References
    ----------
    Wang & Li (2019).
    """
    from matplotlib.figure import Figure

    _check(results)
    figure = Figure(figsize=(4.2 * len(results), 3.6), layout="constrained")
    panels = figure.subplots(1, len(results), squeeze=False)[0]
    for index, (axes, result) in enumerate(zip(panels, results, strict=True)):
        _systems(axes, result)
        if beside:
            _systems(axes, beside[index], dashed=True)
        axes.set_xlabel(style.literal(result.settings.metric_name))
        axes.locator_params(axis="x", nbins=5)
        style.plain_axes(axes)
    entries = panels[0].get_legend_handles_labels()
    # The legend is as wide as the panels below it.
    columns = 4 if len(results) > 2 else len(results)
    figure.legend(*entries, loc="outside upper center", ncols=columns)
    return figure


def estimate(result: "Estimate", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the distribution of one number, its interval and the observed value.

    Parameters
    ----------
    result
        What `estimate` returned.
    ax
        Where to draw; a new figure by default.
    """
    axes = style.new_axes() if ax is None else ax
    x, height = _curve(result.distribution)
    top = max(float(np.max(height, initial=0.0)), 1e-300)
    axes.fill_between(x, height, color=style.BETTER, alpha=0.6, linewidth=0)
    axes.axvline(result.value, color=style.INK, linewidth=1, linestyle=":")
    style.line(axes, [*result.interval], [-0.06 * top] * 2, style.INK, 4)
    name = formatting.interval_name(result.interval.kind, result.interval.mass)
    numbers = (formatting.number(end, result.decimals) for end in result.interval)
    style.title(axes, f"{name} {' to '.join(numbers)}")
    style.xlabel(axes, _estimate_label(axes, result.settings))
    style.plain_axes(axes)
    return axes


def _estimate_label(ax: "Axes", settings: "Settings") -> str:
    if len(settings.systems) > 1:
        return style.difference(ax, settings)
    return style.literal(f"{settings.metric_name} of {settings.system_labels[0]}")


def _check(results: "Sequence[Comparison]") -> None:
    """Refuse comparisons without densities, or of different systems."""
    if not results:
        message = "There must be at least one comparison to draw; got none."
        raise SettingError(message)
    if len({result.settings.systems for result in results}) > 1:
        message = "A plot of densities must have the same two systems in all panels."
        raise SettingError(message, hint="Name two systems.")
    without = [r.settings.method for r in results if not r.system_laws]
    if without:
        message = f"Densities must be posteriors of both systems; got {without[0]}."
        raise SettingError(message, hint="plot() draws the posterior of a difference.")


def _label(ax: "Axes", result: "Comparison") -> str:
    """Write what is subtracted from what, and what the probabilities are of."""
    difference = style.difference(ax, result.settings)
    if result.posterior.regions is None:
        return difference
    return (
        f"{difference}, {result.centre}\n"
        f"(percentages: the region that most of {result.foreseen} lies in)"
    )


def _bars(
    ax: "Axes", draws: Draws, rope: tuple[float, float], colours: Colours
) -> float:
    """Draw bars that meet at the rope's ends, and return the height of the tallest."""
    values, (low, high) = draws.values, rope
    least, most = (float(end) for end in np.quantile(values, [0.0005, 0.9995]))
    finest = 1e-9 * max(1.0, abs(least), abs(most))
    width = max(most - least, (high - low) / 2, finest) / _BINS
    half = 0.0 if high > low else width / 2
    inside = np.linspace(low - half, high + half, max(2, round((high - low) / width)))
    parts = (
        (low - _steps(low - most, low - least, width)[::-1], values < low),
        (inside, (values >= low) & (values <= high)),
        (high + _steps(least - high, most - high, width), values > high),
    )
    tallest = 0.0
    for (edges, chosen), colour in zip(parts, colours, strict=True):
        if chosen.any() and len(edges) > 1:
            height = np.histogram(values[chosen], bins=edges)[0] / np.diff(edges)
            ax.bar(edges[:-1], height, np.diff(edges), align="edge", color=colour)
            tallest = max(tallest, float(height.max()))
    return tallest


def _steps(near: float, far: float, width: float) -> FloatArray:
    """Return the edges of bars from an end of the rope outwards, where draws are."""
    if far <= 0:
        return np.zeros(0)
    first = int(max(near, 0.0) // width)
    last = max(first + 1, int(np.ceil(far / width)))
    return np.float64(width) * np.arange(first, last + 1)


def _areas(ax: "Axes", result: "Comparison", colours: Colours) -> float:
    """Fill a density in colours that meet at the rope's ends, and return its height."""
    law, (low, high) = result.posterior.difference, style.ends(result.rope)
    left, right = _window(result)
    outside = [np.linspace(low, left, 100), np.linspace(right, high, 100)]
    beyond = [part for part in outside if part[0] < part[-1]]
    inside = [end for end in (low, high) if left < end < right]
    x = np.unique(np.concatenate([np.linspace(left, right, 400), inside, *beyond]))
    density = law.pdf(x)
    parts = x <= low, (x >= low) & (x <= high), x >= high
    for part, colour in zip(parts, colours, strict=True):
        ax.fill_between(x[part], density[part], color=colour, linewidth=0)
    return float(density.max())


def _window(result: "Comparison") -> tuple[float, float]:
    """Return the ends of a curve; heavy tails are cut."""
    law, hdi = result.posterior.difference, result.hdi
    low, high = law.interval(0.95)
    reach = _REACH * (high - low)
    left, right = law.interval(0.999)
    return min(max(left, low - reach), hdi.low), max(min(right, high + reach), hdi.high)


def _interval(ax: "Axes", result: "Comparison") -> None:
    """Draw the HDI below the density, with its ends and its name."""
    hdi, depth = result.hdi, ax.get_ylim()[0] * 0.3
    style.line(ax, [*hdi], [depth] * 2, style.INK, 4, zorder=4)
    for end, side in zip(hdi, ("right", "left"), strict=True):
        text = f" {formatting.number(end, result.decimals, signed=True)} "
        style.write(ax, end, depth, text, 9, ha=side)
    name = formatting.interval_name("hdi", result.mass)
    style.write(ax, (hdi.low + hdi.high) / 2, 1.5 * depth, name, 9, va="top")


def _probabilities(ax: "Axes", result: "Comparison") -> None:
    """Write the probabilities above the density: worse, equivalent, better."""
    p = result.probability
    parts = [
        (0.0, "left", "worse", p.worse, style.WORSE),
        (1.0, "right", "better", p.better, style.BETTER),
    ]
    if result.rope is not None:
        name = f"equivalent (within {result.rope})"
        parts.append((0.5, "center", name, p.equivalent, style.FAINT))
    above: dict[str, Any] = {"va": "bottom", "transform": ax.transAxes}
    for x, side, name, share, colour in parts:
        look = {"ha": side, "color": colour, "fontweight": "bold"}
        style.write(ax, x, 1.04, f"{name} {p.text(share)}", 10, **above, **look)


def _systems(ax: "Axes", result: "Comparison", *, dashed: bool = False) -> None:
    """Draw the density of each system's metric, and its HDI below."""
    names, laws = result.settings.system_labels, result.system_laws
    for index, colour in enumerate((style.WORSE, style.BETTER)):
        x, height = _curve(laws[index])
        name = style.literal(names[index])
        if dashed:
            label = f"{name} (mean over folds)"
            ax.plot(x, height, label=label, color=colour, linestyle="--")
            continue
        ax.plot(x, height, label=name, color=colour)
        depth = -0.06 * (1 + index) * float(height.max())
        hdi = result.system_intervals[index]
        style.line(ax, [*hdi], [depth] * 2, colour, 3)
        text = formatting.interval_name("hdi", result.mass) if index else ""
        style.write(ax, hdi.high, depth, f" {text}", 8, ha="left")


def _curve(distribution: Distribution) -> tuple[FloatArray, FloatArray]:
    """Return points and heights of a density between its outer thousandths."""
    if isinstance(distribution, Draws):
        low, high = (float(end) for end in np.quantile(distribution.values, _ENDS))
        x = np.linspace(low, high, 60)
        return x, distribution.pdf(x)
    law: Law = distribution  # type: ignore[assignment]
    x = np.linspace(float(law.ppf(_ENDS[0])), float(law.isf(1 - _ENDS[1])), 300)
    return x, np.asarray(law.pdf(x))
