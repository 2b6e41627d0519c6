"""The schemes: which prefixes there are, and where a chunk starts, goes on and ends.

Every rule speaks of two neighbours, so one table (before, here, same type) holds a
scheme. Lenient rules are those of conlleval, with E and S as in seqeval; the strict
ones are those of seqeval, and for BMES and BB2B3MES the like.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from likelier.errors import unknown_name

OUTSIDE = 0
START, INSIDE, END = 1, 2, 4

# The place of a letter is the role's number; 2 and 3 are B2 and B3.
_ROLES = "OBIES23"
# What conlleval reads in any file, and the letters of other schemes for the same.
_LENIENT_PREFIXES = {
    "O": "O",
    "B": "B",
    "I": "I",
    "E": "E",
    "S": "S",
    "L": "E",
    "U": "S",
    "M": "I",
    "B2": "I",
    "B3": "I",
}

Rules = NDArray[np.uint8]


@dataclass(frozen=True)
class Scheme:
    """A way to write chunks as tags.

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

SCHEMES: Mapping[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        Scheme(
            "iob1",
            _IOB,
            ("OI II! BI IB= BB=", "BI= II=", "II! IO IB BO BI! BB="),
            *(("I",), "I", "I", "I"),
            after_same="B",
        ),
        Scheme("iob2", _IOB, ("*B", "BI= II=", "**"), ("B",), "I", "I", "B"),
        # seqeval misses a chunk of one E that follows no E ("IOE1 hasn't yet been able
        # to handle some cases"): there OE, IE! and EE! do not start a chunk.
        Scheme(
            "ioe1",
            _IOE,
            ("OI OE II! IE! EI EE", "II= IE=", "II! IO IE! EI= EE="),
            *(("I",), "I", "I", "I"),
            before_same="E",
        ),
        Scheme(
            "ioe2",
            _IOE,
            ("OI OE EI EE II! IE!", "II= IE=", "E*"),
            *(("I",), "I", "E", "E"),
        ),
        Scheme("iobes", _IOB | {"E": "E", "S": "S"}, _WHOLE, ("B",), "I", "E", "S"),
        Scheme("bilou", _IOB | {"L": "E", "U": "S"}, _WHOLE, ("B",), "I", "L", "U"),
        Scheme(
            "bmes",
            {"O": "O", "B": "B", "M": "I", "E": "E", "S": "S"},
            _WHOLE,
            *(("B",), "M", "E", "S"),
        ),
        Scheme(
            "bb2b3mes",
            {"O": "O", "B": "B", "B2": "2", "B3": "3", "M": "I", "E": "E", "S": "S"},
            ("*B *S", "B2= 23= 3I= II= BE= 2E= 3E= IE=", "S* E*"),
            *(("B", "B2", "B3"), "M", "E", "S"),
        ),
    )
}


def scheme_named(name: str) -> Scheme:
    """Find a scheme by its name, in small or capital letters.

    Examples
    --------
    >>> scheme_named("IOB2").written(3)
    ['B', 'I', 'I']
    """
    scheme = SCHEMES.get(name.lower()) if isinstance(name, str) else None
    if scheme is None:
        raise unknown_name(name, SCHEMES, kind="scheme")
    return scheme


@dataclass(frozen=True)
class Grammar:
    """A scheme as it is read, leniently or strictly.

    Attributes
    ----------
    prefixes
        Prefix to the number of its role.
    rules
        Bits of `START`, `INSIDE` and `END` (role before, role here, same type).
    """

    prefixes: Mapping[str, int]
    rules: Rules


@cache
def grammar(name: str, *, strict: bool = False) -> Grammar:
    """Tell how a scheme is read."""
    scheme = scheme_named(name)
    letters = scheme.prefixes if strict else _LENIENT_PREFIXES
    patterns = scheme.patterns if strict else _LENIENT
    rules = np.zeros((len(_ROLES), len(_ROLES), 2), dtype=np.uint8)
    for bit, told in zip((START, INSIDE, END), patterns, strict=True):
        for pattern in told.split():
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


def describe(
    scheme: str | Sequence[str],
    *,
    strict: bool = False,
    typed: bool = True,
    only: str | None = None,
) -> str:
    """Tell in a few words how tags were read, for the recipe.

    Examples
    --------
    >>> describe("IOB2", only="ORG")
    'chunks iob2 lenient only=ORG'
    """
    names = [scheme] if isinstance(scheme, str) else scheme
    told = ",".join(scheme_named(name).name for name in names)
    parts = ["chunks", told, "strict" if strict else "lenient"]
    if only is not None:
        parts.append(f"only={only}")
    elif not typed:
        parts.append("boundaries")
    return " ".join(parts)
