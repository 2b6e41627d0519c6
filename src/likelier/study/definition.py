"""Definition of a study: systems, data sets, a design, and what is compared."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from likelier import formatting, metrics
from likelier.data.encoding import label_text
from likelier.data.outcomes import Outcomes
from likelier.data.tag_schemes import convert_tags
from likelier.designs import BlockedMx2, Design
from likelier.errors import SettingError, unknown_name
from likelier.formatting import listed, plain
from likelier.interval import Rope, checked_mass
from likelier.metrics.positive import select_positive
from likelier.streams import as_seed
from likelier.study.fingerprints import digest
from likelier.study.schedule import (
    DataFolds,
    FoldKey,
    Job,
    PlannedFold,
    Schedule,
    ScheduledData,
)
from likelier.study.study_data import StudyData, as_study_data
from likelier.study.systems import System, as_system

TASK_METRICS = {
    "labels": ("accuracy",),
    "sets": ("f1",),
    "tags": ("token_accuracy", "sentence_accuracy", "oov_accuracy"),
    "chunks": ("f1", "precision", "recall"),
    "scores": ("mean",),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Study:
    """Systems that are trained and tested on the folds of data sets.

    Parameters
    ----------
    data
        One `StudyData`, or inputs and labels; or several of them by name.
    systems
        Systems by name, the baseline first: objects with fit and predict,
        ``module:object``, or `CommandSystem`.
    design
        How the items of each data set are split; by the study's seed, where the design
        has no seed of its own.
    metrics
        Names of metrics; by default those of the task.
    positive
        The positive class, for metrics of one class.
    rope
        The region of practical equivalence, in the unit of the metrics.
    mass
        The mass of intervals.
    seed
        The seed of systems and of draws; with None, another every time.
    name
        Name of the study.

    Examples
    --------
    >>> from likelier.designs import BlockedMx2
    >>> data = ["cheap pills", "see you", "buy now", "at noon"] * 4, list("shsh") * 4
    >>> systems = {"a": "sklearn.svm:LinearSVC", "b": "sklearn.svm:NuSVC"}
    >>> study = Study(data=data, systems=systems, design=BlockedMx2(3, seed=0), seed=0)
    >>> study
    <Study of a, b on 1 data set: 3x2 blocked stratified seed 0>
    """

    data: Any
    systems: Mapping[str, Any]
    design: Design
    metrics: Sequence[str] | str | None = None
    positive: Any = None
    rope: float | Sequence[float] | Rope | None = None
    mass: float = 0.95
    seed: int | None = 0
    name: str = "study"
    datasets: Mapping[str, StudyData] = field(init=False)
    region: Rope | None = field(init=False)

    def __post_init__(self) -> None:
        data = self.data if isinstance(self.data, Mapping) else {"data": self.data}
        if not isinstance(self.systems, Mapping):
            message = f"systems must be named; got {self.systems!r}."
            raise SettingError(message, hint='systems={"first": ..., "second": ...}')
        design: Any = self.design
        is_design = hasattr(design, "described") and hasattr(design, "split")
        if not is_design or isinstance(design, type):
            message = f"design must be one of likelier.designs; got {design!r}."
            raise SettingError(
                message, hint="design=likelier.designs.k_fold(10, seed=0)"
            )
        _check_names(data, "data")
        datasets = {str(name): as_study_data(part) for name, part in data.items()}
        _check_names(self.systems, "systems")
        systems = {
            str(name): as_system(value).pinned() for name, value in self.systems.items()
        }
        tasks = {part.task for part in datasets.values()}
        if len(tasks) > 1:
            message = f"All data sets must have one task; got {listed(sorted(tasks))}."
            raise SettingError(message)
        task = tasks.pop()
        _check_schemes(systems, task)
        seed = as_seed(self.seed)
        if not getattr(design, "seeded", True):
            # Split anew by every run otherwise, and nothing would be resumed.
            design = replace(design, seed=seed)
        names = check_metrics(self.metrics, task)
        settings: dict[str, Any] = {
            "design": design,
            "datasets": datasets,
            "systems": systems,
            "metrics": names,
            "region": None if self.rope is None else Rope.of(self.rope),
            "mass": checked_mass(self.mass),
            "seed": seed,
            "positive": _check_label(self.positive),
        }
        for name, value in settings.items():
            object.__setattr__(self, name, value)
        for part in datasets.values():
            _check_positive(self.positive, names, part)

    def __repr__(self) -> str:
        sets = formatting.counted(len(self.datasets), "data set")
        names = plain(", ".join(self.systems))
        return f"<Study of {names} on {sets}: {self.design.described()}>"

    @cached_property
    def folds(self) -> dict[str, DataFolds]:
        """Folds of each data set."""
        return {
            name: DataFolds.of(data, self.design, name)
            for name, data in self.datasets.items()
        }

    @cached_property
    def schedule(self) -> Schedule:
        """Everything but the data and the code: what is stored and read again."""
        design: Any = self.design
        return Schedule(
            name=self.name,
            seed=int(self.seed or 0),
            task=next(iter(self.datasets.values())).task,
            metrics=tuple(self.metrics or ()),
            positive=self.positive,
            rope=None if self.region is None else (self.region.low, self.region.high),
            mass=self.mass,
            design=next(iter(self.folds.values())).design,
            repetitions=int(design.m) if isinstance(design, BlockedMx2) else None,
            test_share=self.design.test_share,
            datasets={
                name: ScheduledData(data.scheme, self.folds[name].findings)
                for name, data in self.datasets.items()
            },
            systems={name: system.scheme for name, system in self.systems.items()},
            folds=tuple(self._planned_folds()),
        )

    def _planned_folds(self) -> Iterator[PlannedFold]:
        systems = {name: system.digest() for name, system in self.systems.items()}
        for dataset, folds in self.folds.items():
            data = self.datasets[dataset].digest()
            for number, split in folds.splits.items():
                positions, seed = digest(*split), self._fold_seed(*number)
                for system, fingerprint in systems.items():
                    origin = {
                        "data": data,
                        "folds": positions,
                        "system": fingerprint,
                        "seed": str(seed),
                    }
                    key = FoldKey(dataset, system, *number)
                    yield PlannedFold(key, digest(origin), origin)

    def _fold_seed(self, repetition: int, fold: int) -> int:
        """Return one seed for all systems of a fold, whatever else the study holds."""
        text = f"{self.seed} {repetition} {fold}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1

    def job(self, planned: PlannedFold) -> Job:
        """Return what a worker needs for one fold."""
        dataset, name, *number = planned.key
        data, system = self.datasets[dataset], self.systems[name]
        train, test = self.folds[dataset].splits[number[0], number[1]]
        items = _with_scheme(data.take(train), system.scheme)
        return Job(planned, system, items, data.take(test), system.packages)


def _with_scheme(data: StudyData, scheme: str | None) -> StudyData:
    """Write the gold tags of chunks in the scheme of a system."""
    if scheme is None or data.scheme is None or scheme == data.scheme:
        return data
    gold = [convert_tags(tags, data.scheme, scheme) for tags in data.gold]
    return replace(data, gold=gold, scheme=scheme)


def _check_label(positive: object) -> str | None:
    if isinstance(positive, str | int | float | bool | np.generic | None):
        return None if positive is None else label_text(positive, "positive", 0)
    message = f"positive must be a label; got {positive!r}."
    raise SettingError(message)


def _check_names(parts: Mapping[Any, Any], what: str) -> None:
    names = [str(name) for name in parts]
    if not names or len(set(names)) < len(names) or "" in names:
        message = f"{what} must have different names, at least one; got {names!r}."
        raise SettingError(message)
    for name in names:
        if name != name.encode(errors="replace").decode():
            message = f"{what} must have names of whole characters; got {name!r}."
            raise SettingError(message)


def _check_schemes(systems: Mapping[str, System], task: str) -> None:
    for name, system in systems.items():
        if system.scheme is not None and task != "chunks":
            message = f"scheme must come with chunks; {name!r} has one, for {task}."
            raise SettingError(message)


def _check_positive(
    positive: str | None, names: Sequence[str], data: StudyData
) -> None:
    """Check that the positive class is named where it must be, and occurs."""
    if data.task == "chunks" and positive is not None:
        types = data.class_names()
        if positive not in types:
            raise unknown_name(positive, types, kind="positive")
    if data.task != "labels":
        return
    classes = sorted(data.class_names())
    table = Outcomes.from_labels(classes, classes)
    for name in names:
        try:
            select_positive(table, metrics.named(name), positive)
        except SettingError as error:
            if positive is not None:
                raise
            hint = f'positive = "{classes[-1]}" in the study; or macro_{name}.'
            raise SettingError(error.message, hint=hint) from error


def check_metrics(names: Sequence[str] | str | None, task: str) -> tuple[str, ...]:
    """Check the names of metrics; without any, return those that fit a task."""
    if names is None or isinstance(names, str):
        names = TASK_METRICS[task] if names is None else (names,)
    if not isinstance(names, list | tuple) or not names:
        message = f"metrics must be a list of names, at least one; got {names!r}."
        raise SettingError(message)
    checked = tuple(str(name) for name in names)
    if len(set(checked)) < len(checked):
        message = f"metrics must be different; got {listed(checked)}."
        raise SettingError(message)
    for name in checked:
        _check_metric(name, task)
    return checked


def _check_metric(name: str, task: str) -> None:
    data = metrics.named(name).data
    if task == "tags" and name not in TASK_METRICS[task]:
        raise unknown_name(name, TASK_METRICS[task], kind="metric of tags")
    of_tags = task != "tags" and name in TASK_METRICS["tags"]
    if of_tags or data != ("scores" if task == "scores" else "labels"):
        kind = "tags" if of_tags else data
        message = f"{name} must have {kind}; the task is {task}."
        raise SettingError(message)
