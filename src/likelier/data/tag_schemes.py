"""Tag schemes: prefixes, where a chunk starts and ends, spans of one sentence.

Every rule speaks of two neighbours, so one table (before, here, same type) holds a
scheme. Lenient rules are those of conlleval, with E and S as in seqeval; the strict
ones are those of seqeval, and for BMES and BB2B3MES the like.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likelier.errors import InputError, unknown_name

OUTSIDE = 0
START, INSIDE, END = 1, 2, 4

# The index of a letter is the role's number; 2 and 3 are B2 and B3.
_ROLES = "OBIES23"
# What conlleval reads in any file, and the letters of other schemes for the same.
_LENIENT_PREFIXES = {role: role for role in "OBIES"}
_LENIENT_PREFIXES |= {"L": "E", "U": "S", "M": "I", "B2": "I", "B3": "I"}


@dataclass(frozen=True)
class TagScheme:
    """A scheme of tags that write down chunks.

    Attributes
    ----------
    name
        The name, in small letters.
    prefixes
        Prefix to role, a letter of ``OBIES23``.
    patterns
        Which neighbours start a chunk, carry it on, and end it. ``BI`` is a B before
        an I, of any types; ``BI=`` of one type, ``BI!`` of two; ``*`` any role.
    front, middle, last, single
        How a chunk is written: its first tokens, those that follow, the last one, and
        a chunk of one token.
    after_same, before_same
        The first or last prefix of a chunk that touches another of its type.
    """

    name: str
    prefixes: Mapping[str, str]
    patterns: tuple[str, str, str]
    front: tuple[str, ...]
    middle: str
    last: str
    single: str
    after_same: str = ""
    before_same: str = ""

    def written(self, length: int) -> list[str]:
        """Write a chunk that touches no other of its type."""
        if length == 1:
            return [self.single]
        head = [*self.front, *[self.middle] * (length - 1 - len(self.front))]
        return [*head[: length - 1], self.last]


_IOB = {"O": "O", "B": "B", "I": "I"}
_IOE = {"O": "O", "I": "I", "E": "E"}
_INSIDE = "BI= BE= II= IE="
_LENIENT = ("*B *S *I *E", _INSIDE, "**")
_WHOLE = ("*B *S", _INSIDE, "S* E*")

TAG_SCHEMES: Mapping[str, TagScheme] = {
    scheme.name: scheme
    for scheme in (
        TagScheme(
            "iob1",
            _IOB,
            ("OI II! BI IB= BB=", "BI= II=", "II! IO IB BO BI! BB="),
            *(("I",), "I", "I", "I"),
            after_same="B",
        ),
        TagScheme("iob2", _IOB, ("*B", "BI= II=", "**"), ("B",), "I", "I", "B"),
        # seqeval misses a chunk of one E that follows no E ("IOE1 hasn't yet been able
        # to handle some cases"): there OE, IE! and EE! do not start a chunk.
        TagScheme(
            "ioe1",
            _IOE,
            ("OI OE II! IE! EI EE", "II= IE=", "II! IO IE! EI= EE="),
            *(("I",), "I", "I", "I"),
            before_same="E",
        ),
        TagScheme(
            "ioe2",
            _IOE,
            ("OI OE EI EE II! IE!", "II= IE=", "E*"),
            *(("I",), "I", "E", "E"),
        ),
        TagScheme("iobes", _IOB | {"E": "E", "S": "S"}, _WHOLE, ("B",), "I", "E", "S"),
        TagScheme("bilou", _IOB | {"L": "E", "U": "S"}, _WHOLE, ("B",), "I", "L", "U"),
        TagScheme(
            "bmes",
            {"O": "O", "B": "B", "M": "I", "E": "E", "S": "S"},
            _WHOLE,
            *(("B",), "M", "E", "S"),
        ),
        TagScheme(
            "bb2b3mes",
            {"O": "O", "B": "B", "B2": "2", "B3": "3", "M": "I", "E": "E", "S": "S"},
            ("*B *S", "B2= 23= 3I= II= BE= 2E= 3E= IE=", "S* E*"),
            *(("B", "B2", "B3"), "M", "E", "S"),
        ),
    )
}


def tag_scheme(name: str) -> TagScheme:
    """Find a scheme by its name, in small or capital letters.

    Examples
    --------
    >>> tag_scheme("IOB2").written(3)
    ['B', 'I', 'I']
    """
    scheme = TAG_SCHEMES.get(name.lower()) if isinstance(name, str) else None
    if scheme is None:
        raise unknown_name(name, TAG_SCHEMES, kind="scheme")
    return scheme


class Grammar(NamedTuple):
    """Rules by which the tags of a scheme are read, leniently or strictly.

    Attributes
    ----------
    prefixes
        Prefix to the number of its role.
    rules
        Bits of `START`, `INSIDE` and `END` (role before, role here, same type).
    """

    prefixes: Mapping[str, int]
    rules: NDArray[np.uint8]


@cache
def grammar(name: str, *, strict: bool = False) -> Grammar:
    """Return the rules by which a scheme is read."""
    scheme = tag_scheme(name)
    letters = scheme.prefixes if strict else _LENIENT_PREFIXES
    patterns = scheme.patterns if strict else _LENIENT
    rules = np.zeros((len(_ROLES), len(_ROLES), 2), dtype=np.uint8)
    for bit, text in zip((START, INSIDE, END), patterns, strict=True):
        for pattern in text.split():
            for before, here, same in _cells(pattern):
                rules[before, here, same] |= bit
    prefixes = {prefix: _ROLES.index(letter) for prefix, letter in letters.items()}
    return Grammar(prefixes, rules)


def _cells(pattern: str) -> Iterator[tuple[int, ...]]:
    before, here = (
        tuple(range(len(_ROLES))) if letter == "*" else (_ROLES.index(letter),)
        for letter in pattern[:2]
    )
    same = {"": (0, 1), "=": (1,), "!": (0,)}[pattern[2:]]
    return product(before, here, same)


def split_tag(tag: str) -> tuple[str, str]:
    """Split a tag into prefix and type, at the first hyphen.

    Examples
    --------
    >>> split_tag("I-A-B"), split_tag("B-"), split_tag("O")
    (('I', 'A-B'), ('B', ''), ('O', ''))
    """
    prefix, _, kind = tag.partition("-")
    return prefix, kind


def describe_scheme(
    scheme: str | Sequence[str],
    *,
    strict: bool = False,
    match: str = "strict",
    only: str | None = None,
) -> str:
    """Write in a few words how tags were read, for the recipe.

    Examples
    --------
    >>> describe_scheme("IOB2", only="ORG")
    'chunks iob2 lenient only=ORG'
    """
    names = [scheme] if isinstance(scheme, str) else scheme
    schemes = ",".join(tag_scheme(name).name for name in names)
    parts = ["chunks", schemes, "strict" if strict else "lenient"]
    if only is not None:
        parts.append(f"only={only}")
    if match != "strict":
        parts.append(f"match={match}")
    return " ".join(parts)


class Span(NamedTuple):
    """A chunk: its first token, the token after its last, and its type or ``""``."""

    start: int
    end: int
    type: str = ""


def scheme_of(tags: Sequence[str]) -> str:
    """Return the first scheme that writes the chunks of these tags in the same way.

    Where chunks are not as any scheme has them, the first with these prefixes.

    Examples
    --------
    >>> scheme_of(["B-PER", "I-PER", "O"]), scheme_of(["I-PER", "B-PER", "O"])
    ('iob2', 'iob1')
    """
    seen = {split_tag(tag)[0] for tag in tags}
    known = [n for n, scheme in TAG_SCHEMES.items() if seen <= {*scheme.prefixes}]
    if not known:
        message = f"tags must be those of one scheme; got {', '.join(sorted(seen))}."
        raise InputError(message)
    for name in known:
        spans = tags_to_spans(tags, name, strict=True)
        if spans_to_tags(spans, len(tags), name) == list(tags):
            return name
    return "iob2" if "iob2" in known else known[0]


def tags_to_spans(
    tags: Sequence[str], scheme: str, *, strict: bool = False
) -> list[Span]:
    """Find the chunks of one sentence.

    Parameters
    ----------
    tags
        Tags such as ``B-PER`` or ``B``; the type follows the first hyphen.
    scheme
        The name of a scheme.
    strict
        Whether chunks that the scheme does not allow are left out, as seqeval does
        with ``mode="strict"``; otherwise the rules of conlleval find a chunk in them.

    Examples
    --------
    >>> tags_to_spans(["I-PER", "I-PER", "O", "B-ORG"], "iob2")
    [Span(start=0, end=2, type='PER'), Span(start=3, end=4, type='ORG')]
    >>> tags_to_spans(["I-PER", "I-PER", "O", "B-ORG"], "iob2", strict=True)
    [Span(start=3, end=4, type='ORG')]
    """
    prefixes, rules = grammar(tag_scheme(scheme).name, strict=strict)
    spans, start, before, kind_before = [], -1, OUTSIDE, ""
    for i, (role, kind) in enumerate(_roles(tags, prefixes)):
        bits = int(rules[before, role, int(kind == kind_before)])
        if start < 0 or not bits & INSIDE:
            if start >= 0 and bits & END:
                spans.append(Span(start, i, kind_before))
            start = i if bits & START else -1
        before, kind_before = role, kind
    return spans


def _roles(
    tags: Sequence[str], prefixes: Mapping[str, int]
) -> Iterator[tuple[int, str]]:
    for i, tag in enumerate(tags):
        prefix, kind = split_tag(tag)
        if prefix not in prefixes:
            where = f"Tag {i}"
            raise bad_tag(where, tag, prefixes)
        yield prefixes[prefix], kind
    yield OUTSIDE, ""


def bad_tag(where: str, tag: object, prefixes: Iterable[str]) -> InputError:
    """Build the error for a tag that the scheme does not have."""
    allowed = ", ".join(sorted(prefixes))
    message = f"{where} must be one of {allowed}, with or without a type; got {tag!r}."
    return InputError(message, hint="Tags look like B-PER, I-PER, O; see the scheme.")


def spans_to_tags(
    spans: Iterable[tuple[int, int, str]], length: int, scheme: str
) -> list[str]:
    """Write the chunks of one sentence as tags.

    Parameters
    ----------
    spans
        Chunks (start, end, type) that do not overlap, in any order.
    length
        The number of tokens of the sentence.
    scheme
        The name of a scheme.

    Examples
    --------
    >>> spans_to_tags([(0, 2, "PER"), (2, 3, "PER")], 4, "iob1")
    ['I-PER', 'I-PER', 'B-PER', 'O']
    """
    return _write(sorted(Span(*span) for span in spans), length, tag_scheme(scheme))


def _write(chunks: Sequence[Span], length: int, scheme: TagScheme) -> list[str]:
    _check_spans(chunks, length)
    tags = ["O"] * length
    last = len(chunks) - 1
    for i, chunk in enumerate(chunks):
        prefixes = scheme.written(chunk.end - chunk.start)
        if scheme.after_same and i > 0 and _touch(chunks[i - 1], chunk):
            prefixes[0] = scheme.after_same
        if scheme.before_same and i < last and _touch(chunk, chunks[i + 1]):
            prefixes[-1] = scheme.before_same
        suffix = f"-{chunk.type}" if chunk.type else ""
        tags[chunk.start : chunk.end] = [prefix + suffix for prefix in prefixes]
    return tags


def _touch(first: Span, second: Span) -> bool:
    return first.end == second.start and first.type == second.type


def _check_spans(chunks: Sequence[Span], length: int) -> None:
    end = 0
    for chunk in chunks:
        if not end <= chunk.start < chunk.end <= length:
            message = (
                f"spans must lie within {length} tokens, hold at least one and not "
                f"overlap; got {tuple(chunk)}."
            )
            raise InputError(message)
        end = chunk.end


def convert_tags(
    tags: Sequence[str], source: str, target: str, *, strict: bool = False
) -> list[str]:
    """Write the tags of one sentence in another scheme.

    Parameters
    ----------
    tags
        Tags in the source scheme.
    source, target
        The names of schemes.
    strict
        Whether malformed chunks become ``O``; otherwise they are repaired as conlleval
        reads them.

    Examples
    --------
    >>> convert_tags(["B-PER", "I-PER", "O", "B-ORG"], "iob2", "iobes")
    ['B-PER', 'E-PER', 'O', 'S-ORG']
    """
    spans = tags_to_spans(tags, source, strict=strict)
    return _write(spans, len(tags), tag_scheme(target))
