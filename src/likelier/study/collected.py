"""Stored folds put together again: outcomes of all systems, and scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from likelier import metrics
from likelier._inputs import select_positive
from likelier.data.outcomes import Outcomes
from likelier.data.scores import Scores
from likelier.errors import NotDefinedError, unknown_name
from likelier.metrics import Metric
from likelier.results.study_folds import FailedFold, FoldRow
from likelier.study.counting import Counting, clusters
from likelier.study.digest import digest
from likelier.study.plan import Place, Plan
from likelier.study.record import Record
from likelier.study.store import Failure, Result, Store

Turn = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Collected:
    """A plan, and the results that are stored for it.

    Attributes
    ----------
    plan
        What the study wants.
    results
        The finished folds.
    failures
        The folds that failed in their last run.
    damaged
        How many rows of the store did not match their checksum.
    """

    plan: Plan
    results: Mapping[Place, Result]
    failures: tuple[Failure, ...] = ()
    damaged: int = 0

    @classmethod
    def of(cls, store: Store) -> "Collected":
        """Read a store."""
        plan = store.plan()
        results, damaged = store.results(plan.folds)
        failures = [
            f for f in store.failures(plan.folds) if f.planned.place not in results
        ]
        return cls(plan, results, tuple(failures), damaged)

    @cached_property
    def records(self) -> dict[Place, Record]:
        """What the systems said, fold by fold."""
        return {
            place: Record.from_bytes(result.record)
            for place, result in self.results.items()
        }

    @property
    def digest(self) -> str:
        """A hash of everything the systems said, in the order of the plan."""
        told = [
            (str(p.place), p.key) for p in self.plan.folds if p.place in self.results
        ]
        return digest(
            told,
            [
                self.results[p.place].record
                for p in self.plan.folds
                if p.place in self.results
            ],
        )

    def turns(self, dataset: str) -> list[Turn]:
        """Give the repetitions and folds of a data set."""
        places = (planned.place for planned in self.plan.folds)
        found = {(p.repetition, p.fold): None for p in places if p.dataset == dataset}
        return list(found)

    def complete(self, dataset: str, systems: Sequence[str]) -> bool:
        """Tell whether some systems have all folds of a data set."""
        turns = self.turns(dataset)
        return all(
            Place(dataset, system, *turn) in self.results
            for system in systems
            for turn in turns
        )

    def outcomes(
        self,
        dataset: str,
        metric: str,
        *,
        systems: Sequence[str],
        turns: Sequence[Turn] | None = None,
        clustered: bool = True,
        known: str | None = None,
    ) -> Outcomes:
        """Count what systems said of the test items of folds.

        Parameters
        ----------
        dataset
            Which data set.
        metric
            What will be asked; tags are counted by tokens, sentences or unseen tokens.
        systems
            Which systems, the baseline first.
        turns
            Which repetitions and folds; all by default.
        clustered
            Whether groups of items are clusters, where there are any.
        known
            A class that counts even where it does not occur.
        """
        wanted = self.turns(dataset) if turns is None else turns
        rows = [
            [self.records[Place(dataset, system, *turn)] for turn in wanted]
            for system in systems
        ]
        data = next(part for part in self.plan.datasets if part.name == dataset)
        schemes = {part.name: part.scheme for part in self.plan.systems}
        asked = Counting(
            data,
            metric,
            tuple(systems),
            tuple(schemes[name] for name in systems),
            clusters(rows[0]) if clustered else None,
            known,
        )
        return asked.counted(rows)

    def value(self, place: Place, metric: str) -> float | None:
        """Give a metric of one system on one fold; None where it is not defined."""
        turns = [(place.repetition, place.fold)]
        way, wanted = self.metric(metric), self.plan.positive
        of_class = wanted if way.of_one_class else None
        if of_class is not None and of_class not in self._classes:
            raise unknown_name(of_class, self._classes, kind="positive")
        try:
            table = self.outcomes(
                place.dataset,
                metric,
                systems=[place.system],
                turns=turns,
                clustered=False,
                known=of_class,
            )
        except NotDefinedError:
            return None
        if of_class is not None and of_class not in table.classes:
            # No chunk of the type in this fold, right or wrong: 0/0 counts as 0.
            return 0.0
        kept, _ = select_positive(table, way, of_class)
        return float(way.observed(kept)[0])

    @cached_property
    def _classes(self) -> list[str]:
        """All classes of all records."""
        return sorted({c for record in self.records.values() for c in record.classes})

    def metric(self, name: str) -> Metric:
        """Give a metric; classes are pooled where items have many and none is named."""
        way = metrics.named(name)
        many = self.plan.datasets[0].task in ("chunks", "sets")
        if many and way.of_one_class and self.plan.positive is None:
            return metrics.averaged(way, "micro")
        return way

    def rows(self, metric_names: Sequence[str]) -> Iterator[FoldRow]:
        """Give the finished folds with their metrics, in the order of the plan."""
        for planned in self.plan.folds:
            result = self.results.get(planned.place)
            if result is None:
                continue
            values = {name: self.value(planned.place, name) for name in metric_names}
            seconds = result.fit_seconds, result.predict_seconds
            yield FoldRow(*planned.place, values, *seconds)

    def failed(self) -> tuple[FailedFold, ...]:
        """Give the folds that failed."""
        wanted = {planned.place for planned in self.plan.folds}
        return tuple(
            FailedFold(*failure.planned.place, failure.error, failure.details)
            for failure in self.failures
            if failure.planned.place in wanted
        )


def fold_scores(
    plan: Plan,
    rows: Sequence[FoldRow],
    metric: str,
    way: Metric,
    systems: Sequence[str],
) -> Scores:
    """Take one metric of finished folds as scores of cross-validation.

    Parameters
    ----------
    plan
        The study.
    rows
        Its finished folds.
    metric, way
        The metric's name in the study, and the metric itself.
    systems
        Which systems, the baseline first.
    """
    kept = [row for name in systems for row in rows if row.system == name]
    made = Scores.from_rows(
        [row.dataset for row in kept],
        [row.system for row in kept],
        [row.values[metric] for row in kept],
        run=[str(row.repetition) for row in kept],
        fold=[str(row.fold) for row in kept],
        test_share=plan.test_share,
        metric=way.name,
        higher_is_better=way.higher_is_better,
    )
    return replace(made, positive=plan.positive if way.of_one_class else None)
