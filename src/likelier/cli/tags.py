"""Tagged tokens on the command line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from likelier import metrics
from likelier.cli.calls import Asked, Way, compared, listed_names
from likelier.cli.outputs import working
from likelier.errors import SettingError
from likelier.readers.lines import cut_findings
from likelier.readers.sources import Reading
from likelier.readers.tagged_files import Column, Layout
from likelier.readers.tagging import (
    check_known,
    counted,
    known_forms,
    tag_cluster,
    tag_metric,
    tagged_tokens,
)
from likelier.results import Comparison, NullTest
from likelier.streams import as_seed

_SHORT = {
    "token": "token_accuracy",
    "sentence": "sentence_accuracy",
    "oov": "oov_accuracy",
}


@dataclass(frozen=True)
class Tags:
    """The files of tags, and how to read them."""

    files: Sequence[Path]
    column: str | None
    gold: str | None
    systems: tuple[str, ...] | None
    train: Sequence[Path] | None
    vocabulary: Path | None
    lowercase: bool
    cluster: str

    @property
    def inputs(self) -> list[Path]:
        """All files that are read."""
        others = [] if self.vocabulary is None else [self.vocabulary]
        return [*self.files, *(self.train or ()), *others]

    def readings(self, names: Sequence[str]) -> list[Reading]:
        """Count the items of each metric, reading the files once."""
        train = self.train or None
        check_known(
            names, train=train, vocabulary=self.vocabulary, lowercase=self.lowercase
        )
        cluster = tag_cluster(None if self.cluster == "none" else self.cluster)
        layout = Layout()
        with working("counting tokens"):
            tokens = tagged_tokens(
                self.files,
                layout,
                column=_column(self.column),
                gold=_column(self.gold),
                systems=self.systems,
                metrics=names,
            )
            known, sheets = known_forms(
                train, self.vocabulary, layout, lowercase=self.lowercase
            )
            readings = [
                counted(tokens, name, cluster=cluster, known=known) for name in names
            ]
        remarks = cut_findings(sheets)
        return [
            replace(reading, findings=(*reading.findings, *remarks))
            for reading in readings
        ]


def _column(text: str | None) -> Column | None:
    """Take the number or the name of a column."""
    if text is None:
        return None
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() else text


def metric_names(text: str) -> tuple[str, ...]:
    """Look up the metrics of a comma-separated list; short names will do.

    Examples
    --------
    >>> metric_names("token, oov_accuracy")
    ('token_accuracy', 'oov_accuracy')
    """
    names = listed_names(text) or ()
    if not names:
        message = "metric must name at least one metric; got none."
        raise SettingError(message)
    return tuple(tag_metric(_SHORT.get(name, name)) for name in names)


@dataclass(frozen=True)
class _Read:
    """What is counted already."""

    reading: Reading

    def read(self, _: Asked) -> Reading:
        return self.reading


def tested(source: Tags, names: Sequence[str], way: Way) -> list[Comparison | NullTest]:
    """Compare every further system with the first, on every metric."""
    if way.method == "hierarchical":
        message = "The method hierarchical must have classes; tags have none."
        raise SettingError(message)
    way.posterior()  # refuses what cannot be done, before files are read
    one_seed = replace(way, seed=as_seed(way.seed))
    return [
        result
        for name, reading in zip(names, source.readings(names), strict=True)
        for result in compared(
            _Read(reading), Asked((metrics.named(name),), None), one_seed
        )
    ]
