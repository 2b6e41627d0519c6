"""Errors that a person can act on.

::

    ValueError
    └── LikelierError          what must hold, what came, where, and a hint
        ├── InputError         the data cannot be used as they are
        ├── SettingError       an argument or option is out of its range
        └── NotDefinedError    the question has no answer for these data
"""

import reprlib
from collections.abc import Iterable
from difflib import get_close_matches

from likelier.formatting import plain

_MOST_NAMES = 24
# A name or a cell of data may be as long as a book.
_START, _END = 1_500, 400


class LikelierError(ValueError):
    """Any error that the user's input or settings cause.

    Parameters
    ----------
    message
        What must hold and what came.
    hint
        What to write instead, where there is a cure.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        # Names and labels in it come from data: nothing may steer the terminal.
        self.message = _shortened(plain(message))
        self.hint = None if hint is None else _shortened(plain(hint))
        text = self.message if hint is None else f"{self.message}\n\nHint: {self.hint}"
        super().__init__(text)


def _shortened(text: str) -> str:
    """Leave out the middle of a long text."""
    if len(text) <= _START + _END:
        return text
    return f"{text[:_START]} … {text[-_END:]}"


class InputError(LikelierError):
    """The data cannot be used as they are."""


class SettingError(LikelierError):
    """An argument or option is out of its range."""


class NotDefinedError(LikelierError):
    """The question has no answer for these data."""


def unknown_name(name: object, names: Iterable[str], *, kind: str) -> SettingError:
    """Build the error for a name that is not among the possible ones."""
    names = sorted(names)
    close = get_close_matches(str(name), names, n=1)
    hint = f"Did you mean {close[0]}?" if close else None
    first = ", ".join(names[:_MOST_NAMES])
    more = " …" if len(names) > _MOST_NAMES else ""
    got = repr(name) if isinstance(name, str) else reprlib.repr(name)
    message = f"{kind} must be one of {first}{more}; got {got}."
    return SettingError(message, hint=hint)
