"""Labels that never meet: which differ only in how they are written."""

from collections.abc import Callable, Sequence

import numpy as np

from likelier._typing import IntArray
from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.formatting import listed

# With fewer items a system may miss every one by chance.
_ENOUGH = 10


def check_predictions(outcomes: Outcomes) -> None:
    """Refuse a system none of whose labels is a gold label, or some but for writing.

    Examples
    --------
    >>> check_predictions(Outcomes.from_labels(["a", "b"] * 5, ["A", "B"] * 5))
    Traceback (most recent call last):
    ...
    likelier.errors.InputError: first must predict gold labels; none of 'A', 'B' is one.
    <BLANKLINE>
    Hint: Labels differ only in case: 'A', 'a'.
    """
    occurs = outcomes.label_occurs
    if occurs is None or outcomes.one_vs_rest or outcomes.n_items < _ENOUGH:
        return
    gold = np.flatnonzero(occurs[0])
    if len(gold) < 2:
        return
    for name, row in zip(outcomes.systems, occurs[1:], strict=True):
        codes = np.flatnonzero(row)
        if not (row & occurs[0]).any():
            predicted = [outcomes.classes[code] for code in codes]
            message = (
                f"{name} must predict gold labels; none of {listed(predicted)} is one."
            )
            hint = _hint([outcomes.classes[code] for code in gold], predicted)
            raise InputError(message, hint=hint)
        if (row & ~occurs[0]).any():
            _check_spelling(name, codes, gold, outcomes.classes)


def _check_spelling(
    name: str, codes: IntArray, gold: IntArray, classes: Sequence[str]
) -> None:
    """Refuse labels that are never gold, but would be if they were written alike."""
    extra = [classes[code] for code in np.setdiff1d(codes, gold)]
    spelling = _spelling([classes[code] for code in gold], extra)
    if spelling is not None:
        message = f"{name} must write its labels as gold does. {spelling}"
        raise InputError(message, hint="Write them alike before you compare.")


def _spelling(gold: Sequence[str], predicted: Sequence[str]) -> str | None:
    """Say how a label differs from a gold one only in writing, if one does."""
    for alike, text in (
        (str.strip, "Labels differ only in blanks"),
        (str.casefold, "Labels differ only in case"),
        (_number, "The same numbers are written differently"),
    ):
        pair = _same(alike, gold, predicted)
        if pair is not None:
            return f"{text}: {pair[0]!r}, {pair[1]!r}."
    return None


def _hint(gold: Sequence[str], predicted: Sequence[str]) -> str:
    """Say how labels that should be the same differ."""
    spelling = _spelling(gold, predicted)
    if spelling is not None:
        return spelling
    if all(_is_probability(text) for text in predicted):
        return (
            "Probabilities are no labels: turn them into labels first (p > 0.5), or "
            "compare a loss of each item by the metric mean_loss."
        )
    return "Gold labels come first, in files as in calls."


def _same(
    alike: Callable[[str], object], gold: Sequence[str], predicted: Sequence[str]
) -> tuple[str, str] | None:
    """Return a predicted and a gold label that are the same but for their writing."""
    known = {alike(label): label for label in gold}
    known.pop(None, None)
    return next(
        ((p, known[alike(p)]) for p in predicted if alike(p) in known),
        None,
    )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_probability(text: str) -> bool:
    number = _number(text)
    return number is not None and 0 <= number <= 1 and "." in text
