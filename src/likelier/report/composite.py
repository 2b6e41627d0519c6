"""Results that are tables themselves: classes, priors, plans."""

from dataclasses import dataclass

from likelier import wording
from likelier.decision import Probabilities
from likelier.errors import plain
from likelier.report.summary import Composite
from likelier.results import (
    ClassComparison,
    ClassRow,
    Comparison,
    PlanReport,
    Sensitivity,
)


@dataclass(frozen=True)
class Table:
    """A heading and rows of text, to be escaped by whoever shows them."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def composite_table(result: Composite) -> Table:
    """Put a result that is a table itself into rows of text."""
    if isinstance(result, ClassComparison):
        return _classes(result)
    if isinstance(result, Sensitivity):
        return _priors(result)
    return _plan(result)


def composite_lines(result: Composite) -> list[str]:
    """Give the lines that belong to the table."""
    if isinstance(result, ClassComparison):
        across = result.across_line()
        return [*([] if across is None else [across]), result.question.size]
    if isinstance(result, Sensitivity):
        return [result.usual.question.size]
    return result.detail_lines()


def _classes(result: ClassComparison) -> Table:
    first, second = result.question.shown_systems
    one = result.rows[0].comparison
    columns = (
        "class",
        "items",
        first,
        second,
        "mean",
        "sd",
        wording.interval_name("hdi", one.mass),
        "P(<0)",
        *(() if one.rope is None else ("P(rope)",)),
        "P(>0)",
        "factor",
        "verdict",
        "sign test (accuracy)",
        "p-test (accuracy)",
    )
    rows = [_class_row(row) for row in result.rows]
    means = [
        (c.question.metric_name, "", *_numbers(c), "", "") for c in result.averages
    ]
    return Table(columns, (*rows, *means))


def _class_row(row: ClassRow) -> tuple[str, ...]:
    tests = ("-" if p is None else wording.p_value(p) for p in (row.sign, row.p_test))
    return (
        plain(row.name),
        f"{row.support:,.0f}",
        *_numbers(row.comparison),
        *tests,
    )


def _numbers(found: Comparison) -> tuple[str, ...]:
    """Give the columns of the paper's tables, from the metrics to the verdict."""
    show, known = found.decimals, found.posterior.difference
    low, high = (wording.number(end, show, signed=True) for end in found.hdi)
    sides = Probabilities.of(known, None)
    inside = found.probability
    return (
        *(wording.number(value, show) for value in found.question.observed),
        wording.number(known.mean(), show, signed=True),
        wording.number(known.std(), show),
        f"{low} to {high}",
        sides.shown(sides.worse),
        *(() if found.rope is None else (inside.shown(inside.equivalent),)),
        sides.shown(sides.better),
        "-" if found.factor is None else found.factor.shown(),
        f"{found.verdict.symbol} {found.verdict.name}",
    )


def _priors(result: Sensitivity) -> Table:
    columns = ("strength", "mean", "worse", "equivalent", "better", "factor", "verdict")
    rows = []
    for strength, found in zip(result.strengths, result.comparisons, strict=True):
        p, show = found.probability, found.decimals
        rows.append(
            (
                f"{strength:g}",
                wording.number(found.posterior.difference.mean(), show, signed=True),
                p.shown(p.worse),
                "-" if found.rope is None else p.shown(p.equivalent),
                p.shown(p.better),
                "-" if found.factor is None else found.factor.shown(),
                f"{found.verdict.symbol} {found.verdict.name}",
            )
        )
    return Table(columns, tuple(rows))


def _plan(result: PlanReport) -> Table:
    power = result.power
    rows = [
        (
            f"{size:,}",
            *(power.setting.shown(power.chance(v, size)) for v in power.verdicts),
        )
        for size in power.sizes
    ]
    return Table((power.setting.unit, *power.verdicts), tuple(rows))
