"""Schedule of a study: its folds, what they depend on, and what is compared."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from likelier.designs import BlockedMx2, Design, Folds
from likelier.errors import LikelierError
from likelier.findings import Finding

if TYPE_CHECKING:
    from likelier.designs.design import Split
    from likelier.study.study_data import StudyData
    from likelier.study.systems import System

FORMAT = 4


class FoldKey(NamedTuple):
    """Data set, system, repetition and fold; the latter two count from 1."""

    dataset: str
    system: str
    repetition: int
    fold: int

    def __str__(self) -> str:
        fold = f"repetition {self.repetition}, fold {self.fold}"
        return f"{self.system} on {self.dataset}, {fold}"


class PlannedFold(NamedTuple):
    """Fold that a study needs, its fingerprint, and the parts of the fingerprint."""

    key: FoldKey
    fingerprint: str
    origin: dict[str, str]


@dataclass(frozen=True)
class Job:
    """One system on one fold, with all that a worker needs.

    Attributes
    ----------
    planned
        The fold, with the fingerprint that its system must have.
    system
        The system.
    train, test
        The items.
    packages
        The packages whose versions are noted.
    driver
        The process of the run.
    """

    planned: PlannedFold
    system: "System"
    train: "StudyData"
    test: "StudyData"
    packages: tuple[str, ...]
    driver: int = field(default_factory=os.getpid)

    @property
    def seed(self) -> int:
        """Seed of the fold, the same for all systems."""
        return int(self.planned.origin["seed"])


@dataclass(frozen=True)
class FoldResult:
    """Result of a fold: what the system predicted, or why it failed.

    Attributes
    ----------
    planned
        The fold.
    record
        Gold and predictions as bytes; None if the fold failed.
    fit_seconds, predict_seconds
        How long learning and predicting took.
    versions
        Of Python and of packages.
    error, details
        The error in a line, and all of it.
    """

    planned: PlannedFold
    record: bytes | None
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict)
    error: str = ""
    details: str = ""

    @property
    def seconds(self) -> float:
        """Time of the whole fold."""
        return self.fit_seconds + self.predict_seconds


@dataclass(frozen=True, eq=False)
class DataFolds:
    """Folds of one data set.

    Attributes
    ----------
    splits
        Positions of training and of test items, by repetition and fold.
    design
        The design in words.
    findings
        Remarks of the design.
    """

    splits: Mapping[tuple[int, int], "Split"]
    design: str
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, data: "StudyData", design: Design, name: str) -> "DataFolds":
        """Split the items of a data set."""
        try:
            return cls._split(data, design)
        except LikelierError as error:
            message = f"Data set {name!r}: {error.message}"
            raise type(error)(message, hint=error.hint) from error

    @classmethod
    def _split(cls, data: "StudyData", design: Any) -> "DataFolds":
        n, labels = len(data), data.classes()
        findings: tuple[Finding, ...] = ()
        if isinstance(design, BlockedMx2):
            units = data.bags() if design.units is None else None
            if design.stratify is False:
                units = data.units
            blocks = design.assign(n, labels, data.groups, units)
            splits, text = blocks.splits(), blocks.described()
            findings = blocks.findings()
        else:
            splits, text = design.split(n, labels, data.groups), design.described()
            if labels is None:
                text = text.replace(" stratified", " unstratified")
            if isinstance(design, Folds):
                findings = design.findings(n, labels)
        repetitions = getattr(design, "repeats", None) or getattr(design, "m", None)
        size = design.get_n_splits() // (repetitions or 1)
        numbered = {
            (index // size + 1, index % size + 1): (np.array(train), np.array(test))
            for index, (train, test) in enumerate(splits)
        }
        return cls(numbered, text, findings)


class ScheduledData(NamedTuple):
    """Facts about a data set that need no items."""

    scheme: str | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Schedule:
    """Everything about a study but its data and its code.

    Attributes
    ----------
    name
        Name of the study.
    seed
        The seed of systems and draws.
    task
        How predictions are counted.
    metrics, positive, rope, mass
        What is compared, and how.
    design
        The design in words.
    repetitions
        The repetitions of blocked m x 2; None for other designs.
    test_share
        Share of the items that each fold tests.
    datasets
        Data sets by name.
    systems
        Names of systems, the baseline first, with the scheme of each that has its own.
    folds
        All folds of all systems.
    """

    name: str
    seed: int
    task: str
    metrics: tuple[str, ...]
    positive: str | None
    rope: tuple[float, float] | None
    mass: float
    design: str
    repetitions: int | None
    test_share: float
    datasets: Mapping[str, ScheduledData]
    systems: Mapping[str, str | None]
    folds: tuple[PlannedFold, ...]

    def to_json(self) -> str:
        """Write the schedule as JSON."""
        return json.dumps({"format": FORMAT} | asdict(self))
