"""Sheets: wanted columns of a file with one token per line, and its sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likelier._typing import IntArray
from likelier.data.constructors import system_names
from likelier.data.tag_corpus import TagCodes
from likelier.errors import InputError, SettingError
from likelier.formatting import listed
from likelier.readers.blocks import Block, Form, file_blocks
from likelier.readers.formats import File
from likelier.readers.kinds import system_list
from likelier.readers.lines import file_names

Systems = Sequence[str] | Mapping[str, int] | None

_OUTSIDE = ord("O")


@dataclass
class Sheet:
    """What was read of a file: wanted columns row by row, and sentence starts.

    Attributes
    ----------
    file, form
        The file, and how its lines are split.
    codes
        The numbers of the tags, column by column.
    tokens
        The tokens of each block.
    breaks
        The rows before which a sentence may start.
    documents
        The rows before which a document starts.
    rows, width
        The numbers of rows and of columns.
    cut
        Whether the file does not end in a line end.
    """

    file: File
    form: Form
    codes: list[Any] = field(default_factory=list)
    tokens: list[Any] = field(default_factory=list)
    breaks: list[IntArray] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)
    rows: int = 0
    width: int = 0
    cut: bool = False

    @cached_property
    def offsets(self) -> IntArray:
        """The first row of each sentence, and the number of rows."""
        ends = np.concatenate([*self.breaks, [self.rows]])
        return np.append(0, ends[np.diff(ends, prepend=0) > 0])

    @cached_property
    def forms(self) -> Any:
        """All tokens, as a chunked array of bytes."""
        return pa.chunked_array(self.tokens)

    def document_numbers(self) -> IntArray:
        """Give the number of each sentence's document."""
        if not self.documents:
            comments = " or # newdoc" if self.form.comments else ""
            message = (
                f"{self.file.shown} must have -DOCSTART-{comments} lines; it has none."
            )
            hint = "Leave documents out, or mark where they start."
            raise InputError(message, hint=hint)
        return np.searchsorted(self.documents, self.offsets[:-1], side="right")

    def line(self, row: int) -> int:
        """Find the line of a row, by reading the file once more."""
        done = 0
        for block, _ in file_blocks(self.file, self.form):
            if row < done + len(block.rows):
                return int(block.line + block.rows[row - done])
            done += len(block.rows)
        raise AssertionError(row)  # pragma: no cover

    def at(self, row: int) -> str:
        """Name the line of a row."""
        return self.file.at(self.line(row))


def read_sheet(
    file: File,
    form: Form,
    columns: Sequence[int],
    *,
    token: int | None,
    codes: TagCodes,
) -> Sheet:
    """Read some columns of a file.

    Parameters
    ----------
    file, form
        The file, and how its lines are split.
    columns
        The columns of tags, which become numbers.
    token
        The column of tokens, where they are wanted.
    codes
        The numbers of tags; new ones are added.
    """
    sheet = Sheet(file, form)
    parts: list[list[Any]] = [[] for _ in columns]
    for block in _blocks(sheet):
        _count_rows(sheet, block, columns if token is None else [*columns, token])
        if not len(block.rows):
            continue
        for column, part in zip(columns, parts, strict=True):
            part.append(_numbered(block, column % sheet.width, codes))
        if token is not None:
            sheet.tokens.append(block.cells(*block.edge(token % sheet.width)))
    if not sheet.rows:
        message = f"{file.shown} must have at least one token; it has none."
        raise InputError(message)
    sheet.codes = [np.concatenate(part) for part in parts]
    return sheet


def _blocks(sheet: Sheet) -> Iterator[Block]:
    for block, whole in file_blocks(sheet.file, sheet.form):
        sheet.cut = not whole
        yield block


def _count_rows(sheet: Sheet, block: Block, wanted: Sequence[int]) -> None:
    # So many rows stand before a blank line, or before a document.
    blank = np.searchsorted(block.rows, block.blank)
    documents = np.searchsorted(block.rows, block.documents)
    sheet.breaks.append(sheet.rows + blank)
    sheet.documents += (sheet.rows + documents).tolist()
    if not len(block.rows):
        return
    if not sheet.width:
        sheet.width = int(block.widths[0])
        _check_columns(sheet, block, wanted)
    wrong = np.flatnonzero(block.widths != sheet.width)
    if wrong.size:
        row = wrong[0]
        message = (
            f"{sheet.file.at(block.line + int(block.rows[row]))}: a row must have "
            f"{sheet.width} columns, as the first row has; got {block.widths[row]}."
        )
        raise InputError(message)
    sheet.rows += len(block.rows)


def _check_columns(sheet: Sheet, block: Block, wanted: Sequence[int]) -> None:
    for column in wanted:
        if not -sheet.width <= column < sheet.width:
            message = (
                f"{sheet.file.at(block.line + int(block.rows[0]))}: a row must have a "
                f"column {column}; it has {sheet.width} columns."
            )
            raise InputError(message, hint="The first column is 0, the last is -1.")


def _numbered(block: Block, column: int, codes: TagCodes) -> NDArray[np.int32]:
    """Give the numbers of the tags in a column; O is 0, and often most of them."""
    before, after = block.edge(column)
    outside = (after - before == 2) & (block.data[before + 1] == _OUTSIDE)
    others = np.flatnonzero(~outside)
    found = block.cells(before[others], after[others]).dictionary_encode()
    tags = [cell.decode().strip(" ") for cell in found.dictionary.to_pylist()]
    known = np.array([codes[tag] for tag in tags], dtype=np.int32)
    numbers = np.zeros(len(before), dtype=np.int32)
    numbers[others] = known[found.indices.to_numpy()]
    return numbers


def columns_of_one(
    *, gold: int | None, systems: Systems
) -> tuple[tuple[str, ...], list[list[int]]]:
    """Name the systems of one file, and the columns of gold and predicted tags."""
    names = system_names(None, 1) if systems is None else names_of(systems)
    count = len(names)
    columns = list(range(-count, 0))
    if isinstance(systems, Mapping):
        columns = list(systems.values())
        if gold is None:
            message = f"gold must be given with the columns of systems {listed(names)}."
            raise SettingError(message)
    return names, [[-1 - count if gold is None else gold, *columns]]


def columns_of_many(
    files: Sequence[File], *, gold: int | None, systems: Systems
) -> tuple[tuple[str, ...], list[list[int]]]:
    """Name the systems of several files, and the column of tags in each."""
    names = file_names(files[1:]) if systems is None else names_of(systems)
    columns = [-1] * (len(files) - 1)
    if isinstance(systems, Mapping):
        columns = list(systems.values())
    told = system_names(names, len(files) - 1)
    return told, [[-1 if gold is None else gold], *([column] for column in columns)]


def names_of(systems: Sequence[str] | Mapping[str, Any]) -> tuple[str, ...]:
    """Give the names of systems, also where they come with columns."""
    return system_list(systems if isinstance(systems, str) else tuple(systems))
