"""Answers about several systems: each further one beside the first, or each alone."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from likelier.cli.option_values import range_of, refuse
from likelier.cli.working import working
from likelier.errors import SettingError
from likelier.formatting import listed

if TYPE_CHECKING:
    from likelier.data.outcomes import Outcomes
    from likelier.metrics.metric import Metric
    from likelier.readers.logs.task_tables import TaskTables
    from likelier.results.result import Result

# Settings of a posterior, which a test with a p-value does not use.
_POSTERIOR = ("rope", "prior", "strength", "factor", "rule", "mass")


def pairs_of(systems: Sequence[str]) -> list[list[str]]:
    """Pair every further system with the first."""
    if len(systems) < 2:
        message = f"There must be two systems; got {', '.join(systems)}."
        raise SettingError(message, hint="likelier estimate looks at one system.")
    return [[systems[0], name] for name in systems[1:]]


def compared(
    context: typer.Context,
    tables: "Iterable[tuple[Metric, Outcomes] | TaskTables]",
    *,
    method: str,
    rope: str | None,
    seed: int | None,
    each_class: bool = False,
    sensitivity: bool = False,
    **settings: Any,
) -> "Result":
    """Compare every further system with the first, on the table of each metric.

    Parameters
    ----------
    context
        The call, which knows the options on the command line from defaults.
    tables
        Each metric with the outcomes that it is computed on, or with those of tasks.
    method, rope, seed, **settings
        As in `likelier.compare`.
    each_class, sensitivity
        Whether to call `likelier.compare_groups` or `likelier.sensitivity` instead.
    """
    import likelier as lk
    from likelier._inputs import NULL_METHODS
    from likelier.streams import as_seed, made_together

    # One seed for all, so that one recipe makes them again.
    settings |= {"method": method, "seed": as_seed(seed)}
    settings["rope"] = range_of(rope, name="rope")
    question: Any = lk.compare
    unused: Sequence[str] = ()
    if each_class:
        question, unused = lk.compare_groups, ["positive"]
        refuse(context, unused, without="one class, not --each-class")
    elif sensitivity:
        question, unused = lk.sensitivity, ["strength"]
        refuse(context, unused, without="one prior, not --sensitivity")
    elif method in NULL_METHODS:
        question, unused = lk.null_test, _POSTERIOR
        refuse(context, unused, without="a method that has a posterior")
    for name in unused:
        settings.pop(name, None)
    results: list[Result] = []
    with working("comparing systems"):
        for table in tables:
            if isinstance(table, tuple):
                metric, outcomes = table
                pairs = pairs_of(outcomes.systems)
                with made_together(len(results) + len(pairs)):
                    results += [
                        question(outcomes, systems=pair, metric=metric, **settings)
                        for pair in pairs
                    ]
            else:
                results += _compared_tasks(table, question, settings)
    return as_one(results)


def _compared_tasks(
    tasks: "TaskTables",
    question: Any,
    settings: dict[str, Any],
) -> "list[Result]":
    """Compare every further system with the first on every task."""
    import likelier as lk
    from likelier.streams import made_together

    if question is not lk.compare:
        message = f"--task must choose one task here; there are {listed(tasks.tasks)}."
        raise SettingError(message)
    pairs = pairs_of(tasks.systems)
    with made_together(len(pairs)):
        return [
            lk.compare_groups(tasks, systems=pair, by="task", **settings)
            for pair in pairs
        ]


def estimated(
    questions: "Iterable[tuple[Metric, Outcomes]]",
    *,
    seed: int | None,
    **settings: Any,
) -> "Result":
    """Estimate every system on each metric with its outcomes.

    Parameters
    ----------
    questions
        Metrics with outcomes.
    seed, **settings
        As in `likelier.estimate`.
    """
    import likelier as lk
    from likelier.results.result_list import ResultList
    from likelier.streams import as_seed, made_together

    settings["seed"] = as_seed(seed)
    with working("comparing systems"):
        results: list[Result] = []
        for metric, table in questions:
            with made_together(len(results) + len(table.systems)):
                results += [
                    lk.estimate(table, systems=[system], metric=metric, **settings)
                    for system in table.systems
                ]
        return ResultList(results)


def as_one(results: "Sequence[Result]") -> "Result":
    """Make one result of several."""
    if len(results) == 1:
        return results[0]
    from likelier.results.result_list import ResultList

    return ResultList(results)
