"""JSON as we read it: exact text of numbers, no key twice, no NaN."""

import json
import math
from typing import Any, NoReturn

from likelier.errors import InputError


class BadTokenError(ValueError):
    """A token, key or cell that JSON or we do not allow."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = f"an object must have different keys; {twice!r} is given twice."
        raise BadTokenError(message)
    return values


def _finite(text: str) -> str:
    if not math.isfinite(float(text)):
        message = f"numbers must be finite; got {text}."
        raise BadTokenError(message)
    return text


def _whole(text: str) -> str:
    return "0" if text == "-0" else text


def _constant(text: str) -> NoReturn:
    message = f"a value must be JSON; got {text}."
    raise BadTokenError(message)


# Numbers stay as they are written, but for -0, which DuckDB reads as 0.
DECODER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=_finite,
    parse_int=_whole,
    parse_constant=_constant,
)


def broken_json(error: Exception, *, at: str, must: str) -> InputError:
    """Say what is wrong with a text that is no JSON.

    Parameters
    ----------
    error
        What the decoder raised.
    at
        Name of the line or record.
    must
        What it must be.
    """
    if isinstance(error, UnicodeDecodeError):
        byte = error.object[error.start]
        message = f"text must be UTF-8; got the byte 0x{byte:02x}."
    elif isinstance(error, BadTokenError):
        message = str(error)
    else:
        reason = getattr(error, "msg", "too deeply nested")
        message = f"{must}; {reason}."
    return InputError(f"{at}: {message}")
