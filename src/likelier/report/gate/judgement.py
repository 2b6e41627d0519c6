"""A condition held against all results of a command."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from likelier.errors import plain
from likelier.report.gate.judging import HOLDS, UNCLEAR, gate, worst
from likelier.report.gate.looking import value_of
from likelier.report.gate.parsing import parsed
from likelier.report.gate.tree import Condition, names_of
from likelier.report.summary import Result
from likelier.results import ClassComparison, Pairs, Sensitivity, StudyReport


@dataclass(frozen=True)
class Judgement:
    """Whether a condition holds, and for which results it does not.

    Attributes
    ----------
    condition
        The condition as it was written.
    codes
        What it gave for each part: every class, prior or pair, or the whole.
    sentences
        What each part says.
    values
        The numbers that the condition asked each part for, in words.
    """

    condition: str
    codes: tuple[int, ...]
    sentences: tuple[str, ...]
    values: tuple[str, ...]

    @property
    def code(self) -> int:
        """The exit code: all must hold, and a failure outweighs doubt."""
        return worst(self.codes)

    def unmet(self) -> Iterator[str]:
        """Say for which parts it does not hold, and why."""
        parts = zip(self.codes, self.values, self.sentences, strict=True)
        for code, values, sentence in parts:
            if code != HOLDS:
                why = "the evidence decides neither way" if code == UNCLEAR else "no"
                yield plain(f"{why}{values} ({sentence})")


def judged(condition: str, results: Sequence[Result]) -> Judgement:
    """Hold a condition against every part of the results.

    Parameters
    ----------
    condition
        Such as ``P(better) > 0.9``.
    results
        What it must hold for.
    """
    tree = parsed(condition)
    parts = [part for result in results for part in _parts(result)]
    documents = [part.to_dict() for part in parts]
    codes = tuple(gate(tree, document) for document in documents)
    sentences = tuple(part.sentence() for part in parts)
    values = tuple(_values(tree, document) for document in documents)
    return Judgement(condition, codes, sentences, values)


def _values(tree: Condition, document: dict[str, Any]) -> str:
    """Tell the numbers that a condition asked for."""
    known = {name.text: value_of(name, document) for name in names_of(tree)}
    told = [
        f"{name} is {'unknown' if x is None else f'{x:.4g}'}"
        for name, x in known.items()
    ]
    return f", {', '.join(told)}" if told else ""


def _parts(result: Result) -> Sequence[Result]:
    """Give what a condition must hold for: every class, prior or pair, or the whole."""
    if isinstance(result, StudyReport):
        return [part for found in result.answers for part in _parts(found)]
    if isinstance(result, ClassComparison):
        return [row.comparison for row in result.rows]
    return result.comparisons if isinstance(result, Sensitivity | Pairs) else [result]
