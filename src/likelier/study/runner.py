"""Runs of a study: one at a time per store, only what is left, whatever fails."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from os import PathLike, environ
from pathlib import Path
from threading import Lock
from typing import IO

from likelier.errors import InputError
from likelier.study.command_folders import remove_left_folders
from likelier.study.definition import Study
from likelier.study.executors import HASH_SEED, Executor, Pool, run_jobs
from likelier.study.schedule import FoldKey, PlannedFold
from likelier.study.store import Store, keys_by_fingerprint
from likelier.study.store_file import real_path

# Locks of files hold between processes; within one, this does.
_locked: set[Path] = set()
_guard = Lock()


class StoreBusyError(InputError):
    """Another run is using the store."""


@dataclass(frozen=True)
class RunStart:
    """State of a store when a run starts.

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
    left: tuple[PlannedFold, ...]
    damaged: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """Number of folds that need not be run."""
        return self.total - len(self.left)


class Watcher:
    """Listener to a run; this one ignores everything."""

    def begins(self, report: RunStart, workers: int) -> None:
        """Hear what is there already, and what is left to do."""

    def starts(self, fold: FoldKey) -> None:
        """Hear that a fold was handed out."""

    def finishes(self, fold: FoldKey, seconds: float) -> None:
        """Hear that a fold was stored."""

    def fails(self, fold: FoldKey, error: str) -> None:
        """Hear that a fold failed."""


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
        Hears how it goes.
    """
    path, executor = Path(store), Executor(engine, workers)
    watcher = watcher or Watcher()
    schedule = study.schedule
    with locked(path), Store(path) as opened:
        start = _inspect(opened, schedule.folds)
        opened.save_schedule(schedule)
        if not start.left:
            watcher.begins(start, 0)
            return
        # What killed runs, and workers of this one, have left behind.
        remove_left_folders()
        try:
            with _fixed_hashes(), executor.pool() as pool:
                watcher.begins(start, pool.workers)
                _run_all(study, opened, start.left, pool, watcher)
        finally:
            remove_left_folders()


def _inspect(store: Store, folds: Sequence[PlannedFold]) -> RunStart:
    sound, damaged = store.fingerprints()
    if damaged:
        store.delete(damaged)
    left = tuple(planned for planned in folds if planned.fingerprint not in sound)
    origins = {planned.key: planned.origin for planned in left}
    refused: dict[str, int] = {}
    for other in store.other_folds(folds):
        origin = origins.get(other.key)
        if origin is not None:
            parts = [name for name in origin if origin[name] != other.origin.get(name)]
            where = f"{other.key.system} on {other.key.dataset}"
            reason = f"{where}: other {' and '.join(parts)}"
            refused[reason] = refused.get(reason, 0) + 1
    return RunStart(len(folds), left, len(damaged), refused)


def _run_all(
    study: Study,
    store: Store,
    left: Sequence[PlannedFold],
    pool: Pool,
    watcher: Watcher,
) -> None:
    keys = keys_by_fingerprint(left)
    first = {planned.fingerprint: planned for planned in reversed(left)}
    running = run_jobs(
        (partial(study.job, first[fingerprint]) for fingerprint in keys),
        pool=pool,
        started=lambda job: watcher.starts(job.planned.key),
    )
    try:
        for result in running:
            store.save(result)
            for key in keys[result.planned.fingerprint]:
                if result.record is None:
                    watcher.fails(key, result.error)
                else:
                    watcher.finishes(key, result.seconds)
    finally:
        running.close()


@contextmanager
def _fixed_hashes() -> Iterator[None]:
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


# --- the lock -------------------------------------------------------------------------


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """Keep other runs away from a store; the system drops the lock of a dead run.

    Raises
    ------
    StoreBusyError
        If another run has it.
    """
    # A store has one lock, by whatever name it is called.
    real = real_path(store)
    path = real.with_name(f"{real.name}.lock")
    with _guard:
        if path in _locked:
            raise _busy(store)
        file = _open_locked(path, store)
        _locked.add(path)
    try:
        yield
    finally:
        # Removed while still locked: a run that waits for it sees that it is gone.
        with _guard:
            with suppress(OSError):
                path.unlink()
            file.close()
            _locked.discard(path)


def _open_locked(path: Path, store: Path) -> IO[str]:
    while True:
        try:
            file = path.open("a+")
        except OSError as error:
            message = (
                f"{store} must be in a folder that can be written; {error.strerror}."
            )
            raise InputError(message) from error
        try:
            _lock(file)
        except OSError as error:
            file.close()
            raise _busy(store) from error
        # The locked file must be the one that others would lock.
        with suppress(OSError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        file.close()


def _busy(store: Path) -> StoreBusyError:
    message = f"{store} must be free; another run is using it."
    hint = "Wait until it has ended. What it has done can be seen: likelier study show"
    return StoreBusyError(message, hint=hint)


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _lock(file: IO[str]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        # Not flock: forked workers would inherit it and outlive a run that is killed.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
