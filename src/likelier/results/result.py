"""Result: the protocol that every answer offers and all views read."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from platform import python_version
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from likelier import formatting
from likelier._version import package_version
from likelier.citations import Sentence, as_bibtex, as_paragraph
from likelier.data_frames import Backend, data_frame
from likelier.errors import SettingError, unknown_name
from likelier.results import parts
from likelier.results.comparison_parts import MOST_DETAILED, comparison_parts
from likelier.results.screen_table import ScreenTable, Strips

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from likelier.decision import Verdict
    from likelier.findings import Finding
    from likelier.origin import Origin
    from likelier.report import GateResult, Report
    from likelier.results.comparison import Comparison
    from likelier.settings import Settings


SCHEMA = 2


class Result(ABC):
    """Answer to a question: data, and the parts that views render.

    Attributes
    ----------
    kind, plural
        Name in the JSON, and that of several.
    noun
        Name in a heading that counts several.
    plot_kinds, joint_plot_kinds
        Names of its plots, the usual one first, and of those of several.
    in_words
        Whether its lines say all that its tables do.
    in_row
        Whether several of its kind share one table, a row each, and one such row
        leaves little to say beside the sentence.
    settings
        How the answer was made.
    findings
        Remarks of the checks.
    """

    kind: ClassVar[str]
    plural: ClassVar[str]
    noun: ClassVar[str] = "result"
    joint_plot_kinds: ClassVar[tuple[str, ...]] = ()
    plot_kinds: tuple[str, ...] = ()
    in_words: ClassVar[bool] = False
    in_row: ClassVar[bool] = False
    settings: "Settings"
    findings: "tuple[Finding, ...]"

    @abstractmethod
    def sentence(self) -> str:
        """Say the answer as one may write it in a paper."""

    @abstractmethod
    def tables(self) -> list[parts.Table]:
        """Return the answer as tables of text."""

    @abstractmethod
    def numbers(self) -> dict[str, Any]:
        """Return what the JSON holds beside settings and findings, at little cost."""

    @abstractmethod
    def sentences(self) -> list[Sentence]:
        """Return the sentences of the methods paragraph."""

    def body(self) -> Iterator[parts.Part]:
        """Yield what a page shows between the findings and the method."""
        return self.joint_body([self])

    def compared(self) -> "list[tuple[str, Comparison]]":
        """Return the comparisons it is made of, with labels where they have some."""
        return []

    def pictures(self) -> list[parts.Picture]:
        """Return the plots that a page shows."""
        return []

    @property
    def verdict(self) -> "Verdict | None":
        """What the evidence allows to say, where the answer is a verdict."""
        return None

    @property
    def recipe(self) -> str:
        """One line that makes the same numbers again."""
        return self.settings.recipe()

    def recipes(self) -> list[str]:
        """Return the recipes of all it is made of, each once."""
        return [self.recipe]

    def title(self) -> str:
        """Say the answer above a page; shorter than the sentence where that is long."""
        return self.sentence()

    def clauses(self) -> tuple[str, ...]:
        """Return the sentence in pieces, for lines of their own where it is long."""
        return (self.sentence(),)

    def lines(self) -> list[str]:
        """Say what the answer rests on, line by line."""
        return [*self.main_lines(), *self.small_print()]

    def main_lines(self) -> list[str]:
        """Say of what the answer rests on what everybody should read."""
        return [self.settings.data.size]

    def small_print(self) -> list[str]:
        """Say what experts look for: why this method, its errors, other tests."""
        return []

    def next_step(self) -> str | None:
        """Say what would decide an open answer; a finding that blocks has its cure."""
        return None

    def strips(self) -> Strips | None:
        """Return its difference on a scale with the rope, where it is one."""
        return None

    def screen_tables(self) -> list[ScreenTable]:
        """Return its tables with what a narrow screen may leave out."""
        return [ScreenTable(table) for table in self.tables()]

    def page_lines(self) -> list[str]:
        """Say what the parts of a page do not, line by line."""
        return [line.replace("    ", "; ") for line in self.lines()]

    def brief(self) -> list[str]:
        """Say the answer and what its tables leave out, paragraph by paragraph."""
        return [self.sentence(), *([] if self.in_row else self.lines())]

    def answers(self) -> "Sequence[Result]":
        """Return the results that a condition must hold for: all parts, or itself."""
        return (self,)

    def members(self) -> "Sequence[Result] | None":
        """Return the results that it puts together, each with tables of its own."""
        return None

    def own_tables(self) -> list[parts.Table]:
        """Return those tables that are not its members'."""
        return self.tables()

    def details(self) -> dict[str, Any]:
        """Return what the JSON holds beside the numbers and costs more than they do."""
        return {}

    @classmethod
    def joint_title(cls, results: "Sequence[Any]") -> str:
        """Say how many results there are."""
        return formatting.counted(len(results), cls.noun)

    @classmethod
    def joint_tables(cls, results: "Sequence[Any]") -> list[parts.Table]:
        """Return the tables of several results: each its own."""
        return [table for result in results for table in result.tables()]

    @classmethod
    def joint_summary(cls, results: "Sequence[Any]") -> parts.Summary:
        """Return what a page of several results begins with."""
        lines = dict.fromkeys(line for one in results for line in one.page_lines())
        return parts.Summary((cls.joint_title(results),), lines=tuple(lines))

    @classmethod
    def joint_screen_tables(cls, results: "Sequence[Any]") -> list[ScreenTable]:
        """Return the tables of several results with what may be left out."""
        return [ScreenTable(table) for table in cls.joint_tables(results)]

    @classmethod
    def joint_body(cls, results: "Sequence[Any]") -> Iterator[parts.Part]:
        """Yield what a page shows of several results together."""
        labelled = [pair for result in results for pair in result.compared()]
        pictures = [picture for result in results for picture in result.pictures()]
        if labelled:
            return comparison_parts(labelled, after=pictures)
        return iter([*pictures, *cls.joint_tables(results)])

    @classmethod
    def joint_details(cls, results: "Sequence[Any]") -> bool:
        """Return whether a page shows the details of so many results."""
        return sum(len(result.compared()) for result in results) <= MOST_DETAILED

    def summary(self) -> parts.Summary:
        """Return what a page begins with: headline, lede, facts."""
        lines = tuple(dict.fromkeys(self.page_lines()))
        return parts.Summary((self.title(),), lines=lines, findings=self.findings)

    def source(self) -> parts.Source:
        """Return what the answer was made from and with."""
        settings, data = self.settings, self.settings.data
        rows = {
            "made with": f"likelier {package_version()}, Python {python_version()}, "
            f"numpy {version('numpy')}",
            # Plans rest on simulated data.
            "data": "" if settings.replications else f"{data.size}, {data.hash_text}",
            "seed": "" if settings.seed is None else str(settings.seed),
        }
        return parts.Source(tuple((name, text) for name, text in rows.items() if text))

    def parts(self) -> Iterator[parts.Part]:
        """Yield what a page shows, in order."""
        yield self.summary()
        yield from self.body()
        yield self.source()
        yield parts.Method(tuple(self.sentences()), tuple(self.recipes()))

    def to_dict(self, *, details: bool = True) -> dict[str, Any]:
        """Return the documented JSON.

        Parameters
        ----------
        details
            Whether to add what is expensive: other tests of the same items.
        """
        return {
            "schema": SCHEMA,
            "kind": self.kind,
            **self.numbers(),
            **(self.details() if details else {}),
            "method": self.settings.to_dict(),
            "recipe": self.recipe,
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def frame(self, backend: Backend | None = None) -> Any:
        """Return a long data frame, one row per number.

        Parameters
        ----------
        backend
            pandas, polars or pyarrow; by default the first of them that is installed.
        """
        names = "systems", "metric", "name", "value"
        columns = zip(*self.rows_of_numbers(), strict=True)
        return data_frame(dict(zip(names, map(list, columns), strict=True)), backend)

    def rows_of_numbers(self) -> list[tuple[str, str, str, float]]:
        """Return systems, metric, name and value of all numbers but the details."""
        document = self.to_dict(details=False)
        systems, metric = " | ".join(document["systems"]), document["metric"]
        leaves = _leaves(document)
        return [(systems, metric, name, float(value)) for name, value in leaves]

    def plot(
        self,
        kind: str | None = None,
        *,
        width: Literal["column", "page"] = "page",
        ax: "Axes | None" = None,
    ) -> "Axes | Figure":
        """Draw the result.

        Parameters
        ----------
        kind
            One of `plot_kinds`; by default the first.
        width
            Width of a new figure: column or page of a paper.
        ax
            Where to draw; by default a new figure.
        """
        from likelier import plots

        return plots.draw(self, self.plot_kind(kind), width=width, ax=ax)

    def plot_kind(self, kind: str | None = None) -> str:
        """Return a kind of plot that the result has, the usual one by default."""
        if not self.plot_kinds:
            message = "A plot must have a posterior, chances or ranks; there are none."
            raise SettingError(message, hint="Use the method paired or unpaired.")
        if kind is not None and kind not in self.plot_kinds:
            raise unknown_name(kind, self.plot_kinds, kind="plot-kind")
        return self.plot_kinds[0] if kind is None else kind

    def report(
        self, *, gate: "GateResult | None" = None, origin: "Origin | None" = None
    ) -> "Report":
        """Make a page with all there is to see; ``report().save(path)`` writes it.

        Parameters
        ----------
        gate
            Outcome of a condition, to be shown beside the answer.
        origin
            Files and command that the answer comes from, and its date.
        """
        from likelier import report

        return report.page(self, gate=gate, origin=origin)

    def paragraph(self) -> str:
        """Return a methods paragraph for a paper."""
        return as_paragraph(self.sentences())

    def bibtex(self) -> str:
        """Return what the paragraph cites, as BibTeX."""
        return as_bibtex(self.sentences())

    def __repr__(self) -> str:
        symbol = f"{self.verdict.symbol} " if self.verdict is not None else ""
        return f"<{type(self).__name__} {symbol}{self.sentence()}>"

    def _repr_html_(self) -> str:
        from likelier import report

        return report.notebook(self)


def present(*lines: str | None) -> list[str]:
    """Return those lines that there are."""
    return [line for line in lines if line is not None]


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Yield the numbers of a document with their dotted names."""
    if isinstance(value, dict):
        for key, inner in value.items():
            # Settings measure nothing, but the draws say how sure a number is.
            if key == "schema" or (name.endswith("method") and key != "draws"):
                continue
            yield from _leaves(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            system = inner.get("system") if isinstance(inner, dict) else None
            yield from _leaves(inner, f"{name}.{system or index}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, value
