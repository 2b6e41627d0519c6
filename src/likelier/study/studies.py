"""A study: systems, data sets, a design, and what is to be compared."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from likelier import formatting
from likelier._typing import IntArray
from likelier.data.encoding import label_text
from likelier.data.tag_schemes import convert_tags
from likelier.designs import Design
from likelier.errors import SettingError
from likelier.formatting import listed, plain
from likelier.interval import Rope, checked_mass
from likelier.streams import as_seed
from likelier.study.checking import (
    check_positive,
    check_schemes,
    checked_names,
    metric_names,
)
from likelier.study.data import SEQUENCES, StudyData, as_study_data, taken
from likelier.study.dealing import Dealt, blocked_repetitions, deal
from likelier.study.digest import digest
from likelier.study.jobs import Job
from likelier.study.plan import DataPlan, Place, Plan, Planned, SystemPlan
from likelier.study.systems import as_system


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
        What the study is called.

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
        given = self.data if isinstance(self.data, Mapping) else {"data": self.data}
        if not isinstance(self.systems, Mapping):
            message = f"systems must be named; got {self.systems!r}."
            raise SettingError(message, hint='systems={"first": ..., "second": ...}')
        known = hasattr(self.design, "described") and hasattr(self.design, "split")
        if not known or isinstance(self.design, type):
            message = f"design must be one of likelier.designs; got {self.design!r}."
            raise SettingError(
                message, hint="design=likelier.designs.k_fold(10, seed=0)"
            )
        sets = {
            name: as_study_data(data) for name, data in checked_names(given, "data")
        }
        systems = {
            name: as_system(value).pinned()
            for name, value in checked_names(self.systems, "systems")
        }
        tasks = {data.task for data in sets.values()}
        if len(tasks) > 1:
            message = f"All data sets must have one task; got {listed(sorted(tasks))}."
            raise SettingError(message)
        task = tasks.pop()
        check_schemes(systems, task)
        seed = as_seed(self.seed)
        design: Any = self.design
        if not getattr(design, "seeded", True):
            # Dealt anew by every run otherwise, and nothing would be resumed.
            design = replace(design, seed=seed)
        told: dict[str, Any] = {
            "design": design,
            "datasets": sets,
            "systems": systems,
            "metrics": metric_names(self.metrics, task),
            "region": None if self.rope is None else Rope.of(self.rope),
            "mass": checked_mass(self.mass),
            "seed": seed,
            "positive": _positive_name(self.positive),
        }
        for name, value in told.items():
            object.__setattr__(self, name, value)
        for data in sets.values():
            check_positive(self.positive, told["metrics"], data)

    def __repr__(self) -> str:
        sets = formatting.counted(len(self.datasets), "data set")
        names = plain(", ".join(self.systems))
        return f"<Study of {names} on {sets}: {self.design.described()}>"

    @cached_property
    def dealt(self) -> dict[str, Dealt]:
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
        told = f"{self.seed} {place.repetition} {place.fold}"
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
            planned.origin["system"],
            translated(_part(data, fold.train), system.scheme),
            _part(data, fold.test),
            self._fold_seed(place),
            system.packages,
        )


def _positive_name(positive: object) -> str | None:
    if isinstance(positive, str | int | float | bool | np.generic | None):
        return None if positive is None else label_text(positive, "positive", 0)
    message = f"positive must be a label; got {positive!r}."
    raise SettingError(message)


def data_digest(data: StudyData) -> str:
    """Give the fingerprint of everything that systems see and are measured by."""
    return digest(
        data.inputs,
        data.gold,
        data.task,
        data.scheme,
        data.score,
        data.groups,
    )


def translated(data: StudyData, scheme: str | None) -> StudyData:
    """Write the gold tags of chunks in the scheme of a system."""
    if scheme is None or data.scheme is None or scheme == data.scheme:
        return data
    gold = [convert_tags(tags, data.scheme, scheme) for tags in data.gold]
    return replace(data, gold=gold, scheme=scheme)


def _part(data: StudyData, places: IntArray) -> StudyData:
    inputs, gold = taken(data.inputs, places), taken(data.gold, places)
    if data.task in SEQUENCES:
        # Systems may change their sequences; other folds must not see it.
        inputs, gold = ([list(part) for part in column] for column in (inputs, gold))
    return replace(
        data,
        inputs=inputs,
        gold=gold,
        groups=taken(data.groups, places),
        units=None,
    )
