"""Store of a study: one SQLite file, to which every finished fold is committed."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from likelier.errors import InputError
from likelier.study.schedule import FoldKey, FoldResult, PlannedFold, Schedule

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
_ROW = (
    "key, dataset, system, repetition, fold, origin, record, fit_seconds, "
    "predict_seconds, versions, checksum"
)


class StoreError(InputError):
    """The store cannot be read or written."""


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
        if readonly and not path.is_file():
            reason = "it is a folder" if path.is_dir() else "there is no such file"
            message = f"{path} must be the store of a study; {reason}."
            raise StoreError(message, hint="likelier study run study.toml makes one.")
        with self._translated():
            self._connection = self._connect(readonly=readonly)
        try:
            with self._translated():
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
        mode = ("rw" if _writable(self.path) else "ro") if readonly else "rwc"
        address = f"{self.path.resolve().as_uri()}?mode={mode}"
        connection = sqlite3.connect(
            address,
            uri=True,
            timeout=_READ_SECONDS if readonly else _WRITE_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
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
        if readonly:
            return
        # A journal beside the file, not a write-ahead log: at rest there is one file,
        # and power may fail at any moment.
        execute("PRAGMA journal_mode = DELETE")
        execute("PRAGMA synchronous = EXTRA")
        if application != _APPLICATION:
            with self._transaction():
                for statement in _TABLES.strip().split(";\n"):
                    execute(statement)
                execute(f"PRAGMA user_version = {_VERSION}")
                execute(f"PRAGMA application_id = {_APPLICATION}")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn errors of the database into messages with a cure."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._error(error) from error

    def _error(self, error: sqlite3.Error) -> StoreError:
        name = getattr(error, "sqlite_errorname", "") or ""
        if name.startswith("SQLITE_FULL"):
            message = f"{self.path} must have room on its disk; the disk is full."
            hint = "Make room and run again: what is finished is kept."
        elif name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
            message = f"{self.path} must be a file that can be written; {error}."
            hint = "Choose another store: --store FILE"
        elif name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            message = f"{self.path} must be the store of a study; {error}."
            hint = "Restore it from a copy, or choose another: --store FILE"
        elif name.startswith("SQLITE_BUSY"):
            message = f"{self.path} must be free; another program is using it."
            hint = "Wait until it has ended."
        else:
            message = f"{self.path} cannot be used: {error}."
            hint = "Is the disk full or gone? What is finished is kept."
        return StoreError(message, hint=hint)

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
        with self._translated(), self._transaction():
            for statement, values in statements:
                self._connection.execute(statement, values)

    def _read(self, query: str) -> list[tuple[Any, ...]]:
        with self._translated():
            return self._connection.execute(query).fetchall()

    def save_schedule(self, schedule: Schedule) -> None:
        """Write down what the study needs."""
        content = schedule.to_json()
        row = (content, checksum(content))
        self._change(("INSERT OR REPLACE INTO plan VALUES (1, ?, ?)", row))

    def schedule(self) -> Schedule:
        """Read what the study needs."""
        rows = self._read("SELECT content, checksum FROM plan")
        if not rows:
            message = f"{self.path} must have the plan of a study; nothing was run yet."
            raise StoreError(message, hint="likelier study run study.toml")
        content, expected = rows[0]
        if checksum(content) != expected:
            message = f"{self.path} must have an undamaged plan; its checksum is wrong."
            raise StoreError(message, hint="Run the study again; results are kept.")
        try:
            return Schedule.from_json(content)
        except InputError as error:
            message = f"{self.path}: {error.message}"
            raise StoreError(message, hint=error.hint) from error

    def save(self, result: FoldResult) -> None:
        """Commit a fold that finished or failed; it is safe when this returns."""
        key, fingerprint, origin = result.planned
        if result.record is None:
            row = (fingerprint, *key, result.error, result.details, result.seconds)
            self._change((f"INSERT OR REPLACE INTO failures VALUES {_marks(row)}", row))
            return
        content = (
            fingerprint,
            *key,
            json.dumps(origin, sort_keys=True),
            result.record,
            result.fit_seconds,
            result.predict_seconds,
            json.dumps(dict(result.versions), sort_keys=True),
        )
        whole = (*content, checksum(*content))
        self._change(
            (f"INSERT OR REPLACE INTO results ({_ROW}) VALUES {_marks(whole)}", whole),
            ("DELETE FROM failures WHERE key = ?", (fingerprint,)),
        )

    def delete(self, rows: Sequence[int]) -> None:
        """Delete rows that are damaged, their keys perhaps as well."""
        delete = "DELETE FROM results WHERE rowid = ?"
        self._change(*((delete, (row,)) for row in rows))

    def fingerprints(self) -> tuple[set[str], list[int]]:
        """Return the fingerprints of sound rows, and the row ids of damaged ones."""
        sound, damaged = set(), []
        for row_id, *row in self._rows():
            if _is_sound(row):
                sound.add(str(row[0]))
            else:
                damaged.append(int(row_id))
        return sound, damaged

    def results(
        self, folds: Sequence[PlannedFold]
    ) -> tuple[dict[FoldKey, FoldResult], int]:
        """Read the sound results of some folds, and count all damaged rows."""
        keys, damaged = keys_by_fingerprint(folds), 0
        results: dict[FoldKey, FoldResult] = {}
        for _, *row in self._rows():
            if not _is_sound(row):
                damaged += 1
            elif row[0] in keys:
                fingerprint, *key, origin, record, fit, predict, versions, _ = row
                planned = PlannedFold(FoldKey(*key), fingerprint, json.loads(origin))
                result = FoldResult(planned, record, fit, predict, json.loads(versions))
                results |= dict.fromkeys(keys[fingerprint], result)
        return results, damaged

    def other_folds(self, folds: Sequence[PlannedFold]) -> list[PlannedFold]:
        """Return the other folds, which another version of the study made."""
        fingerprints = {planned.fingerprint for planned in folds}
        rows = self._read(
            "SELECT dataset, system, repetition, fold, key, origin FROM results"
        )
        return [
            PlannedFold(FoldKey(*key), fingerprint, _read_origin(origin))
            for *key, fingerprint, origin in rows
            if fingerprint not in fingerprints
        ]

    def failures(self, folds: Sequence[PlannedFold]) -> list[FoldResult]:
        """Read why some folds failed."""
        rows = self._read("SELECT key, seconds, error, details FROM failures")
        failed = {fingerprint: rest for fingerprint, *rest in rows}
        return [
            FoldResult(planned, None, seconds, error=error, details=details)
            for planned in folds
            if planned.fingerprint in failed
            for seconds, error, details in [failed[planned.fingerprint]]
        ]

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        with self._translated():
            yield from self._connection.execute(
                f"SELECT rowid, {_ROW} FROM results ORDER BY key"
            )


def keys_by_fingerprint(folds: Sequence[PlannedFold]) -> dict[str, list[FoldKey]]:
    """Group folds by fingerprint: systems that are the same share their results."""
    keys: dict[str, list[FoldKey]] = {}
    for planned in folds:
        keys.setdefault(planned.fingerprint, []).append(planned.key)
    return keys


def checksum(*parts: Any) -> str:
    """Return the fingerprint of a row."""
    whole = hashlib.sha256()
    for part in parts:
        content = part if isinstance(part, bytes) else repr(part).encode()
        whole.update(str(len(content)).encode() + b":" + content)
    return whole.hexdigest()


def _is_sound(row: Sequence[Any]) -> bool:
    return checksum(*row[:-1]) == row[-1]


def _marks(row: Sequence[Any]) -> str:
    return f"({', '.join('?' * len(row))})"


def _read_origin(text: str) -> dict[str, str]:
    try:
        origin = json.loads(text)
    except ValueError:
        return {}
    return origin if isinstance(origin, dict) else {}


def _writable(path: Path) -> bool:
    file = path.resolve()
    return os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)
