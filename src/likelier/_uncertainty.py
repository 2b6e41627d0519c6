"""Intervals of our own in the aggregate document of Every Eval Ever."""

from collections.abc import Iterator
from typing import Any

from likelier._estimate import estimate
from likelier.errors import InputError
from likelier.formatting import listed
from likelier.readers.file import File
from likelier.readers.logs.every_eval_ever import aggregate_of
from likelier.readers.logs.log import Log
from likelier.readers.logs.log_items import LogItems
from likelier.readers.logs.write_uncertainty import Uncertainty, write_uncertainty
from likelier.results.estimate import Estimate

# What Every Eval Ever has beside each score.
_MARKS = "is_correct"


def aggregate_file(items: LogItems) -> File:
    """Return the one aggregate document that lies beside the samples."""
    files = {log.file.name: aggregate_of(log.file) for log in items.logs}
    found = {file.path: file for file in files.values() if file is not None}
    if len(found) == 1 and None not in files.values():
        return next(iter(found.values()))
    message = (
        "Samples of Every Eval Ever must have one aggregate document beside them; "
        f"got {len(found)} for {listed(files)}."
    )
    raise InputError(message, hint="Give the samples of one run: RUN_samples.jsonl")


def with_uncertainty(items: LogItems, **settings: Any) -> tuple[bytes, list[Estimate]]:
    """Estimate every result of an aggregate document, and write the intervals into it.

    Parameters
    ----------
    items
        Samples of Every Eval Ever, of one run.
    **settings
        Settings of `estimate`: mass, draws, seed.

    Returns
    -------
    tuple
        The document with the intervals in place of what it had, and the estimates.
    """
    aggregate = aggregate_file(items)
    pairs = list(_estimates(items, settings))
    document = write_uncertainty(aggregate, [uncertainty for uncertainty, _ in pairs])
    return document, [answer for _, answer in pairs]


def _estimates(
    items: LogItems, settings: dict[str, Any]
) -> Iterator[tuple[Uncertainty, Estimate]]:
    for log in items.logs:
        for name in log.scores:
            if not name.endswith(_MARKS):
                chosen = items.wanted(systems=[log.system], task=log.task)
                answer = estimate(chosen, metric=name, **settings)
                yield _uncertainty(log, name, answer), answer


def _uncertainty(log: Log, name: str, answer: Estimate) -> Uncertainty:
    low, high = answer.interval
    return Uncertainty(
        evaluation_name=log.task,
        metric=None if name == "score" else name,
        lower=low,
        upper=high,
        confidence_level=answer.interval.mass,
        method=answer.recipe,
        num_samples=int(answer.settings.data.units),
        standard_error=float(answer.standard_error),
    )
