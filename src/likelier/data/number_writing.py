"""Numbers that are written differently, such as 1 and 1.0, as exact decimal values."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from likelier.findings import Finding

# A zero in front, as in 007, makes a code. Exponents have few digits, so that no number
# takes long to write out.
_NUMBER = re.compile(
    r"([-+]?)(0|[1-9][0-9]*|(?=\.))(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]{1,6}))?"
)
_LONGEST = 400


def plain_number(text: str) -> str | None:
    """Write a number plainly, by its exact value; None for what is no number.

    Examples
    --------
    >>> plain_number("1.0"), plain_number("-10.50"), plain_number("1e3")
    ('1', '-10.5', '1000')
    >>> plain_number("9007199254740993.0"), plain_number("01"), plain_number("1 ")
    ('9007199254740993', None, None)
    """
    match = _NUMBER.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        return None
    fraction = match[3] or ""
    digits = (match[2] + fraction).lstrip("0")
    exponent = int(match[4] or 0) - len(fraction)
    if not digits:
        return "0"
    kept = digits.rstrip("0")
    exponent += len(digits) - len(kept)
    return ("-" if match[1] == "-" else "") + _positional(kept, exponent)


def _positional(digits: str, exponent: int) -> str:
    """Write digits times a power of ten without one, where it is not too long."""
    if len(digits) + abs(exponent) > _LONGEST:
        return f"{digits}e{exponent}"
    if exponent >= 0:
        return digits + "0" * exponent
    padded = digits.rjust(1 - exponent, "0")
    return f"{padded[:exponent]}.{padded[exponent:]}"


def same_numbers(columns: Sequence[Iterable[str]]) -> dict[str, str]:
    """Return the plain number of each text, where columns write some differently.

    Nothing is returned unless all texts are numbers and each column by itself writes
    a number in one way only: otherwise the writing may mean something.

    Parameters
    ----------
    columns
        The texts of each column.

    Examples
    --------
    >>> same_numbers([["0", "1"], ["0.0", "1.0"]])
    {'0': '0', '1': '1', '0.0': '0', '1.0': '1'}
    >>> same_numbers([["0", "1"], ["1.0", "x"]]), same_numbers([["1", "1.0"], ["1"]])
    ({}, {})
    """
    numbers: dict[str, str] = {}
    for column in columns:
        own: dict[str, str] = {}
        for text in column:
            number = plain_number(text)
            if number is None or own.setdefault(number, text) != text:
                return {}
            numbers[text] = number
    return numbers if len({*numbers.values()}) < len(numbers) else {}


def has_fraction(numbers: Iterable[str]) -> bool:
    """Return whether some of several plain numbers are not whole."""
    return any("." in number or "e-" in number for number in numbers)


def writing_finding(numbers: Mapping[str, str], what: str) -> Finding:
    """Remark that numbers are written differently, with an example.

    Parameters
    ----------
    numbers
        The plain number of each text.
    what
        What they are, and where.
    """
    texts = defaultdict(list)
    for text, number in numbers.items():
        texts[number].append(text)
    first = next(several for several in texts.values() if len(several) > 1)
    example = " and ".join(map(repr, first[:2]))
    message = f"{what} are the same numbers written differently, such as {example}"
    return Finding("LIK158", f"{message}: they were compared as numbers")
