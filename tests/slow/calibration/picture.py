"""Picture of the study: alarms and coverage by sample size, one pair for each kind."""

from collections.abc import Callable, Sequence
from io import StringIO

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from tests.slow.calibration.bars import MEAN_COVERAGE, USUAL_ALARMS
from tests.slow.calibration.figures import DOCS, OURS, Rates, Study, rates
from tests.slow.calibration.grid import LARGEST, SIZES, Kind

PICTURE = DOCS / "pictures" / "calibration.svg"
COLUMNS = 6
# Least alarms that are as stated, but for luck.
LEAST_ALARMS = 0.044
# Colour, marker and line of each method; the last is drawn on top.
LOOKS = {
    "bootstrap": ("#8a6d1f", "s", ":"),
    "wald": ("#9aa3ad", "^", "--"),
    "t": ("#b5460f", "D", "-."),
    OURS: ("#1f5fa8", "o", "-"),
}
TITLES = {
    "t": "paired t",
    "wald": "Wald",
    "bootstrap": "bootstrap, percentile",
    OURS: "likelier",
}
_INK = "#1c2430"
_SETTINGS = {
    "svg.hashsalt": "likelier",
    "svg.fonttype": "none",
    "font.size": 7.0,
    "font.sans-serif": ["DejaVu Sans"],
    "text.color": _INK,
    "axes.edgecolor": "#6b7480",
    "axes.linewidth": 0.6,
}


def draw(study: Study) -> Figure:
    """Draw a column of two panels for each kind of data, and a legend."""
    cells = [one for one in rates(study) if one.cell.kind.apart_to]
    kinds = list(dict.fromkeys(one.cell.kind.name for one in cells))
    blocks = -(-(len(kinds) + 1) // COLUMNS)
    figure = Figure(figsize=(11.0, 2.8 * blocks))
    grid = figure.add_gridspec(
        3 * blocks,
        COLUMNS,
        height_ratios=[1.0, 0.85, 0.22] * blocks,
        left=0.06,
        right=0.99,
        top=0.97,
        bottom=0.0,
        hspace=0.18,
        wspace=0.12,
    )
    for place, name in enumerate(kinds):
        block, column = divmod(place, COLUMNS)
        shown = _usual([one for one in cells if one.cell.kind.name == name])
        upper = figure.add_subplot(grid[3 * block, column])
        lower = figure.add_subplot(grid[3 * block + 1, column])
        _panel(upper, shown, Rates.alarms, limits=(0.0, 0.2), nominal=0.05)
        _panel(lower, shown, Rates.coverage, limits=(0.8, 1.0), nominal=0.95)
        upper.axhspan(LEAST_ALARMS, USUAL_ALARMS, color="#dfe9f5", zorder=0)
        lower.axhspan(*MEAN_COVERAGE, color="#dfe9f5", zorder=0)
        upper.set_title(_title(shown[0].cell.kind), pad=3.0)
        upper.set_xticklabels([])
        for axes, label in ((upper, "false winners"), (lower, "coverage")):
            if column:
                axes.set_yticklabels([])
            else:
                axes.set_ylabel(label)
    _legend(figure.add_subplot(grid[3 * blocks - 3, COLUMNS - 1]))
    return figure


def svg(study: Study) -> str:
    """Draw the picture as text; the same figures make the same text."""
    with mpl.rc_context(_SETTINGS):
        text = StringIO()
        draw(study).savefig(text, format="svg", metadata={"Date": None})
    return "\n".join(line.strip() for line in text.getvalue().splitlines()) + "\n"


def _usual(cells: Sequence[Rates]) -> list[Rates]:
    """Keep the share of discordance that was measured at the most sizes."""
    shares = [one.cell.share for one in cells]
    usual = max(dict.fromkeys(shares), key=shares.count)
    usual = 0.15 if 0.15 in shares else usual
    return [one for one in cells if one.cell.share == usual]


def _title(kind: Kind) -> str:
    return kind.title.replace("mean, ", "")


def _panel(
    axes: Axes,
    cells: Sequence[Rates],
    rate: Callable[[Rates, str], float | None],
    *,
    limits: tuple[float, float],
    nominal: float,
) -> None:
    """Draw the rates of all methods by size; what is beyond lies on the edge."""
    low, high = limits
    axes.axhline(nominal, color="#6b7480", linewidth=0.6)
    for method, (colour, marker, line) in LOOKS.items():
        points = [(one.cell.n, rate(one, method)) for one in cells]
        points = [(n, min(max(r, low), high)) for n, r in points if r is not None]
        if points:
            axes.plot(
                *zip(*points, strict=True),
                color=colour,
                marker=marker,
                linestyle=line,
                markersize=3.0,
                linewidth=0.9,
                clip_on=False,
            )
    axes.set_xscale("log")
    axes.set_xlim(SIZES[0] * 0.85, LARGEST * 1.15)
    axes.set_xticks([20, 50, 200, 500, 2000], ["20", "50", "200", "500", "2,000"])
    axes.minorticks_off()
    axes.set_ylim(low, high)
    ticks = [low + (high - low) * part / 4 for part in range(5)]
    axes.set_yticks(ticks, [f"{100 * tick:.0f} %" for tick in ticks])
    axes.tick_params(length=2.0, width=0.6, pad=1.5)
    axes.spines[["top", "right"]].set_visible(False)


def _legend(axes: Axes) -> None:
    axes.set_axis_off()
    for method in reversed(LOOKS):
        colour, marker, line = LOOKS[method]
        axes.plot(
            [], [], color=colour, marker=marker, linestyle=line, label=TITLES[method]
        )
    axes.legend(loc="center", frameon=False, fontsize=8.0, handlelength=3.0)
