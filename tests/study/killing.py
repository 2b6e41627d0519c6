"""Studies that are killed at any moment, and run again until they are done."""

import json
import os
import re
import signal
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from tests.study.conftest import Toy, living, until

# The run alone, whose workers stay behind, or all of its processes.
WHOM = ("driver", "group")
_FINISHED = re.compile(r"\] (\w+) on mail, repetition (\d+), fold (\d+): \d")


@dataclass
class Killed:
    """What was seen of kills.

    Attributes
    ----------
    kills
        How many runs were killed.
    early
        How many of them before a fold was trained.
    in_commit
        How many left a journal behind: they were writing.
    lost, repeated
        Folds that were stored, or reported so, and then were not; and folds that were
        trained again after they had been stored.
    again
        Folds that ran at a kill and were trained again.
    orphans
        For how many seconds workers outlived their run.
    """

    kills: int = 0
    early: int = 0
    in_commit: int = 0
    lost: int = 0
    repeated: int = 0
    again: int = 0
    orphans: list[float] = field(default_factory=list)


def many_folds(folder: Path, *, repetitions: int) -> Toy:
    """Make a study with many tiny folds, so that commits are frequent."""
    toy = Toy(folder)
    toy.study["design"]["m"] = repetitions
    toy.study["data"]["mail"]["items"] = 40 + 2 * repetitions
    for table in toy.study["systems"].values():
        table["settings"]["seconds"] = 0.01
    toy.write()
    return toy


def kill_again_and_again(toy: Toy, *, kills: int, seed: int, step: int) -> Killed:
    """Kill runs of a study; the last run is left alone.

    Parameters
    ----------
    toy
        The study.
    kills
        How many runs are killed.
    seed
        Of the moments.
    step
        How many folds a run trains, at most, before it is killed.
    """
    rng, seen = np.random.default_rng(seed), Killed()
    stored: dict[str, tuple] = {}
    for turn in range(kills):
        before = toy.trained()
        running = toy.started("--workers", 2)
        _wait(toy, running, rng, before.total(), step)
        _kill(running, WHOM[turn % 2])
        seen.orphans.append(_outlived(running))
        _look(toy, seen, stored, before, running.communicate()[1])
    before = toy.trained()
    toy.go()
    ended = toy.ran("--workers", 2)
    assert ended.returncode == 0, ended.stderr
    _look(toy, seen, stored, before, ended.stderr)
    seen.kills, seen.again = kills, toy.trained().total() - len(stored)
    return seen


def _wait(toy, running, rng, trained, step):
    """Wait until a random moment: at the start, or when so many folds were trained."""
    if rng.random() < 0.2:
        time.sleep(rng.uniform(0, 1.5))
        return
    more = trained + rng.integers(1, step)
    until(lambda: toy.trained().total() >= more or running.poll() is not None)
    time.sleep(rng.uniform(0, 0.03))


def _kill(running, whom):
    assert running.poll() is None, "the study ended before it could be killed"
    if whom == "driver":
        running.kill()
    else:
        os.killpg(running.pid, signal.SIGKILL)
    running.wait()


def _outlived(running):
    """Wait for the workers of a run that was killed, and say how long they lived."""
    start = time.monotonic()
    until(lambda: not living(running.pid), seconds=30)
    return time.monotonic() - start


def _look(toy, seen, stored, before, output):
    """Compare what is stored with what was stored, trained since, and reported."""
    seen.in_commit += Path(f"{toy.db}-journal").exists()
    since = toy.trained() - before
    seen.early += not since
    finished = {(row[2], _seed(row)) for row in stored.values()}
    seen.repeated += sum(count for fold, count in since.items() if fold in finished)
    now = {row[0]: row for row in toy.rows("*")} if _has_results(toy) else {}
    seen.lost += sum(now.get(key) != row for key, row in stored.items())
    folds = {(row[2], str(row[3]), str(row[4])) for row in now.values()}
    seen.lost += len(set(_FINISHED.findall(output)) - folds)
    stored.update(now)


def _seed(row):
    return json.loads(row[5])["seed"]


def _has_results(toy):
    if not toy.db.exists():
        return False
    with closing(sqlite3.connect(toy.db)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        query = "SELECT count(*) FROM sqlite_master WHERE name = 'results'"
        return connection.execute(query).fetchone() == (1,)
