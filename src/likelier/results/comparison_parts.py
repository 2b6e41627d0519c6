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
    number_table,
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
        Comparisons with a label each; an empty one is made of how they differ.
    before, after
        Further parts, before and after the posterior.
    tables
        Tables of all numbers.
    """
    results = [result for _, result in labelled]
    names = labels_of(results)
    labels = [label or name for (label, _), name in zip(labelled, names, strict=True)]
    pairs = tuple(zip(labels, results, strict=True))
    alone = len(pairs) == 1
    if not alone:
        yield comparison_forest(pairs)
    yield from before
    if alone:
        yield _density(results[0])
        yield probabilities_of(results[0])
    yield from after
    details = list(_details(pairs)) if len(pairs) <= MOST_DETAILED else []
    live = list(_alternatives(pairs))
    yield from (*details, *live) if alone else (*live, *details)
    yield from tables
    changes = tuple(_changes(results))
    if 0 < len(changes) <= MOST_DETAILED:
        yield Items(changes)


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


def comparison_forest(labelled: "Labelled") -> Forest:
    """Put comparisons on one scale of differences."""
    first = labelled[0][1]
    rows = tuple(
        ForestRow(
            label,
            result.difference,
            result.hdi,
            result.difference_text,
            result.hdi_text,
            result.probability.texts(result.rope),
            result.verdict,
        )
        for label, result in labelled
    )
    return Forest(
        title="By how much",
        rows=rows,
        interval_name=formatting.interval_name("hdi", first.mass),
        rope=first.rope,
        differences=True,
        decimals=max(result.decimals for _, result in labelled),
    )


def _density(result: "Comparison") -> Density:
    settings, coloured = result.settings, result.posterior.regions is None
    first, second = settings.system_labels
    name = formatting.interval_name("hdi", result.mass)
    centre = "" if coloured else f", {result.centre}"
    rope = "" if result.rope is None else f", the grey band the rope, {result.rope}"
    return Density(
        distribution=result.posterior.difference,
        interval=result.hdi,
        rope=result.rope,
        value=result.difference_text,
        interval_text=f"{name} {result.hdi_text}",
        caption=f"The posterior of the difference on {settings.metric_name}, {second} "
        f"against {first}{centre}: right of 0 {second} is better. The thick line is "
        f"the {name}{rope}.",
        coloured=coloured,
    )


def probabilities_of(result: "Comparison") -> Probabilities:
    """Return the probabilities of a comparison with their caption."""
    second = result.settings.system_labels[1]
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
    texts = result.probability.texts(result.rope)
    named = zip(result.probability.to_dict().items(), texts, strict=True)
    shares = (Share(name, share, text) for (name, share), text in named)
    # Without a rope there are two.
    without = "equivalent" if result.rope is None else None
    kept = tuple(share for share in shares if share.name != without)
    return Probabilities(kept, caption, lines, result.rope)


def _details(labelled: "Labelled") -> Iterator[Part]:
    results = [result for _, result in labelled]
    yield system_table(results)
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
            heading = " against ".join(reversed(result.settings.system_labels))
            if result.settings.positive is not None:
                heading = f"{heading}, as {result.settings.metric_name} sees them"
            yield heading, changes


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
