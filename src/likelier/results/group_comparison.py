"""GroupComparison: comparisons of every class of the items at once."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from likelier import formatting
from likelier.citations import Sentence
from likelier.decision import ThreeProbabilities
from likelier.errors import unknown_name
from likelier.findings import Finding
from likelier.formatting import join_words, plain
from likelier.results import sentences
from likelier.results.comparison import Comparison
from likelier.results.comparison_parts import (
    comparison_parts,
    comparison_row,
    forest_note,
)
from likelier.results.comparison_sentences import draws_sentence, method_sentences
from likelier.results.comparison_summary import (
    by_how_much,
    by_verdict,
    comparison_summary,
    headline,
    listed,
    tally,
)
from likelier.results.parts import (
    Cell,
    Forest,
    Part,
    Summary,
    Table,
    Words,
    columns,
)
from likelier.results.result import Result
from likelier.results.screen_table import ScreenTable, Strips
from likelier.settings import Settings

_TESTS = ("sign test (accuracy)", "p-test (accuracy)")
_SIDES = ("P(worse)", "P(better)")
# Beyond, classes in which a system is worse are only counted in the headline.
_MOST_NAMED = 2
_MOST_CARDS = 40
# Of more than twice as many groups a screen shows those at both ends.
_MOST_EXTREME = 10
_SHARED = ("schema", "kind", "systems", "metric", "positive", "recipe")


@dataclass(frozen=True)
class GroupRow:
    """One group, here a class: its comparison, and p-values beside it.

    Attributes
    ----------
    name
        The class.
    support
        Number of items with it as their gold label.
    comparison
        Comparison of the class against all others.
    sign, p_test
        P-values of the sign test and of Yang & Liu's p-test (the paper's t-test)
        on the accuracy in this class, where they are defined.
    """

    name: str
    support: float
    comparison: Comparison
    sign: float | None = None
    p_test: float | None = None

    def to_dict(self, *, details: bool = False) -> dict[str, Any]:
        """Return the group as in the JSON."""
        document = self.comparison.to_dict(details=details)
        return {
            "group": self.name,
            "support": self.support,
            "sides": sides_of(self.comparison).to_dict(),
            **{key: document[key] for key in document if key not in _SHARED},
            "tests": {"sign": self.sign, "p-test": self.p_test},
        }


@dataclass(frozen=True, repr=False)
class GroupComparison(Result):
    """Probabilities, group by group, that the second system is worse or better.

    Attributes
    ----------
    settings, findings
        How it was made, and remarks of the checks.
    rows
        One comparison per group.
    averages
        Comparisons of the averages over all groups, under their joint posterior.
    across
        P-values over the groups' metrics: Yang & Liu's S-test and T-test.
    group
        What a group is: class or task.
    """

    kind = "groups"
    plural = "group_comparisons"
    plot_kinds = ("forest",)

    settings: Settings
    findings: tuple[Finding, ...]
    rows: tuple[GroupRow, ...]
    averages: tuple[Comparison, ...]
    across: dict[str, float | None]
    group: str = "class"

    @property
    def groups(self) -> str:
        """The word for several groups."""
        return "classes" if self.group == "class" else f"{self.group}s"

    def __getitem__(self, name: str) -> Comparison:
        """Return the comparison of one group."""
        for row in self.rows:
            if row.name == name:
                return row.comparison
        raise unknown_name(name, [row.name for row in self.rows], kind=self.group)

    def answers(self) -> tuple[Comparison, ...]:
        """Return the comparison of every group."""
        return tuple(row.comparison for row in self.rows)

    def sentence(self) -> str:
        """Say in how many groups the second system is better, worse, equivalent."""
        return " ".join(self.clauses())

    def clauses(self) -> tuple[str, ...]:
        """Return what is compared, and how often each verdict came out."""
        first, second = self.settings.system_labels
        counts = Counter(result.verdict.name for result in self.answers())
        texts = [f"{name} in {count}" for name, count in counts.most_common()]
        return (
            f"{second} against {first} on {self.settings.metric_name} of "
            f"{len(self.rows)} {self.groups}:",
            ", ".join(texts),
        )

    def small_print(self) -> list[str]:
        """Say the p-values over the groups' metrics."""
        texts = [
            f"{name} p = {formatting.p_value(p)}"
            for name, p in self.across.items()
            if p is not None
        ]
        return [f"over the {self.groups}: {', '.join(texts)}"] if texts else []

    def tables(self) -> list[Table]:
        """Return a table like the paper's: a row for every class and average."""
        first, second = self.settings.system_labels
        one = self.rows[0].comparison
        factors = one.settings.factor is not None
        names = (
            self.group,
            "items",
            first,
            second,
            "mean",
            "sd",
            formatting.interval_name("hdi", one.mass),
            "worse",
            *(() if one.rope is None else ("equivalent",)),
            "better",
            *(("factor",) if factors else ()),
            "verdict",
            *_TESTS[: 2 * self._tested],
        )
        rows = (_row(row, factors=factors, tested=self._tested) for row in self.rows)
        means = (
            (
                result.settings.metric_name,
                "",
                *_numbers(result, factors=factors),
                *("", "")[: 2 * self._tested],
            )
            for result in self.averages
        )
        heads = columns(*names, text=[self.group, "verdict"])
        return [Table("All numbers", heads, (*rows, *means))]

    @property
    def _tested(self) -> bool:
        """Whether classes have p-values, which tasks do not."""
        return self.group == "class"

    def screen_tables(self) -> list[ScreenTable]:
        """Return the table: of many groups the lowest and the highest differences."""
        (table,), roped = self.tables(), self.settings.rope is not None
        last = len(table.columns) - 1
        tests = (last, last - 1) if self._tested else ()
        # The tests, sd, equivalent, the interval, items, worse.
        spare = (*tests, 5, *((8,) if roped else ()), 6, 1, 7)
        strips = Strips.of([result for _, result in self.compared()])
        rows = self._main_rows()
        return [ScreenTable(table, spare, rows, self.groups, strips)]

    def _main_rows(self) -> tuple[int, ...] | None:
        count = len(self.rows)
        if count <= 2 * _MOST_EXTREME:
            return None
        order = sorted(range(count), key=lambda i: self._drawn(self.rows[i].comparison))
        extreme = sorted((*order[:_MOST_EXTREME], *order[-_MOST_EXTREME:]))
        return (*extreme, *range(count, count + len(self.averages)))

    def compared(self) -> list[tuple[str, Comparison]]:
        """Return all groups and averages with their labels."""
        return [
            *((plain(row.name), row.comparison) for row in self.rows),
            *((result.settings.metric_name, result) for result in self.averages),
        ]

    def summary(self) -> Summary:
        """Return what a page begins with: the average, and group by group."""
        groups = sorted(
            ((plain(row.name), row.comparison) for row in self.rows),
            key=lambda pair: self._drawn(pair[1]),
        )
        each = f"{self.group.capitalize()} by {self.group}"
        facts = [tally(groups, f"{each}, from worse to better")]
        average = self.averages[0] if self.averages else None
        if average is not None:
            facts.append(by_how_much(average, title=average.settings.metric_name))
        amount = self.settings.data.amount
        return Summary(
            headline=self._headline(groups, average),
            context=f"{self.settings.metric_name} of {len(self.rows)} {self.groups} · "
            f"{amount}",
            lede=() if average is None else comparison_summary(average).lede,
            verdict=None if average is None else average.verdict,
            facts=tuple(facts),
            findings=self.findings,
        )

    def _drawn(self, result: Comparison) -> float:
        """Return the difference that is drawn: shrunken, where classes share."""
        shrunken = result.settings.method == "hierarchical"
        return result.posterior.difference.mean() if shrunken else result.difference

    def _headline(
        self, groups: list[tuple[str, Comparison]], average: Comparison | None
    ) -> Words:
        first, second = self.settings.system_labels
        names = by_verdict(groups)
        if average is None:
            texts = [("", name, f" in {len(of)}") for name, of in names.items()]
            start = f"{second} against {first} in {len(groups)} {self.groups}: "
            return start, *listed(texts)
        start, worse = f"On {average.settings.metric_name}: ", names.get("worse", [])
        if not worse or average.verdict.name == "worse":
            return start, *headline(average)
        on = f"in {len(worse)} {self.groups}"
        if len(worse) <= _MOST_NAMED:
            on = f"on {join_words(worse)}"
        return start, *headline(average), f"; {second} is worse {on}"

    def body(self) -> Iterator[Part]:
        """Yield every class on one scale, then the items, then all numbers."""
        tasks = self.compared()[: len(self.rows)] if self.group == "task" else ()
        yield from comparison_parts(self.compared(), forest=self._forest(), tasks=tasks)
        for table in self.tables():
            yield replace(table, lines=tuple(self.small_print()), folded=True)

    def _forest(self) -> Forest:
        first, second = self.settings.system_labels
        one = self.rows[0].comparison
        shrunken = one.settings.method == "hierarchical"
        cards = len(self.rows) <= _MOST_CARDS
        rows = [
            comparison_row(
                plain(row.name),
                row.comparison,
                before=_cells(row.comparison, f"{row.support:,.0f}", row.support),
                card=cards,
                counted=row.comparison.difference if shrunken else None,
            )
            for row in self.rows
        ]
        shares = (
            f"Small {self.groups} borrow from all others: the dot is the difference "
            "after sharing strength, the short stroke below it the difference as "
            "counted."
        )
        return Forest(
            title=f"Every {self.group}",
            head=self.group,
            before=("items", first, second),
            after=("difference", f"{100 * one.mass:g} % interval", *_SIDES),
            rows=tuple(sorted(rows, key=lambda row: row.value)),
            foot=tuple(
                comparison_row(
                    average.settings.metric_name, average, before=_cells(average, "")
                )
                for average in self.averages
            ),
            note=(*((shares,) if shrunken else ()), forest_note(one)),
            rope=one.rope,
            sorted_by="difference",
        )

    def numbers(self) -> dict[str, Any]:
        """Return all groups and averages as in the JSON."""
        return self._document(details=False)

    def details(self) -> dict[str, Any]:
        """Return the same with what other tests say, where groups are few."""
        few = self.joint_details([self])
        return self._document(details=True) if few else {}

    def _document(self, *, details: bool) -> dict[str, Any]:
        rope = self.settings.rope
        return {
            **self.settings.question(),
            "rope": None if rope is None else [rope.low, rope.high],
            "groups": [row.to_dict(details=details) for row in self.rows],
            "averages": [
                {**one.to_dict(details=details), "sides": sides_of(one).to_dict()}
                for one in self.averages
            ],
            "across": self.across,
        }

    def sentences(self) -> list[Sentence]:
        """Return the sentences of the methods paragraph."""
        rest = " against the rest" if self.group == "class" else ""
        of = f" of each of {len(self.rows)} {self.groups}{rest}"
        first = self.rows[0].comparison
        return [
            sentences.compared(self.settings, of=of),
            *method_sentences(first, positive=f"of that {self.group}"),
            *self._average_sentences(first),
            *self._test_sentences(),
        ]

    def _average_sentences(self, first: Comparison) -> list[Sentence]:
        if not self.averages:
            return []
        names = join_words(one.settings.metric_name for one in self.averages)
        one, other = self.averages[0], []
        if one.settings.method_text != first.settings.method_text:
            other = sentences.posterior_model(one.settings)
        if one.settings.draws != first.settings.draws:
            other = [*other, draws_sentence(one)]
        return [
            Sentence(f"The averages over all {self.groups} were compared too: {names}"),
            *(
                Sentence(f"For the averages: {text[:1].lower()}{text[1:]}", cites)
                for text, cites in other
            ),
        ]

    def _test_sentences(self) -> list[Sentence]:
        tests = {
            "sign test": [row.sign for row in self.rows],
            "p-test": [row.p_test for row in self.rows],
        }
        each = [name for name, ps in tests.items() if any(p is not None for p in ps)]
        across = [n.capitalize() for n, p in self.across.items() if p is not None]
        texts = [
            f"the {join_words(names)} {over}"
            for names, over in (
                (each, "of the accuracy in each class"),
                (across, "over the classes' metrics"),
            )
            if names
        ]
        if not texts:
            return []
        text = f"Beside them stand p-values: {join_words(texts)}"
        return [Sentence(text, ("yang1999",))]


def sides_of(result: Comparison) -> ThreeProbabilities:
    """Return the probabilities below and above 0, whatever the rope."""
    return ThreeProbabilities.of(result.posterior.difference, None)


def _cells(
    result: Comparison, support: str, key: float | None = None
) -> tuple[Cell, ...]:
    """Return the number of items and the metrics of both systems."""
    values = result.settings.data.observed
    show = result.decimals
    return Cell(support, key), *(Cell(formatting.number(x, show), x) for x in values)


def _row(row: GroupRow, *, factors: bool, tested: bool) -> tuple[str, ...]:
    p_values = (row.sign, row.p_test)[: 2 * tested]
    tests = ("-" if p is None else formatting.p_value(p) for p in p_values)
    numbers = _numbers(row.comparison, factors=factors)
    return plain(row.name), f"{row.support:,.0f}", *numbers, *tests


def _numbers(result: Comparison, *, factors: bool) -> tuple[str, ...]:
    """Return the columns of the paper's tables, from the metrics to the verdict."""
    factor = "-" if result.factor is None else result.factor.text()
    show, difference = result.decimals, result.posterior.difference
    worse, equivalent, better = result.probability.all_texts()
    return (
        *(formatting.number(value, show) for value in result.settings.data.observed),
        formatting.number(difference.mean(), show, signed=True),
        formatting.number(difference.std(), show),
        result.hdi_text,
        worse,
        *(() if result.rope is None else (equivalent,)),
        better,
        *((factor,) if factors else ()),
        str(result.verdict),
    )
