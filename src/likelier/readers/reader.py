"""Contract of readers: they recognise files, describe them, and give their items.

A reader of a further format is one module with a tuple ``READERS``, and its name among
`MODULES`. Files become outcomes in two steps, in `read_outcomes`: a reader opens a
table of items, and that is counted.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Literal, Protocol

from likelier.findings import Finding
from likelier.readers.file import File, Paths, file_names, find_files
from likelier.readers.foreign import refuse_foreign
from likelier.readers.gold_names import check_gold_first

if TYPE_CHECKING:
    from likelier.data.outcomes import Outcomes

Kind = Literal["labels", "scores", "sets", "numbers", "probabilities", "ranks"]

# Modules with readers, in the order in which these look at a file.
MODULES = ("conll", "tag_files", "segmented", "pairing")


@dataclass(frozen=True, kw_only=True)
class ReadRequest:
    """Columns and kind of data to read; columns of token files have numbers.

    Attributes
    ----------
    kind
        Content of a cell: a label, a score, a set of labels; a number, also of gold;
        a probability beside a gold label, or a score to rank items by.
    gold
        Column of the gold labels.
    systems
        Columns of the systems, names for those of several files, or names with
        their columns.
    id
        Column of ids, on which files are joined, or several that are the id together.
    label
        Column of the labels or scores where each system has a file.
    cluster
        Column, or kind of unit, of the items that belong together.
    separator
        Text between the labels of a set, or between the columns of a token file.
    text
        Column of the items' texts; by default one of a usual name, and none where it
        is empty.
    """

    kind: Kind = "labels"
    gold: str | int | None = None
    systems: Sequence[str] | Mapping[str, str | int] | None = None
    id: str | Sequence[str] | None = None
    label: str | int | None = None
    cluster: str | None = None
    separator: str | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class Description:
    """Content of files, as far as they show it by themselves.

    Attributes
    ----------
    format
        Name of the reader.
    kind
        Content of a cell: labels, scores, sets, counts, chunks, tags or words; objects
        where it is none of them.
    items
        How many items there are, and what they are: ``unit``.
    columns
        Columns of the first file; those of token files by their numbers.
    systems
        Columns, rows or files that seem to be systems.
    gold
        Column, or file, that seems to hold the gold labels.
    id
        Column that seems to hold the ids.
    text
        Column that seems to hold the texts.
    clusters
        How many documents the items are from, where the file says so.
    findings
        Remarks on the files.
    """

    format: str
    kind: str
    items: int
    unit: str = "items"
    columns: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    gold: str | None = None
    id: str | None = None
    text: str | None = None
    clusters: int | None = None
    findings: tuple[Finding, ...] = ()


class ItemTable(Protocol):
    """Items of files or of a frame, paired over systems, before they are counted."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks on the files."""

    def count(self, metric: str | None, /) -> "Outcomes":
        """Count the items, or those that a metric speaks of."""


@dataclass(frozen=True)
class TokenItems:
    """Items of token files, which `data` knows how to count."""

    findings: tuple[Finding, ...]
    count: "Callable[[str | None], Outcomes]"


class ItemReader(Protocol):
    """Reader of the items of files that the caller knows to be of its format."""

    def items(
        self, files: Sequence[File], request: ReadRequest
    ) -> AbstractContextManager[ItemTable]:
        """Open the items of files; the table lives as long as the context."""


class Reader(ItemReader, Protocol):
    """Reader of one format, which recognises it."""

    @property
    def name(self) -> str:
        """Name of the format."""

    def sniff(self, file: File, /) -> bool:
        """Return whether a file starts like this format."""

    def describe(self, files: Sequence[File]) -> Description:
        """Describe what is in files, the first of which has this format."""


def read_outcomes(
    reader: ItemReader,
    paths: Paths,
    request: ReadRequest,
    metrics: Sequence[str | None] = (None,),
) -> "list[Outcomes]":
    """Read files once, and count their items for each metric."""
    files = find_files(paths)
    if len(files) > 1 and request.kind != "scores":
        gold, *systems = file_names(files)
        hint = "Gold labels come first: {system}, then one file per system."
        check_gold_first(gold, systems, hint=hint)
    with reader.items(files, request) as items:
        counted = [items.count(metric) for metric in metrics]
        return [replace(c, findings=(*items.findings, *c.findings)) for c in counted]


def all_readers() -> Iterator[Reader]:
    """Yield all readers, in the order in which they look at a file."""
    for module in MODULES:
        yield from import_module(f"likelier.readers.{module}").READERS


def find_reader(file: File) -> Reader:
    """Return the first reader that recognises a file; the last one takes any."""
    refuse_foreign(file.start, file.name)
    *first, last = all_readers()
    return next((reader for reader in first if reader.sniff(file)), last)


def describe(paths: Paths) -> Description:
    r"""Describe what is in files of any known format.

    Parameters
    ----------
    paths
        One file, or several that belong together: the gold labels, then one per system.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "predictions.csv")
    >>> _ = path.write_text("gold,a,b\nyes,yes,no\nno,no,no\n")
    >>> about = describe(path)
    >>> about.format, about.kind, about.items, about.systems
    ('csv', 'labels', 2, ('a', 'b'))
    >>> folder.cleanup()
    """
    files = find_files(paths)
    return find_reader(files[0]).describe(files)
