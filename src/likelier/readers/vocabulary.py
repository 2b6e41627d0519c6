"""Which forms were seen before: in training files, or in a list of forms."""

from collections.abc import Collection
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from likelier._typing import BoolArray
from likelier.errors import InputError
from likelier.readers.formats import detect
from likelier.readers.lines import checked_text, line_blocks

# Strings of Python's may hold halves of characters, which match nothing.
_ANY = "surrogatepass"

Vocabulary = str | PathLike[str] | Collection[str]


@dataclass(frozen=True)
class Known:
    """Forms that are known; all others are out of vocabulary.

    Attributes
    ----------
    forms
        The forms, byte for byte.
    lowercase
        Whether forms are lowercased before they are looked up.
    """

    forms: frozenset[bytes]
    lowercase: bool = False

    @classmethod
    def of(cls, forms: Collection[bytes], *, lowercase: bool = False) -> "Known":
        """Take forms as they stand in files."""
        taken = (_lowered(form) for form in forms) if lowercase else forms
        return cls(frozenset(taken), lowercase)

    def unseen(self, tokens: Any) -> BoolArray:
        """Tell which tokens (a chunked array of bytes) are not known."""
        encoded = tokens.dictionary_encode().unify_dictionaries()
        distinct = encoded.chunk(0).dictionary.to_pylist()
        new = np.array([not self._has(form) for form in distinct], dtype=bool)
        places = [chunk.indices.to_numpy() for chunk in encoded.chunks]
        return np.asarray(new[np.concatenate(places)])

    def _has(self, form: bytes) -> bool:
        return (_lowered(form) if self.lowercase else form) in self.forms

    def described(self) -> str:
        """Say what a form was looked up in, for the recipe."""
        folded = " lowercase" if self.lowercase else ""
        return f"oov of {len(self.forms)} forms{folded}"


def _lowered(form: bytes) -> bytes:
    return form.decode(errors=_ANY).lower().encode(errors=_ANY)


def token_forms(tokens: Any) -> list[bytes]:
    """List the distinct tokens of a chunked array of bytes."""
    found: list[bytes] = tokens.unique().to_pylist()
    return found


def listed_forms(vocabulary: Vocabulary) -> list[bytes]:
    """Take forms, or read them from a file with one form per line."""
    if isinstance(vocabulary, str | PathLike):
        return _file_forms(vocabulary)
    wrong = [form for form in vocabulary if not isinstance(form, str)]
    if wrong:
        message = f"vocabulary must hold strings; got {wrong[0]!r}."
        raise InputError(message)
    if not vocabulary:
        message = "vocabulary must hold at least one form; it is empty."
        raise InputError(message)
    return [form.encode(errors=_ANY) for form in vocabulary]


def _file_forms(path: str | PathLike[str]) -> list[bytes]:
    file, line = detect(path), 1
    forms: dict[bytes, None] = {}
    with file.open() as handle:
        for raw, _ in line_blocks(handle):
            text = checked_text(raw, file, line)
            line += text.count(b"\n")
            forms.update(dict.fromkeys(text.split(b"\n")))
    forms.pop(b"", None)
    return list(forms)
