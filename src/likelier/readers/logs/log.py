"""Contract of the readers of logs: what evaluation tools wrote, item by item.

A reader of a further tool is one module with a `LogFormat` called ``FORMAT``, and the
name of the module in `likelier.readers.logs.find_logs`. It gives one `Log` for each
system, task, filter and run in a file; choosing, pairing and counting are shared.
Nothing that a tool computed over items is ever taken over: values are those of items.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from likelier._typing import FloatArray
from likelier.readers.file import File

# Returns a field, by its dotted name, of some rows, or of all of them.
LookUp = Callable[[str, Sequence[int] | None], list[Any]]


class LabelPairs(NamedTuple):
    """Gold and predicted label of every row; None where there is none."""

    gold: Sequence[str | None]
    predicted: Sequence[str | None]


@dataclass(frozen=True, kw_only=True)
class Log:
    """Answers of one system to the items of one task, one row for each.

    Attributes
    ----------
    file
        The file that has the rows.
    format, version
        The tool, and its version where the log has it.
    system, task
        Names as the tool has them.
    items
        Id of the item of each row.
    locate
        Names the record of a row in a message, such as ``samples.jsonl:17``.
    filter
        How answers were cleaned before they were scored, where there are several ways.
    run
        Name of the run where there may be several of the same task: its date, its seed.
    repeats
        Number of the repeat (epoch, sample) of each row; None where each item has one.
    scores
        Number per row for each metric; NaN where the tool has no value.
    labels
        Gold and predicted labels for each metric of which the log has these instead.
    unusable
        Metrics that cannot be computed from the rows of the log, each with the reason.
    formulas
        Metrics of scores that are not their mean, such as perplexity, each with the
        name of its formula.
    higher_is_better
        Direction of metrics, where the log says it.
    headline
        The tool's own main metric.
    errors
        Rows whose answer failed, with the reason: they are missing, not wrong.
    hashes
        Texts per row that must be equal in all logs, by what they stand for: ``item``
        (its content), ``prompt``.
    conditions
        Facts of the whole run that must be equal in all logs: few-shot examples,
        version of the task, template.
    groups
        Names that the tool has for several tasks.
    variant_of
        The task whose items these are, or variants of them, under the same ids.
    fields
        Dotted names of fields that `look_up` has, such as clusters.
    text
        The field that people read an item by.
    cluster
        The field whose values the tool itself takes for clusters.
    look_up
        Returns a field of some rows, or of all.
    notes
        Remarks for people: what the log holds besides, or does not.
    """

    file: File
    format: str
    system: str
    task: str
    items: Sequence[str]
    locate: Callable[[int], str]
    version: str | None = None
    filter: str | None = None
    run: str | None = None
    repeats: Sequence[int] | None = None
    scores: Mapping[str, FloatArray] = field(default_factory=dict)
    labels: Mapping[str, LabelPairs] = field(default_factory=dict)
    unusable: Mapping[str, str] = field(default_factory=dict)
    formulas: Mapping[str, str] = field(default_factory=dict)
    higher_is_better: Mapping[str, bool] = field(default_factory=dict)
    headline: str | None = None
    errors: Mapping[int, str] = field(default_factory=dict)
    hashes: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    variant_of: str | None = None
    fields: tuple[str, ...] = ()
    text: str | None = None
    cluster: str | None = None
    look_up: LookUp | None = None
    notes: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics that can be computed from the rows."""
        return (*self.scores, *self.labels)


class LogFormat(NamedTuple):
    """A kind of log: the tool's name, how a file is recognised, and how it is read.

    Attributes
    ----------
    name
        Name of the tool.
    sniff
        Returns whether a file is such a log.
    read
        Yields what is in it.
    companions
        Patterns of the names of files that the tool writes beside its logs.
    """

    name: str
    sniff: Callable[[File], bool]
    read: Callable[[File], Iterable[Log]]
    companions: tuple[str, ...] = ()
