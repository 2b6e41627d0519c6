"""Whether two files have the same tokens in the same sentences."""

from typing import Any

import numpy as np

from likelier.errors import InputError
from likelier.readers.columns import Sheet


def check_agreement(gold: Sheet, other: Sheet) -> None:
    """Refuse a file with other tokens or sentences; tell both lines where they part."""
    ours, theirs = gold.forms, other.forms
    if ours.equals(theirs) and np.array_equal(gold.offsets, other.offsets):
        return
    n = min(gold.rows, other.rows)
    row = _first_difference(ours.slice(0, n), theirs.slice(0, n))
    cut = np.setxor1d(gold.offsets[gold.offsets < n], other.offsets[other.offsets < n])
    if cut.size and cut[0] <= row:
        raise _different_sentences(gold, other, int(cut[0]))
    if row < n:
        told, said = (tokens[row].as_py().decode() for tokens in (ours, theirs))
        message = (
            f"{other.at(row)}: tokens must be those of {gold.file.shown}; "
            f"{gold.at(row)} has {told!r}, got {said!r}."
        )
        raise InputError(message)
    longer, shorter = (gold, other) if gold.rows > n else (other, gold)
    message = (
        f"{other.file.shown} must have the tokens of {gold.file.shown}; "
        f"{shorter.file.shown} ends at {shorter.at(n - 1)}, before the token of "
        f"{longer.at(n)}."
    )
    raise InputError(message)


def _first_difference(ours: Any, theirs: Any) -> int:
    import pyarrow.compute as pc

    same = pc.equal(ours, theirs)
    place = pc.index(same, value=False).as_py()
    return len(same) if place < 0 else int(place)


def _different_sentences(gold: Sheet, other: Sheet, row: int) -> InputError:
    starts = row in gold.offsets
    message = (
        f"{other.at(row)}: sentences must be those of {gold.file.shown}; the token of "
        f"{gold.at(row)} {'starts' if starts else 'does not start'} a sentence."
    )
    return InputError(message)
