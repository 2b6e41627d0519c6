"""Schedule of a study read from JSON that anybody may have written."""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable

import msgspec

from likelier.errors import InputError, LikelierError
from likelier.interval import Rope, checked_mass
from likelier.study.schedule import FORMAT, FoldKey, Schedule
from likelier.study.study_data import TASKS
from likelier.study.systems import check_scheme


def read_schedule(text: str) -> Schedule:
    """Read a schedule, and check that it is one that a study can have.

    Raises
    ------
    InputError
        If it has another format or other content than `Schedule.to_json` writes.
    """
    try:
        parts = json.loads(text)
    except (ValueError, RecursionError) as error:
        message = f"A plan must be JSON; {error}."
        raise InputError(message) from error
    if not isinstance(parts, dict) or parts.pop("format", None) != FORMAT:
        message = f"A plan must have the format {FORMAT}; this one has another."
        raise InputError(message, hint="Run the study again; results are kept.")
    try:
        schedule = msgspec.convert(parts, Schedule)
    except (msgspec.ValidationError, OverflowError, RecursionError) as error:
        message = f"A plan must be as a study writes it; {error}."
        raise InputError(message) from error
    _check_settings(schedule)
    _check_names(schedule.systems, "system")
    _check_names(schedule.datasets, "data set")
    _check_schemes(schedule)
    _check_folds(schedule)
    return schedule


def _check_settings(schedule: Schedule) -> None:
    if schedule.task not in TASKS:
        message = f"A plan must have a task of {', '.join(TASKS)}; got {schedule.task}."
        raise InputError(message)
    if schedule.seed < 0:
        message = f"A plan must have a seed of at least 0; got {schedule.seed}."
        raise InputError(message)
    share = schedule.test_share
    if not (math.isfinite(share) and 0 < share < 1):
        message = f"A plan must test a share of items between 0 and 1; got {share}."
        raise InputError(message)
    try:
        checked_mass(schedule.mass)
        if schedule.rope is not None:
            Rope(*schedule.rope)
    except LikelierError as error:
        message = f"A plan must have settings that can be used; {error.message}"
        raise InputError(message) from error


def _check_names(names: Iterable[str], kind: str) -> None:
    names = list(names)
    whole = (name == name.encode(errors="replace").decode() for name in names)
    if not names or not all(names) or not all(whole):
        message = f"A plan must name each {kind} in whole characters; got {names!r}."
        raise InputError(message)


def _check_schemes(schedule: Schedule) -> None:
    datasets = {name: data.scheme for name, data in schedule.datasets.items()}
    for name, scheme in [*datasets.items(), *schedule.systems.items()]:
        missing = schedule.task == "chunks" and scheme is None and name in datasets
        if missing or (scheme is not None and schedule.task != "chunks"):
            message = (
                "A plan must have a scheme of tags for data sets of chunks, and for no "
                f"others; {name!r} has {scheme}, for {schedule.task}."
            )
            raise InputError(message)
        try:
            check_scheme(scheme)
        except LikelierError as error:
            message = f"A plan must have known schemes of tags; {error.message}"
            raise InputError(message, hint=error.hint) from error


def _check_folds(schedule: Schedule) -> None:
    """Check that all systems have the same folds, each of them once."""
    keys = Counter(planned.key for planned in schedule.folds)
    for key, count in keys.items():
        known = key.system in schedule.systems and key.dataset in schedule.datasets
        if not known or min(key.repetition, key.fold) < 1 or count > 1:
            message = (
                "A plan must have folds of its own systems and data sets, numbered "
                f"from 1, none of them twice; got {key}."
            )
            raise InputError(message)
    for dataset in schedule.datasets:
        _check_numbers(schedule, dataset, keys)


def _check_numbers(schedule: Schedule, dataset: str, keys: Collection[FoldKey]) -> None:
    numbers = {(k.repetition, k.fold) for k in keys if k.dataset == dataset}
    blocks = schedule.repetitions
    # Counted first: the plan may claim more repetitions than fit into memory.
    if not numbers or (
        blocks is not None
        and (
            len(numbers) != 2 * blocks
            or numbers != {(i // 2 + 1, i % 2 + 1) for i in range(2 * blocks)}
        )
    ):
        wanted = "folds" if blocks is None else f"all folds of {blocks} x 2"
        message = f"A plan must have {wanted} of each data set; {dataset!r} has others."
        raise InputError(message)
    for system in schedule.systems:
        for number in sorted(numbers):
            key = FoldKey(dataset, system, *number)
            if key not in keys:
                message = f"A plan must have all folds of all systems; it lacks {key}."
                raise InputError(message)
