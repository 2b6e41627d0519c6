"""Running a study: what is stored is not run again, what fails stops nothing."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike, environ
from pathlib import Path

from likelier.study.engines import HASH_SEED, Engine, Pool, run_jobs
from likelier.study.jobs import Job
from likelier.study.lock import locked
from likelier.study.plan import Place, Planned
from likelier.study.store import Failure, Result, Store, by_key
from likelier.study.studies import Study
from likelier.study.working import Finished


class Watcher:
    """Who is told how a run goes; this one keeps it to itself."""

    def begins(self, report: "Resumed", workers: int) -> None:
        """Hear what is there already, and what is left to do."""

    def starts(self, place: Place) -> None:
        """Hear that a fold was handed out."""

    def finishes(self, place: Place, seconds: float) -> None:
        """Hear that a fold was stored."""

    def fails(self, place: Place, error: str) -> None:
        """Hear that a fold failed."""


@dataclass(frozen=True)
class Resumed:
    """What a run found in its store.

    Attributes
    ----------
    total
        How many folds the study has.
    left
        Those that must be run.
    damaged
        How many stored folds did not match their checksum.
    refused
        Stored folds of this study's data sets and systems that were made with other
        data, folds, systems or seeds: why, and how many.
    """

    total: int
    left: tuple[Planned, ...]
    damaged: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """How many folds need not be run."""
        return self.total - len(self.left)


def run_folds(
    study: Study,
    store: str | PathLike[str],
    *,
    workers: int | None = None,
    engine: str | None = None,
    watcher: Watcher | None = None,
) -> None:
    """Run what is left of a study, and store every fold as soon as it is finished.

    Parameters
    ----------
    study
        What to run.
    store
        The file that keeps the results; it is made if it is missing.
    workers
        How many folds run at a time.
    engine
        Where: processes, threads, dask:ADDRESS, ray. By default what
        `joblib.parallel_config` says, and processes where it says nothing.
    watcher
        Who is told how it goes.
    """
    path, place = Path(store), Engine(engine, workers)
    told = watcher or Watcher()
    plan = study.plan
    with locked(path), Store(path) as kept:
        report = _resumed(kept, plan.folds)
        kept.save_plan(plan)
        if not report.left:
            told.begins(report, 0)
            return
        with _same_hashes(), place.configured() as pool:
            told.begins(report, pool.workers)
            _run_all(study, kept, report.left, pool, told)


def _resumed(store: Store, wanted: Sequence[Planned]) -> Resumed:
    sound, damaged = store.keys()
    if damaged:
        store.forget(damaged)
    left = tuple(planned for planned in wanted if planned.key not in sound)
    return Resumed(len(wanted), left, len(damaged), _refused(store, wanted, left))


def _refused(
    store: Store, wanted: Sequence[Planned], left: Sequence[Planned]
) -> dict[str, int]:
    """Say why stored folds of a place that must be run are not those wanted."""
    here = {planned.place: planned.origin for planned in left}
    reasons: dict[str, int] = {}
    for planned in store.others(wanted):
        origin = here.get(planned.place)
        if origin is None:
            continue
        other = [n for n in origin if origin[n] != planned.origin.get(n)]
        place = planned.place
        told = f"{place.system} on {place.dataset}: other {' and '.join(other)}"
        reasons[told] = reasons.get(told, 0) + 1
    return reasons


def _run_all(
    study: Study,
    store: Store,
    left: Sequence[Planned],
    pool: Pool,
    watcher: Watcher,
) -> None:
    places = by_key(left)
    wanted = {planned.key: planned for planned in reversed(left)}

    def making(planned: Planned) -> Callable[[], Job]:
        return lambda: study.job(planned)

    jobs = (making(wanted[key]) for key in places)
    running = run_jobs(jobs, pool=pool, started=lambda job: watcher.starts(job.place))
    try:
        for finished in running:
            _keep(store, wanted[finished.key], finished)
            for place in places[finished.key]:
                _tell(watcher, place, finished)
    finally:
        running.close()


def _keep(store: Store, planned: Planned, finished: Finished) -> None:
    if finished.record is None:
        seconds = finished.fit_seconds + finished.predict_seconds
        told = finished.error, finished.details, seconds
        store.save_failure(Failure(planned, *told))
        return
    result = Result(
        planned,
        finished.record,
        finished.fit_seconds,
        finished.predict_seconds,
        finished.versions,
    )
    store.save(result)


def _tell(watcher: Watcher, place: Place, finished: Finished) -> None:
    if finished.record is None:
        watcher.fails(place, finished.error)
    else:
        watcher.finishes(place, finished.fit_seconds + finished.predict_seconds)


@contextmanager
def _same_hashes() -> Iterator[None]:
    """Let workers that start now order their sets of text alike."""
    before = environ.get("PYTHONHASHSEED")
    environ["PYTHONHASHSEED"] = HASH_SEED
    try:
        yield
    finally:
        if before is None:
            del environ["PYTHONHASHSEED"]
        else:
            environ["PYTHONHASHSEED"] = before
