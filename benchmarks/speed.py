"""How fast the library is, always beside something else measured in the same run.

Run as ``python benchmarks/speed.py``; exits 1 if a bar is missed. Times are minima of
interleaved repetitions, so that a busy machine disturbs both sides alike.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import likelier as lk
from likelier import Outcomes, metrics
from likelier.methods.items.bootstrap import Bootstrap
from likelier.methods.items.dirichlet import Paired
from likelier.streams import DRAWS, Streams

# How often 1,000 items fell into the cells (gold, first, second) of two classes.
CELLS = np.array(list(product((0, 1), repeat=3)))
PER_THOUSAND = np.array([500, 40, 50, 30, 30, 60, 50, 240])
LAZY = ("matplotlib", "jinja2", "duckdb", "typer", "scipy.stats")
GIGABYTE = 1e9
# Seconds that 50,000 draws of 8 Gammas take on the machine that bars are given for.
GAMMA_DRAWS = 0.006

Columns = list[np.ndarray]


@dataclass(frozen=True)
class Line:
    """One line of the table: what was measured, beside what, and the bar."""

    what: str
    ours: str
    beside: str
    ratio: str
    bar: str
    met: bool | None


def fastest(*functions: Callable[[], float], repetitions: int) -> list[float]:
    """Give the least time of each function; they take turns."""
    times = [[function() for function in functions] for _ in range(repetitions)]
    return [float(least) for least in np.min(times, axis=0)]


def timed(function: Callable[[], object]) -> Callable[[], float]:
    """Turn a function into one that gives its time in seconds."""

    def run() -> float:
        start = time.perf_counter()
        function()
        return time.perf_counter() - start

    return run


def table_of(items: int) -> Outcomes:
    """Build the outcomes of so many items, a multiple of 1,000, in eight patterns."""
    counts = PER_THOUSAND * (items // PER_THOUSAND.sum())
    return Outcomes.from_patterns(list(CELLS.T), counts, systems=["a", "b"])


def resampling(_: argparse.Namespace) -> Iterator[Line]:
    """Measure the paired bootstrap of F1 against that of scipy, per resample."""
    from scipy import stats

    items, few = 100_000, 50
    rows = np.repeat(CELLS, PER_THOUSAND * (items // PER_THOUSAND.sum()), axis=0)
    gold, first, second = np.random.default_rng(0).permutation(rows).astype(bool).T
    table = Outcomes.from_labels(gold, first, second).binary("true")

    def ours() -> object:
        return Bootstrap().estimate(table, metrics.f1, Streams.of(0))

    def theirs() -> object:
        return stats.bootstrap(
            (gold, first, second),
            item_difference,
            paired=True,
            vectorized=True,
            method="percentile",
            n_resamples=few,
            batch=10,
            rng=0,
        )

    mine, other = fastest(timed(ours), timed(theirs), repetitions=5)
    ratio = (other / few) / (mine / DRAWS)
    yield Line(
        f"a. one resample of F1, {items:,} items",
        formatted(mine / DRAWS),
        f"scipy.stats.bootstrap {formatted(other / few)}",
        f"{ratio:,.0f} times faster",
        "at least 500",
        ratio >= 500,
    )


def item_difference(
    gold: np.ndarray, first: np.ndarray, second: np.ndarray, axis: int = -1
) -> np.ndarray:
    """Compute the difference of F1 from items, along an axis."""
    right = gold.sum(axis)

    def f1(said: np.ndarray) -> np.ndarray:
        return 2 * (gold & said).sum(axis) / (right + said.sum(axis))

    return f1(second) - f1(first)


def size(_: argparse.Namespace) -> Iterator[Line]:
    """Measure a comparison of many items against one of few."""

    def answer(items: int) -> Callable[[], object]:
        table = table_of(items)
        return lambda: lk.compare(table, metric="f1", positive="1", rope=0.01, seed=0)

    large, small = fastest(timed(answer(10**7)), timed(answer(10**4)), repetitions=25)
    ratio = large / small
    yield Line(
        "b. compare 10,000,000 items, counted",
        formatted(large),
        f"10,000 items {formatted(small)}",
        f"{ratio:.2f}",
        "at most 1.2",
        ratio <= 1.2,
    )


def posterior(_: argparse.Namespace) -> Iterator[Line]:
    """Measure the posterior of the F1 difference against bare Gamma draws."""
    table = table_of(10**5).binary("1")
    shapes, generator = table.counts + 1.0, np.random.default_rng(0)

    def ours() -> object:
        return Paired().posterior(table, metrics.f1, Streams.of(0, draws=DRAWS))

    def theirs() -> object:
        return generator.standard_gamma(shapes, size=(DRAWS, len(shapes)))

    mine, other = fastest(timed(ours), timed(theirs), repetitions=25)
    yield Line(
        f"c. {DRAWS:,} posterior draws of F1, 8 cells",
        formatted(mine),
        f"numpy Gamma draws {formatted(other)}",
        f"{mine / other:.2f}",
        "at most 3",
        mine / other <= 3,
    )


MAKE = """
COPY (SELECT CASE WHEN g < 0.3 THEN 'spam' ELSE 'ham' END AS gold,
             CASE WHEN (g < 0.3) = (p < 0.90) THEN 'spam' ELSE 'ham' END AS a,
             CASE WHEN (g < 0.3) = (q < 0.92) THEN 'spam' ELSE 'ham' END AS b
      FROM (SELECT random() AS g, random() AS p, random() AS q FROM range({rows})))
TO '{path}' (FORMAT parquet)
"""
# Both sides load what they need before the clock starts.
PROBE = """
import json, resource, sys, time
{before}
start = time.perf_counter()
{work}
seconds = time.perf_counter() - start
unit = 1 if sys.platform == "darwin" else 1024
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
print(json.dumps([seconds, peak]))
"""
OURS = (
    "import duckdb; from likelier.readers import read_files; read_files",
    "read_files([sys.argv[1]], gold='gold', systems=['a', 'b'])",
)
BARE = (
    "import duckdb",
    "duckdb.connect().execute('SELECT gold, a, b, count(*) FROM read_parquet(?) "
    "GROUP BY ALL', [sys.argv[1]]).fetchall()",
)


def counting(options: argparse.Namespace) -> Iterator[Line]:
    """Measure the counting of a Parquet file against bare DuckDB, and its memory."""
    import duckdb

    peaks: list[float] = []
    with TemporaryDirectory() as folder:
        path = str(Path(folder, "predictions.parquet"))
        duckdb.connect().execute(MAKE.format(rows=options.rows, path=path))

        def ours() -> float:
            seconds, peak = probed(*OURS, path)
            peaks.append(peak)
            return seconds

        mine, other = fastest(ours, lambda: probed(*BARE, path)[0], repetitions=7)
    yield Line(
        f"d. count {options.rows:,} rows of Parquet",
        formatted(mine),
        f"bare DuckDB {formatted(other)}",
        f"{mine / other:.2f}",
        "at most 1.5",
        mine / other <= 1.5,
    )
    share = max(peaks) / GIGABYTE
    yield Line(
        "d. peak memory of that", "", "1 GB", f"{share:.2f}", "at most 1", share <= 1
    )


def probed(before: str, work: str, path: str) -> tuple[float, float]:
    """Run work in a process of its own; give its seconds and its peak of bytes."""
    code = PROBE.format(before=before, work=work)
    seconds, peak = json.loads(output(sys.executable, "-c", code, path))
    return seconds, peak


def start(_: argparse.Namespace) -> Iterator[Line]:
    """Measure the help of the command line against what it must import."""
    script = Path(sys.executable).with_name("likelier")
    beside = [sys.executable, "-c", "import typer, rich"]
    if subprocess.run([script, "--help"], capture_output=True).returncode:
        yield Line("e. likelier --help", "not there", "", "", "at most 1.5", None)
        return
    mine, other = fastest(
        lambda: spent(str(script), "--help"),
        lambda: spent(*beside),
        repetitions=25,
    )
    yield Line(
        "e. likelier --help",
        formatted(mine),
        f"import typer, rich {formatted(other)}",
        f"{mine / other:.2f}",
        "at most 1.5",
        mine / other <= 1.5,
    )


def spent(*command: str) -> float:
    """Run a command and give its processor time, which waits for nobody."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def imports(_: argparse.Namespace) -> Iterator[Line]:
    """Look which heavy modules come with the library."""
    code = (
        "import sys, likelier; likelier.compare; "
        f"print(*[name for name in {LAZY} if name in sys.modules])"
    )
    loaded = output(sys.executable, "-c", code).split()
    yield Line(
        "f. import likelier, heavy modules loaded",
        ", ".join(loaded) or "none",
        ", ".join(LAZY),
        "",
        "none",
        not loaded,
    )


@dataclass(frozen=True)
class Job:
    """A question of some size, and its bar in seconds where Gamma draws take 6 ms."""

    what: str
    ask: Callable[[], Callable[[], object]]
    bar: float
    repetitions: int = 3


def of_labels(kind: str, items: int, classes: int = 2) -> Columns:
    """Make gold labels and two systems that are right on four of five items."""
    rng = np.random.default_rng(0)
    gold = rng.integers(classes, size=items)
    columns = [gold]
    for right in (0.80, 0.82):
        guess = rng.integers(classes, size=items)
        columns.append(np.where(rng.random(items) < right, gold, guess))
    return [column.astype(kind) for column in columns]


def of_scores(items: int) -> Callable[[], object]:
    """Compare the mean of distinct scores."""
    rng = np.random.default_rng(0)
    first = rng.random(items)
    second = first + rng.normal(0.002, 0.1, items)
    return lambda: repr(
        lk.compare(Outcomes.from_scores(first, second), metric="mean", seed=0)
    )


def compared(
    metric: str, *columns: np.ndarray, **settings: Any
) -> Callable[[], object]:
    """Compare two systems on columns of labels."""
    return lambda: repr(lk.compare(*columns, metric=metric, seed=0, **settings))


def clustered(items: int) -> Callable[[], object]:
    """Compare accuracy over clusters of 20 items."""
    cluster = np.arange(items) // 20
    return compared("accuracy", *of_labels("int64", items), cluster=cluster)


def grouped(classes: int) -> Callable[[], object]:
    """Compare F1 of every class, and its averages."""
    columns = of_labels("int64", 10**4, classes)
    return lambda: repr(lk.compare_groups(*columns, rope=0.01, seed=0))


def planned(question: str, *arguments: float) -> Callable[[], object]:
    """Ask a plan."""
    assumed = lk.Assumed.accuracies(0.80, 0.85, agreement=0.9)
    asked = lk.plan(assumed, metric="accuracy", seed=0)
    return lambda: getattr(asked, question)(*arguments)


JOBS = (
    Job(
        "accuracy, 1e6 numbers",
        lambda: compared("accuracy", *of_labels("int64", 10**6)),
        0.12,
    ),
    Job(
        "accuracy, 1e7 numbers",
        lambda: compared("accuracy", *of_labels("int64", 10**7)),
        1.2,
    ),
    Job(
        "macro F1, 20 classes, 1e4 items",
        lambda: compared("macro_f1", *of_labels("int64", 10**4, 20)),
        0.2,
    ),
    Job(
        "macro F1, 100 classes, 1e4 items",
        lambda: compared("macro_f1", *of_labels("int64", 10**4, 100)),
        0.3,
    ),
    Job("mean, 1e4 scores", lambda: of_scores(10**4), 0.1),
    Job("mean, 1e5 scores", lambda: of_scores(10**5), 0.2),
    Job("mean, 1e6 scores", lambda: of_scores(10**6), 0.5),
    Job("clusters, 1e5 items", lambda: clustered(10**5), 0.2),
    Job("clusters, 1e6 items", lambda: clustered(10**6), 0.6),
    Job("every class of 20", lambda: grouped(20), 0.5),
    Job("every class of 100", lambda: grouped(100), 1.5),
    Job("every class of 500", lambda: grouped(500), 6.0, 1),
    Job("plan: items needed", lambda: planned("items"), 0.5),
    Job("plan: smallest difference", lambda: planned("smallest", 1000), 0.5),
)


def many(_: argparse.Namespace) -> Iterator[Line]:
    """Measure questions on many items, classes or scores against bare Gamma draws."""
    shapes, generator = np.linspace(2.0, 90.0, 8), np.random.default_rng(0)

    def gamma_draws() -> object:
        return generator.standard_gamma(shapes, size=(DRAWS, len(shapes)))

    for job in JOBS:
        mine, other = fastest(
            used(job.ask()), used(gamma_draws), repetitions=job.repetitions
        )
        ratio, bar = mine / other, job.bar / GAMMA_DRAWS
        yield Line(
            f"h. {job.what}",
            formatted(mine),
            f"numpy Gamma draws {formatted(other)}",
            f"{ratio:.0f}",
            f"at most {bar:.0f}",
            ratio <= bar,
        )


def texts_as_labels(_: argparse.Namespace) -> Iterator[Line]:
    """Measure a comparison of labels that are texts against numpy's unique."""
    columns = of_labels("U4", 10**6)

    def theirs() -> object:
        return [np.unique(column, return_inverse=True) for column in columns]

    mine, other = fastest(
        used(compared("accuracy", *columns)), used(theirs), repetitions=3
    )
    yield Line(
        "i. accuracy, 1e6 texts",
        formatted(mine),
        f"numpy.unique {formatted(other)}",
        f"{mine / other:.2f}",
        "at most 2",
        mine / other <= 2,
    )


SETS = """
import numpy as np
from likelier import Outcomes
rng = np.random.default_rng(0)
ranks = np.minimum((rng.pareto(1, (3, 20_000, 5)) * 5).astype(int), 4999).tolist()
sets = [[{f"label {i}" for i in row} for row in column] for column in ranks]
sets[0][0] = {f"label {i}" for i in range(5000)}
"""


def sets_of_labels(_: argparse.Namespace) -> Iterator[Line]:
    """Measure 20,000 items of sets among 5,000 labels, and the memory of it."""
    mine, peak = probed(SETS, "Outcomes.from_sets(*sets)", "")
    other, _peak = probed(
        SETS, "[sorted(one) for column in sets for one in column]", ""
    )
    ratio, share = mine / other, peak / (GIGABYTE / 2)
    yield Line(
        "g. 20,000 sets of 5,000 labels",
        formatted(mine),
        f"sorting each set {formatted(other)}",
        f"{ratio:.0f}",
        "at most 25",
        ratio <= 25,
    )
    yield Line(
        "g. peak memory of that", "", "500 MB", f"{share:.2f}", "at most 1", share <= 1
    )


def used(function: Callable[[], object]) -> Callable[[], float]:
    """Turn a function into one that gives its processor time in seconds."""

    def run() -> float:
        start = time.process_time()
        function()
        return time.process_time() - start

    return run


def output(*command: str) -> str:
    """Run a command and give what it wrote."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def formatted(seconds: float) -> str:
    """Write a time with a unit that suits it."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Line]]] = {
    "a": resampling,
    "b": size,
    "c": posterior,
    "d": counting,
    "e": start,
    "f": imports,
    "g": sets_of_labels,
    "h": many,
    "i": texts_as_labels,
}


def show(lines: Sequence[Line]) -> None:
    """Print the table."""
    table = Table("what", "ours", "beside it", "ratio", "bar", "met")
    words = {True: "yes", False: "no", None: "not measured"}
    for line in lines:
        told = line.what, line.ours, line.beside, line.ratio, line.bar
        table.add_row(*told, words[line.met])
    Console(width=None if sys.stdout.isatty() else 140).print(table)


def main() -> int:
    """Measure what is asked for, print the table, and tell whether all bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(PARTS), help="such as a,c")
    parser.add_argument("--rows", type=int, default=10**7, help="rows of the file of d")
    options = parser.parse_args()
    wanted = options.only.split(",")
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}; got {', '.join(unknown)}")
    lines = [line for name in wanted for line in PARTS[name](options)]
    show(lines)
    return int(any(line.met is False for line in lines))


if __name__ == "__main__":
    sys.exit(main())
