"""Colours and sizes shared by all plots; told apart in grey as well."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORSE = "#b5460f"
EQUIVALENT = "#9aa3ad"
BAND = "#eceef0"
BETTER = "#1f5fa8"
INK = "#1c2430"
FAINT = "#6b7480"

SIZE = (7.0, 4.0)


def new_axes() -> "Axes":
    """Open a figure as pyplot does, so that notebooks show it."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=SIZE, layout="constrained")[1]


def new_figure() -> "tuple[Figure, Axes]":
    """Make a figure to be saved, apart from any that is on show."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    return figure, figure.subplots()


def plain_axes(ax: "Axes") -> None:
    """Leave only the axis that carries numbers."""
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.set_yticks([])
    ax.tick_params(axis="x", colors=INK)


def literal(text: str) -> str:
    """Keep matplotlib from reading a name as mathematics."""
    # A label that begins with an underscore would be left out of legends.
    shown = text.replace("$", r"\$")
    return f"\u200a{shown}" if shown.startswith("_") else shown
