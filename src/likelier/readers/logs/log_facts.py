"""Facts about logs, task by task: what they hold, and whether they go together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likelier._typing import BoolArray
from likelier.readers.logs.log import Log
from likelier.readers.logs.same_experiment import differences, number_items

_UNKNOWN = "not in the log"


@dataclass(frozen=True)
class TaskFacts:
    """Content of logs about one task and filter.

    Attributes
    ----------
    task, filter
        Names.
    items
        Number of items of each system.
    shared
        Number of items that all systems have.
    repeats, runs
        Largest number of answers to one item in a run, and number of runs, by system.
    errors
        Number of answers that failed or have no value at all, by system.
    empty
        Number of further answers without a value of some metric: by metric and system,
        where there are any.
    metrics
        Metrics, each with what is better: higher, lower, or not in the log.
    unusable
        Metrics that cannot be computed from items, each with the reason.
    checked
        What the logs of several systems have, so that it could differ: items,
        prompts, conditions of the run.
    differs
        What is not the same in the logs of all systems, by its name.
    """

    task: str
    filter: str | None
    items: dict[str, int]
    shared: int
    repeats: dict[str, int]
    runs: dict[str, int]
    errors: dict[str, int]
    metrics: dict[str, str]
    empty: dict[str, dict[str, int]] = field(default_factory=dict)
    unusable: dict[str, str] = field(default_factory=dict)
    checked: tuple[str, ...] = ()
    differs: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The task, and the filter where it says something."""
        plain = self.filter in (None, "none")
        return self.task if plain else f"{self.task} ({self.filter})"

    @property
    def complete(self) -> bool:
        """Whether all systems have the same items."""
        return all(count == self.shared for count in self.items.values())

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as in the JSON."""
        lists = {"checked": list(self.checked), "differs": list(self.differs.values())}
        return vars(self) | lists


def task_facts(logs: Sequence[Log]) -> list[TaskFacts]:
    """Gather the facts of every task and filter."""
    tasks: dict[tuple[str, str | None], list[Log]] = {}
    for log in logs:
        tasks.setdefault((log.task, log.filter), []).append(log)
    return [_facts(*key, of_task) for key, of_task in tasks.items()]


def _facts(task: str, name: str | None, logs: Sequence[Log]) -> TaskFacts:
    by_system: dict[str, list[Log]] = {}
    for log in logs:
        by_system.setdefault(log.system, []).append(log)
    sets = [{item for log in of for item in log.items} for of in by_system.values()]
    return TaskFacts(
        task=task,
        filter=name,
        items={s: len(set_) for s, set_ in zip(by_system, sets, strict=True)},
        shared=len(set.intersection(*sets)),
        repeats={s: max(map(_most_repeats, of)) for s, of in by_system.items()},
        runs={s: len(of) for s, of in by_system.items()},
        errors={
            s: sum(int(_failed(log).sum()) for log in of) for s, of in by_system.items()
        },
        metrics=_directions(logs),
        empty=_empty(by_system),
        unusable={n: why for log in logs for n, why in log.unusable.items()},
        checked=tuple(_checked(by_system)),
        differs=differences(number_items(by_system)[1]),
    )


def _checked(by_system: Mapping[str, Sequence[Log]]) -> list[str]:
    """Name the hashes and conditions that at least two systems have."""
    names = [
        {name for log in logs for name in (*log.hashes, *log.conditions)}
        for logs in by_system.values()
    ]
    every = sorted(set().union(*names))
    return [name for name in every if sum(name in of for of in names) > 1]


def _most_repeats(log: Log) -> int:
    if log.repeats is None:
        return 1
    counts: dict[str, int] = {}
    for item in log.items:
        counts[item] = counts.get(item, 0) + 1
    return max(counts.values(), default=1)


def _failed(log: Log) -> BoolArray:
    """Find the answers that failed, or have no value of any metric."""
    failed = np.zeros(len(log.items), dtype=bool)
    if log.scores and not log.labels:
        failed = np.all([np.isnan(v) for v in log.scores.values()], axis=0)
    failed[list(log.errors)] = True
    return failed


def _empty(by_system: Mapping[str, Sequence[Log]]) -> dict[str, dict[str, int]]:
    """Count the answers without a value of a metric, but for those that failed."""
    counts: dict[str, dict[str, int]] = {}
    for system, logs in by_system.items():
        for log in logs:
            failed = _failed(log)
            for name, values in log.scores.items():
                if name not in counts:
                    counts[name] = dict.fromkeys(by_system, 0)
                counts[name][system] += int((np.isnan(values) & ~failed).sum())
    return {name: each for name, each in counts.items() if any(each.values())}


def _directions(logs: Sequence[Log]) -> dict[str, str]:
    names = dict.fromkeys(name for log in logs for name in log.metrics)
    better: Mapping[str, bool] = {
        name: value for log in logs for name, value in log.higher_is_better.items()
    }
    words = {True: "higher", False: "lower"}
    return {name: words.get(better.get(name), _UNKNOWN) for name in names}  # type: ignore[arg-type]
