"""Rescue of a damaged store: its plan and every sound fold, written to a new one."""

import mmap
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from likelier.errors import InputError
from likelier.formatting import counted
from likelier.study.database_pages import DatabasePages, Value
from likelier.study.record_bytes import RecordBytes
from likelier.study.runner import locked
from likelier.study.schedule import FoldResult, Schedule
from likelier.study.schedule_json import read_schedule
from likelier.study.store import Store
from likelier.study.store_file import StoreError, real_path, why_no_file
from likelier.study.stored_rows import StoredFold, checksum, read_fold

# Tables lie where the order of their making has put them.
_PLAN_PAGE, _PLAN_COLUMNS = 2, 3
_SECONDS = [StoredFold._fields.index(f"{part}_seconds") for part in ("fit", "predict")]


@dataclass(frozen=True)
class Rescue:
    """Sound parts of a damaged store.

    Attributes
    ----------
    schedule
        The plan; None if it cannot be read.
    results
        The sound folds, by fingerprint, of this and of other versions of the study.
    """

    schedule: Schedule | None
    results: dict[str, FoldResult]

    @property
    def missing(self) -> int | None:
        """Number of folds of the plan that the next run runs again."""
        if self.schedule is None:
            return None
        return sum(
            planned.fingerprint not in self.results for planned in self.schedule.folds
        )

    def sentence(self) -> str:
        """Return in a sentence what was saved, and what the next run has to do."""
        saved = counted(len(self.results), "stored fold")
        if self.schedule is None:
            return (
                f"{saved} saved; the plan cannot be read, and the next run writes it "
                "anew."
            )
        planned = len(self.schedule.folds)
        if not self.missing:
            return (
                f"{saved} and the plan saved; all {planned} folds of the study are "
                "there."
            )
        return (
            f"{saved} and the plan saved; the next run has {self.missing} of the "
            f"{planned} folds of the study to run again."
        )


def rescue(old: str | PathLike[str], new: str | PathLike[str]) -> Rescue:
    """Write the plan and all sound folds of a damaged store to a new one.

    The old file is only read. Errors of folds that failed are not kept: the next run
    tries these folds again.

    Parameters
    ----------
    old
        The damaged store.
    new
        The new store, a file that is not there yet.

    Returns
    -------
    Rescue
        What was saved.
    """
    source, target = Path(old), Path(new)
    real, made = real_path(source), real_path(target)
    if not real.is_file():
        message = f"{source} must be the store of a study; {why_no_file(real)}."
        raise StoreError(message)
    if made.exists():
        message = f"{target} must be a new file; there is one of that name."
        raise StoreError(message, hint="Name another, or move it away.")
    free = locked(source) if os.access(real.parent, os.W_OK) else nullcontext()
    with free, locked(target):
        try:
            with _settled(real) as path:
                rescued = read_sound(path)
        except OSError as error:
            message = f"{source} must be readable; {error.strerror}."
            raise StoreError(message) from error
        if rescued.schedule is None and not rescued.results:
            message = f"{source} must have a plan or folds that are sound; it has none."
            raise StoreError(message)
        try:
            with Store(target) as store:
                store.save(*rescued.results.values())
                if rescued.schedule is not None:
                    store.save_schedule(rescued.schedule)
        except BaseException:
            for name in (made, Path(f"{made}-journal")):
                with suppress(OSError):
                    name.unlink()
            raise
    return rescued


@contextmanager
def _settled(path: Path) -> Iterator[Path]:
    """Take back what a killed run left half-written, in a private copy."""
    beside = [Path(f"{path}-{kind}") for kind in ("journal", "wal")]
    beside = [file for file in beside if file.is_file() and file.stat().st_size]
    if not beside:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="likelier-") as folder:
        for file in (path, *beside):
            shutil.copyfile(file, Path(folder, file.name))
        copy = Path(folder, path.name)
        # Where that fails, the pages are taken as they are.
        with (
            suppress(sqlite3.Error, UnicodeDecodeError),
            closing(sqlite3.connect(copy)) as connection,
        ):
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        yield copy


def read_sound(path: Path) -> Rescue:
    """Read what is sound of a store, page by page."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return Rescue(None, {})
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            sizes = {DatabasePages.size, DatabasePages(content).header_size}
            found = [_read_pages(DatabasePages(content, size)) for size in sizes]
    return max(found, key=lambda one: (len(one.results), one.schedule is not None))


def _read_pages(pages: DatabasePages) -> Rescue:
    reader = RecordBytes(len(pages.content))
    results: dict[str, FoldResult] = {}
    for row in pages.rows(len(StoredFold._fields)):
        # Seconds without a fraction are stored as whole numbers.
        for index in _SECONDS:
            value = row[index]
            row[index] = float(value) if isinstance(value, int) else value
        result = read_fold(row)
        if result is None or result.planned.fingerprint in results:
            continue
        if reader.read_sound(result.record or b"") is not None:
            results[result.planned.fingerprint] = result
    plans = (_read_plan(row) for row in pages.rows_of(_PLAN_PAGE, _PLAN_COLUMNS))
    return Rescue(next(filter(None, plans), None), results)


def _read_plan(row: list[Value]) -> Schedule | None:
    _, content, expected = row
    if not isinstance(content, str) or checksum(content) != expected:
        return None
    try:
        return read_schedule(content)
    except InputError:
        return None
