"""Folds of a study: finished, failed, and summed up by system and data set."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from likelier.formatting import plain


@dataclass(frozen=True)
class StudyFold:
    """One fold of one system."""

    dataset: str
    system: str
    repetition: int
    fold: int

    def __str__(self) -> str:
        fold = f"repetition {self.repetition}, fold {self.fold}"
        return plain(f"{self.system} on {self.dataset}, {fold}")

    def key(self) -> dict[str, Any]:
        """Return the names and numbers of the fold as in the JSON."""
        return {
            "dataset": self.dataset,
            "system": self.system,
            "repetition": self.repetition,
            "fold": self.fold,
        }


@dataclass(frozen=True)
class FoldRow(StudyFold):
    """Finished fold: the system's metrics, and the time it took.

    Attributes
    ----------
    values
        Metrics by name; None where a fold has nothing to count.
    fit_seconds, predict_seconds
        Time that learning and predicting took.
    """

    values: Mapping[str, float | None]
    fit_seconds: float
    predict_seconds: float

    def to_dict(self, *, timings: bool = False) -> dict[str, Any]:
        """Return the fold as in the JSON, with its times if these are included."""
        document = {**self.key(), "values": dict(self.values)}
        if timings:
            document["fit_seconds"] = self.fit_seconds
            document["predict_seconds"] = self.predict_seconds
        return document


@dataclass(frozen=True)
class FailedFold(StudyFold):
    """Fold that failed in its last run.

    Attributes
    ----------
    error
        The error, in a line.
    details
        The whole traceback.
    """

    error: str
    details: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"{super().__str__()}: {plain(self.error)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the failure as in the JSON."""
        return {**self.key(), "error": self.error}


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
        """Return the row as in the JSON, with its times if these are included."""
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
