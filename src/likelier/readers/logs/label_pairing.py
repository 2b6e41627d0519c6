"""Pair the gold and predicted labels of logs of one task."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.formatting import join_words
from likelier.readers.logs.log import Log
from likelier.readers.logs.log_pairing import runs_finding
from likelier.readers.logs.pairing_rules import PairingRules
from likelier.readers.logs.same_experiment import check_same, number_items

# Item, run, repeat.
Key = tuple[str, int, int]
_WRONG = "(no answer)"


def pair_labels(
    logs: Mapping[str, Sequence[Log]], metric: str, task: str, rules: PairingRules
) -> Outcomes:
    """Pair the labels of systems on one task; repeats are clusters of their item.

    Parameters
    ----------
    logs
        The logs of each system, several where it has several runs.
    metric
        The metric whose values are labels.
    task
        Name of the task.
    rules
        What to do with items that not every system answered.
    """
    _check_runs(logs, task)
    findings = [*check_same(number_items(logs)[1], rules), *runs_finding(logs)]
    gold: dict[Key, str] = {}
    columns = {
        system: {
            key: label
            for run, log in enumerate(of_system)
            for key, label in _answers(log, metric, run, gold)
        }
        for system, of_system in logs.items()
    }
    absent = {s: [k for k in gold if k not in c] for s, c in columns.items()}
    failed = {s: [k for k, v in c.items() if v is None] for s, c in columns.items()}
    findings += rules.missing(_items(absent), task)
    findings += rules.failed(_items(failed), task)
    dropped: set[Key] = set()
    for policy, keys_of in ((rules.on_missing, absent), (rules.on_error, failed)):
        if policy == "drop":
            dropped.update(*keys_of.values())
    keys = [key for key in gold if key not in dropped]
    if not keys:
        message = f"Logs must have items of {task} in common; they have none."
        raise InputError(message)
    items = [key[0] for key in keys]
    outcomes = Outcomes.from_labels(
        [gold[key] for key in keys],
        *([_label(c.get(key)) for key in keys] for c in columns.values()),
        systems=list(logs),
        cluster=items if len(set(items)) < len(items) else None,
    )
    return replace(outcomes, findings=(*findings, *outcomes.findings))


def _check_runs(logs: Mapping[str, Sequence[Log]], task: str) -> None:
    """Refuse other numbers of runs: labels are paired run by run, and not averaged."""
    numbers = {system: len(of_system) for system, of_system in logs.items()}
    if len(set(numbers.values())) > 1:
        counts = join_words(f"{n} of {s}" for s, n in numbers.items())
        message = (
            f"All systems must have as many runs of {task} where labels are compared; "
            f"there are {counts}."
        )
        raise InputError(message, hint="--runs latest, or names of as many runs.")


def _label(label: str | None) -> str:
    return _WRONG if label is None else label


def _items(keys: Mapping[str, Sequence[Key]]) -> dict[str, list[str]]:
    return {s: list(dict.fromkeys(key[0] for key in of)) for s, of in keys.items()}


def _answers(
    log: Log, metric: str, run: int, gold: dict[Key, str]
) -> list[tuple[Key, str | None]]:
    """Return the label of each row, and write down the gold labels."""
    pairs = log.labels[metric]
    repeats = [0] * len(log.items) if log.repeats is None else log.repeats
    answers: dict[Key, str | None] = {}
    for row, (item, repeat) in enumerate(zip(log.items, repeats, strict=True)):
        key = item, run, int(repeat)
        if key in answers:
            message = f"{log.locate(row)}: {item!r} must stand once in a log."
            raise InputError(message)
        label = pairs.gold[row]
        if label is None:
            message = f"{log.locate(row)}: {metric} must have a gold label."
            raise InputError(message)
        if gold.setdefault(key, label) != label:
            message = (
                f"{log.locate(row)}: the gold label of {item!r} must be that of the "
                f"other logs, {gold[key]!r}; it is {label!r}."
            )
            raise InputError(message)
        answers[key] = None if row in log.errors else pairs.predicted[row]
    return list(answers.items())
