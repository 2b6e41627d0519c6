"""compare_classes(): every class of the items in one call."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likelier import metrics
from likelier.asking import (
    as_metric,
    origin_of,
    posterior_method,
    question_of,
    two_systems,
)
from likelier.data import as_outcomes, focused
from likelier.decision import Rope
from likelier.distribution import Posterior
from likelier.errors import LikelierError, NotDefinedError, SettingError, unknown_name
from likelier.evidence import FactorName, LogDensity
from likelier.findings import Finding
from likelier.methods import (
    Hierarchical,
    NullMethod,
    Paired,
    PosteriorMethod,
    PTest,
    SignTest,
)
from likelier.methods.drawn import drawn_posterior
from likelier.methods.yang_liu import across_classes
from likelier.metrics import Metric
from likelier.metrics.metric import Average
from likelier.outcomes import Outcomes
from likelier.outcomes.encode import label_text
from likelier.questions.comparing import compare_outcomes
from likelier.results import ClassComparison, ClassRow, Comparison
from likelier.streams import RandomState, Streams

AVERAGES: tuple[Average, ...] = ("micro", "macro", "weighted")


def compare_classes(
    data: Any,
    *predictions: Any,
    metric: str | Metric = "f1",
    rope: float | Sequence[float] | Rope | None = None,
    method: str | PosteriorMethod | Hierarchical = "paired",
    averages: Sequence[Average] = AVERAGES,
    classes: Sequence[object] | None = None,
    factor: FactorName = "rope",
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    mass: float = 0.95,
    rule: str = "hdi-rope",
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
    findings: Sequence[Finding] = (),
) -> ClassComparison:
    """Compare two systems on every class, one against the rest, and on the averages.

    Use this for items of many classes, or of several labels each.

    Parameters
    ----------
    data, *predictions, rope, factor, gold, systems, cluster, id
        As in `compare`.
    metric
        A metric of one class: f1, precision, recall …
    method
        paired, unpaired, or hierarchical: classes learn from each other.
    averages
        Which averages over classes to compare, under the joint posterior of all.
    classes
        The classes to compare; all by default.
    mass, rule, draws, seed, workers, findings
        As in `compare`.

    References
    ----------
    Zhang et al. (2016), Tables 4 to 6, doi:10.1145/2911451.2911547.

    Examples
    --------
    >>> gold = ["a", "b", "c", "c"] * 60
    >>> first, second = ["a", "b", "c", "b"] * 60, ["a", "b", "c", "c"] * 60
    >>> found = compare_classes(gold, first, second, rope=0.05, seed=0)
    >>> [row.comparison.verdict.symbol for row in found.rows]
    ['≈', '≫', '≫']
    """
    chosen = as_metric(metric)
    if not chosen.of_one_class:
        message = (
            f"metric must be one of a single class, such as f1; got {chosen.name}."
        )
        raise SettingError(message, hint="compare() takes any metric.")
    table = two_systems(
        as_outcomes(
            data,
            *predictions,
            metric=chosen,
            gold=gold,
            systems=systems,
            cluster=cluster,
            id=id,
        )
    )
    names = _chosen_classes(table, classes)
    streams = Streams.of(seed, draws=draws, workers=workers)
    settings: dict[str, Any] = {
        "rope": rope,
        "mass": mass,
        "rule": rule,
        "streams": streams,
        "findings": findings,
    }
    ways = _ways(method, table, chosen, names, streams)
    found = [
        compare_outcomes(
            table,
            metric=chosen,
            positive=name,
            method=way,
            factor=factor,
            **settings,
        )
        for name, way in zip(names, ways, strict=True)
    ]
    joint = Paired() if isinstance(ways[0], _Known) else ways[0]
    means = tuple(
        compare_outcomes(
            table,
            metric=metrics.averaged(chosen, _checked_average(average)),
            positive=None,
            method=joint,
            factor="rope",
            **settings,
        )
        for average in _listed(averages, name="averages")
    )
    rows = tuple(_row(table, name, one) for name, one in zip(names, found, strict=True))
    return _told(table, chosen, rows, means)


Ways = Sequence[PosteriorMethod]


@dataclass(frozen=True, eq=False)
class _Known:
    """What a joint model of all classes says of one of them."""

    name: str
    description: str
    after: Posterior
    before: Posterior | None

    def posterior(self, *_: object) -> Posterior:
        return self.after

    def unseen(self, *_: object) -> Posterior | None:
        return self.before

    def at_zero(self, *_: object, seen: bool) -> LogDensity:  # noqa: ARG002
        message = "A point null is not offered where classes learn from each other."
        raise NotDefinedError(message, hint="Give a rope.")

    def crowded(self, _: Outcomes) -> int | None:
        return None

    def described(self, _: Outcomes) -> str:
        return self.description


def _ways(
    method: str | PosteriorMethod | Hierarchical,
    table: Outcomes,
    metric: Metric,
    names: Sequence[str],
    streams: Streams,
) -> Ways:
    """Give one method per class: the same, or what a joint model says of each."""
    if method == "hierarchical":
        method = Hierarchical()
    if not isinstance(method, Hierarchical):
        way = posterior_method(method)
        return [way] * len(names)
    tables = [table.binary(name) for name in names]
    if any(one.labels is None for one in tables):
        message = (
            "hierarchical must have items with labels; chunks, clusters and scores "
            "have none."
        )
        raise NotDefinedError(message, hint="Use the method paired.")
    alike = all(one.symmetric for one in tables)
    after = method.joint(tables, metric, streams)
    before = method.unseen(tables, metric, streams)
    return [
        _Known(
            method.name,
            method.described(),
            drawn_posterior(after[:, place], metric, mirror=alike),
            drawn_posterior(before[:, place], metric, mirror=True),
        )
        for place in range(len(names))
    ]


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
        label_text(given, "classes", place)
        for place, given in enumerate(_listed(classes, name="classes"))
    ]
    for name in names:
        if name not in table.classes:
            raise unknown_name(name, table.classes, kind="class")
    if not names:
        message = "classes must name at least one class; got none."
        raise SettingError(message)
    return tuple(dict.fromkeys(names))


def _listed(names: object, *, name: str) -> Sequence[Any]:
    """Take a list, or a single name as a list of one."""
    if isinstance(names, str):
        return [names]
    if isinstance(names, Iterable):
        return list(names)
    message = f"{name} must be a list of names; got {names!r}."
    raise SettingError(message)


def _checked_average(average: str) -> Average:
    known: tuple[Average, ...] = ("micro", "macro", "weighted", "samples")
    found = next((name for name in known if name == average), None)
    if found is None:
        raise unknown_name(average, known, kind="average")
    return found


def _row(table: Outcomes, name: str, comparison: Comparison) -> ClassRow:
    one, _ = focused(table, metrics.f1, name)
    sums = one.sums()
    support = float(sums["tp"][0, 0] + sums["fn"][0, 0])
    return ClassRow(name, support, comparison, _p(SignTest(), one), _p(PTest(), one))


def _p(test: NullMethod, one: Outcomes) -> float | None:
    try:
        return test.null(one, metrics.accuracy, Streams.of(0)).p_value
    except LikelierError:
        return None  # chunks and clusters have no such test


def _told(
    table: Outcomes,
    metric: Metric,
    rows: tuple[ClassRow, ...],
    means: tuple[Comparison, ...],
) -> ClassComparison:
    results = [*(row.comparison for row in rows), *means]
    values = np.array([row.comparison.question.observed for row in rows])
    macro = question_of(table, metrics.averaged(metric, "macro"), None)
    question = replace(macro, metric=metric.name)
    first = rows[0].comparison
    extra = tuple(part for part in first.recipe.extra if part != table.source)
    if means and means[0].recipe.method != first.recipe.method:
        extra = (*extra, f"averages {means[0].recipe.method}")
    unique = tuple(dict.fromkeys(f for result in results for f in result.findings))
    return ClassComparison(
        question=question,
        rows=rows,
        averages=means,
        across=across_classes(metric.differences(values)),
        origin=origin_of(
            question, first.origin.method, table, ("each class", *extra), unique
        ),
    )
