"""Parsed text of CoNLL-U files: words, tags and trees, checked line by line."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from likelier._typing import IntArray
from likelier.data.encoding import Numbering
from likelier.data.parse_statistics import universal_features
from likelier.data.parsed_words import ROOT, ParsedWords
from likelier.errors import InputError
from likelier.readers.file import File, text_blocks
from likelier.readers.token_columns import CONLLU

_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY_NODE = re.compile(r"[0-9]+\.[0-9]+")
_NEW_DOCUMENT = re.compile(r"#[ \t]*newdoc\b")
_ID, _FORM, _HEAD = (CONLLU.index(name) for name in ("id", "form", "head"))
_NO_NUMBER = -9


@dataclass(frozen=True, eq=False)
class ParsedFile:
    """Parsed text of one file.

    Attributes
    ----------
    file
        The file.
    cut
        Whether it does not end in a line end.
    rows
        Its words and tokens.
    columns
        Numbers of what is compared, as in `ParsedWords`.
    """

    file: File
    cut: bool
    rows: "_Rows"
    columns: Mapping[str, IntArray]

    @cached_property
    def words(self) -> ParsedWords:
        """Words with their tags and trees."""
        rows = self.rows
        lengths = np.fromiter(map(len, rows.tokens), np.int64)
        end = np.cumsum(lengths)
        token = np.array(rows.token)
        return ParsedWords(
            start=(end - lengths)[token],
            end=end[token],
            multiword=np.array(rows.multiword),
            sentences=np.array(rows.sentences),
            columns=self.columns,
            heads=lambda: self._heads,
        )

    @cached_property
    def characters(self) -> str:
        """All forms of tokens, without blanks."""
        return "".join(self.rows.tokens)

    def at_character(self, index: int) -> str:
        """Name the line of the first word of the token with a character."""
        return self.at(int(np.searchsorted(self.words.end, index, side="right")))

    def at(self, word: int) -> str:
        """Name the line of a word."""
        return self.file.at(self.rows.lines[word])

    @property
    def documents(self) -> Sequence[int]:
        """The words before which a document starts."""
        return self.rows.documents

    def text(self, first: int, last: int) -> str:
        """Return the tokens of some sentences, with blanks between them."""
        starts = [*self.rows.first_tokens, len(self.rows.tokens)]
        return " ".join(self.rows.tokens[starts[first] : starts[last + 1]])

    @cached_property
    def _heads(self) -> IntArray:
        """The number of each word's head."""
        first = np.array(self.rows.sentences)
        lengths = np.diff(first, append=len(self.rows.lines))
        first, length = np.repeat(first, lengths), np.repeat(lengths, lengths)
        ids = [cells[_HEAD] for cells in self.rows.cells]
        numbers = np.array([_number(text) for text in ids])
        wrong = np.flatnonzero((numbers < 0) | (numbers > length))
        if wrong.size:
            word = int(wrong[0])
            message = (
                f"{self.at(word)}: HEAD must be the number of a word of the sentence, "
                f"1 to {length[word]}, or 0 for its root; got {ids[word]!r}."
            )
            raise InputError(message, hint="Without trees: --metric upos, lemmas …")
        heads = np.where(numbers == 0, ROOT, first + numbers - 1)
        self._check_roots(np.flatnonzero(heads == ROOT))
        self._check_cycles(heads)
        return heads

    def _check_roots(self, roots: IntArray) -> None:
        """Refuse a sentence with two roots, or with none."""
        first = np.array(self.rows.sentences)
        sentence = np.searchsorted(first, roots, side="right") - 1
        again = np.flatnonzero(np.diff(sentence) == 0)
        if again.size:
            index = int(again[0])
            message = (
                f"{self.at(int(roots[index + 1]))}: a sentence must have one root "
                f"(HEAD 0); another is in line {self.rows.lines[roots[index]]}."
            )
            raise InputError(message)
        without = np.setdiff1d(np.arange(len(first)), sentence)
        if without.size:
            message = (
                f"{self.at(int(first[without[0]]))}: a sentence must have a root "
                "(HEAD 0); this one has none."
            )
            raise InputError(message)

    def _check_cycles(self, heads: IntArray) -> None:
        """Refuse heads that do not lead to the root."""
        # The root, at the end, is its own head; every step doubles the way.
        above = np.append(np.where(heads == ROOT, len(heads), heads), len(heads))
        for _ in range(len(heads).bit_length()):
            above = above[above]
        lost = np.flatnonzero(above[:-1] != len(heads))
        if lost.size:
            # Those that came so far are within the cycle.
            word = int(above[:-1][lost].min())
            message = (
                f"{self.at(word)}: heads must lead to the root; those of word "
                f"{self.rows.cells[word][_ID]} lead back to it."
            )
            raise InputError(message)


def read_parsed_file(file: File, numbers: Mapping[str, Numbering]) -> ParsedFile:
    """Read the words of a CoNLL-U file.

    Parameters
    ----------
    file
        The file.
    numbers
        Numbers of what is in the columns, as in `parse_numbers`; new ones are added.
    """
    rows, cut = _Rows(file), False
    for text, first, whole in text_blocks(file):
        cut = not whole
        for line, row in enumerate(text.decode().split("\n")[:-1], first):
            rows.add(row, line)
    rows.end_sentence()
    if not rows.lines:
        message = f"{file.name} must have at least one word; it has none."
        raise InputError(message)
    columns = list(zip(*rows.cells, strict=True))
    codes = {
        name: numbers[name].codes(_values(name, columns[CONLLU.index(name)]))
        for name in numbers
    }
    return ParsedFile(file, cut, rows, codes)


def _values(name: str, column: Sequence[str]) -> Iterable[str]:
    """Return what is compared of a column."""
    if name == "form":
        return map(str.lower, column)
    if name == "feats":
        return map(lru_cache(maxsize=1 << 16)(universal_features), column)
    if name == "deprel":
        return (relation.split(":", 1)[0] for relation in column)
    return column


def _number(text: str) -> int:
    fits = text.isascii() and text.isdigit() and len(text) < 10
    return int(text) if fits else _NO_NUMBER


@dataclass
class _Rows:
    """Rows of a file, gathered one by one.

    Attributes
    ----------
    file
        The file.
    lines, cells, token, multiword
        Line, cells and token of each word, and whether it shares the token.
    tokens
        Forms of the tokens, without blanks.
    sentences, first_tokens, documents
        The first word and token of each sentence, and the first word of each document.
    """

    file: File
    lines: list[int] = field(default_factory=list)
    cells: list[list[str]] = field(default_factory=list)
    token: list[int] = field(default_factory=list)
    multiword: list[bool] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    first_tokens: list[int] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)
    _inside: bool = False
    # The last word of the token of several words, and its line.
    _last: int = 0
    _line: int = 0

    def add(self, row: str, line: int) -> None:
        """Add a line of the file."""
        if row[:1] == "#":
            if _NEW_DOCUMENT.match(row):
                self.documents.append(len(self.lines))
        elif not row.strip():
            self.end_sentence()
        else:
            self._add_row(row.split("\t"), line)

    def end_sentence(self) -> None:
        """End the sentence, if there is one."""
        if self._inside and self._last >= self._next:
            message = (
                f"{self.file.at(self._line)}: a token of several words must be "
                f"followed by them, up to word {self._last}; the last is "
                f"{self._next - 1}."
            )
            raise InputError(message)
        self._inside, self._last = False, 0

    @property
    def _next(self) -> int:
        """The number of the next word in its sentence."""
        return len(self.lines) - self.sentences[-1] + 1

    def _add_row(self, cells: list[str], line: int) -> None:
        if len(cells) != len(CONLLU):
            message = (
                f"{self.file.at(line)}: a row must have {len(CONLLU)} columns between "
                f"tabs; got {len(cells)}."
            )
            raise InputError(message, hint=f"CoNLL-U: {', '.join(CONLLU)}.")
        if not self._inside:
            self.sentences.append(len(self.lines))
            self.first_tokens.append(len(self.tokens))
            self._inside = True
        name = cells[_ID]
        if name == str(self._next):
            self._add_word(cells, line)
        elif last := self._opened(name):
            self._add_token(cells[_FORM], line)
            self._last, self._line = last, line
        elif not _EMPTY_NODE.fullmatch(name):
            message = (
                f"{self.file.at(line)}: ID must be {self._next}, the number of the "
                f"next word of the sentence; got {name!r}."
            )
            hint = "Or that of a token of several words (1-2), or an empty node (8.1)."
            raise InputError(message, hint=hint)

    def _opened(self, name: str) -> int:
        """Return the last word of a token of several words, 0 if it is none."""
        found = _RANGE.fullmatch(name)
        if found is None:
            return 0
        first, last = map(int, found.groups())
        return last if last >= first == self._next > self._last else 0

    def _add_word(self, cells: list[str], line: int) -> None:
        shared = self._next <= self._last
        if not shared:
            cells[_FORM] = self._add_token(cells[_FORM], line)
        self.lines.append(line)
        self.cells.append(cells)
        self.token.append(len(self.tokens) - 1)
        self.multiword.append(shared)

    def _add_token(self, form: str, line: int) -> str:
        """Add a token; spaces within it are left out, as in the text around it."""
        if not form.isascii() or " " in form:
            form = "".join(c for c in form if unicodedata.category(c) != "Zs")
        if not form:
            message = f"{self.file.at(line)}: FORM must be a word; it is empty."
            raise InputError(message)
        self.tokens.append(form)
        return form
