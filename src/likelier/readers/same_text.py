"""Texts that are split differently but must have the same characters."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from likelier.data.constructors import system_names
from likelier.errors import InputError
from likelier.readers.file import File, file_names
from likelier.readers.reader import ReadRequest

_BEFORE, _EXCERPT = 10, 20


class SplitText(Protocol):
    """Text of one file, split into words."""

    @property
    def file(self) -> File:
        """The file."""

    @property
    def characters(self) -> str | bytes:
        """All characters but blanks, as text or in UTF-8."""

    def at_character(self, index: int) -> str:
        """Name the line of a character."""


T = TypeVar("T", bound=SplitText)


def read_same_texts(
    files: Sequence[File], request: ReadRequest, read: Callable[[File], T]
) -> tuple[tuple[str, ...], list[T]]:
    """Read the gold text and one text per system; return the systems, too."""
    if len(files) < 2:
        message = "paths must name the gold file and at least one more; got one."
        raise InputError(message)
    names = file_names(files[1:]) if request.systems is None else request.systems
    systems = system_names(list(names), len(files) - 1)
    gold, *others = (read(file) for file in files)
    for other in others:
        _check_characters(gold, other)
    return systems, [gold, *others]


def _check_characters(gold: SplitText, other: SplitText) -> None:
    """Refuse a text with other characters; name both lines where they part."""
    if gold.characters == other.characters:
        return
    ours, theirs = (_text(part.characters) for part in (gold, other))
    shorter_length = min(len(ours), len(theirs))
    pairs = enumerate(zip(ours, theirs, strict=False))
    n = next((i for i, (a, b) in pairs if a != b), shorter_length)
    if n == shorter_length:
        longer, shorter = (gold, other) if len(ours) > n else (other, gold)
        message = (
            f"{other.file.name} must have the text of {gold.file.name}; "
            f"{shorter.file.name} ends before {longer.at_character(n)}."
        )
        raise InputError(message)
    # A little of what is the same, and no more than the line.
    start = max(n - _BEFORE, ours.rfind("\n", 0, n) + 1)
    expected, actual = (
        part[start : n + _EXCERPT].split("\n", 1)[0] for part in (ours, theirs)
    )
    message = (
        f"{other.at_character(n)}: characters must be those of "
        f"{gold.at_character(n)}, however they are split; that has {expected!r}, "
        f"got {actual!r}."
    )
    raise InputError(message)


def _text(characters: str | bytes) -> str:
    return characters if isinstance(characters, str) else characters.decode()
