"""Files that make a system what it is, known by their content."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from likelier.errors import InputError, SettingError


def file_digests(
    folder: Path | None, words: Iterable[str], *, must: Sequence[str] = ()
) -> dict[str, str]:
    """Give the fingerprints of files that are named.

    Parameters
    ----------
    folder
        What names are relative to.
    words
        Texts that may name a file.
    must
        Texts that must.
    """
    home = (folder or Path()).resolve()
    found = {}
    for word in (*words, *must):
        path = home / word
        try:
            there = path.is_file()
        except (OSError, ValueError):
            there = False
        if there:
            found[word] = hashlib.sha256(path.read_bytes()).hexdigest()
        elif word in must:
            message = f"files must be files that exist; got {word!r}."
            raise SettingError(message)
    return found


def check_contents(noted: Mapping[str, str] | None, now: Mapping[str, str]) -> None:
    """Refuse files that changed since they were noted."""
    if noted is not None and dict(noted) != dict(now):
        changed = sorted(set(noted.items()) ^ set(now.items()))
        message = f"{changed[0][0]} must not change during a run; it did."
        raise InputError(message, hint="Run again: results are made anew.")
