"""Names of gold labels: a system that has one stands in the wrong order."""

from collections.abc import Iterable

from likelier.errors import InputError

_GOLD_NAMES = frozenset(
    {
        "gold",
        "golds",
        "gold_label",
        "gold_labels",
        "reference",
        "references",
        "ref",
        "truth",
        "ground_truth",
        "groundtruth",
        "y_true",
        "ytrue",
        "label",
        "labels",
        "true_label",
        "true_labels",
    }
)


def is_gold_name(name: str) -> bool:
    """Return whether a file or column of this name must be the gold labels.

    Examples
    --------
    >>> is_gold_name("Gold"), is_gold_name("y_true"), is_gold_name("baseline")
    (True, True, False)
    """
    return name.strip().casefold().replace("-", "_").replace(" ", "_") in _GOLD_NAMES


def check_gold_first(gold: str, systems: Iterable[str], *, hint: str) -> None:
    """Refuse a system with a name of gold labels where these have another one.

    Parameters
    ----------
    gold, systems
        Names of the gold labels and of the systems.
    hint
        Cure, with the system's name in place of {system}.
    """
    if is_gold_name(gold):
        return
    for system in systems:
        if is_gold_name(system):
            message = (
                f"A system must not be the gold labels; got {system!r} as a system "
                f"and {gold!r} as gold."
            )
            raise InputError(message, hint=hint.format(system=system))
