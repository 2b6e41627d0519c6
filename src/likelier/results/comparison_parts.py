"""Parts and tables of comparisons: of one, or of many on one scale."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from likelier import formatting
from likelier.formatting import plain
from likelier.results.changes import Changes
from likelier.results.comparison_summary import bar
from likelier.results.parts import (
    Card,
    Cell,
    Density,
    Forest,
    ForestRow,
    Items,
    Matrices,
    Part,
    Table,
    columns,
    number_table,
)
from likelier.results.what_if import Stops, WhatIf

if TYPE_CHECKING:
    from likelier.results.comparison import Comparison

    Labelled = Sequence[tuple[str, Comparison]]

# Beyond, rows do not open.
_MOST_CARDS = 40
# Beyond, the systems, the other tests and the items of each are left out.
MOST_DETAILED = 12


def comparison_parts(
    labelled: "Labelled",
    *,
    after: Iterable[Part] = (),
    forest: Forest | None = None,
    tasks: "Labelled" = (),
) -> Iterator[Part]:
    """Yield what a page shows of comparisons, from the difference to the items.

    Parameters
    ----------
    labelled
        Comparisons with a label each; an empty one is made of how they differ.
    after
        Further parts, after the difference.
    forest
        All of them on one scale, where that is not the usual one.
    tasks
        Those that have items of their own; others share theirs.
    """
    results = [result for _, result in labelled]
    names = labels_of(results)
    labels = [label or name for (label, _), name in zip(labelled, names, strict=True)]
    pairs = tuple(zip(labels, results, strict=True))
    if len(pairs) == 1:
        yield density_of(results[0], live=True)
    else:
        yield forest or comparison_forest(pairs)
    yield from after
    few = len(pairs) <= MOST_DETAILED
    if few and forest is None:
        yield system_forest(results)
    if len({result.settings.systems for result in results}) == 1:
        yield from _matrices(results)
    changes = tuple(_task_changes(tasks) if tasks else _changes(results))
    if 0 < len(changes) <= MOST_DETAILED:
        yield Items(changes)
    if few:
        yield from _other_tests(pairs)


def _matrices(results: "Sequence[Comparison]") -> Iterator[Matrices]:
    """Yield the confusion of one pair of systems, of all labels where it is known."""
    # Of tasks, the answer about all items comes last.
    ordered = sorted(
        results, key=lambda r: (r.settings.positive is not None, -r.settings.data.items)
    )
    for whole in ordered:
        confusion = None if whole.items is None else whole.items.confusion
        if confusion is not None:
            yield Matrices(confusion, whole.settings.positive is not None)
            return


def labels_of(results: "Sequence[Comparison]") -> list[str]:
    """Label each comparison by how it differs from others: metric, systems, both."""
    metrics = {result.settings.metric_name for result in results}
    pairs = {result.settings.systems for result in results}
    labels = []
    for result in results:
        first, second = result.settings.system_labels
        pair, metric = f"{second} against {first}", result.settings.metric_name
        if len(pairs) == 1 and len(metrics) > 1:
            labels.append(metric)
        else:
            labels.append(pair if len(metrics) == 1 else f"{metric}: {pair}")
    return labels


def comparison_forest(
    labelled: "Labelled", *, title: str = "By how much", head: str = "comparison"
) -> Forest:
    """Put comparisons on one scale of differences."""
    first = labelled[0][1]
    cards = len(labelled) <= _MOST_CARDS
    interval = f"{100 * first.mass:g} % interval"
    show = max(result.decimals for _, result in labelled)
    return Forest(
        title=title,
        head=head,
        before=(),
        after=("difference", interval, "P(worse)", "P(better)"),
        rows=tuple(
            comparison_row(*pair, card=cards, decimals=show) for pair in labelled
        ),
        note=(forest_note(first),),
        rope=first.rope,
        sorted_by="",
    )


def forest_note(result: "Comparison") -> str:
    """Say what dots and the band of a forest are."""
    band = "" if result.rope is None else f" The grey band is the rope, {result.rope}."
    return f"A filled dot is decided, a hollow one is not.{band}"


def comparison_row(
    label: str,
    result: "Comparison",
    *,
    before: tuple[Cell, ...] = (),
    card: bool = False,
    counted: float | None = None,
    decimals: int | None = None,
) -> ForestRow:
    """Put a comparison on a scale of differences.

    Parameters
    ----------
    label
        Name of the row.
    result
        The comparison.
    before
        Cells before the drawing.
    card
        Whether the row opens.
    counted
        The difference as it was counted, where a model moved it.
    decimals
        How many numbers have; by default as many as the uncertainty justifies.
    """
    probability = result.probability
    worse, _, better = result.probability.texts(result.rope)
    value = result.difference if counted is None else result.posterior.difference.mean()
    return ForestRow(
        label,
        value,
        result.hdi,
        before,
        (
            Cell(result.signed(value, decimals), value),
            Cell(" to ".join(result.end_texts(decimals=decimals))),
            Cell(worse, probability.worse),
            Cell(better, probability.better),
        ),
        result.verdict,
        counted,
        Card(f"{result.sentence()}.", density_of(result), bar(result))
        if card
        else None,
    )


def density_of(result: "Comparison", *, live: bool = False) -> Density:
    """Return the posterior of the difference, with sliders where it is `live`."""
    settings, whole = result.settings, result.posterior.regions is None
    # Where a finding blocks the verdict, nothing is coloured as if it were one.
    coloured = whole and result.verdict.reason is None
    first, second = settings.system_labels
    centre = "" if whole else f" ({result.centre})"
    caption = [
        "Every difference that fits the data; the higher the curve, the more "
        "probable. The line below it is the interval."
    ]
    if result.rope is not None:
        caption.append(
            "The grey band is the rope: differences that count as too small to matter."
        )
    if not whole:
        caption.append(
            f"The curve is that of {result.centre}; the probabilities above are about "
            f"{result.foreseen}."
        )
    return Density(
        distribution=result.posterior.difference,
        interval=result.hdi,
        rope=result.rope,
        shares=bar(result).shares if coloured else (),
        interval_texts=result.end_texts(),
        axis=f"difference in {settings.metric_name}{centre}, {second} minus {first}"
        if settings.higher_is_better
        else f"gain in {settings.metric_name}{centre}, {second} against {first}",
        caption=tuple(caption),
        alternatives=WhatIf(result, Stops.of(result)) if live else None,
    )


def system_forest(results: "Sequence[Comparison]") -> Forest:
    """Put each system's metrics with their intervals on one scale, each once."""
    rows: dict[tuple[str, str], ForestRow] = {}
    metrics = {result.settings.metric_name for result in results}
    show = max(result.decimals for result in results)
    for result in results:
        metric = result.settings.metric_name
        for name, value, interval in result.per_system:
            ends = () if interval is None else (formatting.ends(interval, show),)
            rows[metric, name] = ForestRow(
                plain(name) if len(metrics) == 1 else f"{plain(name)}: {metric}",
                value,
                interval,
                (Cell(formatting.number(value, show), value),),
                tuple(map(Cell, ends)),
            )
    first = results[0]
    head = next(iter(metrics)) if len(metrics) == 1 else "value"
    kind = formatting.interval_name(first.settings.interval, first.mass)
    known = any(row.interval is not None for row in rows.values())
    return Forest(
        title="Each system",
        head="system",
        before=(head,),
        after=(kind.replace("HDI", "interval"),) if known else (),
        rows=tuple(rows.values()),
        note=_overlap(first) if len(rows) == 2 else (),
        differences=False,
    )


def _overlap(result: "Comparison") -> tuple[str, ...]:
    """Explain how intervals can overlap where the difference is clear."""
    intervals = result.system_intervals
    if len(intervals) < 2 or result.verdict.name not in ("better", "worse"):
        return ()
    one, other = intervals
    if one.high < other.low or other.high < one.low:
        return ()
    return (
        "The two intervals overlap, and yet the difference is clear: both systems "
        "answered the same items, and what is hard for one is hard for the other.",
    )


def _other_tests(labelled: "Labelled") -> Iterator[Table]:
    """Yield what other tests and the Bayes factor say, where there are some."""
    rows: list[tuple[str, ...]] = []
    lines: list[str] = []
    several = len(labelled) > 1
    for label, result in labelled:
        of = f"{label}: " if several else ""
        for test in result.companions:
            if test.reason is None:
                p = test.p_value
                text = "–" if p is None else formatting.p_value(p)
                rows.append((f"{of}{test.name}", text, test.shares_text()))
        factor = result.evidence_line()
        own = [f"Bayes factor, {factor}."] if factor and several else []
        lines += [f"{of}{line}" for line in (*own, *result.disagreements())]
    if not any(shares != "–" for *_, shares in rows):
        rows = [row[:2] for row in rows]
    if rows or lines:
        names = ("test", "p", "worse / equivalent / better")
        heads = columns(*names[: len(rows[0])] if rows else names, text=["test"])
        yield Table("Other tests", heads, tuple(rows), tuple(lines), folded=True)


def _changes(results: "Sequence[Comparison]") -> Iterator[tuple[str, Changes]]:
    """Yield the items on which systems differ, once for each pair of systems.

    A comparison that sees all labels stands for those of single classes.
    """
    for pair in dict.fromkeys(result.settings.systems for result in results):
        both = [result for result in results if result.settings.systems == pair]
        whole = [result for result in both if result.settings.positive is None]
        classes = {result.settings.positive: result for result in both[::-1]}
        for result in whole[:1] or list(classes.values())[::-1]:
            changes = None if result.items is None else result.items.changes
            if changes is None:
                continue
            heading = " against ".join(reversed(result.settings.system_labels))
            if result.settings.positive is not None:
                heading = f"{heading}, as {result.settings.metric_name} sees them"
            yield heading, changes


def _task_changes(labelled: "Labelled") -> Iterator[tuple[str, Changes]]:
    """Yield the items of every task on which the systems differ."""
    for label, result in labelled:
        changes = None if result.items is None else result.items.changes
        if changes is not None and changes.items:
            yield label, changes


def comparison_table(results: "Sequence[Comparison]") -> Table:
    """Put comparisons into one table, a row each."""
    tested = all(result.tested for result in results)
    roped = any(result.rope is not None for result in results)
    interval = formatting.interval_name("hdi", results[0].mass)
    rows = []
    for result in results:
        systems = zip(
            result.settings.system_labels, result.settings.data.observed, strict=True
        )
        baseline, candidate = (
            f"{name} {formatting.number(value, result.decimals)}"
            for name, value in systems
        )
        row = {
            "metric": result.settings.metric_name,
            "baseline": baseline,
            "candidate": candidate,
            "difference": result.difference_text,
            interval: result.hdi_text,
        }
        test, p = result.hypotheses, result.probability
        if tested and test is not None:
            row |= {"P(H0)": test.text(test.h0), "P(H1)": test.text(test.h1)}
            if roped:
                row["equivalent"] = p.text(p.equivalent)
            row["accept"] = test.decision
        else:
            row |= dict(zip(p.to_dict(), p.texts(result.rope), strict=True))
            row["verdict"] = str(result.verdict)
        rows.append(row)
    text = ["metric", "baseline", "candidate", "accept", "verdict"]
    return number_table(rows, text=text)
