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
            seed=0,
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
