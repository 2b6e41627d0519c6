"""Inputs of the questions: data, metric, method and settings, checked once."""

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from likelier import methods, metrics
from likelier.checks import data_checks
from likelier.data.outcomes import Outcomes
from likelier.errors import (
    InputError,
    SettingError,
    unknown_name,
)
from likelier.findings import Finding
from likelier.interval import Rope
from likelier.methods.protocols import PosteriorMethod
from likelier.metrics.metric import Metric
from likelier.settings import DataSummary, Settings
from likelier.streams import Streams

RopeLike = float | Sequence[float] | Rope | None

# Methods by name: their class, and settings of it.
POSTERIOR_METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "paired": ("Paired", {}),
    "unpaired": ("Unpaired", {}),
    "independent": ("Independent", {}),
    "monte-carlo": ("MonteCarlo", {}),
}
NULL_METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "bootstrap": ("Bootstrap", {}),
    "randomization": ("Randomization", {}),
    "mcnemar": ("McNemar", {}),
    "mcnemar-midp": ("McNemar", {"mid_p": True}),
    "sign": ("SignTest", {}),
    "delong": ("DeLong", {}),
    "s-test": ("STest", {}),
    "p-test": ("PTest", {}),
}
_FOLD_METHODS = ("CorrelatedT", "HierarchicalFolds", "SignedRank", "BayesianSignTest")
# How much of a name must be right for a method of another question to be meant.
_CLOSE = 0.85
_FRAME_HINT = 'compare(frame, gold="gold", systems=["a", "b"], metric="accuracy")'


def as_metric(metric: str | Metric) -> Metric:
    """Return a metric, or the one of that name."""
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, str):
        return metrics.named(metric)
    message = f"metric must be a metric or its name; got {metric!r}."
    hint = "A function of your own: metrics.Metric(name, statistics, formula)"
    raise SettingError(message, hint=hint)


def as_question(
    data: Any,
    *predictions: Any,
    metric: str | Metric | None,
    systems: Sequence[str] | None = None,
    positive: object = None,
    over_tasks: bool = False,
    **columns: Any,
) -> tuple[Metric, Outcomes]:
    """Return the metric, and the outcomes that it is computed on.

    Parameters
    ----------
    data, *predictions, systems, **columns
        As in `as_outcomes`; or items of logs, which know their metrics themselves.
    metric
        The metric, or its name; None for logs with a single one.
    positive
        The positive class, of which tasks have their metric before their mean.
    over_tasks
        Whether the mean over tasks is taken where logs have several.
    """
    if is_log(data):
        check_log_alone(*predictions, *columns.values())
        tasks = data.task_tables(metric)
        chosen, outcomes = tasks.average(positive) if over_tasks else tasks.table()
        return chosen, outcomes if systems is None else outcomes.named(*systems)
    if metric is None:
        message = "metric must be given, unless logs have a single one; got None."
        raise SettingError(message, hint='metric="accuracy", "f1", "mean" …')
    chosen = as_metric(metric)
    return chosen, as_outcomes(
        data, *predictions, metric=chosen, systems=systems, **columns
    )


def open_items(
    data: Any, columns: Mapping[str, Any], long: Mapping[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """Return data and columns; of a long data frame its items, with no columns left.

    Parameters
    ----------
    data, columns
        As in `as_outcomes`.
    long
        Columns of a data frame with one row per system and item; None for none.
    """
    named = [name for name, column in long.items() if column is not None]
    if not named:
        return data, dict(columns)
    from likelier.readers.read_items import read

    if not is_frame(data):
        message = f"{named[0]} must name a column of a data frame."
        raise SettingError(message, hint="A file: likelier.read(path, system=…)")
    return read(data, **columns, **long), {}


def is_log(data: Any) -> bool:
    """Return whether data are items of logs; their module is loaded by `read` only."""
    return hasattr(data, "task_tables")


def check_log_alone(*columns: Any) -> None:
    """Refuse predictions and columns beside items of logs."""
    if any(column is not None for column in columns):
        message = "Items of logs must be the only data; got further columns."
        raise SettingError(message, hint="read(…) takes cluster and the like.")


def as_outcomes(
    data: Any,
    *predictions: Any,
    metric: Metric,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    text: Any = None,
) -> Outcomes:
    """Return outcomes from outcomes, a data frame, or one sequence per column.

    Parameters
    ----------
    data
        `Outcomes`; or a data frame; or the gold labels; or, for a metric of scores,
        the first system's scores.
    *predictions
        One sequence per system, unless `data` holds them.
    metric
        The metric, which counts labels or scores.
    gold
        Column of gold labels of the frame.
    systems
        Columns of predictions of the frame, or the names of the systems.
    cluster
        Column of clusters of the frame, or one entry per item.
    id
        Column of ids of the frame, to be checked.
    text
        Column of texts of the frame, or one entry per item.
    """
    if isinstance(data, Outcomes):
        if predictions or any(part is not None for part in (gold, cluster, text)):
            message = "Outcomes must be the only data; got further columns."
            raise SettingError(message)
        return data if systems is None else data.named(*systems)
    if metric.data == "parses":
        message = f"{metric.name} must have parses, as CoNLL-U files."
        hint = f"lk.readers.read_parsed(paths, metric={metric.name!r})"
        raise SettingError(message, hint=hint)
    frame = is_frame(data)
    if predictions and frame:
        message = "The columns of a data frame must be named by gold and systems."
        raise SettingError(message, hint=_FRAME_HINT)
    _check_indexes(data, *predictions)
    if frame or not (predictions or metric.data == "scores"):
        columns = {"cluster": cluster, "id": id, "text": text}
        return _from_frame(data, metric, gold, systems, **columns)
    named = {"systems": systems, "cluster": cluster, "texts": text}
    return _from_sequences(data, predictions, metric, **named)


def _from_sequences(
    data: Any, predictions: Sequence[Any], metric: Metric, **named: Any
) -> Outcomes:
    """Count one sequence per column, as the metric needs it."""
    if metric.data == "ranks":
        # Which items are ranked differently is not listed, so no text is shown.
        del named["texts"]
        return Outcomes.from_ranked(data, *predictions, **named)
    if metric.data == "statistics":
        names = ", ".join(metric.statistics)
        message = f"{metric.name} must have outcomes with {names}."
        raise SettingError(message, hint="lk.Outcomes.from_statistics(…)")
    if metric.data == "texts":
        del named["texts"]
        return Outcomes.from_texts(data, *predictions, metrics=[metric.name], **named)
    kind = "sets" if metric.data == "labels" and _holds_sets(data) else metric.data
    counted: Outcomes = getattr(Outcomes, f"from_{kind}")(data, *predictions, **named)
    return counted


def is_frame(data: Any) -> bool:
    """Check whether data is a data frame of any library."""
    if isinstance(data, Sequence | np.ndarray | Outcomes):
        return False
    from likelier.readers.frames import looks_like_frame

    return looks_like_frame(data)


def _from_frame(
    data: Any,
    metric: Metric,
    gold: str | None,
    systems: Sequence[str] | None,
    **columns: Any,
) -> Outcomes:
    from likelier.readers.frames import read_frame

    if not is_frame(data):
        message = (
            "data must be outcomes, a data frame, or gold labels followed by one "
            f"sequence per system; got {type(data).__name__}."
        )
        hint = "A file: readers.read_files(path)"
        raise InputError(message, hint=hint if isinstance(data, str) else None)
    scores = metric.data == "scores"
    if scores and gold is not None:
        message = f"gold must be left out for {metric.name}, which takes scores."
        hint = f"Compute a score for every item from {gold!r}; or use accuracy."
        raise SettingError(message, hint=hint)
    optional = scores or metric.data == "probabilities"
    if systems is None or (gold is None and not optional):
        message = "A data frame must come with the names of its columns."
        raise SettingError(message, hint=_FRAME_HINT)
    return read_frame(data, gold=gold, systems=systems, kind=metric.data, **columns)


def _check_indexes(*columns: Any) -> None:
    """Refuse series that would be paired by position against their own index."""
    indexes = [c.index for c in columns if hasattr(getattr(c, "index", None), "equals")]
    if any(not index.equals(indexes[0]) for index in indexes[1:]):
        message = "Series must have the same index; these have different ones."
        raise InputError(message, hint="Align them, or pass their values.")


def _holds_sets(data: Any) -> bool:
    if getattr(data, "ndim", 1) == 2:
        return True
    try:
        first = next(iter(data), None)
    except TypeError as error:
        message = f"Columns must be sequences of labels; {error}."
        raise InputError(message) from error
    return isinstance(first, set | frozenset | list | tuple)


def two_systems(systems: Sequence[str]) -> None:
    """Refuse any number of systems but two."""
    if len(systems) == 2:
        return
    message = (
        f"There must be two systems to compare; got {len(systems)}: "
        f"{', '.join(systems)}."
    )
    hint = None
    if len(systems) > 2:
        hint = "rank() takes all of them; compare() a baseline and a candidate."
    raise SettingError(message, hint=hint)


def check_rope(rope: RopeLike, metric: Metric) -> Rope | None:
    """Return a rope that leaves some differences of the metric outside."""
    if rope is None:
        return None
    region = Rope.of(rope)
    widest = metric.bounds[1] - metric.bounds[0]
    if max(region.high, -region.low) >= widest:
        message = (
            f"rope must be narrower than what {metric.name} can differ by, {widest:g}; "
            f"got {region}."
        )
        raise SettingError(message, hint="rope=0.01 is one point of a hundred.")
    return region


def look_up_method(
    method: Any,
    table: Mapping[str, tuple[str, dict[str, Any]]],
    *,
    others: Collection[str],
    call: str,
    offers: str,
) -> Any:
    """Return a method, or make the one of that name."""
    if not isinstance(method, str):
        if hasattr(method, offers):
            return method
        message = f"method must offer {offers}(); {method!r} does not."
        raise SettingError(message, hint=f"Is it one for {call}()?")
    if method in others:
        message = f"method must be one of {', '.join(table)}; got {method!r}."
        raise SettingError(message, hint=f"{method} belongs to {call}().")
    if method not in table:
        raise _unknown_method(method, table, others, call)
    name, settings = table[method]
    return getattr(methods, name)(**settings)


def _unknown_method(
    method: str, table: Collection[str], others: Collection[str], call: str
) -> SettingError:
    """Build the error for a method that fits nothing here, with where others are."""
    error = unknown_name(method, table, kind="method")
    if error.hint is not None:
        return error
    close = get_close_matches(method, others, n=1, cutoff=_CLOSE)
    if close:
        hint = f"Did you mean {close[0]}, which belongs to {call}()?"
        return SettingError(error.message, hint=hint)
    aim = "a p-value" if call == "null_test" else "a posterior"
    of_folds = [getattr(methods, name).name for name in _FOLD_METHODS]
    hint = (
        f"For {aim}: {', '.join(others)} ({call}() in Python). For scores of folds: "
        f"{', '.join(of_folds)} (compare_folds(), likelier folds)."
    )
    if method in of_folds:
        hint = f"{method} is for scores of folds: compare_folds(), likelier folds."
    return SettingError(error.message, hint=hint)


def posterior_method(
    method: str | PosteriorMethod, *, prior: str | None = None, strength: float = 1.0
) -> PosteriorMethod:
    """Return a method that has a posterior, or make the one of that name."""
    if hasattr(method, "draw_classes") or method == "hierarchical":
        message = "The method hierarchical must have classes to learn from each other."
        hint = "It belongs to compare_groups(), on the command line to --each-class."
        raise SettingError(message, hint=hint)
    result: PosteriorMethod = look_up_method(
        method,
        POSTERIOR_METHODS,
        others=NULL_METHODS,
        call="null_test",
        offers="posterior",
    )
    if prior is None and strength == 1:
        return result
    if method in ("paired", "unpaired"):
        return type(result)(prior, strength)  # type: ignore[call-arg]
    message = (
        "prior and strength must come with the method paired or unpaired, by name; "
        f"got {method!r}."
    )
    raise SettingError(message, hint="Other methods have settings of their own.")


def item_settings(
    table: Outcomes,
    metric: Metric,
    positive: str | None,
    method: Any,
    streams: Streams,
    *,
    draws: int,
    repetitions: int = 1,
    **settings: Any,
) -> Settings:
    """Record the settings of a question about items.

    Parameters
    ----------
    table, metric, positive, method
        The question; the table as the metric sees it.
    streams, draws
        Source of random numbers, and the number of draws; 0 for none.
    repetitions
        Number of times that every item was tested.
    **settings
        Further fields of `Settings`.
    """
    return Settings(
        metric=metric.name,
        positive=positive,
        higher_is_better=metric.higher_is_better,
        method=method.name,
        parameters=method.parameters(table),
        describe=getattr(method, "sentences", None),
        data=summarize(table, metric, repetitions=repetitions),
        draws=draws,
        seed=streams.seed if draws else None,
        **settings,
    )


def summarize(table: Outcomes, metric: Metric, *, repetitions: int = 1) -> DataSummary:
    """Sum up the data that an answer rests on."""
    return DataSummary(
        systems=table.systems,
        observed=tuple(float(value) for value in metric.observed(table)),
        items=table.n_items,
        units=table.n_units,
        patterns=table.n_patterns,
        unit=table.unit,
        # Counts of folds are not counts of items.
        repetitions=1 if table.unit == "folds" else repetitions,
        digest=table.digest,
        source=table.source,
    )


def item_findings(
    counted: Outcomes, table: Outcomes, metric: Metric, *further: Finding | None
) -> tuple[Finding, ...]:
    """Run the checks on the data as counted and as the metric sees them."""
    findings = (
        data_checks.few_units(table),
        data_checks.unequal_clusters(table),
        data_checks.undefined(table, metric),
        data_checks.identical(counted),
        data_checks.equals_gold(counted),
        data_checks.certain_and_wrong(table, metric),
        data_checks.never_gold(counted),
        data_checks.one_gold_class(counted),
        data_checks.small_classes(table, metric),
        data_checks.few_scores(table),
        *further,
    )
    return (*counted.findings, *drop_none(findings))


def drop_none(findings: Sequence[Finding | None]) -> tuple[Finding, ...]:
    """Leave out the checks without a finding."""
    return tuple(finding for finding in findings if finding is not None)
