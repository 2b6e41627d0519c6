"""The plan of a study: which folds there are, and what is asked of them."""

import json
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from likelier.errors import InputError
from likelier.findings import Finding

FORMAT = 2


class Place(NamedTuple):
    """Which data set, system, repetition and fold; the latter two count from 1."""

    dataset: str
    system: str
    repetition: int
    fold: int

    def __str__(self) -> str:
        turn = f"repetition {self.repetition}, fold {self.fold}"
        return f"{self.system} on {self.dataset}, {turn}"


class Planned(NamedTuple):
    """A fold that a study wants: its place, its key, and what the key is made of."""

    place: Place
    key: str
    origin: dict[str, str]


@dataclass(frozen=True)
class DataPlan:
    """What is known of a data set without its items."""

    name: str
    task: str
    items: int
    design: str
    scheme: str | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class SystemPlan:
    """What is known of a system without its code."""

    name: str
    scheme: str | None


@dataclass(frozen=True)
class Plan:
    """Everything about a study but its data and its code.

    Attributes
    ----------
    name
        What the study is called.
    seed
        The seed of systems and draws.
    metrics, positive, rope, mass
        What is to be compared, and how.
    design
        The design in words.
    repetitions
        The repetitions of blocked m x 2; None for other designs.
    test_share
        Which share of the items each fold tests.
    datasets, systems
        Their names and what else is known.
    folds
        All folds of all systems.
    """

    name: str
    seed: int
    metrics: tuple[str, ...]
    positive: str | None
    rope: tuple[float, float] | None
    mass: float
    design: str
    repetitions: int | None
    test_share: float
    datasets: tuple[DataPlan, ...]
    systems: tuple[SystemPlan, ...]
    folds: tuple[Planned, ...]

    def to_json(self) -> str:
        """Write the plan as JSON."""
        return json.dumps({"format": FORMAT} | asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """Read a plan."""
        told: dict[str, Any] = json.loads(text)
        if told.pop("format", None) != FORMAT:
            message = f"A plan must have the format {FORMAT}; this one has another."
            raise InputError(message, hint="Run the study again; results are kept.")
        sets = [
            DataPlan(**{**part, "findings": _findings(part["findings"])})
            for part in told.pop("datasets")
        ]
        return cls(
            **{
                **told,
                "metrics": tuple(told["metrics"]),
                "rope": None if told["rope"] is None else tuple(told["rope"]),
                "datasets": tuple(sets),
                "systems": tuple(SystemPlan(**part) for part in told["systems"]),
                "folds": tuple(
                    Planned(Place(*place), key, origin)
                    for place, key, origin in told["folds"]
                ),
            }
        )


def _findings(parts: list[dict[str, Any]]) -> tuple[Finding, ...]:
    return tuple(Finding(**part) for part in parts)
