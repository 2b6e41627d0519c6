"""A toy study in a folder of its own, run in this process or by the command line."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import pytest
from tests.cli.conftest import call, database  # noqa: F401 (fixtures)

from likelier.study import read_toml
from likelier.study.runner import run_folds

HERE = Path(__file__).parent
# Everything that a result is, but for how long it took.
CONTENT = "key, dataset, system, repetition, fold, origin, record, versions"
MAIN = "from likelier.cli import main; main()"
PATIENCE = 120

# A module keeps its name in this process and its workers: each toy has its own.
_numbers = count()


class Toy:
    """A study of two systems on one small data set, as TOML and a module.

    The TOML is written from `study` by `write`. Every system notes its name and the
    seed of the fold in a file when it is trained, and fails as `spoil` says.
    """

    def __init__(self, folder, module=None):
        self.folder, self.processes = folder, []
        self.module = module or f"toy_{next(_numbers)}"
        self.toml, self.db = folder / "study.toml", folder / "study.db"
        source = (HERE / "toy.py").read_text()
        (folder / f"{self.module}.py").write_text(source)
        self.study = {
            "name": "toy",
            "seed": 1,
            "rope": 0.05,
            "design": {"name": "mx2", "m": 3},
            "data": {"mail": {"loader": f"{self.module}:mail"}},
            "systems": {name: self.system(name, right) for name, right in SYSTEMS},
        }
        self.write()

    def system(self, name, right, kind="Guess", **settings):
        """Give the table of a system."""
        parameters = {"name": name, "right": right} | settings
        return {"object": f"{self.module}:{kind}", "settings": parameters}

    def write(self):
        """Write the study down as it is now."""
        self.toml.write_text("\n".join(_lines(self.study, ())) + "\n")
        return self.toml

    def run(self, store=None, *, workers=1, engine="threads", watcher=None):
        """Run in this process, and give the watcher."""
        listener = watcher or Recorder()
        path = store or self.db
        study = read_toml(self.toml)
        run_folds(study, path, workers=workers, engine=engine, watcher=listener)
        return listener

    def words(self, *words):
        """Give the command line of a run in another process."""
        command = [sys.executable, "-c", MAIN, "study", "run", str(self.toml)]
        return [*command, *map(str, words)]

    def started(self, *words, **environment):
        """Start a run in a process group of its own."""
        process = subprocess.Popen(
            self.words(*words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | environment,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def end(self):
        """End whatever was started."""
        for process in self.processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    def ran(self, *words, **environment):
        """Run in another process until it ends."""
        return subprocess.run(
            self.words(*words),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            env=os.environ | environment,
        )

    def rows(self, columns=CONTENT, *, store=None, table="results"):
        """Read a table of the store, as SQLite has it."""
        with closing(sqlite3.connect(store or self.db)) as connection:
            query = f"SELECT {columns} FROM {table} ORDER BY key"
            return connection.execute(query).fetchall()

    def do(self, statement, *values):
        """Change the store behind the back of the library."""
        with closing(sqlite3.connect(self.db)) as connection, connection:
            return connection.execute(statement, values).fetchall()

    def trained(self):
        """Count how often each system was trained on each fold, by its seed."""
        log = self.folder / "trained"
        lines = log.read_text().splitlines() if log.exists() else []
        return Counter(tuple(line.split()) for line in lines)

    def planned(self, *key):
        """Find a fold of the plan: data set, system, repetition, fold."""
        plan = read_toml(self.toml).schedule
        return next(fold for fold in plan.folds if fold.key == key)

    def spoil(self, how, *key):
        """Let a system fail on one fold; the first system on the first by default."""
        return self.spoil_all({key or ("mail", "a", 1, 1): how})[0]

    def spoil_all(self, ways):
        """Let systems fail on some folds, each in a way of its own."""
        planned = [self.planned(*key) for key in ways]
        folds = [f"{p.key.system} {p.origin['seed']}" for p in planned]
        failures = dict(zip(folds, ways.values(), strict=True))
        (self.folder / "bad.json").write_text(json.dumps(failures))
        return planned

    def heal(self):
        """Let all systems work again."""
        (self.folder / "bad.json").unlink()

    def go(self):
        """Let a system that waits go on."""
        (self.folder / "go").touch()


SYSTEMS = (("a", 0.6), ("b", 0.8))


def _lines(table, above):
    """Write a table as TOML: values first, then the tables within."""
    yield from (
        f"{key} = {_value(value)}"
        for key, value in table.items()
        if not _is_table(key, value)
    )
    for key, value in table.items():
        if _is_table(key, value):
            yield f"\n[{'.'.join((*above, key))}]"
            yield from _lines(value, (*above, key))


def _is_table(key, value):
    return isinstance(value, dict) and key != "settings"


def _value(value):
    if isinstance(value, dict):
        parts = ", ".join(f"{key} = {_value(part)}" for key, part in value.items())
        return f"{{ {parts} }}"
    return json.dumps(value)


class Recorder:
    """A watcher that remembers everything."""

    def __init__(self):
        self.report, self.workers = None, None
        self.started, self.finished, self.failed = [], [], {}

    def begins(self, report, workers):
        self.report, self.workers = report, workers

    def starts(self, fold):
        self.started.append(fold)

    def finishes(self, fold, seconds):
        self.finished.append(fold)

    def fails(self, fold, error):
        self.failed[fold] = error


def until(condition, *, seconds=PATIENCE):
    """Wait until something holds, and give it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.005)
    pytest.fail("waited in vain")


def living(group):
    """Give the processes of a group that have not ended."""
    return [
        pid for pid, state, its in _processes() if its == group and state not in "ZX"
    ]


def _processes():
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        yield int(folder.name), fields[0], int(fields[2])


@pytest.fixture(scope="session")
def finished_toy(tmp_path_factory):
    """The toy study, run once for all tests that only read or change its store."""
    toy = Toy(tmp_path_factory.mktemp("finished"))
    toy.run()
    return toy


@pytest.fixture
def done(finished_toy, tmp_path):
    """A copy of the toy study, finished."""
    toy = Toy(tmp_path, finished_toy.module)
    for name in ("study.db", "trained"):
        shutil.copy(finished_toy.folder / name, tmp_path / name)
    yield toy
    toy.end()


@pytest.fixture
def toy(tmp_path):
    """A study of 12 folds that takes no time."""
    toy = Toy(tmp_path)
    yield toy
    toy.end()
