"""A study: systems, data sets, a design, and what is to be compared."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier import metrics
from likelier.data import focused
from likelier.decision import Rope
from likelier.designs import BlockedMx2, Design, Folds
from likelier.designs.design import Split
from likelier.errors import LikelierError, SettingError, listed, plain, unknown_name
from likelier.findings import Finding
from likelier.interval import checked_mass
from likelier.outcomes import from_labels
from likelier.schemes import convert
from likelier.streams import as_seed
from likelier.study.data import StudyData, as_study_data, taken
from likelier.study.digest import digest
from likelier.study.jobs import Job
from likelier.study.plan import DataPlan, Place, Plan, Planned, SystemPlan
from likelier.study.systems import System, as_system

IntArray = NDArray[np.int64]

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
        ``module:object``, or `Command`.
    design
        How the items of each data set are split.
    metrics
        Names of metrics; by default those of the task.
    positive
        The positive class, for metrics of one class.
    rope
        The region of practical equivalence, in the unit of the metrics.
    mass
        The mass of intervals.
    seed
        The seed of systems and of draws.
    name
        What the study is called.

    Examples
    --------
    >>> from likelier.designs import BlockedMx2
    >>> data = ["cheap pills", "see you", "buy now", "at noon"] * 4, list("shsh") * 4
    >>> systems = {"a": "sklearn.svm:LinearSVC", "b": "sklearn.svm:NuSVC"}
    >>> study = Study(data=data, systems=systems, design=BlockedMx2(3, rng=0), seed=0)
    >>> study
    <Study of a, b on 1 data set: 3x2 blocked stratified seed 0>
    """

    data: Any
    systems: Mapping[str, Any]
    design: Design
    metrics: Sequence[str] | str | None = None
    positive: str | None = None
    rope: float | Sequence[float] | Rope | None = None
    mass: float = 0.95
    seed: int | None = None
    name: str = "study"
    datasets: Mapping[str, StudyData] = field(init=False)
    region: Rope | None = field(init=False)

    def __post_init__(self) -> None:
        given = self.data if isinstance(self.data, Mapping) else {"data": self.data}
        if not isinstance(self.systems, Mapping):
            message = f"systems must be named; got {self.systems!r}."
            raise SettingError(message, hint='systems={"first": ..., "second": ...}')
        if not hasattr(self.design, "described") or not hasattr(self.design, "split"):
            message = f"design must be one of likelier.designs; got {self.design!r}."
            raise SettingError(
                message, hint="design=likelier.designs.k_fold(10, rng=0)"
            )
        sets = {name: as_study_data(data) for name, data in named_parts(given, "data")}
        systems = {
            name: as_system(value).pinned()
            for name, value in named_parts(self.systems, "systems")
        }
        tasks = {data.task for data in sets.values()}
        if len(tasks) > 1:
            message = f"All data sets must have one task; got {listed(sorted(tasks))}."
            raise SettingError(message)
        task = tasks.pop()
        _check_schemes(systems, task)
        told: dict[str, Any] = {
            "datasets": sets,
            "systems": systems,
            "metrics": metric_names(self.metrics, task),
            "region": None if self.rope is None else Rope.of(self.rope),
            "mass": checked_mass(self.mass),
            "seed": as_seed(self.seed),
            "positive": None if self.positive is None else str(self.positive),
        }
        for name, value in told.items():
            object.__setattr__(self, name, value)
        for data in sets.values():
            _check_positive(self.positive, told["metrics"], data)

    def __repr__(self) -> str:
        count = len(self.datasets)
        sets = f"{count} data set{'s' * (count > 1)}"
        names = plain(", ".join(self.systems))
        return f"<Study of {names} on {sets}: {self.design.described()}>"

    @cached_property
    def dealt(self) -> dict[str, "Dealt"]:
        """The folds of each data set."""
        return {
            name: deal(data, self.design, name) for name, data in self.datasets.items()
        }

    @cached_property
    def _fingerprints(self) -> tuple[dict[str, str], dict[str, str]]:
        return (
            {name: data_digest(data) for name, data in self.datasets.items()},
            {name: system.digest() for name, system in self.systems.items()},
        )

    @cached_property
    def plan(self) -> Plan:
        """Everything but the data and the code: what is stored and shown."""
        return Plan(
            name=self.name,
            seed=int(self.seed or 0),
            metrics=tuple(self.metrics or ()),
            positive=self.positive,
            rope=None if self.region is None else (self.region.low, self.region.high),
            mass=self.mass,
            design=next(iter(self.dealt.values())).described,
            repetitions=blocked_repetitions(self.design),
            runs=repeats(self.design),
            test_share=self.design.test_share,
            datasets=tuple(self._data_plans()),
            systems=tuple(
                SystemPlan(name, system.scheme) for name, system in self.systems.items()
            ),
            folds=tuple(self._planned()),
        )

    def _data_plans(self) -> Iterator[DataPlan]:
        for name, data in self.datasets.items():
            dealt = self.dealt[name]
            yield DataPlan(
                name,
                data.task,
                len(data),
                dealt.described,
                data.scheme,
                dealt.findings,
            )

    def _planned(self) -> Iterator[Planned]:
        data_prints, system_prints = self._fingerprints
        for dataset, dealt in self.dealt.items():
            for fold in dealt.folds:
                for system, system_print in system_prints.items():
                    place = Place(dataset, system, fold.repetition, fold.number)
                    origin = {
                        "data": data_prints[dataset],
                        "folds": fold.digest,
                        "system": system_print,
                        "seed": str(self._fold_seed(place)),
                    }
                    yield Planned(place, digest(origin), origin)

    def _fold_seed(self, place: Place) -> int:
        """Give one seed to all systems of a fold, whatever else the study holds."""
        told = f"{self.seed} {place.dataset} {place.repetition} {place.fold}"
        return int.from_bytes(hashlib.sha256(told.encode()).digest()[:4], "big") >> 1

    def job(self, planned: Planned) -> Job:
        """Put together what a worker needs for one fold."""
        place = planned.place
        data, system = self.datasets[place.dataset], self.systems[place.system]
        fold = self.dealt[place.dataset].at(place)
        return Job(
            place,
            planned.key,
            system,
            translated(_part(data, fold.train), system.scheme),
            _part(data, fold.test),
            self._fold_seed(place),
            system.packages,
        )


@dataclass(frozen=True, eq=False)
class Fold:
    """The items of one fold, by their positions."""

    repetition: int
    number: int
    train: IntArray
    test: IntArray

    @cached_property
    def digest(self) -> str:
        """The fingerprint of the positions."""
        return digest(self.train, self.test)


@dataclass(frozen=True, eq=False)
class Dealt:
    """The folds of one data set, and how they came about."""

    folds: tuple[Fold, ...]
    described: str
    findings: tuple[Finding, ...]

    def at(self, place: Place) -> Fold:
        """Find a fold."""
        return next(
            fold
            for fold in self.folds
            if (fold.repetition, fold.number) == (place.repetition, place.fold)
        )


def deal(data: StudyData, design: Design, name: str) -> Dealt:
    """Split the items of a data set."""
    try:
        splits, described, found = _splits(data, design)
        count = folds_per_run(design)
        folds = tuple(
            Fold(place // count + 1, place % count + 1, np.array(train), np.array(test))
            for place, (train, test) in enumerate(splits)
        )
    except LikelierError as error:
        message = f"Data set {name!r}: {error.message}"
        raise type(error)(message, hint=error.hint) from error
    return Dealt(folds, described, found)


def _splits(
    data: StudyData, design: Design
) -> tuple[Iterator[Split], str, tuple[Finding, ...]]:
    n, y = len(data), data.classes()
    if isinstance(design, BlockedMx2):
        units = data.bags() if design.units is None else None
        if design.stratify is False:
            units = data.units
        dealt = design.assign(n, y, data.groups, units)
        return dealt.splits(), dealt.described(), dealt.findings()
    found = design.findings(n, y) if isinstance(design, Folds) else ()
    told = design.described()
    if y is None:
        told = told.replace(" stratified", " unstratified")
    return design.split(n, y, data.groups), told, found


def folds_per_run(design: Any) -> int:
    """Tell how many folds test every item once."""
    return int(design.get_n_splits()) // repeats(design)


def repeats(design: Any) -> int:
    """Tell how many times every item is tested."""
    counts = (getattr(design, name, None) for name in ("repeats", "m"))
    return next((int(count) for count in counts if count is not None), 1)


def blocked_repetitions(design: Any) -> int | None:
    """Tell the repetitions of m x 2, for the Bayes test; None for other designs."""
    return int(design.m) if isinstance(design, BlockedMx2) else None


def data_digest(data: StudyData) -> str:
    """Give the fingerprint of everything that systems see and are measured by."""
    return digest(
        data.inputs,
        data.gold,
        data.task,
        data.scheme,
        data.score,
    )


def translated(data: StudyData, scheme: str | None) -> StudyData:
    """Write the gold tags of chunks in the scheme of a system."""
    if scheme is None or data.scheme is None or scheme == data.scheme:
        return data
    gold = [convert(tags, data.scheme, scheme) for tags in data.gold]
    return replace(data, gold=gold, scheme=scheme)


def _part(data: StudyData, places: IntArray) -> StudyData:
    return replace(
        data,
        inputs=taken(data.inputs, places),
        gold=taken(data.gold, places),
        groups=taken(data.groups, places),
        units=None,
    )


def named_parts(given: Mapping[Any, Any], what: str) -> list[tuple[str, Any]]:
    """Check the names of data sets or systems."""
    names = [str(name) for name in given]
    if not names or len(set(names)) < len(names) or "" in names:
        message = f"{what} must have different names, at least one; got {names!r}."
        raise SettingError(message)
    for name in names:
        if not name.isascii() and name != name.encode(errors="replace").decode():
            message = f"{what} must have names of whole characters; got {name!r}."
            raise SettingError(message)
    return list(zip(names, given.values(), strict=True))


def _check_schemes(systems: Mapping[str, System], task: str) -> None:
    for name, system in systems.items():
        if system.scheme is not None and task != "chunks":
            message = f"scheme must come with chunks; {name!r} has one, for {task}."
            raise SettingError(message)


def _check_positive(
    positive: str | None, names: Sequence[str], data: StudyData
) -> None:
    """Refuse a positive class that is missing or unknown, before anything is run."""
    if data.task == "labels":
        known = sorted(data.class_names())
        table = from_labels(known, known)
        for name in names:
            focused(table, metrics.named(name), positive)
    elif data.task == "chunks" and positive is not None:
        known = sorted(data.class_names())
        if positive not in known:
            raise unknown_name(positive, known, kind="positive")


def metric_names(given: Sequence[str] | str | None, task: str) -> tuple[str, ...]:
    """Check the names of metrics; without any, give those that fit a task."""
    usual = TASK_METRICS[task]
    names = usual if given is None else ((given,) if isinstance(given, str) else given)
    if not isinstance(names, list | tuple) or not names:
        message = f"metrics must be a list of names, at least one; got {names!r}."
        raise SettingError(message)
    told = tuple(str(name) for name in names)
    if len(set(told)) < len(told):
        message = f"metrics must be different; got {listed(told)}."
        raise SettingError(message)
    for name in told:
        _check_metric(name, task)
    return told


def _check_metric(name: str, task: str) -> None:
    way = metrics.named(name)
    if task == "tags" and name not in TASK_METRICS[task]:
        raise unknown_name(name, TASK_METRICS[task], kind="metric of tags")
    of_tags = task != "tags" and name in TASK_METRICS["tags"]
    if of_tags or way.takes_scores != (task == "scores"):
        wanted = "tags" if of_tags else "scores" if way.takes_scores else "labels"
        message = f"{name} must have {wanted}; the task is {task}."
        raise SettingError(message)
