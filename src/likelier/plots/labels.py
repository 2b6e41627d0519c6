"""Words of a plot's axes, fitted to their room."""

from math import log10
from typing import TYPE_CHECKING

from likelier.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import LogLocator

    from likelier.results.power import Setting
    from likelier.results.question import Question

# The mean width of a letter, as a share of its size.
LETTER = 0.58


def room(ax: "Axes", share: float, size: float) -> int:
    """Count the letters of a size that fit into a share of the axes' width."""
    return max(6, int(share * style.extent(ax)[0] / (LETTER * size)))


def difference(question: "Question", ax: "Axes") -> str:
    """Say what is taken from what."""
    most = room(ax, 0.3, style.points(ax, 10))
    first, second = (style.shortened(name, most) for name in question.systems)
    if question.metric in ("error_rate", "mean_loss"):
        first, second = second, first
    return f"{style.shortened(question.metric_name, most)}: {second} minus {first}"


def asked(question: "Question | Setting", ax: "Axes") -> str:
    """Say what is compared with what."""
    most = room(ax, 0.4, style.points(ax, 11))
    names = [style.shortened(name, most) for name in reversed(question.systems)]
    return f"{' against '.join(names)} on {style.shortened(question.metric_name, most)}"


def title(ax: "Axes", text: str, *, pad: float = 6) -> None:
    """Write the title of a plot, on several lines where it is long."""
    ax.set_title(text, color=style.INK, fontsize=style.points(ax, 11), pad=pad)
    ax.title.set_wrap(True)


def below(ax: "Axes", text: str) -> None:
    """Label the horizontal axis, on several lines where the label is long."""
    ax.set_xlabel(text, color=style.INK, fontsize=style.points(ax, 10), wrap=True)


def beside(ax: "Axes", text: str) -> None:
    """Label the vertical axis."""
    ax.set_ylabel(text, color=style.INK, fontsize=style.points(ax, 10))


def unbroken(text: str) -> str:
    """Keep words together on one line."""
    return text.replace(" ", "\u00a0")


def decades(least: float, most: float, count: int) -> "LogLocator":
    """Place ticks on a logarithmic axis, about as many as there is room for."""
    from matplotlib.ticker import LogLocator

    each = count / log10(most / least)
    subs = (1.0, 2.0, 5.0) if each >= 3.4 else (1.0, 3.0) if each >= 2.2 else (1.0,)
    return LogLocator(subs=subs, numticks=max(count, 2))
