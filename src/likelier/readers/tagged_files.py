"""Files of tagged tokens: CoNLL-U, or columns of any number."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike

from likelier.errors import InputError, SettingError
from likelier.formatting import listed
from likelier.readers.blocks import (
    COMMENTS,
    COMMENTS_WITHOUT_TABS,
    Form,
    separator_byte,
)
from likelier.readers.columns import columns_of_many, columns_of_one, names_of
from likelier.readers.formats import File, detect
from likelier.readers.lines import file_names

Column = int | str
TagSystems = Sequence[str] | Mapping[str, Column] | None

_CONLLU = {"form": 1, "upos": 3, "xpos": 4}
_CONLLU_WIDTH = 10
_ID = re.compile(rb"[0-9]+([-.][0-9]+)?")
_NO_ROW = (b"#", b"-DOCSTART-")


@dataclass(frozen=True)
class Layout:
    """How files are laid out, as far as the caller says so.

    Attributes
    ----------
    separator
        What stands between columns.
    comments
        Whether lines that begin with ``#`` are comments.
    forms
        The column of forms.
    """

    separator: str | None = None
    comments: bool | None = None
    forms: Column | None = None


@dataclass(frozen=True)
class TaggedFile:
    """A file, how its lines are split, and where its tokens stand.

    Attributes
    ----------
    file
        The file.
    form
        How its lines are split.
    conllu
        Whether it is CoNLL-U, whose columns have names.
    forms
        The column of forms, where the caller names it.
    """

    file: File
    form: Form
    conllu: bool
    forms: Column | None

    @property
    def token(self) -> int:
        """The column of the tokens."""
        if self.forms is None:
            return _CONLLU["form"] if self.conllu else 0
        return self.column(self.forms)

    def column(self, given: Column | None) -> int:
        """Find a column by its number or name; by default that of the tags."""
        if given is None:
            return _CONLLU["upos"] if self.conllu else -1
        if isinstance(given, int):
            return given
        if not self.conllu:
            message = (
                f"A column of {self.file.shown} must be given by its number; got "
                f"{given!r}."
            )
            hint = "Names are those of CoNLL-U. The first column is 0, the last is -1."
            raise SettingError(message, hint=hint)
        if given not in _CONLLU:
            message = (
                f"A column of {self.file.shown} must be a number or one of "
                f"{', '.join(_CONLLU)}; got {given!r}."
            )
            raise SettingError(message)
        return _CONLLU[given]

    def called(self, column: int) -> str:
        """Name a column for the recipe."""
        names = {place: name for name, place in _CONLLU.items()} if self.conllu else {}
        return names.get(column, f"column {column}")


def look(path: str | PathLike[str], layout: Layout) -> TaggedFile:
    """Look into a file, and tell how it is laid out."""
    file = detect(path)
    mark = separator_byte(layout.separator)
    row = _first_row(file)
    name = file.path.with_suffix("") if file.packed else file.path
    cells = row.split(b"\t")
    numbered = len(cells) == _CONLLU_WIDTH and _ID.fullmatch(cells[0]) is not None
    if mark is None and (name.suffix.lower() == ".conllu" or numbered):
        comments = None if layout.comments is False else COMMENTS
        form = Form(b"\t", comments, ids=True)
        return TaggedFile(file, form, conllu=True, forms=layout.forms)
    tabs = len(cells) > 1 and mark in (None, b"\t")
    comments = COMMENTS if layout.comments else None
    if layout.comments is None and tabs:
        comments = COMMENTS_WITHOUT_TABS
    return TaggedFile(file, Form(mark, comments), conllu=False, forms=layout.forms)


def _first_row(file: File) -> bytes:
    with file.open() as handle:
        for line in handle:
            if line.strip() and not line.startswith(_NO_ROW):
                return line.rstrip(b"\r\n")
    return b""


def one_file(
    file: TaggedFile, *, column: Column | None, gold: Column | None, systems: TagSystems
) -> tuple[tuple[str, ...], list[list[int]]]:
    """Name the systems of one file, and the columns of gold and predicted tags."""
    if column is not None:
        message = "column must come with a file per system; there is one file."
        hint = "Name the columns of one file by gold and systems."
        raise SettingError(message, hint=hint)
    if file.conllu and not isinstance(systems, Mapping):
        message = (
            f"{file.file.shown} is CoNLL-U, with one tag per token; there must be one "
            "more file for each system."
        )
        raise InputError(message)
    own = None if gold is None else file.column(gold)
    if not isinstance(systems, Mapping):
        return columns_of_one(gold=own, systems=systems)
    placed = {name: file.column(given) for name, given in systems.items()}
    return columns_of_one(gold=own, systems=placed)


def many_files(
    files: Sequence[TaggedFile],
    *,
    column: Column | None,
    gold: Column | None,
    systems: TagSystems,
) -> tuple[tuple[str, ...], list[list[int]]]:
    """Name the systems of several files, and the column of tags in each."""
    first, *others = files
    told: dict[str, Column | None]
    if isinstance(systems, Mapping):
        told = dict(systems)
    else:
        shown = file_names([file.file for file in others])
        names = shown if systems is None else names_of(systems)
        told = dict.fromkeys(names, column)
    if len(told) != len(others):
        message = (
            f"systems must be {len(others)} different names, one per file; got "
            f"{listed(told)}."
        )
        raise SettingError(message)
    placed = {
        name: file.column(given)
        for (name, given), file in zip(told.items(), others, strict=True)
    }
    own = first.column(column if gold is None else gold)
    return columns_of_many([file.file for file in files], gold=own, systems=placed)
