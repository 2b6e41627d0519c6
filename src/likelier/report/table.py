"""Results as rows of text: the common ground of markdown, LaTeX and the terminal."""

from collections.abc import Sequence

from likelier import wording
from likelier.report.composite import Table, composite_tables
from likelier.report.summary import Composite, Result
from likelier.results import Comparison, Estimate, NullTest, StudyReport


def finding_lines(results: Sequence[Result]) -> list[str]:
    """Give every finding once, in the order in which it came up."""
    return list(dict.fromkeys(str(f) for result in results for f in result.findings))


def with_answers(results: Sequence[Result]) -> list[Result]:
    """Give results, and after a study what it found."""
    return [part for r in results for part in (r, *_answers(r))]


def _answers(result: Result) -> Sequence[Result]:
    return result.answers if isinstance(result, StudyReport) else ()


def tables(results: Sequence[Result]) -> list[Table]:
    """Put results of one kind into one table, or each into a table of its own."""
    parts = [r for r in results if isinstance(r, Composite)]
    if parts:
        return [table for part in parts for table in _part_tables(part)]
    if all(isinstance(result, Comparison) for result in results):
        return [_comparisons([r for r in results if isinstance(r, Comparison)])]
    if all(isinstance(result, NullTest) for result in results):
        return [_null_tests([r for r in results if isinstance(r, NullTest)])]
    return [_estimates([r for r in results if isinstance(r, Estimate)])]


def _part_tables(part: Composite) -> list[Table]:
    """Put a result into tables; those of a study's answers come after its own."""
    own = composite_tables(part)
    found = _answers(part)
    return [*own, *tables(found)] if found else own


def _comparisons(results: Sequence[Comparison]) -> Table:
    tested = all(_is_tested(result) for result in results)
    roped = tested and any(result.rope is not None for result in results)
    columns = (
        "metric",
        "baseline",
        "candidate",
        "difference",
        wording.interval_name("hdi", results[0].mass),
        *(("P(H0)", "P(H1)") if tested else ("worse", "equivalent", "better")),
        *(("equivalent",) if roped else ()),
        "accept" if tested else "verdict",
    )
    return Table(columns, tuple(_comparison_row(result) for result in results))


def _is_tested(result: Comparison) -> bool:
    """Tell whether hypotheses are told, and not regions."""
    return result.hypotheses is not None and result.rule == "bayes-test"


def _comparison_row(result: Comparison) -> tuple[str, ...]:
    show = result.decimals
    names, values = result.question.shown_systems, result.question.observed
    low, high = (wording.number(end, show, signed=True) for end in result.hdi)
    return (
        result.question.metric_name,
        f"{names[0]} {wording.number(values[0], show)}",
        f"{names[1]} {wording.number(values[1], show)}",
        wording.number(result.difference, show, signed=True),
        f"{low} to {high}",
        *_answer(result),
    )


def _answer(result: Comparison) -> tuple[str, ...]:
    tested, p = result.hypotheses, result.probability
    if tested is not None and _is_tested(result):
        inside = () if result.rope is None else (p.shown(p.equivalent),)
        both = tested.shown(tested.h0), tested.shown(tested.h1)
        return *both, *inside, tested.decision
    shares = [p.shown(x) for x in (p.worse, p.equivalent, p.better)]
    if result.rope is None:
        shares[1] = "-"
    return *shares, f"{result.verdict.symbol} {result.verdict.name}"


def _null_tests(results: Sequence[NullTest]) -> Table:
    columns = ("metric", "baseline", "candidate", "difference", "p", "test")
    rows = []
    for result in results:
        names, values = result.question.shown_systems, result.question.observed
        rows.append(
            (
                result.question.metric_name,
                f"{names[0]} {wording.number(values[0], 4)}",
                f"{names[1]} {wording.number(values[1], 4)}",
                wording.number(result.difference, 4, signed=True),
                wording.p_value(result.p_value),
                result.origin.method["description"],
            )
        )
    return Table(columns, tuple(rows))


def _estimates(results: Sequence[Estimate]) -> Table:
    interval = results[0].interval
    name = wording.interval_name(interval.kind, interval.mass)
    rows = []
    for result in results:
        low, high = (wording.number(end, result.decimals) for end in result.interval)
        rows.append(
            (
                " against ".join(reversed(result.question.shown_systems)),
                result.question.metric_name,
                wording.number(result.value, result.decimals),
                f"{low} to {high}",
                f"{result.question.items:,}",
            )
        )
    return Table(("system", "metric", "value", name, "items"), tuple(rows))
