"""What running folds as a study costs, beside the same folds in a bare loop of joblib.

Run as ``python benchmarks/study.py``; exits 1 if a bar is missed. Each fold takes a
second, most of it asleep and the rest at work, so that two of them fit on a busy
machine. Both sides get the same training and test items, start their own worker
processes, and take turns. The study also deals the folds, fingerprints data and code,
makes the store, and commits every fold to it.

The second line is the time from the start of ``likelier study run`` on a study that is
half done to the first fold that starts, beside the start of Python with numpy and
joblib and a first call in a worker.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import joblib
import numpy as np
from rich.console import Console
from rich.table import Table

from likelier.study import Study, read_toml
from likelier.study.runner import run_folds

BAR, RESUME_BAR = 1.05, 1.0
ITEMS, WORDS = 2000, 20

MODULE = '''
"""Systems that take a second."""

import time
from contextlib import closing
from pathlib import Path

import numpy as np

from likelier.study import StudyData

STARTED = Path(__file__).with_name("started")


def texts(items, words):
    rng = np.random.default_rng(0)
    gold = [str(label) for label in rng.integers(2, size=items)]
    inputs = [" ".join(f"w{w}" for w in rng.integers(5000, size=words)) for _ in gold]
    return StudyData(inputs, gold)


class Second:
    """Works for a while, and sleeps for the rest of its time."""

    def __init__(self, name, seconds=1.0, work=0.2):
        self.name, self.seconds, self.work = name, seconds, work

    def fit(self, inputs, gold):
        with STARTED.open("a") as file:
            file.write(f"{time.time()}\\n")
        end = time.perf_counter() + self.seconds
        worked = time.process_time() + self.seconds * self.work
        while time.process_time() < worked:
            sum(range(10_000))
        time.sleep(max(0.0, end - time.perf_counter()))
        self.usual = max(sorted(set(gold)), key=gold.count)

    def predict(self, inputs):
        return [self.usual] * len(inputs)
'''

TOML = """
name = "overhead"
seed = 0

[design]
name = "mx2"
m = {repetitions}

[data.texts]
loader = "second:texts"
items = {items}
words = {words}

[systems.a]
object = "second:Second"
settings = {{ name = "a", seconds = {seconds} }}

[systems.b]
object = "second:Second"
settings = {{ name = "b", seconds = {seconds} }}
"""

MAIN = "from likelier.cli import main; main()"
PLAIN = """
import sys, time
import joblib
import numpy

sys.path.insert(0, sys.argv[1])
import second

if __name__ == "__main__":
    fold = second.Second("bare", 0.0)
    joblib.Parallel(n_jobs=2)(joblib.delayed(fold.fit)(["x"], ["0"]) for _ in range(2))
"""


def one_fold(system: object, train: tuple, test: tuple) -> float:
    """Do what a fold must do: train, predict, and count what is right."""
    system.fit(*train)
    said = system.predict(test[0])
    return float(np.mean([a == b for a, b in zip(said, test[1], strict=True)]))


def bare(study: Study, workers: int) -> float:
    """Time all folds in a loop of joblib, with nothing around them."""
    from second import Second

    joblib.externals.loky.get_reusable_executor().shutdown(wait=True)
    start = time.perf_counter()
    data = study.datasets["texts"]

    def part(places: np.ndarray) -> tuple:
        return [data.inputs[i] for i in places], [data.gold[i] for i in places]

    seconds = study.systems["a"].settings["seconds"]
    splits = study.folds["texts"].splits.values()
    calls = (
        joblib.delayed(one_fold)(Second(name, seconds), part(train), part(test))
        for train, test in splits
        for name in ("a", "b")
    )
    parallel = joblib.Parallel(n_jobs=workers, batch_size=1, pre_dispatch=2 * workers)
    parallel(calls)
    return time.perf_counter() - start


def studied(toml: Path, store: Path, workers: int) -> float:
    """Time the same folds as a study."""
    joblib.externals.loky.get_reusable_executor().shutdown(wait=True)
    start = time.perf_counter()
    run_folds(read_toml(toml), store, workers=workers)
    return time.perf_counter() - start


def overhead(folder: Path, arguments: argparse.Namespace) -> list[tuple[float, float]]:
    """Time both sides in turn: the study, the bare loop."""
    times = []
    toml = write(folder, arguments.repetitions, arguments.seconds)
    for turn in range(arguments.rounds):
        study = read_toml(toml)
        _ = study.folds
        ours = studied(toml, folder / f"{turn}.db", arguments.workers)
        times.append((ours, bare(study, arguments.workers)))
    return times


def resumed(folder: Path, arguments: argparse.Namespace) -> list[tuple[float, float]]:
    """Time the start of a study that is half done, and of Python with joblib."""
    toml = write(folder, 2, 0.0)
    store, script = folder / "resumed.db", folder / "plain.py"
    script.write_text(PLAIN)
    run_folds(read_toml(toml), store, workers=arguments.workers)
    times = []
    for _ in range(arguments.rounds * 3):
        half_done(store)
        ours = until_started(
            folder, ["-c", MAIN, "study", "run", str(toml), "--store", str(store)]
        )
        times.append((ours, until_started(folder, [str(script), str(folder)])))
    return times


def half_done(store: Path) -> None:
    """Remove every other fold from a store."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM results WHERE rowid % 2 = 0")


def until_started(folder: Path, words: list[str]) -> float:
    """Time a command until the first fold starts; let it end."""
    log = folder / "started"
    log.unlink(missing_ok=True)
    start = time.time()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([sys.executable, *words], check=True, **quiet)
    return min(float(line) for line in log.read_text().split()) - start


def write(folder: Path, repetitions: int, seconds: float) -> Path:
    """Write the study down."""
    toml = folder / "study.toml"
    (folder / "second.py").write_text(MODULE)
    toml.write_text(
        TOML.format(repetitions=repetitions, items=ITEMS, words=WORDS, seconds=seconds)
    )
    return toml


def main() -> None:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repetitions", type=int, default=10, help="4 folds each")
    parser.add_argument("--seconds", type=float, default=1.0, help="of a fold")
    arguments = parser.parse_args()
    with TemporaryDirectory() as made:
        folder = Path(made)
        sys.path.insert(0, made)
        # For workers of the bare loop, which find the systems by their module's name.
        paths = [made, os.environ.get("PYTHONPATH", "")]
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        start, folds = resumed(folder, arguments), overhead(folder, arguments)
    ratio = sum(t[0] for t in folds) / sum(t[1] for t in folds)
    ours, plain = (float(np.median([t[i] for t in start])) for i in range(2))
    table = Table("what", "likelier", "beside it", "ratio", "bar", "met")
    table.add_row(
        f"{4 * arguments.repetitions} folds of {arguments.seconds:g} s, "
        f"{arguments.workers} workers: mean of {arguments.rounds}",
        f"{np.mean([t[0] for t in folds]):.2f} s",
        f"{np.mean([t[1] for t in folds]):.2f} s",
        f"{ratio:.3f}",
        f"at most {BAR}",
        _word(met=ratio <= BAR),
    )
    table.add_row(
        f"from start to first fold on resume: median of {len(start)}",
        f"{ours:.2f} s",
        f"{plain:.2f} s",
        f"{ours / plain:.2f}",
        f"{ours - plain:.2f} s more, at most {RESUME_BAR} s",
        _word(met=ours - plain <= RESUME_BAR),
    )
    Console(width=120).print(table)
    print("each round:", ", ".join(f"{a:.2f}/{b:.2f}" for a, b in folds))
    print("each start:", ", ".join(f"{a:.2f}/{b:.2f}" for a, b in start))
    sys.exit(ratio > BAR or ours - plain > RESUME_BAR)


def _word(*, met: bool) -> str:
    return "yes" if met else "no"


if __name__ == "__main__":
    main()
