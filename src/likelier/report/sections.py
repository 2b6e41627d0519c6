"""What stands on a page, in order: sections, each with a template of its name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from likelier.checks.explained import EXPLAINED
from likelier.errors import plain
from likelier.report.cards import Card, Systems
from likelier.report.composite import data_sets_table
from likelier.report.forest import forest_of, forest_of_estimates
from likelier.report.heading import heading, lines
from likelier.report.pictures import pictures_of
from likelier.report.stops import Stops
from likelier.report.summary import Result
from likelier.report.table import tables, with_answers
from likelier.report.whatif import WhatIf, embedded
from likelier.results import (
    ClassComparison,
    Comparison,
    Estimate,
    Pairs,
    Ranking,
    Sensitivity,
    StudyReport,
)
from likelier.results.naming import labels_of
from likelier.results.paragraph import as_bibtex, as_paragraph

# Beyond, a page shows comparisons as rows of a table only.
_MOST_LIVE = 40
# Beyond, the systems, the evidence and the items of each comparison are left out.
_MOST_DETAILS = 12


@dataclass(frozen=True)
class Section:
    """A part of the page.

    Attributes
    ----------
    name
        Its template, and its id on the page.
    title
        Its heading.
    has
        What the template shows.
    """

    name: str
    title: str
    has: Any = None


@dataclass(frozen=True)
class Page:
    """All that a page shows.

    Attributes
    ----------
    heading
        The answer in words.
    symbol, verdict
        The verdict of a single comparison; empty for others.
    lines
        What stands below the heading.
    sections
        The rest, in order.
    data
        The embedded posterior, as JSON that is safe inside a script element.
    """

    heading: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]
    symbol: str = ""
    verdict: str = ""
    data: Markup = field(default=Markup(""), repr=False)


def page_of(results: Sequence[Result]) -> Page:
    """Choose what stands on the page of some results."""
    cards = _cards(results)
    live = [card.table for card in cards if card.table is not None]
    single = cards[0].result if len(results) == len(cards) == 1 else None
    return Page(
        heading=heading(results),
        symbol="" if single is None else single.verdict.symbol,
        verdict="" if single is None else single.verdict.name,
        lines=tuple(lines(results)),
        sections=tuple(_sections(results, cards)),
        data=htmlsafe_json_dumps(embedded(live), allow_nan=False)
        if live
        else Markup(""),
    )


def _cards(results: Sequence[Result]) -> list[Card]:
    found = [pair for result in results for pair in _comparisons(result)]
    if not found:
        return []
    comparisons = [result for _, result in found]
    names = labels_of(comparisons)
    labels = [given or name for (given, _), name in zip(found, names, strict=True)]
    few = len(comparisons) <= _MOST_LIVE and _asked_alike(comparisons)
    stops = Stops.of(comparisons) if few else None
    return [
        Card(
            f"c{number}",
            label,
            result,
            None if stops is None else WhatIf.of(result, stops),
        )
        for number, (label, result) in enumerate(
            zip(labels, comparisons, strict=True), 1
        )
    ]


def _asked_alike(comparisons: Sequence[Comparison]) -> bool:
    return len({(c.rope, c.mass) for c in comparisons}) == 1


def _comparisons(result: Result) -> Iterator[tuple[str, Comparison]]:
    """Give the comparisons that a result is made of, and what it calls them."""
    if isinstance(result, Comparison):
        yield "", result
    elif isinstance(result, ClassComparison):
        yield from ((plain(row.name), row.comparison) for row in result.rows)
        yield from ((c.question.metric_name, c) for c in result.averages)
    elif isinstance(result, Sensitivity):
        yield "", result.usual
    elif isinstance(result, Pairs):
        yield from (("", c) for c in result.comparisons)
    elif isinstance(result, Ranking):
        yield from _comparisons(result.pairs)
    elif isinstance(result, StudyReport):
        for answer in result.answers:
            yield from _comparisons(answer)


def _sections(results: Sequence[Result], cards: list[Card]) -> Iterator[Section]:
    single = isinstance(results[0], Comparison) and len(cards) == 1
    if not single:
        yield from _at_a_glance(results, cards)
        yield from _pictures(results)
    if len(cards) == 1:
        yield Section("posterior", "By how much", cards[0])
        yield Section("sure", "How sure", cards[0])
    if single:
        yield from _pictures(results)
        yield from _data_sets(cards[0].result)
    parts = [_details(cards), _what_if(cards)]
    for part in parts if len(cards) == 1 else parts[::-1]:
        yield from part
    if not single:
        yield from _told(results)
    yield from _differing(cards)
    yield from _origins(results)


def _at_a_glance(results: Sequence[Result], cards: list[Card]) -> Iterator[Section]:
    """Show the intervals of many answers on one scale."""
    if len(cards) > 1:
        found = [card.result for card in cards]
        labels = [card.label for card in cards]
        yield Section("forest", "By how much", forest_of(found, labels))
    estimates = [r for r in results if isinstance(r, Estimate)]
    if estimates:
        yield Section("forest", "Each system", forest_of_estimates(estimates))


def _pictures(results: Sequence[Result]) -> Iterator[Section]:
    found = [p for result in with_answers(results) for p in pictures_of(result)]
    if found:
        yield Section("pictures", "Pictures", found)


def _data_sets(result: Comparison) -> Iterator[Section]:
    if result.across is not None:
        yield Section("tables", "Data sets", [data_sets_table(result.across)])


def _details(cards: list[Card]) -> Iterator[Section]:
    if 1 <= len(cards) <= _MOST_DETAILS:
        yield Section("systems", "Each system", Systems.of(cards))
        yield from _evidence(cards)


def _what_if(cards: list[Card]) -> Iterator[Section]:
    if any(card.table is not None for card in cards):
        yield Section("whatif", "What would change the verdict", cards)


def _evidence(cards: list[Card]) -> Iterator[Section]:
    if any(c.result.factor or c.companions or c.disagreements for c in cards):
        yield Section("evidence", "Evidence", cards)


def _told(results: Sequence[Result]) -> Iterator[Section]:
    """Give the tables that tell all numbers, but those that rows already tell."""
    if not isinstance(results[0], Estimate):
        yield Section("tables", "All numbers", tables(results))


def _differing(cards: list[Card]) -> Iterator[Section]:
    known = [card for card in _by_pair(cards) if card.differing is not None]
    if 0 < len(known) <= _MOST_DETAILS:
        yield Section("differing", "Items on which the systems differ", known)


def _by_pair(cards: list[Card]) -> list[Card]:
    """Keep one card for each pair of systems: one that sees all labels, if any does."""
    kept = []
    for pair in dict.fromkeys(card.result.question.systems for card in cards):
        both = [card for card in cards if card.result.question.systems == pair]
        whole = [card for card in both if card.result.question.positive is None]
        classes = {card.result.question.positive: card for card in both[::-1]}
        kept += whole[:1] or list(classes.values())[::-1]
    return kept


def _origins(results: Sequence[Result]) -> Iterator[Section]:
    findings = list(dict.fromkeys(f for result in results for f in result.findings))
    if findings:
        codes = dict.fromkeys(finding.code for finding in findings)
        # A caller may have passed on findings of its own.
        explained = {code: EXPLAINED[code] for code in codes if code in EXPLAINED}
        yield Section("findings", "Findings", (findings, explained))
    said = [sentence for result in results for sentence in result.methods()]
    yield Section("method", "Method, to cite", (as_paragraph(said), as_bibtex(said)))
    recipes = list(dict.fromkeys(str(r.recipe) for r in with_answers(results)))
    yield Section("recipe", "Recipe", recipes)
