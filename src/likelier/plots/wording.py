"""Words of plots: titles, labels of axes, and names from the data that fit."""

from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width

from likelier.formatting import plain
from likelier.plots import style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.ticker import ScalarFormatter

    from likelier.settings import Settings

# Letters: shorter names, and notes in narrower axes, are left out.
_LEAST_LETTERS, _LEAST_OF_NOTE = 4, 30


def difference(ax: "Axes", *settings: "Settings") -> str:
    """Write what is subtracted from what, so that positive is better.

    For a loss that is the first system minus the second. Several comparisons are
    named by what they share.
    """
    size = style.points(ax, 10)
    metrics = {each.metric_name for each in settings}
    directions = {each.higher_is_better for each in settings}
    metric = f" in {fit(ax, metrics.pop(), 0.9, size)}" if len(metrics) == 1 else ""
    if len(directions) > 1:
        return f"difference{metric}"
    first, second = (fit(ax, name, 0.3, size) for name in _pair(settings))
    if not directions.pop():
        first, second = second, first
    return f"difference{metric}, {second} minus {first}"


def label_difference(ax: "Axes", *settings: "Settings", note: str = "") -> None:
    """Label the axis of differences, with the side on which each system is better.

    Parameters
    ----------
    ax
        Axes with differences across.
    settings
        Of the comparisons.
    note
        What else there is to say, below the label.
    """
    name_sides(ax, *settings)
    ax.xaxis.set_major_formatter(_signed())
    label = difference(ax, *settings)
    if note and style.room(ax, 1.0, style.points(ax, 10)) >= _LEAST_OF_NOTE:
        label += f"\n({note})"
    xlabel(ax, label, pad=4 + 1.4 * style.points(ax, 9))


def name_sides(ax: "Axes", *settings: "Settings", upright: bool = False) -> None:
    """Write at the ends of an axis of differences which system is better there."""
    size = style.points(ax, 9)
    names = _pair(settings)
    letters = 0.76 * style.extent(ax)[upright] / (style.LETTER * size)
    both = int(letters) - 2 * len("← better ")
    # A short name leaves its room to the other.
    most = max(both // 2, both - min(map(width, names)))
    if both // 2 < _LEAST_LETTERS:
        return
    first, second = (shorten(name, most) for name in names)
    sides = (
        (0, f"← {first} better", style.WORSE_INK),
        (1, f"{second} better →", style.BETTER_INK),
    )
    for end, text, colour in sides:
        look = {"color": colour, "fontsize": size, "xycoords": ax.transAxes}
        if upright:
            side = {"va": "top" if end else "bottom", "ha": "left", "rotation": 90}
            style.write_off(ax, 1.02, end, 0, text, **look, **side)
        else:
            side = {"va": "top", "ha": "right" if end else "left"}
            style.write_off(ax, end, 0, -8 - 1.3 * size, text, **look, **side)


def _pair(settings: "Sequence[Settings]") -> tuple[str, ...]:
    """Return the names of the two systems, where all comparisons are of the same."""
    pairs = {each.systems for each in settings}
    return pairs.pop() if len(pairs) == 1 else ("baseline", "candidate")


def _signed() -> "ScalarFormatter":
    """Make a formatter that writes a plus before positive numbers."""
    from matplotlib.ticker import ScalarFormatter

    class Signed(ScalarFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            return f"{'+' if x > 0 else ''}{super().__call__(x, pos)}"

    return Signed()


def pairing(ax: "Axes", settings: "Settings", *remarks: str) -> str:
    """Write what is compared with what, and what there is to say of it."""
    names = [fit(ax, name, 0.4) for name in reversed(settings.systems)]
    metric = fit(ax, settings.metric_name, 0.5)
    return f"{' against '.join(names)} on {metric}: {unbroken(*remarks)}"


def title(ax: "Axes", text: str, *, pad: float = 6, ha: str = "left") -> None:
    """Write the title of a plot, on several lines where it is long."""
    look: dict[str, Any] = {"color": style.INK, "fontsize": style.points(ax, 11)}
    x = 0.5 if ha == "center" else 0.0
    ax.set_title(text, x=x, ha=ha, pad=pad, wrap=True, **look)


def xlabel(ax: "Axes", text: str, *, pad: float = 4) -> None:
    """Label the horizontal axis, on several lines where the label is long."""
    look: dict[str, Any] = {"color": style.INK, "fontsize": style.points(ax, 10)}
    ax.set_xlabel(text, labelpad=pad, wrap=True, **look)


def ylabel(ax: "Axes", text: str) -> None:
    """Label the vertical axis."""
    ax.set_ylabel(text, color=style.INK, fontsize=style.points(ax, 10))


def unbroken(*parts: str) -> str:
    """Join parts with commas, the words of each kept together on one line."""
    return ", ".join(part.replace(" ", "\u00a0") for part in parts)


def fit(ax: "Axes", name: str, share: float, size: float | None = None) -> str:
    """Write a name so that it fits into a share of the axes' width.

    Parameters
    ----------
    ax
        Where to write.
    name
        A name from the data.
    share
        Of the width.
    size
        Of the letters; by default those of a title.
    """
    return shorten(
        name, style.room(ax, share, style.points(ax, 11) if size is None else size)
    )


def shorten(name: str, most: int) -> str:
    """Write a name from the data literally, with an ellipsis where it is too long.

    What is left out is the middle: long names often differ only at their ends.

    Examples
    --------
    >>> shorten("comp.sys.ibm.pc.hardware", 15)
    'comp.s…rdware'
    """
    text = plain(name)
    if width(text) > most:
        half = (most - 1) // 2
        text = f"{_head(text, most - 1 - half)}…{_head(text[::-1], half)[::-1]}"
    return literal(text)


def width(text: str) -> int:
    """Count how many Latin letters are as wide as a text."""
    return sum(map(_letters, text))


def _letters(letter: str) -> int:
    wide = letter in "MWmw@%" or east_asian_width(letter) in "WF"
    return 0 if combining(letter) else 1 + wide


def _head(text: str, most: int) -> str:
    """Return as much of the beginning of a text as there is style.room for."""
    used = 0
    for index, letter in enumerate(text):
        used += _letters(letter)
        if used > most:
            return text[:index]
    return text


def literal(text: str) -> str:
    """Keep matplotlib from reading a name as mathematics."""
    # A label that begins with an underscore would be left out of legends.
    text = text.replace("$", r"\$")
    return f"\u200a{text}" if text.startswith("_") else text
