"""Errors that a person can act on.

::

    ValueError
    └── LikelierError          what must hold, what came, where, and a hint
        ├── InputError         the data cannot be used as they are
        ├── SettingError       an argument or option is out of its range
        └── NotDefinedError    the question has no answer for these data
"""

from collections.abc import Iterable


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
        self.message = message
        self.hint = hint
        super().__init__(f"{message}\n\nHint: {hint}" if hint else message)


class InputError(LikelierError):
    """The data cannot be used as they are."""


class SettingError(LikelierError):
    """An argument or option is out of its range."""


class NotDefinedError(LikelierError):
    """The question has no answer for these data."""


def listed(names: Iterable[object], *, most: int = 5) -> str:
    """Show the first few names, and say how many were left out.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    shown = [repr(name) for name in names]
    rest = len(shown) - most
    head = ", ".join(shown[:most])
    return f"{head} and {rest} more" if rest > 0 else head


def unknown_name(name: object, known: Iterable[str], *, kind: str) -> SettingError:
    """Build the error for a name that is not among the known ones."""
    message = f"{kind} must be one of {', '.join(sorted(known))}; got {name!r}."
    return SettingError(message)
