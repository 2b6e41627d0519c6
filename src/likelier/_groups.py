"""compare_groups(): every class of the items in one call, and their averages."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likelier import metrics
from likelier._compare import compare_outcomes
from likelier._inputs import (
    RopeLike,
    as_metric,
    as_question,
    check_log_alone,
    is_log,
    open_items,
    posterior_method,
    summarize,
    two_systems,
)
from likelier._task_groups import compare_tasks
from likelier.bayes_factor import FactorName
from likelier.data.encoding import label_text
from likelier.data.outcomes import Outcomes
from likelier.errors import LikelierError, NotDefinedError, SettingError, unknown_name
from likelier.methods.items.dirichlet import Paired
from likelier.methods.items.hierarchical_classes import HierarchicalClasses
from likelier.methods.items.sign_tests import PTest, SignTest, across_classes
from likelier.methods.protocols import NullMethod, PosteriorMethod
from likelier.metrics.metric import Average, Metric
from likelier.metrics.positive import select_positive
from likelier.results.comparison import Comparison
from likelier.results.group_comparison import GroupComparison, GroupRow
from likelier.streams import RandomState, Streams, made_together

AVERAGES: tuple[Average, ...] = ("micro", "macro", "weighted")
_EVERY_AVERAGE: tuple[Average, ...] = (*AVERAGES, "samples")


def compare_groups(
    data: Any,
    *predictions: Any,
    metric: str | Metric | None = None,
    positive: object = None,
    by: str | None = None,
    rope: RopeLike = None,
    method: str | PosteriorMethod | HierarchicalClasses = "paired",
    prior: str | None = None,
    strength: float = 1.0,
    averages: Sequence[Average] = AVERAGES,
    classes: Sequence[object] | None = None,
    factor: FactorName | None = None,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | Sequence[str] | None = None,  # noqa: A002 (the word people know)
    text: Any = None,
    system: str | None = None,
    score: str | None = None,
    label: str | None = None,
    run: str | None = None,
    repeat: str | None = None,
    group: str | None = None,
    mass: float = 0.95,
    rule: str = "hdi-rope",
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
) -> GroupComparison:
    """Compare two systems on every class or task, and on the averages over them.

    Use this for items of many classes, or of several labels each: every class stands
    against the rest. And for logs of several tasks.

    Parameters
    ----------
    data, *predictions, rope, prior, strength, factor, gold, systems, cluster, id, text
        As in `compare`.
    system, score, label, run, repeat, group
        As in `compare`: columns of a data frame with one row per system and item;
        `group` has the tasks.
    metric
        For classes, a metric of one class: f1 (the default), precision, recall …; for
        tasks, any metric of the logs.
    positive
        The positive class, for tasks and a metric of one class.
    by
        class or task: what a group is; by default the tasks of logs that have several,
        else the classes.
    method
        paired, unpaired, or hierarchical: classes learn from each other.
    averages
        Which averages over classes to compare, under the joint posterior of all.
    classes
        The classes to compare; all by default.
    mass, rule, draws, seed, workers
        As in `compare`.

    References
    ----------
    Zhang et al. (2016), Tables 4 to 6, doi:10.1145/2911451.2911547.

    Examples
    --------
    >>> gold = ["a", "b", "c", "c"] * 60
    >>> first, second = ["a", "b", "c", "b"] * 60, ["a", "b", "c", "c"] * 60
    >>> result = compare_groups(gold, first, second, rope=0.05, seed=0)
    >>> [row.comparison.verdict.symbol for row in result.rows]
    ['≈', '≫', '≫']
    """
    streams = Streams.of(seed, draws=draws, workers=workers)
    settings: dict[str, Any] = {
        "rope": rope,
        "mass": mass,
        "rule": rule,
        "streams": streams,
    }
    columns = {"gold": gold, "cluster": cluster, "id": id, "text": text}
    columns["systems"] = systems
    long = {"system": system, "score": score, "label": label, "run": run}
    long |= {"repeat": repeat, "group": group}
    data, columns = open_items(data, columns, long)
    if _by_task(data, by):
        check_log_alone(*predictions, *(columns | {"systems": None}).values(), classes)
        alone = posterior_method(
            method,  # type: ignore[arg-type]
            prior=prior,
            strength=strength,
        )
        tasks = data.task_tables(metric)
        with made_together(len(tasks.tables)):
            return compare_tasks(
                tasks,
                systems=systems,
                positive=positive,
                method=alone,
                factor=factor,
                **settings,
            )
    if positive is not None:
        message = "positive must be left out: each class is the positive one in turn."
        raise SettingError(message, hint="compare() takes one class.")
    metric = _of_one_class(metric or "f1")
    chosen, table = as_question(data, *predictions, metric=metric, **columns)
    two_systems(table.systems)
    names = _chosen_classes(table, classes)
    with made_together(len(names)):
        joint, methods = _methods(
            method, prior, strength, table, chosen, names, streams
        )
        rows = tuple(
            _row(
                table,
                name,
                compare_outcomes(
                    table,
                    metric=chosen,
                    positive=name,
                    method=of_class,
                    factor=factor,
                    **settings,
                ),
            )
            for name, of_class in zip(names, methods, strict=True)
        )
        of_labels = factor == "rope" and table.labels is not None
        means = tuple(
            compare_outcomes(
                table,
                metric=metrics.averaged(chosen, _checked_average(average)),
                positive=None,
                method=joint,
                factor="rope" if of_labels else None,
                **settings,
            )
            for average in _as_list(averages, name="averages")
        )
    return _answer(table, chosen, rows, means)


def _of_one_class(metric: str | Metric) -> Metric:
    chosen = as_metric(metric)
    if chosen.of_one_class:
        return chosen
    message = f"metric must be one of a single class, such as f1; got {chosen.name}."
    raise SettingError(message, hint="compare() takes any metric.")


def _by_task(data: Any, by: str | None) -> bool:
    """Return whether groups are tasks: as named, or where logs have several."""
    if by not in (None, "class", "task"):
        raise unknown_name(by, ("class", "task"), kind="by")
    if by is None:
        return is_log(data) and len(data.tasks) > 1
    if by == "task" and not is_log(data):
        message = "by='task' must come with items of logs."
        raise SettingError(message, hint="likelier.read(…)")
    return by == "task"


def _methods(
    method: str | PosteriorMethod | HierarchicalClasses,
    prior: str | None,
    strength: float,
    table: Outcomes,
    metric: Metric,
    names: Sequence[str],
    streams: Streams,
) -> tuple[PosteriorMethod, Sequence[PosteriorMethod]]:
    """Return the method of the averages, and one for each class."""
    if method == "hierarchical":
        method = HierarchicalClasses()
    if not isinstance(method, HierarchicalClasses):
        alone = posterior_method(method, prior=prior, strength=strength)
        return alone, [alone] * len(names)
    if prior is not None or strength != 1:
        message = "hierarchical learns its prior; neither prior nor strength is taken."
        raise SettingError(message)
    tables = [table.binary(name) for name in names]
    if any(one.labels is None for one in tables):
        message = (
            "hierarchical must have items with labels; chunks, clusters and scores "
            "have none."
        )
        raise NotDefinedError(message, hint="Use the method paired.")
    return Paired(), method.posteriors(tables, metric, streams)


def _chosen_classes(
    table: Outcomes, classes: Sequence[object] | None
) -> tuple[str, ...]:
    if len(table.classes) < 2 and classes is None:
        message = (
            f"There must be several classes to compare; got {', '.join(table.classes)}."
        )
        raise SettingError(message, hint="compare() takes one class: positive=...")
    if classes is None:
        return table.classes
    names = [
        label_text(name, "classes", i)
        for i, name in enumerate(_as_list(classes, name="classes"))
    ]
    for name in names:
        if name not in table.classes:
            raise unknown_name(name, table.classes, kind="class")
    if not names:
        message = "classes must name at least one class; got none."
        raise SettingError(message)
    return tuple(dict.fromkeys(names))


def _as_list(names: object, *, name: str) -> Sequence[Any]:
    """Return a list, also of a single name."""
    if isinstance(names, str):
        return [names]
    if isinstance(names, Iterable):
        return list(names)
    message = f"{name} must be a list of names; got {names!r}."
    raise SettingError(message)


def _checked_average(average: str) -> Average:
    for name in _EVERY_AVERAGE:
        if name == average:
            return name
    raise unknown_name(average, _EVERY_AVERAGE, kind="average")


def _row(table: Outcomes, name: str, comparison: Comparison) -> GroupRow:
    one, _ = select_positive(table, metrics.f1, name)
    sums = one.sums()
    support = float(sums["tp"][0, 0] + sums["fn"][0, 0])
    return GroupRow(name, support, comparison, _p(SignTest(), one), _p(PTest(), one))


def _p(test: NullMethod, one: Outcomes) -> float | None:
    try:
        return test.null(one, metrics.accuracy, Streams.of(0)).p_value
    except LikelierError:
        return None  # chunks and clusters have no such test


def _answer(
    table: Outcomes,
    metric: Metric,
    rows: tuple[GroupRow, ...],
    means: tuple[Comparison, ...],
) -> GroupComparison:
    results = [*(row.comparison for row in rows), *means]
    values = np.array([row.comparison.settings.data.observed for row in rows])
    first = rows[0].comparison.settings
    data = summarize(table, metrics.averaged(metric, "macro"))
    options = {"each": "class"}
    if len(rows) < len(table.classes):
        options["classes"] = ", ".join(row.name for row in rows)
    names = tuple(mean.settings.metric.partition("_")[0] for mean in means)
    if names != AVERAGES:
        options["averaged"] = ", ".join(names) or "not"
    if means and means[0].settings.method_text != first.method_text:
        options["averages"] = means[0].settings.method_text
    every = (finding for result in results for finding in result.findings)
    return GroupComparison(
        settings=replace(first, positive=None, data=data, options=options),
        findings=tuple(dict.fromkeys(every)),
        rows=rows,
        averages=means,
        across=across_classes(metric.differences(values)),
    )
