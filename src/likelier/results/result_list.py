"""ResultList: several results of one kind as one result."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from likelier.citations import Sentence
from likelier.decision import Verdict
from likelier.errors import SettingError
from likelier.findings import Finding
from likelier.results.comparison import Comparison
from likelier.results.parts import Part, Picture, Summary, Table
from likelier.results.result import SCHEMA, Result
from likelier.results.screen_table import ScreenTable
from likelier.settings import Settings


class ResultList(Result):
    """Several results of one kind: tables and a page for all of them.

    Parameters
    ----------
    results
        Results of one kind, at least one.
    beside
        The same comparisons by another method, drawn beside them in plots.

    Examples
    --------
    >>> import likelier as lk
    >>> gold, first, second = "aabb" * 9, "abab" * 9, "aabb" * 9
    >>> names = ("accuracy", "mcc")
    >>> ResultList([lk.compare(gold, first, second, metric=m, seed=0) for m in names])
    <ResultList 2 comparisons: 2 better>
    """

    def __init__(
        self, results: Sequence[Result], *, beside: Sequence[Comparison] = ()
    ) -> None:
        if not results:
            message = "There must be at least one result to show; got none."
            raise SettingError(message)
        flat = [part for result in results for part in result.members() or (result,)]
        kinds = {result.kind for result in flat}
        if len(kinds) > 1:
            message = f"Results must be of one kind; got {', '.join(sorted(kinds))}."
            raise SettingError(message)
        self.results = tuple(flat)
        self.beside = tuple(beside)

    @property
    def _type(self) -> type[Result]:
        return type(self.results[0])

    @property
    def kind(self) -> str:  # type: ignore[override]
        """Name of several in the JSON."""
        return self.results[0].plural

    @property
    def settings(self) -> Settings:  # type: ignore[override]
        """Settings of the first result."""
        return self.results[0].settings

    @property
    def findings(self) -> tuple[Finding, ...]:  # type: ignore[override]
        """Remarks of the checks, each once."""
        every = (finding for result in self.results for finding in result.findings)
        return tuple(dict.fromkeys(every))

    @property
    def plot_kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the plots of the one result, or of several comparisons."""
        own = self.results[0].plot_kinds if len(self.results) == 1 else ()
        first = ("densities",) if self.beside else ()
        return tuple(dict.fromkeys((*first, *own, *self._type.joint_plot_kinds)))

    @property
    def verdict(self) -> Verdict | None:
        """Verdict of the one result, if it is one."""
        return self.results[0].verdict if len(self.results) == 1 else None

    def sentence(self) -> str:
        """Say all answers, or how many there are of each verdict."""
        return self.title()

    def title(self) -> str:
        """Say the one answer, or how many there are of each kind."""
        if len(self.results) == 1:
            return self.results[0].title()
        return self._type.joint_title(self.results)

    def main_lines(self) -> list[str]:
        """Say what the answers rest on, each thing once."""
        every = (line for result in self.results for line in result.lines())
        return list(dict.fromkeys(every))

    def summary(self) -> Summary:
        """Return what a page begins with: the one answer, or all of them."""
        if len(self.results) == 1:
            return self.results[0].summary()
        return replace(self._type.joint_summary(self.results), findings=self.findings)

    def brief(self) -> list[str]:
        """Say all answers and what their tables leave out."""
        return [line for result in self.results for line in result.brief()]

    def recipes(self) -> list[str]:
        """Return the recipes of all results, each once."""
        every = (recipe for result in self.results for recipe in result.recipes())
        return list(dict.fromkeys(every))

    def answers(self) -> Sequence[Result]:
        """Return the results that a condition must hold for."""
        return tuple(part for result in self.results for part in result.answers())

    def members(self) -> Sequence[Result]:
        """Return the results."""
        return self.results

    def own_tables(self) -> list[Table]:
        """Return nothing: a list has no tables but those of its results."""
        return []

    def tables(self) -> list[Table]:
        """Return one table of all results, or the tables of each."""
        return self._type.joint_tables(self.results)

    def screen_tables(self) -> list[ScreenTable]:
        """Return the tables with what a narrow screen may leave out."""
        return self._type.joint_screen_tables(self.results)

    def compared(self) -> list[tuple[str, Comparison]]:
        """Return the comparisons of all results."""
        return [pair for result in self.results for pair in result.compared()]

    def pictures(self) -> list[Picture]:
        """Return the plots that a page shows."""
        return [picture for result in self.results for picture in result.pictures()]

    def body(self) -> Iterator[Part]:
        """Yield what a page shows of all results."""
        if len(self.results) == 1:
            return self.results[0].body()
        return self._type.joint_body(self.results)

    def numbers(self) -> dict[str, Any]:
        """Return all results as in the JSON."""
        return {self.kind: [result.to_dict(details=False) for result in self.results]}

    def to_dict(self, *, details: bool = True) -> dict[str, Any]:
        """Return the documented JSON: a list under the name of the kind."""
        details = details and self._type.joint_details(self.results)
        documents = [result.to_dict(details=details) for result in self.results]
        return {"schema": SCHEMA, "kind": self.kind, self.kind: documents}

    def rows_of_numbers(self) -> list[tuple[str, str, str, float]]:
        """Return the numbers of all results."""
        return [row for result in self.results for row in result.rows_of_numbers()]

    def sentences(self) -> list[Sentence]:
        """Return the sentences of all methods paragraphs."""
        return [s for result in self.results for s in result.sentences()]
