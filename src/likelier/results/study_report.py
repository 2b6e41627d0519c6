"""StudyReport: the folds of a study, its answers, and what went wrong."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from likelier import formatting, metrics
from likelier.citations import Sentence
from likelier.data_frames import Backend, data_frame
from likelier.errors import unknown_name
from likelier.findings import Finding
from likelier.formatting import join_words, plain
from likelier.results.comparison import Comparison
from likelier.results.parts import Part, Picture, Summary, Table, columns
from likelier.results.ranking import Ranking
from likelier.results.result import Result
from likelier.results.result_list import ResultList
from likelier.results.screen_table import ScreenTable
from likelier.results.study_folds import FailedFold, FoldRow, Tally
from likelier.settings import Settings

Answer = Comparison | Ranking

_MOST_FAILURES = 10


@dataclass(frozen=True, eq=False, repr=False)
class StudyReport(Result):
    """A study as far as it was run.

    Attributes
    ----------
    settings, findings
        Design, seed and digest of all stored results; remarks of the checks.
    name
        Name of the study.
    systems, datasets, metrics
        Their names; the first system is the baseline.
    planned
        Number of folds that each system has on each data set.
    folds
        The finished folds.
    failures
        Folds that failed in their last run.
    results
        Answers: for each metric a comparison, or the comparisons with the baseline, or
        a ranking; none where folds are missing.
    remarks
        Findings about the study itself.
    versions
        Versions of Python and of packages that folds were run with, by name.
    """

    kind = "study"
    plural = "studies"

    settings: Settings
    findings: tuple[Finding, ...]
    name: str
    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    metrics: tuple[str, ...]
    planned: int
    folds: tuple[FoldRow, ...]
    failures: tuple[FailedFold, ...]
    results: tuple[Answer, ...]
    remarks: tuple[Finding, ...] = ()
    versions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def plot_kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the plots: of all answers, or those of the one there is."""
        own = self.results[0].plot_kinds if len(self.results) == 1 else ()
        return ("study", *own)

    @property
    def design(self) -> str:
        """How the items were split."""
        return self.settings.method

    @property
    def total(self) -> int:
        """Number of folds to run in all."""
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
        key = (dataset, system)
        rows = [row for row in self.folds if (row.dataset, row.system) == key]
        failed = [f for f in self.failures if (f.dataset, f.system) == key]
        means = {m: _mean([row.values[m] for row in rows]) for m in self.metrics}
        fit = _mean([row.fit_seconds for row in rows])
        predict = _mean([row.predict_seconds for row in rows])
        counts = (self.planned, len(rows), len(failed))
        return Tally(dataset, system, *counts, means, fit, predict)

    def answers(self) -> Sequence[Result]:
        """Return the results that a condition must hold for."""
        return tuple(part for answer in self.results for part in answer.comparisons)

    def members(self) -> Sequence[Result]:
        """Return the answers, which come before the folds."""
        return self.results

    def answer(self, metric: str, candidate: str | None = None) -> Answer:
        """Return the answer on a metric, for a candidate where there are several."""
        names = (metric, f"micro_{metric}")
        answers = [a for a in self.results if a.settings.metric in names]
        if not answers:
            metrics = {answer.settings.metric for answer in self.results}
            raise unknown_name(metric, metrics, kind="metric")
        if candidate is None:
            return answers[0]
        by_name = {answer.settings.systems[1]: answer for answer in answers}
        if candidate not in by_name:
            raise unknown_name(candidate, by_name, kind="candidate")
        return by_name[candidate]

    def progress(self) -> str:
        """Say how far the study is."""
        failed = f", {len(self.failures):,} failed" if self.failures else ""
        return f"{len(self.folds):,} of {self.total:,} folds finished{failed}"

    def sentence(self) -> str:
        """Say the answers, or how far the study is."""
        if not self.results:
            return f"{plain(self.name)}: {self.progress()}"
        return "; ".join(answer.sentence() for answer in self.results)

    def title(self) -> str:
        """Say the answer above a page; of several, how many of each verdict."""
        if len(self.results) < 2:
            return self.sentence()
        return f"{plain(self.name)}: {ResultList(self.results).title()}"

    def main_lines(self) -> list[str]:
        """Say what the study is, and what went wrong."""
        return [self._study_line(), *self._missing_lines(), *self._failure_lines()]

    def _study_line(self) -> str:
        design = f"{plain(self.design)}, {self._sets()}"
        return f"{plain(self.name)}: {design}, {self.progress()}"

    def _sets(self) -> str:
        return formatting.counted(len(self.datasets), "data set")

    def _failure_lines(self) -> list[str]:
        rest = len(self.failures) - _MOST_FAILURES
        return [
            *(f"failed: {failure}" for failure in self.failures[:_MOST_FAILURES]),
            *([] if rest <= 0 else [f"and {rest:,} more failures"]),
        ]

    def summary(self) -> Summary:
        """Return what a page begins with: the answers, or how far the study is."""
        if not self.results:
            return Summary(
                (f"{plain(self.name)}: {self.progress()}",),
                context=f"{plain(self.design)} · {self._sets()}",
                findings=self.findings,
                lines=tuple(self._missing_lines()),
            )
        whole = ResultList(self.results).summary()
        lines = *whole.lines, self._study_line(), *self._missing_lines()
        return replace(whole, findings=self.findings, lines=lines)

    def body(self) -> Iterator[Part]:
        """Yield the answers, then folds, failures and timings, folded."""
        if self.results:
            yield from ResultList(self.results).body()
        for table in self.own_tables():
            yield replace(
                table,
                title="Folds and timings",
                lines=tuple(self._failure_lines()),
                folded=bool(self.results),
            )

    def brief(self) -> list[str]:
        """Say all answers, then what the study is."""
        return [*(answer.sentence() for answer in self.results), *self.lines()]

    def _missing_lines(self) -> list[str]:
        """Say why there is no comparison, and between whom there could be one."""
        if self.finished or len(self.systems) < 2:
            return []
        lacking = {t.system for t in self.tallies if t.finished < t.planned}
        names = ", ".join(plain(name) for name in self.systems if name in lacking)
        whole = [plain(name) for name in self.systems if name not in lacking]
        hint = f"finished systems can be compared: --systems {','.join(whole)}"
        missing = f"no comparison: folds of {names} are missing"
        return [missing, hint] if len(whole) > 1 else [missing]

    def recipes(self) -> list[str]:
        """Return the recipes of the study and of its answers, each once."""
        answers = (answer.recipe for answer in self.results)
        return list(dict.fromkeys([self.recipe, *answers]))

    def own_tables(self) -> list[Table]:
        """Return the systems' folds, means and times, data set by data set."""
        measured = (
            name if name.startswith("mean") else f"mean {name}"
            for name in map(_metric_name, self.metrics)
        )
        names = ("data set", "system", "folds", *measured, "fit", "predict")
        rows = []
        for tally in self.tallies:
            failed = f", {tally.failed} failed" if tally.failed else ""
            means = (tally.means[name] for name in self.metrics)
            seconds = (tally.fit_seconds, tally.predict_seconds)
            rows.append(
                (
                    plain(tally.dataset),
                    plain(tally.system),
                    f"{tally.finished} of {tally.planned}{failed}",
                    *("-" if np.isnan(x) else formatting.number(x, 4) for x in means),
                    *("-" if np.isnan(s) else f"{s:.2f} s" for s in seconds),
                )
            )
        heads = columns(*names, text=["data set", "system", "folds"])
        return [Table("All numbers", heads, tuple(rows))]

    def tables(self) -> list[Table]:
        """Return the systems' folds, then the tables of the answers."""
        answers = ResultList(self.results).tables() if self.results else []
        return [*self.own_tables(), *answers]

    def screen_tables(self) -> list[ScreenTable]:
        """Return the same with what a narrow screen may leave out."""
        answers = ResultList(self.results).screen_tables() if self.results else []
        return [*map(ScreenTable, self.own_tables()), *answers]

    def compared(self) -> list[tuple[str, Comparison]]:
        """Return the comparisons of all answers."""
        return [pair for answer in self.results for pair in answer.compared()]

    def pictures(self) -> list[Picture]:
        """Return the plots of all answers."""
        return [picture for answer in self.results for picture in answer.pictures()]

    def to_dict(self, *, details: bool = True, timings: bool = False) -> dict[str, Any]:
        """Return the documented JSON.

        Parameters
        ----------
        details
            Whether to add what is expensive: other tests of the same items.
        timings
            Whether to add how long the folds took; these numbers are never the same.
        """
        document = super().to_dict(details=details)
        return document | self._folds(timings=timings)

    def details(self) -> dict[str, Any]:
        """Return the answers with what other tests say, where they are few."""
        if not self.joint_details([self]):
            return {}
        return {"answers": [answer.to_dict() for answer in self.results]}

    def _folds(self, *, timings: bool) -> dict[str, Any]:
        return {
            "tallies": [tally.to_dict(timings=timings) for tally in self.tallies],
            "folds": [row.to_dict(timings=timings) for row in self.folds],
        }

    def numbers(self) -> dict[str, Any]:
        """Return answers and folds as in the JSON."""
        return {
            "name": self.name,
            "systems": list(self.systems),
            "datasets": list(self.datasets),
            "metrics": list(self.metrics),
            "metric": ", ".join(self.metrics),
            "design": self.design,
            "seed": self.settings.seed,
            "versions": {name: list(texts) for name, texts in self.versions.items()},
            "planned": self.total,
            "finished": len(self.folds),
            "answers": [answer.to_dict(details=False) for answer in self.results],
            **self._folds(timings=False),
            "failures": [failure.to_dict() for failure in self.failures],
        }

    def frame(self, backend: Backend | None = None) -> Any:
        """Return a long data frame, one row per fold, system and metric."""
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
        return data_frame(columns, backend)

    def sentences(self) -> list[Sentence]:
        """Return how the study was run, and then how its folds were compared."""
        names = join_words(map(plain, self.datasets))
        systems = join_words(map(plain, self.systems))
        measured = join_words(map(_metric_name, self.metrics))
        each = formatting.counted(self.planned, "fold")
        answers = [s for answer in self.results for s in answer.sentences()]
        return [
            Sentence(
                f"In the study {plain(self.name)} the systems {systems} were trained "
                f"and tested on {self._sets()} ({names}) by the design "
                f"{plain(self.design)}: {each} for each system and data set, "
                f"seed {self.settings.seed}; {self.progress()}"
            ),
            Sentence(f"The systems were measured by {measured}"),
            *self._version_sentence(),
            *(answers or [Sentence("No comparison was made")]),
        ]

    def _version_sentence(self) -> list[Sentence]:
        names = [
            f"{plain(name)} {' and '.join(map(plain, versions))}"
            for name, versions in self.versions.items()
        ]
        return [Sentence(f"Folds were run with {join_words(names)}")] if names else []


def _metric_name(name: str) -> str:
    direction = metrics.named(name).higher_is_better
    return formatting.metric_name(name, higher_is_better=direction)


def _mean(values: Sequence[float | None]) -> float:
    numbers = [value for value in values if value is not None]
    return float(np.mean(numbers)) if numbers else float("nan")
