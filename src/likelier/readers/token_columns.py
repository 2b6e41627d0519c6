"""Columns of files with one token per line and blank lines between sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from likelier._typing import IntArray
from likelier.data.constructors import system_names
from likelier.data.encoding import Clusters
from likelier.data.tag_corpus import TagCodes
from likelier.errors import InputError, SettingError
from likelier.formatting import listed
from likelier.readers.columns import check_systems
from likelier.readers.file import File, cut_findings, file_names
from likelier.readers.reader import Description, ReadRequest
from likelier.readers.token_lines import LineBlock, LineFormat, token_blocks

Column = int | str

CONLLU = (
    "id",
    "form",
    "lemma",
    "upos",
    "xpos",
    "feats",
    "head",
    "deprel",
    "deps",
    "misc",
)
_NAMED = {name: CONLLU.index(name) for name in ("form", "upos", "xpos")}


@dataclass
class TokenColumns:
    """Some columns of a file with one token per line, and its sentences.

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
    form: LineFormat
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

    def sentences(self, numbers: Sequence[int]) -> list[str]:
        """Return sentences by their numbers from 0, with blanks between tokens."""
        ends = ((self.offsets[i], self.offsets[i + 1]) for i in numbers)
        tokens = (self.forms.slice(a, b - a).to_pylist() for a, b in ends)
        return [b" ".join(some).decode(errors="replace") for some in tokens]

    def document_numbers(self) -> IntArray:
        """Return the number of each sentence's document."""
        if not self.documents:
            comments = " or # newdoc" if self.form.comments else ""
            message = (
                f"{self.file.name} must have -DOCSTART-{comments} lines; it has none."
            )
            hint = "Leave documents out, or mark where they start."
            raise InputError(message, hint=hint)
        return np.searchsorted(self.documents, self.offsets[:-1], side="right")

    def document_clusters(self) -> Clusters:
        """Return the documents as clusters of sentences."""
        numbers = self.document_numbers()
        return Clusters(numbers, [f"document {i}" for i in range(numbers[-1] + 1)])

    def at(self, row: int) -> str:
        """Name the line of a row, by reading the file once more."""
        done = 0
        for block, _ in token_blocks(self.file, self.form):
            if row < done + len(block.rows):
                return self.file.at(int(block.line + block.rows[row - done]))
            done += len(block.rows)
        raise AssertionError(row)  # pragma: no cover

    def add(self, block: LineBlock, columns: Sequence[int]) -> None:
        """Add the rows of a block, after a check of their columns."""
        # So many rows stand before a blank line, or before a document.
        blank = np.searchsorted(block.rows, block.blank)
        documents = np.searchsorted(block.rows, block.documents)
        self.breaks.append(self.rows + blank)
        self.documents += (self.rows + documents).tolist()
        if not len(block.rows):
            return
        if not self.width:
            self.width = int(block.widths[0])
            self._check_columns(block, columns)
        wrong = np.flatnonzero(block.widths != self.width)
        if wrong.size:
            row = wrong[0]
            message = (
                f"{self.file.at(block.line + int(block.rows[row]))}: a row must have "
                f"{self.width} columns, as the first row has; got {block.widths[row]}."
            )
            raise InputError(message)
        self.rows += len(block.rows)

    def _check_columns(self, block: LineBlock, columns: Sequence[int]) -> None:
        for column in columns:
            if not -self.width <= column < self.width:
                message = (
                    f"{self.file.at(block.line + int(block.rows[0]))}: a row must have "
                    f"a column {column}; it has {self.width} columns."
                )
                raise InputError(message, hint="The first column is 0, the last is -1.")


@dataclass(frozen=True)
class TokenFile:
    """A file with one token per line, how its lines are split, and what columns are.

    Attributes
    ----------
    file
        The file.
    form
        How its lines are split.
    token
        The column of tokens, where the caller names it.
    conllu
        Whether it is CoNLL-U, whose columns have names.
    """

    file: File
    form: LineFormat
    token: Column | None = None
    conllu: bool = False

    def number(self, column: Column | None) -> int:
        """Return the number of a column; by default that of the tags."""
        if column is None:
            return _NAMED["upos"] if self.conllu else -1
        if isinstance(column, int):
            return column
        if not self.conllu:
            message = (
                f"A column of {self.file.name} must be given by its number; got "
                f"{column!r}."
            )
            hint = "Names are those of CoNLL-U. The first column is 0, the last is -1."
            raise SettingError(message, hint=hint)
        if column not in _NAMED:
            message = (
                f"A column of {self.file.name} must be a number or one of "
                f"{', '.join(_NAMED)}; got {column!r}."
            )
            raise SettingError(message)
        return _NAMED[column]

    def title(self, number: int) -> str:
        """Name a column for the recipe."""
        named = self.conllu and number in _NAMED.values()
        return CONLLU[number] if named else f"column {number}"

    def read(
        self, columns: Sequence[int] = (), *, numbers: TagCodes, forms: bool = True
    ) -> TokenColumns:
        """Read some columns.

        Parameters
        ----------
        columns
            The columns of tags, which become numbers.
        numbers
            The numbers of tags; new ones are added.
        forms
            Whether to read the tokens too.
        """
        default = _NAMED["form"] if self.conllu else 0
        token = default if self.token is None else self.number(self.token)
        result = TokenColumns(self.file, self.form)
        codes: list[list[Any]] = [[] for _ in columns]
        for block, whole in token_blocks(self.file, self.form):
            result.cut = not whole
            result.add(block, [*columns, token] if forms else columns)
            if not len(block.rows):
                continue
            for column, parts in zip(columns, codes, strict=True):
                parts.append(block.codes(column % result.width, numbers))
            if forms:
                result.tokens.append(block.cells(*block.edge(token % result.width)))
        if not result.rows:
            message = f"{self.file.name} must have at least one token; it has none."
            raise InputError(message)
        result.codes = [np.concatenate(parts) for parts in codes]
        return result


def read_agreeing(
    files: Sequence[TokenFile], columns: Sequence[Sequence[int]]
) -> tuple[tuple[str, ...], list[TokenColumns]]:
    """Read columns of tags of files that agree in their tokens, and the tags.

    Parameters
    ----------
    files
        The files.
    columns
        The columns of each.
    """
    numbers = TagCodes()
    contents = [
        file.read(some, numbers=numbers)
        for file, some in zip(files, columns, strict=True)
    ]
    for content in contents[1:]:
        _check_agreement(contents[0], content)
    return tuple(numbers), contents


def tag_columns(
    files: Sequence[TokenFile], request: ReadRequest
) -> tuple[tuple[str, ...], list[list[int]]]:
    """Name the systems, and the columns of gold and predicted tags in each file.

    Parameters
    ----------
    files
        One file with columns of gold and predicted tags; or the gold file and one
        per system.
    request
        The column of tags in several files, and of the gold tags where it is another;
        names of systems, or names with their columns.
    """
    gold, systems = request.gold, request.systems
    if len(files) > 1:
        columns = _file_columns(files[1:], request)
        first = files[0].number(request.label if gold is None else gold)
        return tuple(columns), [[first], *([number] for number in columns.values())]
    (file,) = files
    if request.label is not None:
        message = "column must come with a file per system; there is one file."
        hint = "Name the columns of one file by gold and systems."
        raise SettingError(message, hint=hint)
    if file.conllu and not isinstance(systems, Mapping):
        message = (
            f"{file.file.name} is CoNLL-U, with one tag per token; there must be one "
            "more file for each system."
        )
        raise InputError(message)
    names = system_names(None, 1) if systems is None else check_systems(systems)
    first = -1 - len(names) if gold is None else file.number(gold)
    if not isinstance(systems, Mapping):
        return names, [[first, *range(-len(names), 0)]]
    if gold is None:
        message = f"gold must be given with the columns of systems {listed(names)}."
        raise SettingError(message)
    return names, [[first, *map(file.number, systems.values())]]


def _file_columns(files: Sequence[TokenFile], request: ReadRequest) -> dict[str, int]:
    """Name the systems of files, and the column of tags in each."""
    columns: Mapping[str, Column | None]
    if isinstance(request.systems, Mapping):
        columns = request.systems
    else:
        names = file_names([file.file for file in files])
        chosen = names if request.systems is None else check_systems(request.systems)
        columns = dict.fromkeys(chosen, request.label)
    if len(columns) != len(files):
        message = (
            f"systems must be {len(files)} different names, one per file; got "
            f"{listed(columns)}."
        )
        raise SettingError(message)
    return {
        name: file.number(column)
        for (name, column), file in zip(columns.items(), files, strict=True)
    }


def _check_agreement(gold: TokenColumns, other: TokenColumns) -> None:
    """Refuse a file with other tokens or sentences; name both lines where they part."""
    import pyarrow.compute as pc

    ours, theirs = gold.forms, other.forms
    if ours.equals(theirs) and np.array_equal(gold.offsets, other.offsets):
        return
    n = min(gold.rows, other.rows)
    row = pc.index(pc.equal(ours.slice(0, n), theirs.slice(0, n)), value=False).as_py()
    row = n if row < 0 else int(row)
    cut = np.setxor1d(gold.offsets[gold.offsets < n], other.offsets[other.offsets < n])
    if cut.size and cut[0] <= row:
        row = int(cut[0])
        starts = "starts" if row in gold.offsets else "does not start"
        message = (
            f"{other.at(row)}: sentences must be those of {gold.file.name}; the token "
            f"of {gold.at(row)} {starts} a sentence."
        )
        raise InputError(message)
    if row < n:
        expected, actual = (tokens[row].as_py().decode() for tokens in (ours, theirs))
        message = (
            f"{other.at(row)}: tokens must be those of {gold.file.name}; "
            f"{gold.at(row)} has {expected!r}, got {actual!r}."
        )
        raise InputError(message)
    longer, shorter = (gold, other) if gold.rows > n else (other, gold)
    message = (
        f"{other.file.name} must have the tokens of {gold.file.name}; "
        f"{shorter.file.name} ends at {shorter.at(n - 1)}, before the token of "
        f"{longer.at(n)}."
    )
    raise InputError(message)


def describe_tokens(files: Sequence[TokenFile], **about: Any) -> Description:
    """Describe one file with columns of tags, or the gold file and one per system.

    Parameters
    ----------
    files
        The files.
    about
        Format, kind and unit, as in `Description`; units are sentences or tokens.
    """
    contents = [file.read(numbers=TagCodes(), forms=False) for file in files]
    first = contents[0]
    names, gold = tuple(map(str, range(first.width))), None
    systems: list[str] = []
    if files[0].conllu:
        names, gold = CONLLU, "upos"
    if len(contents) > 1:
        gold, *systems = file_names([content.file for content in contents])
    elif gold is None:
        # The token alone has no tag beside it; two tags are gold and predicted.
        gold, *systems = names[-2:] if first.width > 2 else names[-1:]
    sentences = about["unit"] == "sentences"
    return Description(
        items=len(first.offsets) - 1 if sentences else first.rows,
        columns=names,
        systems=tuple(systems),
        gold=gold,
        clusters=len({*first.document_numbers()}) if first.documents else None,
        findings=cut_findings(contents),
        **about,
    )
