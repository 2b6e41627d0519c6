"""Folds of a study: finished, failed, and summed up by system and data set."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from likelier.formatting import plain


@dataclass(frozen=True)
class FoldRow:
    """One system on one fold: its metrics, and how long it took.

    Attributes
    ----------
    dataset, system, repetition, fold
        Which fold of which system.
    values
        The metrics by name; None where a fold has nothing to count.
    fit_seconds, predict_seconds
        How long learning and predicting took.
    """

    dataset: str
    system: str
    repetition: int
    fold: int
    values: Mapping[str, float | None]
    fit_seconds: float
    predict_seconds: float

    def __str__(self) -> str:
        turn = f"repetition {self.repetition}, fold {self.fold}"
        return plain(f"{self.system} on {self.dataset}, {turn}")

    def to_dict(self, *, timings: bool = False) -> dict[str, Any]:
        """Give the fold as it stands in the JSON."""
        document = {
            "dataset": self.dataset,
            "system": self.system,
            "repetition": self.repetition,
            "fold": self.fold,
            "values": dict(self.values),
        }
        if timings:
            document["fit_seconds"] = self.fit_seconds
            document["predict_seconds"] = self.predict_seconds
        return document


@dataclass(frozen=True)
class FailedFold:
    """A fold that failed in its last run.

    Attributes
    ----------
    dataset, system, repetition, fold
        Which fold of which system.
    error
        What went wrong, in a line.
    details
        All that Python said of it.
    """

    dataset: str
    system: str
    repetition: int
    fold: int
    error: str
    details: str = field(default="", repr=False)

    def __str__(self) -> str:
        where = f"{self.system} on {self.dataset}"
        return plain(
            f"{where}, repetition {self.repetition}, fold {self.fold}: {self.error}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the failure as it stands in the JSON."""
        return {
            "dataset": self.dataset,
            "system": self.system,
            "repetition": self.repetition,
            "fold": self.fold,
            "error": self.error,
        }


@dataclass(frozen=True)
class Tally:
    """One system on one data set: its folds, and the means over those finished."""

    dataset: str
    system: str
    planned: int
    finished: int
    failed: int
    means: Mapping[str, float]
    fit_seconds: float
    predict_seconds: float

    def to_dict(self, *, timings: bool = False) -> dict[str, Any]:
        """Return the row as in the JSON, with seconds where they are asked for."""
        document = {
            "dataset": self.dataset,
            "system": self.system,
            "planned": self.planned,
            "finished": self.finished,
            "failed": self.failed,
            "means": {name: _number(mean) for name, mean in self.means.items()},
        }
        if timings:
            document["fit_seconds"] = _number(self.fit_seconds)
            document["predict_seconds"] = _number(self.predict_seconds)
        return document


def _number(value: float) -> float | None:
    return None if isnan(value) else value
