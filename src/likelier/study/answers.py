"""From the stored folds of a study to what they say, by the method that fits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from likelier import wording
from likelier.asking import POSTERIOR_METHODS
from likelier.decision import Rope
from likelier.errors import SettingError, unknown_name
from likelier.findings import Finding
from likelier.questions import bayes_test, compare, compare_pairs, compare_scores
from likelier.questions.scores_comparing import SCORE_METHODS
from likelier.results import Answer, Comparison, FoldRow, Pairs, StudyReport
from likelier.results.order import all_pairs
from likelier.study.checking import metric_names
from likelier.study.collected import Collected, fold_scores
from likelier.study.plan import Plan
from likelier.study.running import Watcher, run_folds
from likelier.study.store import Store
from likelier.study.studies import Study


@dataclass(frozen=True)
class Wanted:
    """What to ask of a study, where not as its plan says.

    Attributes
    ----------
    metrics, positive, rope, mass, seed
        In place of the plan's.
    systems, datasets
        Which of them; all by default.
    method
        In place of the method that fits: paired or independent for items, and
        correlated-t, hierarchical, signed-rank or sign for scores of folds.
    rule
        The rule of the verdict.
    pairs
        Whether items are compared for all pairs of systems, and not only for each
        candidate with the baseline; scores of folds always are.
    draws
        How many draws.
    """

    metrics: Sequence[str] | None = None
    positive: str | None = None
    rope: float | Sequence[float] | Rope | None = None
    mass: float | None = None
    systems: Sequence[str] | None = None
    datasets: Sequence[str] | None = None
    method: str | None = None
    rule: str | None = None
    draws: int | None = None
    seed: int | None = None
    pairs: bool = False


def read_study(
    store: str | PathLike[str], *, wanted: Wanted | None = None
) -> StudyReport:
    """Say what the stored folds of a study show; nothing is run.

    Parameters
    ----------
    store
        The file that `run` or ``likelier run`` made.
    wanted
        What to ask, where not as the study says.
    """
    asked = wanted or Wanted()
    with Store(Path(store), readonly=True) as kept:
        collected = Collected.of(kept)
    plan = _changed(collected.plan, asked)
    collected = replace(collected, plan=plan)
    rows = tuple(collected.rows(plan.metrics))
    answers = tuple(_answers(collected, rows, asked))
    return StudyReport(
        name=plan.name,
        systems=tuple(part.name for part in plan.systems),
        datasets=tuple(part.name for part in plan.datasets),
        metrics=plan.metrics,
        design=plan.design,
        seed=plan.seed,
        planned=len(plan.folds) // (len(plan.systems) * len(plan.datasets)),
        folds=rows,
        failures=collected.failed(),
        answers=answers,
        remarks=tuple(_remarks(collected, rows)),
        digest=collected.digest,
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


def _changed(plan: Plan, asked: Wanted) -> Plan:
    """Put what is asked in place of what the plan says."""
    systems = _chosen([p.name for p in plan.systems], asked.systems, kind="system")
    sets = _chosen([p.name for p in plan.datasets], asked.datasets, kind="dataset")
    rope = plan.rope
    if asked.rope is not None:
        given = Rope.of(asked.rope)
        rope = given.low, given.high
    by_name = {part.name: part for part in plan.systems}
    data_by_name = {part.name: part for part in plan.datasets}
    names = plan.metrics if asked.metrics is None else asked.metrics
    return replace(
        plan,
        metrics=metric_names(names, plan.datasets[0].task),
        positive=plan.positive if asked.positive is None else asked.positive,
        rope=rope,
        mass=plan.mass if asked.mass is None else asked.mass,
        seed=plan.seed if asked.seed is None else asked.seed,
        systems=tuple(by_name[name] for name in systems),
        datasets=tuple(data_by_name[name] for name in sets),
        folds=tuple(
            planned
            for planned in plan.folds
            if planned.place.system in systems and planned.place.dataset in sets
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
    collected: Collected, rows: Sequence[FoldRow], asked: Wanted
) -> Iterator[Answer]:
    plan = collected.plan
    systems = [part.name for part in plan.systems]
    finished = all(collected.complete(d.name, systems) for d in plan.datasets)
    if len(systems) < 2 or not finished:
        return
    for metric in plan.metrics:
        undefined = len(_undefined(rows, metric))
        if _by_items(plan, asked.method) and undefined < len(rows):
            yield from _item_answers(collected, metric, asked)
        elif not undefined:
            yield _score_answer(collected, rows, metric, asked)


def _by_items(plan: Plan, method: str | None) -> bool:
    """Tell whether the items of all folds are compared, or the scores of folds."""
    single = len(plan.folds) == len(plan.systems)
    possible = len(plan.datasets) == 1 and (plan.repetitions is not None or single)
    if method in SCORE_METHODS:
        return False
    if method is not None and method not in POSTERIOR_METHODS:
        raise unknown_name(method, (*POSTERIOR_METHODS, *SCORE_METHODS), kind="method")
    if method is not None and not possible:
        message = (
            f"The method {method} must have one data set in m x 2 folds or in one "
            f"split; got {wording.counted(len(plan.datasets), 'data set')}, "
            f"{plan.design}."
        )
        hint = f"Name one data set, or one of {', '.join(SCORE_METHODS)}."
        raise SettingError(message, hint=hint)
    return possible


def _item_answers(collected: Collected, metric: str, asked: Wanted) -> Iterator[Answer]:
    """Compare on the items of all folds: with the baseline, or all pairs."""
    names = tuple(part.name for part in collected.plan.systems)
    if asked.pairs and len(names) > 2:
        way = replace(asked, rule=asked.rule or "hdi-rope")
        found = tuple(
            _item_answer(collected, metric, pair, way) for pair in all_pairs(names)
        )
        yield Pairs(names, found, digest=collected.digest)
        return
    for candidate in names[1:]:
        yield _item_answer(collected, metric, (names[0], candidate), asked)


def _item_answer(
    collected: Collected, name: str, pair: tuple[str, str], asked: Wanted
) -> Comparison:
    plan = collected.plan
    table = collected.outcomes(plan.datasets[0].name, name, systems=pair)
    metric = collected.metric(name)
    method = asked.method or "paired"
    positive = plan.positive if metric.of_one_class else None
    if plan.repetitions is None:
        return compare(
            table,
            metric=metric,
            positive=positive,
            rope=plan.rope,
            method=method,
            mass=plan.mass,
            rule=asked.rule or "hdi-rope",
            draws=asked.draws,
            seed=plan.seed,
        )
    return bayes_test(
        table,
        metric=metric,
        positive=positive,
        rope=plan.rope,
        method=method,
        repetitions=plan.repetitions,
        mass=plan.mass,
        rule=asked.rule or "bayes-test",
        draws=asked.draws,
        seed=plan.seed,
    )


def _score_answer(
    collected: Collected, rows: Sequence[FoldRow], metric: str, asked: Wanted
) -> Answer:
    plan = collected.plan
    names = [part.name for part in plan.systems]
    scores = fold_scores(plan, rows, metric, collected.metric(metric), names)
    ask = compare_scores if len(names) == 2 else compare_pairs
    return ask(
        scores,
        rope=plan.rope,
        method=asked.method,
        mass=plan.mass,
        rule=asked.rule,
        draws=asked.draws,
        seed=plan.seed,
    )


def _undefined(rows: Sequence[FoldRow], metric: str) -> list[FoldRow]:
    return [row for row in rows if row.values[metric] is None]


def _remarks(collected: Collected, rows: Sequence[FoldRow]) -> Iterator[Finding]:
    if collected.damaged:
        count = wording.counted(collected.damaged, "stored fold")
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
            folds = wording.counted(len(without), "fold")
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
