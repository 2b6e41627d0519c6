"""From the stored folds of a study to what they say, by the method that fits."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
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
from likelier.study.checking import metric_names
from likelier.study.collected import Collected, fold_scores
from likelier.study.plan import Plan
from likelier.study.running import Watcher, run_folds
from likelier.study.store import Store
from likelier.study.studies import Study


@dataclass(frozen=True)
class _Question:
    """How stored folds are compared, where not as the plan says."""

    method: str | None
    rule: str | None
    draws: int | None
    pairs: bool


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
        In place of the study's own.
    systems, datasets
        Which of them; all by default.
    method
        In place of the method that fits: paired or independent for items, and
        correlated-t, hierarchical, signed-rank or sign for scores of folds.
    rule
        The rule of the verdict.
    draws
        How many draws.
    pairs
        Whether items are compared for all pairs of systems, and not only for each
        candidate with the baseline; scores of folds always are.
    """
    with Store(Path(store), readonly=True) as kept:
        collected = Collected.of(kept)
    plan = _changed(
        collected.plan,
        metrics=metrics,
        positive=positive,
        rope=rope,
        mass=mass,
        seed=seed,
        systems=systems,
        datasets=datasets,
    )
    collected = replace(collected, plan=plan)
    rows = tuple(collected.rows(plan.metrics))
    question = _Question(method, rule, draws, pairs)
    answers = tuple(_answers(collected, rows, question))
    remarks = tuple(_remarks(collected, rows))
    every = (finding for answer in answers for finding in answer.findings)
    names = tuple(part.name for part in plan.systems)
    data = DataSummary(
        systems=names,
        observed=(),
        items=len(rows),
        units=len(plan.datasets),
        patterns=len(rows),
        unit="folds",
        data_sets=len(plan.datasets),
        digest=collected.digest,
    )
    settings = Settings(
        metric=", ".join(plan.metrics),
        positive=None,
        method=plan.design,
        parameters={},
        data=data,
        seed=plan.seed,
        options={"study": plan.name},
    )
    return StudyReport(
        settings=settings,
        findings=tuple(dict.fromkeys((*remarks, *every))),
        name=plan.name,
        systems=names,
        datasets=tuple(part.name for part in plan.datasets),
        metrics=plan.metrics,
        planned=len(plan.folds) // (len(plan.systems) * len(plan.datasets)),
        folds=rows,
        failures=collected.failed(),
        results=answers,
        remarks=remarks,
        versions=_versions(collected),
    )


def run(
    study: Study,
    store: str | PathLike[str],
    *,
    workers: int | None = None,
    engine: str | None = None,
    watcher: Watcher | None = None,
) -> StudyReport:
    """Run what is left of a study, store every fold, and say what they show.

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
        Who is told how it goes.
    """
    run_folds(study, store, workers=workers, engine=engine, watcher=watcher)
    return read_study(store)


def _changed(
    plan: Plan,
    *,
    metrics: Sequence[str] | None,
    positive: str | None,
    rope: RopeLike,
    mass: float | None,
    seed: int | None,
    systems: Sequence[str] | None,
    datasets: Sequence[str] | None,
) -> Plan:
    """Put what is asked in place of what the plan says."""
    kept = _chosen([p.name for p in plan.systems], systems, kind="system")
    sets = _chosen([p.name for p in plan.datasets], datasets, kind="dataset")
    region = plan.rope
    if rope is not None:
        region = Rope.of(rope).low, Rope.of(rope).high
    by_name = {part.name: part for part in plan.systems}
    data_by_name = {part.name: part for part in plan.datasets}
    names = plan.metrics if metrics is None else metrics
    return replace(
        plan,
        metrics=metric_names(names, plan.datasets[0].task),
        positive=plan.positive if positive is None else positive,
        rope=region,
        mass=plan.mass if mass is None else mass,
        seed=plan.seed if seed is None else seed,
        systems=tuple(by_name[name] for name in kept),
        datasets=tuple(data_by_name[name] for name in sets),
        folds=tuple(
            planned
            for planned in plan.folds
            if planned.place.system in kept and planned.place.dataset in sets
        ),
    )


def _chosen(
    known: Sequence[str], wanted: Sequence[str] | None, *, kind: str
) -> list[str]:
    if wanted is None:
        return list(known)
    for name in wanted:
        if name not in known:
            raise unknown_name(name, known, kind=kind)
    if not wanted or len(set(wanted)) < len(wanted):
        message = f"Each {kind} must be named once; got {', '.join(wanted)}."
        raise SettingError(message)
    return list(wanted)


def _answers(
    collected: Collected, rows: Sequence[FoldRow], question: _Question
) -> Iterator[Answer]:
    plan = collected.plan
    systems = [part.name for part in plan.systems]
    finished = all(collected.complete(d.name, systems) for d in plan.datasets)
    if len(systems) < 2 or not finished:
        return
    for metric in plan.metrics:
        undefined = len(_undefined(rows, metric))
        if _by_items(plan, question.method) and undefined < len(rows):
            yield from _item_answers(collected, metric, question)
        elif not undefined:
            yield _score_answer(collected, rows, metric, question)


def _by_items(plan: Plan, method: str | None) -> bool:
    """Tell whether the items of all folds are compared, or the scores of folds."""
    single = len(plan.folds) == len(plan.systems)
    possible = len(plan.datasets) == 1 and (plan.repetitions is not None or single)
    if method in FOLD_METHODS:
        return False
    if method is not None and method not in POSTERIOR_METHODS:
        raise unknown_name(method, (*POSTERIOR_METHODS, *FOLD_METHODS), kind="method")
    if method is not None and not possible:
        message = (
            f"The method {method} must have one data set in m x 2 folds or in one "
            f"split; got {formatting.counted(len(plan.datasets), 'data set')}, "
            f"{plan.design}."
        )
        hint = f"Name one data set, or one of {', '.join(FOLD_METHODS)}."
        raise SettingError(message, hint=hint)
    return possible


def _item_answers(
    collected: Collected, metric: str, question: _Question
) -> Iterator[Answer]:
    """Compare on the items of all folds: with the baseline, or all pairs."""
    names = tuple(part.name for part in collected.plan.systems)
    if question.pairs and len(names) > 2:
        rule = question.rule or "hdi-rope"
        results = tuple(
            _item_answer(collected, metric, pair, replace(question, rule=rule))
            for pair in combinations(names, 2)
        )
        yield ranking_of(results, _all_systems(results, names, collected.digest))
        return
    for candidate in names[1:]:
        yield _item_answer(collected, metric, (names[0], candidate), question)


def _all_systems(
    results: Sequence[Comparison], names: tuple[str, ...], digest: str
) -> DataSummary:
    """Sum up the data of all pairs."""
    values = {
        name: value
        for result in results
        for name, value in zip(
            result.settings.systems, result.settings.data.observed, strict=True
        )
    }
    observed = tuple(values[name] for name in names)
    first = results[0].settings.data
    return replace(first, systems=names, observed=observed, digest=digest)


def _item_answer(
    collected: Collected, name: str, pair: tuple[str, str], question: _Question
) -> Comparison:
    plan = collected.plan
    table = collected.outcomes(plan.datasets[0].name, name, systems=pair)
    metric = collected.metric(name)
    settings: dict[str, Any] = {
        "metric": metric,
        "positive": plan.positive if metric.of_one_class else None,
        "rope": plan.rope,
        "method": question.method or "paired",
        "mass": plan.mass,
        "draws": question.draws,
        "seed": plan.seed,
    }
    if plan.repetitions is None:
        return compare(table, rule=question.rule or "hdi-rope", **settings)
    return compare_folds(
        table, repetitions=plan.repetitions, rule=question.rule, **settings
    )


def _score_answer(
    collected: Collected, rows: Sequence[FoldRow], metric: str, question: _Question
) -> Answer:
    plan = collected.plan
    names = [part.name for part in plan.systems]
    scores = fold_scores(plan, rows, metric, collected.metric(metric), names)
    ask: Callable[..., Answer] = compare_folds if len(names) == 2 else rank
    return ask(
        scores,
        rope=plan.rope,
        method=question.method,
        mass=plan.mass,
        rule=question.rule,
        draws=question.draws,
        seed=plan.seed,
    )


def _undefined(rows: Sequence[FoldRow], metric: str) -> list[FoldRow]:
    return [row for row in rows if row.values[metric] is None]


def _remarks(collected: Collected, rows: Sequence[FoldRow]) -> Iterator[Finding]:
    if collected.damaged:
        count = formatting.counted(collected.damaged, "stored fold")
        message = f"{count} without a matching checksum: left out; run the study again."
        yield Finding("LIK140", message, "problem")
    several = len(collected.plan.datasets) > 1
    for data in collected.plan.datasets:
        for finding in data.findings:
            where = f"{data.name}: " if several else ""
            yield replace(finding, message=f"{where}{finding.message}")
    for metric in collected.plan.metrics:
        without = _undefined(rows, metric)
        if without:
            folds = formatting.counted(len(without), "fold")
            message = f"{metric} is not defined on {folds}, such as {without[0]}."
            yield Finding("LIK142", message, "problem")
    mixed = [
        f"{package} ({', '.join(versions)})"
        for package, versions in _versions(collected).items()
        if len(versions) > 1
    ]
    if mixed:
        message = f"folds were run with different versions of {', '.join(mixed)}."
        yield Finding("LIK141", message, "problem")


def _versions(collected: Collected) -> dict[str, tuple[str, ...]]:
    """Give the versions that the folds of the plan were run with."""
    found: dict[str, set[str]] = {}
    for planned in collected.plan.folds:
        result = collected.results.get(planned.place)
        for package, version in ({} if result is None else result.versions).items():
            found.setdefault(package, set()).add(version)
    return {package: tuple(sorted(found[package])) for package in sorted(found)}
