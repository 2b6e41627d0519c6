"""Results that are tables themselves: classes, priors, plans."""

from dataclasses import dataclass

import numpy as np

from likelier import wording
from likelier.decision import Probabilities
from likelier.errors import plain
from likelier.report.summary import Composite
from likelier.results import (
    Across,
    ClassComparison,
    ClassRow,
    Comparison,
    Pairs,
    PlanReport,
    Ranking,
    Sensitivity,
    StudyReport,
)
from likelier.results.ranking import PairTest


@dataclass(frozen=True)
class Table:
    """A heading and rows of text, to be escaped by whoever shows them."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def composite_tables(result: Composite) -> list[Table]:
    """Put a result that is a table itself, or two, into rows of text."""
    if isinstance(result, ClassComparison):
        return [_classes(result)]
    if isinstance(result, Sensitivity):
        return [_priors(result)]
    if isinstance(result, Pairs):
        return [_pairs(result)]
    if isinstance(result, Ranking):
        return [_ranks(result), _pairs(result.pairs, result)]
    if isinstance(result, StudyReport):
        return [_tallies(result)]
    return [_plan(result)]


def data_sets_table(across: Across) -> Table:
    """Give every data set of the hierarchical model: alone, and shrunken."""
    spread = across.population.delta0.std()
    show = wording.decimals_for(spread)
    name = wording.interval_name("hdi", across.mass)
    columns = ("data set", "folds", "mean", f"{name} alone", "shrunken", name)
    rows = []
    for row in across.rows:
        both = row.alone, row.shrunken.hdi(across.mass)
        alone, shrunken = (
            " to ".join(wording.number(end, show, signed=True) for end in interval)
            for interval in both
        )
        means = row.observed, row.shrunken.mean()
        mean, moved = (wording.number(value, show, signed=True) for value in means)
        rows.append((plain(row.name), f"{row.folds:,}", mean, alone, moved, shrunken))
    return Table(columns, tuple(rows))


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


def _pairs(result: Pairs, ranking: Ranking | None = None) -> Table:
    """Give the paper's table: how probably the first is above, like, below the second.

    With a ranking, the p-values of its tests stand beside.
    """
    tests = {} if ranking is None else {test.systems: test for test in ranking.tests}
    shown = any(test.shown_on is not None for test in tests.values())
    columns = (
        "first",
        "second",
        ">",
        "≈",
        "<",
        "difference",
        wording.interval_name("hdi", result.comparisons[0].mass),
        "the second is",
        *(("Wilcoxon p", "Holm", "Benjamini-Hochberg") if tests else ()),
        *(("shown to be better",) if shown else ()),
    )
    rows = []
    for found in result.comparisons:
        show, p = found.decimals, found.probability
        low, high = (wording.number(end, show, signed=True) for end in found.hdi)
        row = (
            *found.question.shown_systems,
            _share(p, p.worse),
            "-" if found.rope is None else _share(p, p.equivalent),
            _share(p, p.better),
            wording.number(found.difference, show, signed=True),
            f"{low} to {high}",
            # No symbol: beside the signs of the columns it would read turned round.
            found.verdict.name,
        )
        pair = (found.question.systems[0], found.question.systems[1])
        rows.append((*row, *_test_cells(tests.get(pair), shown=shown)))
    return Table(columns, tuple(rows))


def _test_cells(test: PairTest | None, *, shown: bool) -> tuple[str, ...]:
    if test is None:
        return ()
    values = (test.p_value, test.holm, test.benjamini_hochberg)
    told = tuple(wording.p_value(value) for value in values)
    if not shown or test.shown_on is None:
        return told
    second, first = test.shown_on
    return (*told, f"first on {first}, second on {second}")


def _share(known: Probabilities, share: float) -> str:
    """Write a probability as the paper does, with three decimals where they hold."""
    decimals = 3 if known.mcse(share) < 0.002 else 2
    return f"{share:.{decimals}f}"


def _tallies(result: StudyReport) -> Table:
    """Give the systems' folds, means and times, data set by data set."""
    columns = (
        "data set",
        "system",
        "folds",
        *(_mean_of(wording.metric_name(name)) for name in result.metrics),
        "fit",
        "predict",
    )
    rows = []
    for tally in result.tallies:
        failed = f", {tally.failed} failed" if tally.failed else ""
        means = (_mean(tally.means[name]) for name in result.metrics)
        seconds = (_seconds(s) for s in (tally.fit_seconds, tally.predict_seconds))
        folds = f"{tally.finished} of {tally.planned}{failed}"
        names = plain(tally.dataset), plain(tally.system)
        rows.append((*names, folds, *means, *seconds))
    return Table(columns, tuple(rows))


def _mean_of(metric: str) -> str:
    return metric if metric.startswith("mean") else f"mean {metric}"


def _mean(value: float) -> str:
    return "-" if np.isnan(value) else wording.number(value, 4)


def _seconds(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.2f} s"


def _ranks(result: Ranking) -> Table:
    test = result.friedman
    columns = (
        "system",
        result.metric_name,
        "P(best)",
        "expected rank",
        *(() if test is None else ("average rank",)),
    )
    rows = []
    for place in result.places:
        best = float(result.ranks.best[place])
        error = float(np.sqrt(best * (1 - best) / result.ranks.draws))
        rows.append(
            (
                plain(result.systems[place]),
                wording.number(result.observed[place], 4),
                wording.percent(best, error, draws=result.ranks.draws),
                f"{result.ranks.expected[place]:.2f}",
                *(() if test is None else (f"{test.average_ranks[place]:.2f}",)),
            )
        )
    return Table(columns, tuple(rows))
