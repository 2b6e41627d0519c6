"""Store of a study: one SQLite file, to which every finished fold is committed."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Self

from likelier.errors import InputError
from likelier.study.record_bytes import RecordBytes
from likelier.study.schedule import FoldKey, FoldResult, PlannedFold, Schedule
from likelier.study.schedule_json import read_schedule
from likelier.study.store_file import (
    RESCUE,
    StoreError,
    damaged,
    is_writable,
    real_path,
    translated,
    why_no_file,
)
from likelier.study.stored_rows import (
    COLUMNS,
    checksum,
    read_failure,
    read_fold,
    read_texts,
    stored_fold,
)

# "LIKL", so that a file tells whose it is.
_APPLICATION = 0x4C494B4C
_VERSION = 1
# A reader waits for a commit; a writer waits for any reader that stands still, rather
# than lose what was just trained.
_READ_SECONDS, _WRITE_SECONDS = 20.0, 3600.0
_TABLES = """
CREATE TABLE plan (
    one INTEGER PRIMARY KEY CHECK (one = 1), content TEXT NOT NULL,
    checksum TEXT NOT NULL
);
CREATE TABLE results (
    key TEXT PRIMARY KEY, dataset TEXT NOT NULL, system TEXT NOT NULL,
    repetition INTEGER NOT NULL, fold INTEGER NOT NULL, origin TEXT NOT NULL,
    record BLOB NOT NULL, fit_seconds REAL NOT NULL, predict_seconds REAL NOT NULL,
    versions TEXT NOT NULL, checksum TEXT NOT NULL
);
CREATE TABLE failures (
    key TEXT PRIMARY KEY, dataset TEXT NOT NULL, system TEXT NOT NULL,
    repetition INTEGER NOT NULL, fold INTEGER NOT NULL, error TEXT NOT NULL,
    details TEXT NOT NULL, seconds REAL NOT NULL
);
"""
# No value of a store is as long; a forged one may say that it is.
_LONGEST = 512_000_000


class Store:
    """File with the results of a study.

    Parameters
    ----------
    path
        The file.
    readonly
        Whether it is only looked at; it must exist then.
    """

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        self.path = path
        real = real_path(path)
        if readonly and not real.is_file():
            message = f"{path} must be the store of a study; {why_no_file(real)}."
            raise StoreError(message, hint="likelier study run study.toml makes one.")
        if real.exists() and not real.is_file():
            message = f"{path} must be a file that can be written; {why_no_file(real)}."
            raise StoreError(message, hint="Choose another store: --store FILE")
        with translated(self.path):
            self._connection = self._connect(readonly=readonly)
        try:
            with translated(self.path):
                self._prepare(readonly=readonly)
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()

    def _connect(self, *, readonly: bool) -> sqlite3.Connection:
        # Where possible not mode=ro: what a killed run left half-written is taken back.
        mode = ("rw" if is_writable(self.path) else "ro") if readonly else "rwc"
        address = f"{real_path(self.path).as_uri()}?mode={mode}"
        connection = sqlite3.connect(
            address,
            uri=True,
            timeout=_READ_SECONDS if readonly else _WRITE_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        # The file may be a stranger's: its schema runs nothing, its pages are checked.
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        # Damaged text must reach its checksum, not stop the reading of all rows.
        connection.text_factory = lambda content: content.decode(errors="replace")
        return connection

    def _prepare(self, *, readonly: bool) -> None:
        execute = self._connection.execute
        application = execute("PRAGMA application_id").fetchone()[0]
        tables = execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application != _APPLICATION and (tables or readonly):
            message = f"{self.path} must be the store of a study; it is another's."
            raise StoreError(message)
        if application == _APPLICATION:
            version = execute("PRAGMA user_version").fetchone()[0]
            if version != _VERSION:
                message = (
                    f"{self.path} must be a store of version {_VERSION}; got {version}."
                )
                hint = "Use the version of likelier that made it, or another file."
                raise StoreError(message, hint=hint)
            self._check_tables()
        if readonly:
            return
        # Nothing is written into a file whose pages are damaged: it would lose more.
        (state,) = execute("PRAGMA integrity_check(1)").fetchone()
        if state != "ok":
            raise damaged(self.path)
        # A journal beside the file, not a write-ahead log: at rest there is one file,
        # and power may fail at any moment.
        execute("PRAGMA journal_mode = DELETE")
        execute("PRAGMA synchronous = EXTRA")
        if application != _APPLICATION:
            with self._transaction():
                for statement in _statements():
                    execute(statement)
                execute(f"PRAGMA user_version = {_VERSION}")
                execute(f"PRAGMA application_id = {_APPLICATION}")

    def _check_tables(self) -> None:
        """Refuse a file that has anything but the tables of a store."""
        query = "SELECT type, name, tbl_name, sql FROM sqlite_master"
        tables = {
            name: " ".join(sql.split())
            for kind, name, _, sql in self._connection.execute(query)
            if kind == "table" and isinstance(sql, str)
        }
        wanted = {text.split()[2]: " ".join(text.split()) for text in _statements()}
        others = [
            name
            for kind, name, table, sql in self._connection.execute(query)
            if kind != "table"
            and (kind, name, sql) != ("index", f"sqlite_autoindex_{table}_1", None)
        ]
        if tables != wanted or others:
            message = f"{self.path} must have the tables of a store, and nothing else."
            raise StoreError(message, hint=RESCUE)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Make all changes or none."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _change(self, *statements: tuple[str, Sequence[Any]]) -> None:
        with translated(self.path), self._transaction():
            for statement, values in statements:
                self._connection.execute(statement, values)

    def _read(self, table: str, columns: str) -> Iterator[tuple[Any, ...]]:
        """Read row id and columns of a table; a damaged index is not asked.

        The pages of a forged file may lead in circles, so that it has no end.
        """
        query = f"SELECT rowid, {columns} FROM {table} NOT INDEXED"
        last = None
        with translated(self.path):
            left = self._size()
            for row in self._connection.execute(query):
                left -= sum(len(part) for part in row if isinstance(part, str | bytes))
                if left < 0 or (last is not None and row[0] <= last):
                    raise damaged(self.path)
                last = row[0]
                yield row

    def _size(self) -> int:
        """Return the bytes of all pages, also of those that a log still holds."""
        pages, size = (
            self._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "page_size")
        )
        return int(pages * size)

    def save_schedule(self, schedule: Schedule) -> None:
        """Write down what the study needs."""
        content = schedule.to_json()
        row = (content, checksum(content))
        self._change(("INSERT OR REPLACE INTO plan VALUES (1, ?, ?)", row))

    def schedule(self) -> Schedule:
        """Read what the study needs."""
        rows = list(self._read("plan", "content, checksum"))
        if not rows:
            message = f"{self.path} must have the plan of a study; nothing was run yet."
            raise StoreError(message, hint="likelier study run study.toml")
        _, content, expected = rows[0]
        if not isinstance(content, str) or checksum(content) != expected:
            message = f"{self.path} must have an undamaged plan; its checksum is wrong."
            raise StoreError(message, hint="Run the study again; results are kept.")
        try:
            return read_schedule(content)
        except InputError as error:
            message = f"{self.path}: {error.message}"
            raise StoreError(message, hint=error.hint) from error

    def save(self, *results: FoldResult) -> None:
        """Commit folds that finished or failed; they are safe when this returns."""
        self._change(*chain.from_iterable(map(_changes, results)))

    def delete(self, rows: Sequence[int]) -> None:
        """Delete rows that are damaged, their keys perhaps as well."""
        delete = "DELETE FROM results WHERE rowid = ?"
        self._change(*((delete, (row,)) for row in rows))

    def fingerprints(self) -> tuple[set[str], list[int]]:
        """Return the fingerprints of sound rows, and the row ids of damaged ones."""
        sound, damaged = set(), []
        with translated(self.path):
            reader = RecordBytes(self._size())
        for row_id, *row in self._read("results", COLUMNS):
            result = read_fold(row)
            if result is not None and reader.read_sound(result.record or b""):
                sound.add(result.planned.fingerprint)
            else:
                damaged.append(int(row_id))
        return sound, damaged

    def results(
        self, folds: Sequence[PlannedFold]
    ) -> tuple[dict[FoldKey, FoldResult], int]:
        """Read the sound results of some folds, and count all damaged rows."""
        keys, damaged = keys_by_fingerprint(folds), 0
        results: dict[FoldKey, FoldResult] = {}
        for _, *row in self._read("results", COLUMNS):
            result = read_fold(row)
            if result is None:
                damaged += 1
            else:
                names = keys.get(result.planned.fingerprint, ())
                results |= dict.fromkeys(names, result)
        return results, damaged

    def other_folds(self, folds: Sequence[PlannedFold]) -> list[PlannedFold]:
        """Return the other folds, which another version of the study made."""
        fingerprints = {planned.fingerprint for planned in folds}
        rows = self._read("results", "dataset, system, repetition, fold, key, origin")
        others = [
            PlannedFold(FoldKey(*key), fingerprint, read_texts(origin) or {})
            for _, *key, fingerprint, origin in rows
            if fingerprint not in fingerprints
        ]
        return sorted(others, key=lambda planned: str(planned.fingerprint))

    def failures(self, folds: Sequence[PlannedFold]) -> list[FoldResult]:
        """Read why some folds failed."""
        rows = self._read("failures", "key, seconds, error, details")
        failed = {
            fingerprint: failure
            for _, fingerprint, *row in rows
            if (failure := read_failure(row)) is not None
        }
        return [
            FoldResult(planned, None, seconds, error=error, details=details)
            for planned in folds
            if planned.fingerprint in failed
            for seconds, error, details in [failed[planned.fingerprint]]
        ]


def keys_by_fingerprint(folds: Sequence[PlannedFold]) -> dict[str, list[FoldKey]]:
    """Group folds by fingerprint: systems that are the same share their results."""
    keys: dict[str, list[FoldKey]] = {}
    for planned in folds:
        keys.setdefault(planned.fingerprint, []).append(planned.key)
    return keys


def _statements() -> list[str]:
    return _TABLES.strip().removesuffix(";").split(";\n")


def _changes(result: FoldResult) -> Iterator[tuple[str, Sequence[Any]]]:
    """Return the statements that store a fold."""
    key, fingerprint, _ = result.planned
    if result.record is None:
        row = (fingerprint, *key, result.error, result.details, result.seconds)
        yield f"INSERT OR REPLACE INTO failures VALUES {_marks(row)}", row
        return
    stored = stored_fold(result)
    insert = f"INSERT OR REPLACE INTO results ({COLUMNS}) VALUES {_marks(stored)}"
    yield insert, stored
    yield "DELETE FROM failures WHERE key = ?", (fingerprint,)


def _marks(row: Sequence[Any]) -> str:
    return f"({', '.join('?' * len(row))})"
