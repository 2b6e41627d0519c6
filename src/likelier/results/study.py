"""What came of a study: its folds, what was found, and what went wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from likelier import wording
from likelier.errors import plain, unknown_name
from likelier.findings import Finding
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.comparison import Comparison
from likelier.results.export import Backend, table_frame
from likelier.results.pairs import Pairs
from likelier.results.paragraph import Cited, Said
from likelier.results.question import SCHEMA
from likelier.results.reporting import Reported
from likelier.results.said.many import study_said

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Answer = Comparison | Pairs

_MOST_FAILURES = 10


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
        told = {
            "dataset": self.dataset,
            "system": self.system,
            "repetition": self.repetition,
            "fold": self.fold,
            "values": dict(self.values),
        }
        if timings:
            told["fit_seconds"] = self.fit_seconds
            told["predict_seconds"] = self.predict_seconds
        return told


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


@dataclass(frozen=True, eq=False)
class StudyReport(Cited, Reported):
    """A study as far as it was run.

    Attributes
    ----------
    name
        What the study is called.
    systems, datasets, metrics
        Their names; the first system is the baseline.
    design
        How the items were split.
    seed
        The seed of systems and draws.
    planned
        How many folds each system has on each data set.
    folds
        The finished folds.
    failures
        Folds that failed in their last run.
    answers
        What was found: for each metric a comparison, or the comparisons with the
        baseline, or all pairs; none where folds are missing.
    remarks
        Findings about the study itself.
    digest
        A hash of all stored results.
    versions
        The versions of Python and of packages that folds were run with, by name.
    """

    name: str
    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    metrics: tuple[str, ...]
    design: str
    seed: int
    planned: int
    folds: tuple[FoldRow, ...]
    failures: tuple[FailedFold, ...]
    answers: tuple[Answer, ...]
    remarks: tuple[Finding, ...]
    digest: str
    versions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many folds there are to run in all."""
        return self.planned * len(self.systems) * len(self.datasets)

    @property
    def finished(self) -> bool:
        """Whether every fold of every system is there."""
        return len(self.folds) == self.total

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """One row for each system on each data set."""
        return tuple(
            self._tally(dataset, system)
            for dataset in self.datasets
            for system in self.systems
        )

    def _tally(self, dataset: str, system: str) -> Tally:
        place = (dataset, system)
        rows = [row for row in self.folds if (row.dataset, row.system) == place]
        failed = [f for f in self.failures if (f.dataset, f.system) == place]

        def mean(values: list[float | None]) -> float:
            known = [value for value in values if value is not None]
            return float(np.mean(known)) if known else float("nan")

        means = {m: mean([row.values[m] for row in rows]) for m in self.metrics}
        fit = mean([row.fit_seconds for row in rows])
        predict = mean([row.predict_seconds for row in rows])
        counts = (self.planned, len(rows), len(failed))
        return Tally(dataset, system, *counts, means, fit, predict)

    def answer(self, metric: str, candidate: str | None = None) -> Answer:
        """Give what was found on a metric, for a candidate where there are several."""
        known = (metric, f"micro_{metric}")
        found = [part for part in self.answers if _metric_of(part) in known]
        if not found:
            names = set(map(_metric_of, self.answers))
            raise unknown_name(metric, names, kind="metric")
        if candidate is None:
            return found[0]
        by_name = {_candidate(part): part for part in found}
        if candidate not in by_name:
            raise unknown_name(candidate, by_name, kind="candidate")
        return by_name[candidate]

    def __repr__(self) -> str:
        return f"<StudyReport {self.sentence()}>"

    def progress(self) -> str:
        """Say how far the study is."""
        failed = f", {len(self.failures):,} failed" if self.failures else ""
        return f"{len(self.folds):,} of {self.total:,} folds finished{failed}"

    def sentence(self) -> str:
        """Say what was found, or how far the study is."""
        if not self.answers:
            return f"{plain(self.name)}: {self.progress()}"
        return "; ".join(found.sentence() for found in self.answers)

    def detail_lines(self) -> list[str]:
        """Say what the study is, and what went wrong."""
        sets = wording.counted(len(self.datasets), "data set")
        rest = len(self.failures) - _MOST_FAILURES
        return [
            f"{plain(self.name)}: {plain(self.design)}, {sets}, {self.progress()}",
            *self._missing_lines(),
            *(f"failed: {failure}" for failure in self.failures[:_MOST_FAILURES]),
            *([] if rest <= 0 else [f"and {rest:,} more failures"]),
        ]

    def _missing_lines(self) -> list[str]:
        """Say why there is no comparison, and between whom there could be one."""
        if self.finished or len(self.systems) < 2:
            return []
        lacking = {t.system for t in self.tallies if t.finished < t.planned}
        whole = [plain(name) for name in self.systems if name not in lacking]
        told = ", ".join(plain(name) for name in self.systems if name in lacking)
        lines = [f"no comparison: folds of {told} are missing"]
        if len(whole) > 1:
            lines.append(
                f"finished systems can be compared: --systems {','.join(whole)}"
            )
        return lines

    def to_dict(self, *, timings: bool = False) -> dict[str, Any]:
        """Give the documented JSON of the study.

        Parameters
        ----------
        timings
            Whether to tell how long the folds took; these numbers are never the same.
        """
        return {
            "schema": SCHEMA,
            "kind": "study",
            "name": self.name,
            "systems": list(self.systems),
            "datasets": list(self.datasets),
            "metrics": list(self.metrics),
            "design": self.design,
            "seed": self.seed,
            "versions": {name: list(found) for name, found in self.versions.items()},
            "planned": self.total,
            "finished": len(self.folds),
            "answers": [found.to_dict() for found in self.answers],
            "folds": [row.to_dict(timings=timings) for row in self.folds],
            "failures": [failure.to_dict() for failure in self.failures],
            "recipe": str(self.recipe),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    @property
    def recipe(self) -> Recipe:
        """One line that makes the same numbers again."""
        told = f"study {plain(self.name)}"
        draws = f"seed {self.seed}"
        return Recipe(told, plain(self.design), draws, f"sha {self.digest[:12]}")

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks of the checks, each once."""
        every = (f for found in self.answers for f in found.findings)
        return tuple(dict.fromkeys((*self.remarks, *every)))

    def frame(self, backend: Backend | None = None) -> Any:
        """Give a long table, one row per fold, system and metric."""
        rows = [(row, metric) for row in self.folds for metric in self.metrics]
        columns: dict[str, list[Any]] = {
            "dataset": [row.dataset for row, _ in rows],
            "system": [row.system for row, _ in rows],
            "run": [row.repetition for row, _ in rows],
            "fold": [row.fold for row, _ in rows],
            "metric": [metric for _, metric in rows],
            "score": [row.values[metric] for row, metric in rows],
            "fit_seconds": [row.fit_seconds for row, _ in rows],
            "predict_seconds": [row.predict_seconds for row, _ in rows],
        }
        return table_frame(columns, backend)

    def plot(self) -> "Figure":
        """Draw every answer, one below the other."""
        from likelier.plots.study import study

        return study(self)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return study_said(self)

    def _repr_html_(self) -> str:
        rows = [
            (
                f"{plain(tally.system)} on {plain(tally.dataset)}",
                f"{tally.finished} of {tally.planned}",
                *(_shown(tally.means[name]) for name in self.metrics),
            )
            for tally in self.tallies
        ]
        means = (f"mean {wording.metric_name(name)}" for name in self.metrics)
        return notebook.block(
            [
                *map(notebook.line, (self.sentence(), *self.detail_lines())),
                notebook.table(("system", "folds", *means), rows),
            ],
            self.recipe,
        )


def _shown(mean: float) -> str:
    return "-" if np.isnan(mean) else wording.number(mean, 4)


def _metric_of(found: Answer) -> str:
    first = found.comparisons[0] if isinstance(found, Pairs) else found
    return first.question.metric


def _candidate(found: Answer) -> str:
    return "" if isinstance(found, Pairs) else found.question.systems[1]
