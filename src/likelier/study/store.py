"""The store: one SQLite file, to which every finished fold is committed at once."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from likelier.errors import InputError
from likelier.study.plan import Place, Plan, Planned

# "LIKL", so that a file tells whose it is.
_APPLICATION = 0x4C494B4C
_VERSION = 1
# Who reads waits for a commit; who writes waits for any reader that stands still,
# rather than lose what was just trained.
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


@dataclass(frozen=True)
class Result:
    """A finished fold.

    Attributes
    ----------
    planned
        Which one, and what it depends on.
    record
        What the system said, as bytes.
    fit_seconds, predict_seconds
        How long learning and predicting took.
    versions
        Of Python and of packages.
    """

    planned: Planned
    record: bytes
    fit_seconds: float
    predict_seconds: float
    versions: Mapping[str, str]

    def row(self) -> tuple[Any, ...]:
        """Give the row of the store, with its checksum."""
        place, key, origin = self.planned
        told = (
            key,
            *place,
            json.dumps(origin, sort_keys=True),
            self.record,
            self.fit_seconds,
            self.predict_seconds,
            json.dumps(dict(self.versions), sort_keys=True),
        )
        return *told, checksum(*told)

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> "Result":
        """Read a row of the store."""
        key, *place, origin, record, fit, predict, versions, _ = row
        planned = Planned(Place(*place), key, json.loads(origin))
        return cls(planned, record, fit, predict, json.loads(versions))


@dataclass(frozen=True)
class Failure:
    """A fold that failed: the error in a line, and all of it."""

    planned: Planned
    error: str
    details: str
    seconds: float


def checksum(*parts: Any) -> str:
    """Give the fingerprint of a row."""
    told = hashlib.sha256()
    for part in parts:
        content = part if isinstance(part, bytes) else repr(part).encode()
        told.update(str(len(content)).encode() + b":" + content)
    return told.hexdigest()


class Store:
    """A file with the results of a study.

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
            there = "it is a folder" if path.is_dir() else "there is no such file"
            message = f"{path} must be the store of a study; {there}."
            raise StoreError(message, hint="likelier study run study.toml makes one.")
        with self._telling():
            self._connection = self._connected(readonly=readonly)
        try:
            with self._telling():
                self._prepare(readonly=readonly)
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    def _connected(self, *, readonly: bool) -> sqlite3.Connection:
        # Where possible not mode=ro: what a killed run left half-written is taken back.
        looking = "rw" if _writable(self.path) else "ro"
        mode = looking if readonly else "rwc"
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
        ask = self._connection.execute
        application = ask("PRAGMA application_id").fetchone()[0]
        tables = ask("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application != _APPLICATION and (tables or readonly):
            message = f"{self.path} must be the store of a study; it is another's."
            raise StoreError(message)
        if application == _APPLICATION:
            version = ask("PRAGMA user_version").fetchone()[0]
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
        ask("PRAGMA journal_mode = DELETE")
        ask("PRAGMA synchronous = EXTRA")
        if application != _APPLICATION:
            with self._writing():
                for statement in _TABLES.strip().split(";\n"):
                    ask(statement)
                ask(f"PRAGMA user_version = {_VERSION}")
                ask(f"PRAGMA application_id = {_APPLICATION}")

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Turn errors of the database into words."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._told(error) from error

    def _told(self, error: sqlite3.Error) -> StoreError:
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
    def _writing(self) -> Iterator[None]:
        """Make all changes or none."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def save_plan(self, plan: Plan) -> None:
        """Write down what the study wants."""
        content = plan.to_json()
        with self._telling(), self._writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO plan VALUES (1, ?, ?)",
                (content, checksum(content)),
            )

    def plan(self) -> Plan:
        """Read what the study wants."""
        with self._telling():
            row = self._connection.execute(
                "SELECT content, checksum FROM plan"
            ).fetchone()
        if row is None:
            message = f"{self.path} must have the plan of a study; nothing was run yet."
            raise StoreError(message, hint="likelier study run study.toml")
        if checksum(row[0]) != row[1]:
            message = f"{self.path} must have an undamaged plan; its checksum is wrong."
            raise StoreError(message, hint="Run the study again; results are kept.")
        try:
            return Plan.from_json(row[0])
        except InputError as error:
            message = f"{self.path}: {error.message}"
            raise StoreError(message, hint=error.hint) from error

    def save(self, result: Result) -> None:
        """Commit a finished fold; it is safe when this returns."""
        row = result.row()
        places = ", ".join("?" * len(row))
        with self._telling(), self._writing():
            ask = self._connection.execute
            ask(f"INSERT OR REPLACE INTO results ({_ROW}) VALUES ({places})", row)
            ask("DELETE FROM failures WHERE key = ?", (result.planned.key,))

    def save_failure(self, failure: Failure) -> None:
        """Write down why a fold failed."""
        place, key, _ = failure.planned
        row = (key, *place, failure.error, failure.details, failure.seconds)
        with self._telling(), self._writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row
            )

    def forget(self, rows: Sequence[int]) -> None:
        """Remove rows that are damaged, their keys perhaps as well."""
        with self._telling(), self._writing():
            for row in rows:
                self._connection.execute("DELETE FROM results WHERE rowid = ?", (row,))

    def keys(self) -> tuple[set[str], list[int]]:
        """Give the keys of sound rows, and the places of damaged ones."""
        sound, damaged = set(), []
        for place, *row in self._rows():
            if _is_sound(row):
                sound.add(str(row[0]))
            else:
                damaged.append(int(place))
        return sound, damaged

    def results(self, wanted: Sequence[Planned]) -> tuple[dict[Place, Result], int]:
        """Read the sound results of wanted folds, and count all damaged rows."""
        places, found, damaged = by_key(wanted), dict[Place, Result](), 0
        for _, *row in self._rows():
            if not _is_sound(row):
                damaged += 1
            elif row[0] in places:
                result = Result.of_row(row)
                found |= dict.fromkeys(places[str(row[0])], result)
        return found, damaged

    def others(self, wanted: Sequence[Planned]) -> list[Planned]:
        """Give results that are not wanted: made by another version of the study."""
        keys = {planned.key for planned in wanted}
        with self._telling():
            rows = self._connection.execute(
                "SELECT dataset, system, repetition, fold, key, origin FROM results"
            ).fetchall()
        return [
            Planned(Place(*place), key, _origin(origin))
            for *place, key, origin in rows
            if key not in keys
        ]

    def failures(self, wanted: Sequence[Planned]) -> list[Failure]:
        """Read why wanted folds failed."""
        with self._telling():
            rows = self._connection.execute(
                "SELECT key, error, details, seconds FROM failures"
            ).fetchall()
        found = {key: rest for key, *rest in rows}
        return [Failure(p, *found[p.key]) for p in wanted if p.key in found]

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        with self._telling():
            yield from self._connection.execute(
                f"SELECT rowid, {_ROW} FROM results ORDER BY key"
            )


def by_key(wanted: Sequence[Planned]) -> dict[str, list[Place]]:
    """Give the places of each key: systems that are the same share their results."""
    places: dict[str, list[Place]] = {}
    for planned in wanted:
        places.setdefault(planned.key, []).append(planned.place)
    return places


def _is_sound(row: Sequence[Any]) -> bool:
    return checksum(*row[:-1]) == row[-1]


def _origin(text: str) -> dict[str, str]:
    try:
        told = json.loads(text)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _writable(path: Path) -> bool:
    file = path.resolve()
    return os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)
