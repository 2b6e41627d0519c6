"""From whatever the user holds to outcomes, and to the class that is asked about."""

from collections.abc import Sequence
from typing import Any

from likelier import outcomes as tables
from likelier.errors import InputError, SettingError, unknown_name
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.outcomes.encode import label_text

_FRAME_HINT = 'compare(frame, gold="gold", systems=["a", "b"], metric="accuracy")'
# Where nobody names the positive class, these pairs leave no doubt.
_POSITIVE: dict[tuple[str, ...], str] = {
    ("0", "1"): "1",
    ("false", "true"): "true",
}


# What an item is for the metrics of taggers.
_UNITS = {
    "token_accuracy": "tokens",
    "sentence_accuracy": "sentences",
    "oov_accuracy": "OOV tokens",
}


def as_outcomes(
    data: Any,
    *predictions: Any,
    metric: Metric,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | None = None,  # noqa: A002 (the word people know)
) -> Outcomes:
    """Take outcomes, a data frame with named columns, or one sequence per column.

    Parameters
    ----------
    data
        `Outcomes`; or a data frame; or the gold labels; or, for a metric of scores,
        the first system's scores.
    *predictions
        One sequence per system, unless `data` holds them.
    metric
        Tells labels from scores.
    gold
        The frame's column of gold labels.
    systems
        The frame's columns of predictions, or the names of the systems.
    cluster
        The frame's column of clusters, or one entry per item.
    id
        The frame's column of ids, to be checked.
    """
    if isinstance(data, Outcomes):
        if predictions or gold is not None or cluster is not None:
            message = "Outcomes must be the only data; got further columns."
            raise SettingError(message)
        return data if systems is None else _renamed(data, systems)
    if predictions and _is_frame(data):
        message = "The columns of a data frame must be named by gold and systems."
        raise SettingError(message, hint=_FRAME_HINT)
    _check_indexes(data, *predictions)
    if not predictions and not metric.takes_scores:
        return _from_frame(
            data, metric=metric, gold=gold, systems=systems, cluster=cluster, id=id
        )
    if metric.takes_scores:
        if _is_frame(data):
            return _from_frame(
                data, metric=metric, gold=None, systems=systems, cluster=cluster, id=id
            )
        return tables.from_scores(data, *predictions, systems=systems, cluster=cluster)
    if _holds_sets(data):
        return tables.from_sets(data, *predictions, systems=systems, cluster=cluster)
    return tables.from_labels(data, *predictions, systems=systems, cluster=cluster)


def _from_frame(
    data: Any,
    *,
    metric: Metric,
    gold: str | None,
    systems: Sequence[str] | None,
    cluster: str | None,
    id: str | None,  # noqa: A002 (the word people know)
) -> Outcomes:
    from likelier.readers.frames import read_frame

    if not _is_frame(data):
        message = (
            "data must be outcomes, a data frame, or gold labels followed by one "
            f"sequence per system; got {type(data).__name__}."
        )
        hint = "A file: readers.read_files(path).outcomes"
        raise InputError(message, hint=hint if isinstance(data, str) else None)
    if systems is None or (gold is None and not metric.takes_scores):
        message = "A data frame must come with the names of its columns."
        raise SettingError(message, hint=_FRAME_HINT)
    kind = "scores" if metric.takes_scores else "labels"
    return read_frame(
        data, gold=gold, systems=systems, kind=kind, cluster=cluster, id=id
    )


def _check_indexes(*columns: Any) -> None:
    """Refuse series that would be paired by position against their own index."""
    indexes = [c.index for c in columns if hasattr(getattr(c, "index", None), "equals")]
    if any(not index.equals(indexes[0]) for index in indexes[1:]):
        message = "Series must have the same index; these have different ones."
        raise InputError(message, hint="Align them, or pass their values.")


def _is_frame(data: Any) -> bool:
    from likelier.readers.frames import looks_like_frame

    return looks_like_frame(data)


def _holds_sets(data: Any) -> bool:
    if getattr(data, "ndim", 1) == 2:
        return True
    try:
        first = next(iter(data), None)
    except TypeError as error:
        message = f"Columns must be sequences of labels; {error}."
        raise InputError(message) from error
    return isinstance(first, set | frozenset | list | tuple)


def _renamed(outcomes: Outcomes, systems: Sequence[str]) -> Outcomes:
    unknown = [name for name in systems if name not in outcomes.systems]
    if unknown:
        raise unknown_name(unknown[0], outcomes.systems, kind="system")
    return outcomes.keep(*(outcomes.systems.index(name) for name in systems))


def focused(
    outcomes: Outcomes, metric: Metric, positive: object = None
) -> tuple[Outcomes, str | None]:
    """Put the positive class against the rest, where the metric speaks of one class.

    Returns
    -------
    tuple
        The outcomes to use, and the positive class if there is one.
    """
    _check_unit(outcomes, metric)
    name = None if positive is None else label_text(positive, "positive", 0)
    if name is not None and name not in outcomes.classes:
        raise unknown_name(name, outcomes.classes, kind="positive")
    if outcomes.one_vs_rest:
        return outcomes, outcomes.classes[0] if metric.of_one_class else None
    if not metric.of_one_class or "tp" not in outcomes.statistics:
        return outcomes, None
    if name is None:
        if not outcomes.negatives and len(outcomes.classes) == 1:
            return outcomes, None
        name = _POSITIVE.get(outcomes.classes)
    if name is None:
        raise _no_positive(outcomes, metric)
    return outcomes.binary(name), name


def _check_unit(outcomes: Outcomes, metric: Metric) -> None:
    """Refuse a metric of tokens on a table of sentences, and the like."""
    wanted = _UNITS.get(metric.name)
    if wanted is None or outcomes.unit not in _UNITS.values():
        return
    if outcomes.unit != wanted:
        message = f"{metric.name} must have {wanted} as its items; got {outcomes.unit}."
        hint = f"readers.read_tagged(paths, metric={metric.name!r})"
        raise SettingError(message, hint=hint)


def _no_positive(outcomes: Outcomes, metric: Metric) -> SettingError:
    shown = ", ".join(outcomes.classes[:10])
    more = " …" if len(outcomes.classes) > 10 else ""
    message = (
        f"{metric.name} must know which label is the positive class; the labels are "
        f"{shown}{more}."
    )
    hint = (
        f"Name it (positive={outcomes.classes[-1]!r} in Python, --positive on the "
        f"command line), or average over classes: macro_{metric.name}."
    )
    return SettingError(message, hint=hint)
