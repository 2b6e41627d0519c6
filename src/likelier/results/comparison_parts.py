"""Parts and tables of comparisons: of one, or of many on one scale."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from likelier import formatting
from likelier.formatting import plain
from likelier.results.changes import Changes
from likelier.results.parts import (
    Alternatives,
    Density,
    Evidence,
    Forest,
    ForestRow,
    Items,
    Part,
    Probabilities,
    Share,
    Table,
    columns,
)
from likelier.results.what_if import Stops, WhatIf

if TYPE_CHECKING:
    from likelier.results.comparison import Comparison

    Labelled = Sequence[tuple[str, Comparison]]

# Beyond, a page shows comparisons as rows of a table only.
_MOST_LIVE = 40
# Beyond, the systems, the other tests and the items of each are left out.
MOST_DETAILED = 12


def comparison_parts(
    labelled: "Labelled",
    *,
    before: Iterable[Part] = (),
    after: Iterable[Part] = (),
    tables: Iterable[Table] = (),
) -> Iterator[Part]:
    """Yield what a page shows of comparisons, from the answer to the items.

    Parameters
    ----------
    labelled
        Comparisons with a label each; an empty one is made of what tells them apart.
    before, after
        Further parts, before and after the posterior.
    tables
        Tables of all numbers.
    """
    results = [result for _, result in labelled]
    names = labels_of(results)
    labels = [label or name for (label, _), name in zip(labelled, names, strict=True)]
    pairs = tuple(zip(labels, results, strict=True))
    detailed = len(pairs) <= MOST_DETAILED
    if len(pairs) > 1:
        yield comparison_forest(pairs)
    yield from before
    if len(pairs) == 1:
        yield _density(results[0])
        yield probabilities_of(results[0])
    yield from after
    details = list(_details(pairs)) if detailed else []
    live = list(_alternatives(pairs))
    yield from (*details, *live) if len(pairs) == 1 else (*live, *details)
    yield from tables
    changes = tuple(_changes(results))
    if 0 < len(changes) <= MOST_DETAILED:
        yield Items(changes)


def labels_of(results: "Sequence[Comparison]") -> list[str]:
    """Label each comparison by what tells it from the others: metric, systems, both."""
    metrics = {result.settings.metric_name for result in results}
    pairs = {result.settings.systems for result in results}
    labels = []
    for result in results:
        first, second = result.settings.shown_systems
        pair, metric = f"{second} against {first}", result.settings.metric_name
        if len(pairs) == 1 and len(metrics) > 1:
            labels.append(metric)
        else:
            labels.append(pair if len(metrics) == 1 else f"{metric}: {pair}")
    return labels


def comparison_forest(labelled: "Labelled") -> Forest:
    """Put comparisons on one scale of differences."""
    first = labelled[0][1]
    rows = []
    for label, result in labelled:
        show = result.decimals
        row = ForestRow(
            label,
            result.difference,
            result.hdi,
            formatting.number(result.difference, show, signed=True),
            result.hdi_text,
            result.probability.texts(result.rope),
            result.verdict,
        )
        rows.append(row)
    return Forest(
        title="By how much",
        rows=tuple(rows),
        interval_name=formatting.interval_name("hdi", first.mass),
        rope=first.rope,
        differences=True,
        decimals=max(result.decimals for _, result in labelled),
    )


def _density(result: "Comparison") -> Density:
    settings, coloured = result.settings, result.posterior.regions is None
    first, second = settings.shown_systems
    name = formatting.interval_name("hdi", result.mass)
    centre = "" if coloured else f", {result.centre}"
    rope = "" if result.rope is None else f", the grey band the rope, {result.rope}"
    return Density(
        distribution=result.posterior.difference,
        interval=result.hdi,
        rope=result.rope,
        value=formatting.number(result.difference, result.decimals, signed=True),
        interval_text=f"{name} {result.hdi_text}",
        caption=f"The posterior of the difference on {settings.metric_name}, {second} "
        f"against {first}{centre}: right of 0 {second} is better. The thick line is "
        f"the {name}{rope}.",
        coloured=coloured,
    )


def probabilities_of(result: "Comparison") -> Probabilities:
    """Return the probabilities of a comparison, and what they are of."""
    second = result.settings.shown_systems[1]
    caption = "No rope was given: any difference counts, however small."
    if result.rope is not None:
        most = f": the region that most of {result.foreseen} lies in"
        caption = (
            f"How probable it is that {second} is worse, equivalent (within "
            f"{result.rope}) or better"
            f"{'' if result.posterior.regions is None else most}."
        )
    test = result.hypotheses_line()
    lines = *([] if test is None else [test]), *result.fold_lines()
    return Probabilities(shares_of(result), caption, lines, result.rope)


def shares_of(result: "Comparison") -> tuple[Share, ...]:
    """Return the probabilities of a comparison; without a rope there are two."""
    shares = result.probability.to_dict().items()
    texts = result.probability.texts(result.rope)
    named = zip(shares, texts, strict=True)
    roped = result.rope is not None
    return tuple(
        Share(name, share, text)
        for (name, share), text in named
        if roped or name != "equivalent"
    )


def _details(labelled: "Labelled") -> Iterator[Part]:
    yield system_table([result for _, result in labelled])
    results = [result for _, result in labelled]
    if any(result.has_evidence for result in results):
        yield Evidence(tuple(labelled))


def system_table(results: "Sequence[Comparison]") -> Table:
    """Return each system's metrics with their intervals, each once."""
    rows = {}
    for result in results:
        metric, show = result.settings.metric_name, result.decimals
        for name, value, interval in result.per_system:
            ends = "–" if interval is None else formatting.ends(interval, show)
            row = (metric, plain(name), formatting.number(value, show), ends)
            rows[metric, name] = row
    first = results[0]
    name = formatting.interval_name(first.settings.interval, first.mass)
    heads = columns("metric", "system", "value", name, text=["metric", "system"])
    return Table("Each system", heads, tuple(rows.values()))


def _alternatives(labelled: "Labelled") -> Iterator[Alternatives]:
    results = [result for _, result in labelled]
    alike = len({(result.rope, result.mass) for result in results}) == 1
    if len(results) <= _MOST_LIVE and alike:
        stops = Stops.of(results)
        yield Alternatives(tuple(WhatIf(*pair, stops) for pair in labelled))


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
            first, second = result.settings.shown_systems
            sees = f", as {result.settings.metric_name} sees them"
            single = result.settings.positive is not None
            yield f"{second} against {first}{sees if single else ''}", changes


def comparison_table(results: "Sequence[Comparison]") -> Table:
    """Put comparisons into one table, a row each."""
    tested = all(result.tested for result in results)
    roped = tested and any(result.rope is not None for result in results)
    names = (
        "metric",
        "baseline",
        "candidate",
        "difference",
        formatting.interval_name("hdi", results[0].mass),
        *(("P(H0)", "P(H1)") if tested else ("worse", "equivalent", "better")),
        *(("equivalent",) if roped else ()),
        "accept" if tested else "verdict",
    )
    heads = columns(
        *names, text=["metric", "baseline", "candidate", "accept", "verdict"]
    )
    rows = tuple(_row(result, tested=tested) for result in results)
    return Table("All numbers", heads, rows)


def _row(result: "Comparison", *, tested: bool) -> tuple[str, ...]:
    show = result.decimals
    names, values = result.settings.shown_systems, result.settings.data.observed
    systems = (
        f"{name} {formatting.number(value, show)}"
        for name, value in zip(names, values, strict=True)
    )
    return (
        result.settings.metric_name,
        *systems,
        formatting.number(result.difference, show, signed=True),
        result.hdi_text,
        *_answer(result, tested=tested),
    )


def _answer(result: "Comparison", *, tested: bool) -> tuple[str, ...]:
    test, p = result.hypotheses, result.probability
    if tested and test is not None:
        inside = () if result.rope is None else (p.shown(p.equivalent),)
        return test.shown(test.h0), test.shown(test.h1), *inside, test.decision
    return *p.texts(result.rope), str(result.verdict)
