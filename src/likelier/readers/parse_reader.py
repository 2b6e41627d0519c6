"""Parsers: their CoNLL-U files beside gold, word by word and sentence by sentence."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import get_args

import numpy as np

from likelier._typing import IntArray
from likelier.data.named_statistics import from_statistics
from likelier.data.outcomes import Outcomes
from likelier.data.parse_statistics import (
    PARSE_METRICS,
    count_parses,
    parse_numbers,
    shared_starts,
)
from likelier.data.parsed_words import AlignedWords, align_words
from likelier.data.token_tags import ClusterName
from likelier.errors import InputError, SettingError, unknown_name
from likelier.findings import Finding
from likelier.metrics.metric import Metric
from likelier.readers.file import File, Paths, cut_findings
from likelier.readers.parsed_files import ParsedFile, read_parsed_file
from likelier.readers.reader import ReadRequest, TokenItems, read_outcomes
from likelier.readers.same_text import read_same_texts


def read_parsed(
    paths: Paths,
    *,
    metric: str | Metric = "las",
    systems: Sequence[str] | None = None,
    cluster: ClusterName = "sentence",
) -> Outcomes:
    r"""Count the words of parsed text that are right, sentence by sentence.

    Use this for parsers, and for taggers that split words themselves. Words are
    aligned, and counted, as in the CoNLL 2018 shared task.

    Parameters
    ----------
    paths
        The gold file and then one file per system, CoNLL-U, with the same characters;
        words and sentences may be split otherwise. Text may be gzipped.
    metric
        ``las``, ``uas``, ``clas``, ``mlas``, ``blex`` (of trees); ``upos``, ``xpos``,
        ``ufeats``, ``alltags``, ``lemmas``.
    systems
        Names of the systems; by default those of the files.
    cluster
        What is independent: ``sentence``, where sentences that a system joins or
        splits otherwise are joined; or ``document`` (``# newdoc`` starts one).

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> paths = [pathlib.Path(folder.name, name) for name in ("gold", "a")]
    >>> rows = "1 Ada _ _ _ _ 2 nsubj _ _", "2 runs _ _ _ _ 0 root _ _", ""
    >>> for path in paths:
    ...     _ = path.write_text("\n".join(rows).replace(" ", "\t") + "\n")
    >>> read_parsed(paths).sums()["las_correct"]
    array([[2.]])
    >>> folder.cleanup()
    """
    name = metric.name if isinstance(metric, Metric) else metric
    request = ReadRequest(systems=systems, cluster=cluster)
    return ParseReader().read(paths, request, [name])[0]


class ParseReader:
    """Reader of the gold file and of one file per system."""

    def read(
        self, paths: Paths, request: ReadRequest, metrics: Sequence[str]
    ) -> list[Outcomes]:
        """Count the words of metrics, reading the files once."""
        for metric in metrics:
            if metric not in PARSE_METRICS:
                raise unknown_name(metric, PARSE_METRICS, kind="metric of parses")
        if request.cluster not in get_args(ClusterName):
            message = (
                f"{metrics[0]} must be counted by sentence or document: systems may "
                f"have other words than gold; got cluster {request.cluster!r}."
            )
            raise SettingError(message)
        return read_outcomes(self, paths, request, metrics)

    @contextmanager
    def items(
        self, files: Sequence[File], request: ReadRequest
    ) -> Iterator[TokenItems]:
        """Read parses of the same characters."""
        numbers = parse_numbers()
        systems, (gold, *others) = read_same_texts(
            files, request, lambda file: read_parsed_file(file, numbers)
        )
        parses = _Parses(
            gold, others, systems, by_document=request.cluster == "document"
        )
        yield TokenItems(cut_findings([gold, *others]), parses.outcomes)


@dataclass(frozen=True, eq=False)
class _Parses:
    """Parses of one text: of gold, and of each system.

    Units are sentences of gold; neighbours are one unit where a system's sentence
    reaches over the border, so that every word of every system lies in one unit.
    """

    gold: ParsedFile
    others: Sequence[ParsedFile]
    systems: tuple[str, ...]
    by_document: bool

    @cached_property
    def _aligned(self) -> list[AlignedWords]:
        return [align_words(self.gold.words, other.words) for other in self.others]

    @cached_property
    def _starts(self) -> IntArray:
        """The first character of each unit."""
        return shared_starts([file.words for file in (self.gold, *self.others)])

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        """The first and the last sentence of gold in each unit."""
        words = self.gold.words
        every = words.start[words.sentences]
        first = np.searchsorted(every, self._starts)
        last = np.append(first[1:], len(every)) - 1
        return list(zip(first.tolist(), last.tolist(), strict=True))

    def outcomes(self, metric: str | None) -> Outcomes:
        """Count the words of each unit that are right by a metric."""
        metric = metric or "las"
        counted = [count_parses(metric, both, self._starts) for both in self._aligned]
        outcomes = from_statistics(
            *counted,
            systems=self.systems,
            ids=[_sentence_name(*both) for both in self._sentences],
            texts=self._texts,
            cluster=self._documents() if self.by_document else None,
        )
        source = f"parses {metric}{' by document' if self.by_document else ''}"
        return replace(
            outcomes, unit="sentences", source=source, findings=self._findings()
        )

    def _texts(self, units: Sequence[int]) -> list[str]:
        return [self.gold.text(*self._sentences[int(unit)]) for unit in units]

    def _documents(self) -> list[str]:
        """Return the document of each unit, by its first sentence."""
        if not self.gold.documents:
            message = f"{self.gold.file.name} must have # newdoc lines; it has none."
            hint = "Leave documents out, or mark where they start."
            raise InputError(message, hint=hint)
        words = self.gold.words.sentences[[first for first, _ in self._sentences]]
        numbers = np.searchsorted(self.gold.documents, words, side="right")
        return [f"document {number}" for number in numbers]

    def _findings(self) -> tuple[Finding, ...]:
        """Remark on sentences that were joined."""
        n = len(self.gold.words.sentences)
        joined = sum(
            last - first + 1 for first, last in self._sentences if last > first
        )
        if not joined:
            return ()
        message = (
            f"{joined:,} of {n:,} gold sentences were joined with neighbours, where a "
            f"system's sentence reaches over the border: {len(self._starts):,} are left"
        )
        return (Finding("LIK145", message),)


def _sentence_name(first: int, last: int) -> str:
    """Name the sentences of a unit, counted from 1."""
    if first == last:
        return f"sentence {first + 1}"
    return f"sentences {first + 1} to {last + 1}"
