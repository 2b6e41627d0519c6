"""Answers of a study: stored folds compared by the method that fits."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Any

from likelier import formatting
from likelier._compare import compare
from likelier._fold_scores import FOLD_METHODS
from likelier._folds import compare_folds
from likelier._inputs import POSTERIOR_METHODS, RopeLike
from likelier._rank import rank, ranking_of
from likelier.errors import SettingError, unknown_name
from likelier.findings import Finding
from likelier.interval import Rope
from likelier.results.comparison import Comparison
from likelier.results.study_folds import FoldRow
from likelier.results.study_report import Answer, StudyReport
from likelier.settings import DataSummary, Settings
from likelier.study.definition import Study, check_metrics
from likelier.study.fold_results import FoldResults
from likelier.study.runner import Watcher, run_folds
from likelier.study.schedule import Schedule
from likelier.study.store import Store


def read_study(
    store: str | PathLike[str],
    *,
    metrics: Sequence[str] | None = None,
    positive: str | None = None,
    rope: RopeLike = None,
    mass: float | None = None,
    systems: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    method: str | None = None,
    rule: str | None = None,
    draws: int | None = None,
    seed: int | None = None,
    pairs: bool = False,
) -> StudyReport:
    """Compare the systems of a study by its stored folds; nothing is run.

    Parameters
    ----------
    store
        The file that `run` or ``likelier study run`` made.
    metrics, positive, rope, mass, seed
        Instead of the study's own.
    systems, datasets
        Some of them, by name; all by default.
    method
        Instead of the method that fits: paired or independent for items, and
        correlated-t, hierarchical, signed-rank or sign for scores of folds.
    rule
        The rule of the verdict.
    draws
        How many draws.
    pairs
        Whether items are compared for all pairs of systems, and not only for each
        candidate with the baseline; scores of folds always are.
    """
    with Store(Path(store), readonly=True) as opened:
        results = FoldResults.of(opened)
    changes: dict[str, Any] = {
        "metrics": metrics,
        "positive": positive,
        "rope": None if rope is None else (Rope.of(rope).low, Rope.of(rope).high),
        "mass": mass,
        "seed": seed,
    }
    schedule = replace(
        _select(results.schedule, systems, datasets),
        **{name: value for name, value in changes.items() if value is not None},
    )
    schedule = replace(schedule, metrics=check_metrics(schedule.metrics, schedule.task))
    results = replace(results, schedule=schedule)
    rows = tuple(results.rows(schedule.metrics))
    options = {"method": method, "rule": rule, "draws": draws}
    answers = tuple(_answers(results, rows, options, pairs=pairs))
    versions = _versions(results)
    remarks = tuple(_remarks(results, rows, versions))
    names, datasets = tuple(schedule.systems), tuple(schedule.datasets)
    data = DataSummary(
        systems=names,
        observed=(),
        items=len(rows),
        units=len(datasets),
        patterns=len(rows),
        unit="folds",
        data_sets=len(datasets),
        digest=results.digest,
    )
    settings = Settings(
        metric=", ".join(schedule.metrics),
        positive=None,
        method=schedule.design,
        parameters={},
        data=data,
        seed=schedule.seed,
        options={"study": schedule.name},
    )
    findings = (finding for answer in answers for finding in answer.findings)
    return StudyReport(
        settings=settings,
        findings=tuple(dict.fromkeys((*remarks, *findings))),
        name=schedule.name,
        systems=names,
        datasets=datasets,
        metrics=schedule.metrics,
        planned=len(schedule.folds) // (len(names) * len(datasets)),
        folds=rows,
        failures=results.failed_folds(),
        results=answers,
        remarks=remarks,
        versions=versions,
    )


def run(
    study: Study,
    store: str | PathLike[str],
    *,
    workers: int | None = None,
    engine: str | None = None,
    watcher: Watcher | None = None,
) -> StudyReport:
    """Run what is left of a study, store every fold, and compare the systems.

    What is stored is not run again; a fold that fails stops no other, and is tried
    again by the next run.

    Parameters
    ----------
    study
        What to run.
    store
        The file that keeps the results; it is made if it is missing.
    workers
        How many folds run at a time; by default one per core.
    engine
        Where: processes, threads, dask:ADDRESS, ray. By default what
        `joblib.parallel_config` says, and processes where it says nothing.
    watcher
        Hears how it goes.
    """
    run_folds(study, store, workers=workers, engine=engine, watcher=watcher)
    return read_study(store)


def _select(
    schedule: Schedule, systems: Sequence[str] | None, datasets: Sequence[str] | None
) -> Schedule:
    """Keep some of the systems and data sets, in their order."""
    for kind, names, existing in (
        ("system", systems, schedule.systems),
        ("dataset", datasets, schedule.datasets),
    ):
        for name in names or ():
            if name not in existing:
                raise unknown_name(name, existing, kind=kind)
        if names is not None and (not names or len(set(names)) < len(names)):
            message = f"Each {kind} must be named once; got {', '.join(names)}."
            raise SettingError(message)
    chosen = {name: schedule.systems[name] for name in systems or schedule.systems}
    data = {name: schedule.datasets[name] for name in datasets or schedule.datasets}
    folds = tuple(
        planned
        for planned in schedule.folds
        if planned.key.system in chosen and planned.key.dataset in data
    )
    return replace(schedule, systems=chosen, datasets=data, folds=folds)


def _answers(
    results: FoldResults,
    rows: Sequence[FoldRow],
    options: dict[str, Any],
    *,
    pairs: bool,
) -> Iterator[Answer]:
    schedule = results.schedule
    systems = tuple(schedule.systems)
    finished = all(results.complete(name, systems) for name in schedule.datasets)
    if len(systems) < 2 or not finished:
        return
    for metric in schedule.metrics:
        undefined = len(_undefined(rows, metric))
        if _by_items(schedule, options["method"]) and undefined < len(rows):
            yield from _item_answers(results, metric, options, pairs=pairs)
        elif not undefined:
            scores = results.scores(rows, metric)
            ask: Callable[..., Answer] = compare_folds if len(systems) == 2 else rank
            shared = {"rope": schedule.rope, "mass": schedule.mass}
            yield ask(scores, **shared, **options, seed=schedule.seed)


def _by_items(schedule: Schedule, method: str | None) -> bool:
    """Check whether the items of all folds are compared, or the scores of folds."""
    single = len(schedule.folds) == len(schedule.systems)
    one = len(schedule.datasets) == 1
    possible = one and (schedule.repetitions is not None or single)
    if method in FOLD_METHODS:
        return False
    if method is not None and method not in POSTERIOR_METHODS:
        raise unknown_name(method, (*POSTERIOR_METHODS, *FOLD_METHODS), kind="method")
    if method is not None and not possible:
        count = formatting.counted(len(schedule.datasets), "data set")
        message = (
            f"The method {method} must have one data set in m x 2 folds or in one "
            f"split; got {count}, {schedule.design}."
        )
        hint = f"Name one data set, or one of {', '.join(FOLD_METHODS)}."
        raise SettingError(message, hint=hint)
    return possible


def _item_answers(
    results: FoldResults, metric: str, options: dict[str, Any], *, pairs: bool
) -> Iterator[Answer]:
    """Compare on the items of all folds: with the baseline, or all pairs."""
    names = tuple(results.schedule.systems)
    if not pairs or len(names) == 2:
        for candidate in names[1:]:
            yield _item_answer(results, metric, (names[0], candidate), options)
        return
    options = options | {"rule": options["rule"] or "hdi-rope"}
    comparisons = tuple(
        _item_answer(results, metric, pair, options) for pair in combinations(names, 2)
    )
    values: dict[str, float] = {}
    for result in comparisons:
        data = result.settings.data
        values |= zip(data.systems, data.observed, strict=True)
    summary = replace(
        comparisons[0].settings.data,
        systems=names,
        observed=tuple(values[name] for name in names),
        digest=results.digest,
    )
    yield ranking_of(comparisons, summary)


def _item_answer(
    results: FoldResults, name: str, pair: tuple[str, str], options: dict[str, Any]
) -> Comparison:
    schedule = results.schedule
    table = results.outcomes(next(iter(schedule.datasets)), name, systems=pair)
    metric = results.metric(name)
    settings: dict[str, Any] = options | {
        "metric": metric,
        "positive": schedule.positive if metric.of_one_class else None,
        "rope": schedule.rope,
        "method": options["method"] or "paired",
        "mass": schedule.mass,
        "seed": schedule.seed,
    }
    if schedule.repetitions is None:
        return compare(table, **settings | {"rule": options["rule"] or "hdi-rope"})
    return compare_folds(table, repetitions=schedule.repetitions, **settings)


def _undefined(rows: Sequence[FoldRow], metric: str) -> list[FoldRow]:
    return [row for row in rows if row.values[metric] is None]


def _remarks(
    results: FoldResults,
    rows: Sequence[FoldRow],
    versions: dict[str, tuple[str, ...]],
) -> Iterator[Finding]:
    schedule = results.schedule
    if results.damaged:
        count = formatting.counted(results.damaged, "stored fold")
        message = f"{count} without a matching checksum: left out; run the study again."
        yield Finding("LIK140", message, "warning")
    for name, data in schedule.datasets.items():
        where = f"{name}: " if len(schedule.datasets) > 1 else ""
        for finding in data.findings:
            yield replace(finding, message=f"{where}{finding.message}")
    for metric in schedule.metrics:
        without = _undefined(rows, metric)
        if without:
            folds = formatting.counted(len(without), "fold")
            message = f"{metric} is not defined on {folds}, such as {without[0]}."
            yield Finding("LIK142", message, "warning")
    mixed = [
        f"{package} ({', '.join(numbers)})"
        for package, numbers in versions.items()
        if len(numbers) > 1
    ]
    if mixed:
        message = f"folds were run with different versions of {', '.join(mixed)}."
        yield Finding("LIK141", message, "warning")


def _versions(results: FoldResults) -> dict[str, tuple[str, ...]]:
    """Return the versions that the folds of the schedule were run with."""
    versions: dict[str, set[str]] = {}
    for planned in results.schedule.folds:
        if planned.key in results.results:
            for package, version in results.results[planned.key].versions.items():
                versions.setdefault(package, set()).add(version)
    return {package: tuple(sorted(versions[package])) for package in sorted(versions)}
