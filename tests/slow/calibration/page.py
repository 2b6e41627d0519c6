"""Page of the study, docs/calibration.md, made of the stored figures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean

from tests.slow.calibration.bars import (
    MOST_EQUIVALENT,
    USUAL_ALARMS,
    USUAL_COVERAGE,
    alarms_of,
)
from tests.slow.calibration.figures import DOCS, OURS, Rates, Study, rates
from tests.slow.calibration.grid import CELLS

PAGE = DOCS / "calibration.md"
TEMPLATE = Path(__file__).parent / "template.md"
# What is behind the worst cells of some kinds of data.
NOTES = {
    "wer": "Few speakers, of whom some are hard for both systems.",
    "skewed": "A sample rarely holds enough of the long tail: LIK114 blocks winners "
    "that point away from it, and equivalence.",
    "zeros": "Few scores differ, and few of those are large.",
    "macro5": "Rare classes decide: LIK117 warns.",
    "macro10": "Rare classes decide: LIK117 warns.",
    "macro30": "Three items a class at 100 items: LIK117 warns.",
    "zipf30": "Half of the classes have one item or two: LIK117 warns.",
    "unequal": "A few large clusters carry the answer: LIK114 blocks the worst.",
    "f1-1": "A handful of positives: no winner is named, and LIK117 blocks "
    "equivalence below five.",
    "rmse": "A few large errors carry the answer.",
    "auc": "Five positives on average at 50 items, in one sample of nine two or fewer: "
    "LIK117 blocks equivalence below five.",
    "ap": "Five positives on average at 50 items: LIK117 blocks equivalence below "
    "five.",
    "f1-5": "A handful of positives: no winner is named, and LIK117 blocks "
    "equivalence below five.",
}
SUMMARY_HEAD = (
    *("data", "false winners", "paired t", "Wald", "bootstrap"),
    *("coverage", "paired t", "Wald", "bootstrap"),
    *("each system", 'false "equivalent"'),
    *("power", "paired t", "Wald", "bootstrap", "mid-p"),
)
Numbers = Sequence[float]
SIZES = sorted({cell.n for cell in CELLS})


def markdown(study: Study) -> str:
    """Fill the template with what the figures say."""
    cells = rates(study)
    least = min(one["replications"] for cell in cells for one in cell.truths.values())
    return TEMPLATE.read_text(encoding="utf-8").format(
        least=f"{least:,}",
        outcome=_outcome(cells),
        failures=_failures(cells),
        summary=_summary(cells),
        cells=_every_cell(cells),
    )


def _kinds(cells: Sequence[Rates]) -> Iterator[tuple[str, list[Rates]]]:
    """Group the cells by kind of data, with its title."""
    for title in dict.fromkeys(one.cell.kind.title for one in cells):
        yield title, [one for one in cells if one.cell.kind.title == title]


# --- in words -----------------------------------------------------------------


def _outcome(cells: Sequence[Rates]) -> str:
    """Say in four lines what the figures come to."""
    plain = [one for one in cells if not one.cell.kind.skewed]
    alarms = {name: rate for name, _, rate in alarms_of(plain)}
    covers = {one.cell.name: one.coverage() for one in plain}
    own = {one.cell.name: one.own() for one in plain}
    equivalent = {one.cell.name: one.equivalent() for one in plain}
    return "\n".join(
        (
            _line("False winners", 5, alarms, "at most", USUAL_ALARMS),
            _line("Coverage of the difference", 95, covers, "at least", USUAL_COVERAGE),
            _line("Coverage of each system", 95, own, "at least", USUAL_COVERAGE),
            _line('False "equivalent"', 2.5, equivalent, "at most", MOST_EQUIVALENT),
            _power_line(cells),
        )
    )


def _line(
    name: str,
    nominal: float,
    by_cell: Mapping[str, float | None],
    side: str,
    limit: float,
) -> str:
    found = {cell: rate for cell, rate in by_cell.items() if rate is not None}
    up = side == "at most"
    within = [r for r in found.values() if (r <= limit if up else r >= limit)]
    worst = (max if up else min)(found, key=lambda cell: found[cell])
    return (
        f"- **{name}**, nominally {nominal:g} %: {_percent(mean(found.values()))} % on "
        f"average, {side} {_percent(limit)} % in {len(within)} of {len(found)} cells; "
        f"the {'most' if up else 'least'} is {_percent(found[worst])} % (`{worst}`)."
    )


def _power_line(cells: Sequence[Rates]) -> str:
    """Compare how often a true difference is seen in 0/1 scores."""
    some = [
        one
        for one in cells
        if one.cell.kind.zero_one and one.power() and 100 <= one.cell.n <= 500
    ]
    ours, mid_p, t = (
        _percent(mean(one.power(method) for one in some))
        for method in (OURS, "mcnemar", "t")
    )
    return (
        f'- **"Better"** where it is true, 0/1 scores, 100 to 500 items: {ours} %; '
        f"exact McNemar (mid-p) {mid_p} %, paired t {t} %."
    )


def _failures(cells: Sequence[Rates]) -> str:
    """List the kinds of data with cells beyond the bars, and what to do there."""
    lines = []
    for title, some in _kinds(cells):
        parts = [
            *_beyond("false winners", {c: r for c, _, r in alarms_of(some)}, up=True),
            *_beyond("coverage", {one.cell.name: one.coverage() for one in some}),
        ]
        if parts:
            note = NOTES.get(some[0].cell.kind.name, "")
            lines.append(f"- {title}: {'; '.join(parts)}. {note}".rstrip())
    return "\n".join(lines)


def _beyond(
    name: str, by_cell: Mapping[str, float | None], *, up: bool = False
) -> list[str]:
    """Say in how many cells a rate is beyond its bar, and how far."""
    found = [rate for rate in by_cell.values() if rate is not None]
    off = [r for r in found if (r > USUAL_ALARMS if up else r < USUAL_COVERAGE)]
    if not off:
        return []
    worst = _percent(max(off) if up else min(off))
    return [
        f"{name} {'up' if up else 'down'} to {worst} % ({len(off)} of {len(found)})"
    ]


# --- summary ------------------------------------------------------------------


def _summary(cells: Sequence[Rates]) -> str:
    """Write a row for each kind of data: means, and the worst cell."""
    return _table(SUMMARY_HEAD, [_row(title, some) for title, some in _kinds(cells)])


def _row(title: str, cells: Sequence[Rates]) -> list[str]:
    def alarms(method: str = OURS) -> str:
        truths = [(one, truth) for one in cells for truth in one.truths]
        found = [one.alarms(method, t) for one, t in truths if t != "apart"]
        return _mean_worst(found, max)

    def power(method: str = OURS) -> str:
        return _mean_worst([one.power(method) for one in cells])

    return [
        title,
        *(alarms(method) for method in (OURS, "t", "wald", "bootstrap")),
        *(
            _mean_worst([one.coverage(method) for one in cells], min)
            for method in (OURS, "t", "wald", "bootstrap")
        ),
        _mean_worst([one.own() for one in cells], min),
        _mean_worst([one.equivalent() for one in cells], max),
        *(power(method) for method in (OURS, "t", "wald", "bootstrap", "mcnemar")),
    ]


def _mean_worst(
    numbers: Sequence[float | None], worst: Callable[[Numbers], float] | None = None
) -> str:
    """Write the mean of some rates, and the worst of them."""
    some = [number for number in numbers if number is not None]
    if not some:
        return ""
    text = _percent(mean(some))
    return text if worst is None else f"{text} ({_percent(worst(some))})"


# --- every cell ---------------------------------------------------------------

FIGURES: dict[str, tuple[Callable[[Rates], float | None], Callable[[float], bool]]] = {
    "false winners": (Rates.alarms, lambda rate: rate > USUAL_ALARMS),
    "the same, crossed": (
        lambda one: one.alarms(truth="crossed"),
        lambda rate: rate > USUAL_ALARMS,
    ),
    "coverage": (Rates.coverage, lambda rate: rate < USUAL_COVERAGE),
    "each system": (Rates.own, lambda rate: rate < USUAL_COVERAGE),
    'false "equivalent"': (Rates.equivalent, lambda rate: rate > MOST_EQUIVALENT),
    '"better", rightly': (Rates.power, lambda rate: False),
    "blocked": (Rates.blocked, lambda rate: False),
}


def _every_cell(cells: Sequence[Rates]) -> str:
    """Write every figure: sizes across; data, discordance and figure down."""
    head = ("data", "discordant", "figure, %", *(f"{n:,}" for n in SIZES))
    return _table(head, list(_figure_rows(cells)))


def _figure_rows(cells: Sequence[Rates]) -> Iterator[list[str]]:
    for title, some in _kinds(cells):
        for share in dict.fromkeys(one.cell.share for one in some):
            by_size = {one.cell.n: one for one in some if one.cell.share == share}
            label = [title, f"{100 * share:.2g} %" if share < 1 else "all"]
            for name, (figure, is_off) in FIGURES.items():
                found = {n: figure(one) for n, one in by_size.items()}
                if any(rate is not None for rate in found.values()):
                    yield [
                        *label,
                        name,
                        *(_marked(found.get(n), is_off) for n in SIZES),
                    ]
                    label = ["", ""]


def _marked(rate: float | None, is_off: Callable[[float], bool]) -> str:
    if rate is None:
        return ""
    return f"**{_percent(rate)}**" if is_off(rate) else _percent(rate)


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    line = ["---" if name in ("data", "figure, %") else "---:" for name in head]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, line, *rows))
