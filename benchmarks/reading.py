"""How fast a fresh process answers, and how fast files and frames are counted.

Run as ``python benchmarks/reading.py``; exits 1 if a bar is missed. A fresh process
stands beside the bare imports that it needs; files beside DuckDB, which groups or joins
the same columns and checks nothing; frames beside the bare grouping of their engine.
Processor times, the least of some turns.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import dask.dataframe
import duckdb
import ibis
import polars as pl
from chunks import spent as timed
from speed import Line, fastest, formatted, show
from speed import spent as child

import likelier as lk
from likelier.readers import read_files

SYSTEMS = ["a", "b"]
PAIRED = ["gold", *SYSTEMS]
LABELS = {"gold": "gold", "systems": SYSTEMS}
FIRST_ANSWER = """
import likelier as lk
gold, a, b = [1, 0, 1, 1] * 50, [1, 1, 0, 1] * 50, [1, 0, 1, 0, 1] * 40
lk.compare(gold, a, b, metric="f1", positive="1", rope=0.01, seed=0)
"""
# The rows of two-class labels; texts of a hundred characters stand beside the items.
ROWS = """
CREATE TABLE t AS
SELECT i, 'q' || i AS id,
       CASE WHEN g < 0.3 THEN 'spam' ELSE 'ham' END AS gold,
       CASE WHEN (g < 0.3) = (p < 0.90) THEN 'spam' ELSE 'ham' END AS a,
       CASE WHEN (g < 0.3) = (q < 0.92) THEN 'spam' ELSE 'ham' END AS b
FROM (SELECT i, random() AS g, random() AS p, random() AS q FROM range({rows}) r(i))
"""


@dataclass(frozen=True)
class Job:
    """What is measured, what stands beside it, and the largest ratio of the two."""

    name: str
    ours: Callable[[], float]
    beside: str
    reference: Callable[[], float]
    bar: float
    repetitions: int = 3

    def line(self) -> Line:
        """Let both sides take turns."""
        mine, other = fastest(self.ours, self.reference, repetitions=self.repetitions)
        ratio = mine / other
        return Line(
            self.name,
            formatted(mine),
            f"{self.beside} {formatted(other)}",
            f"{ratio:.2f}",
            f"at most {self.bar:g}",
            ratio <= self.bar,
        )


def start(folder: Path, _: argparse.Namespace) -> Iterator[Job]:
    """Yield jobs of a fresh process: a command on a small file, and a call on lists."""
    path = folder / "small.csv"
    duckdb.connect().execute(
        f"{ROWS.format(rows=200)}; COPY (SELECT gold, a, b FROM t) TO '{path}'"
    )
    script = str(Path(sys.executable).with_name("likelier"))
    command = [script, "compare", str(path), "--systems", "a,b", "--metric", "f1"]
    command += ["--positive", "spam", "--rope", "0.01"]
    imports = "numpy, scipy.special, duckdb, typer"
    yield Job(
        "likelier compare, 200 rows",
        lambda: child(*command),
        f"import {imports}",
        lambda: child(sys.executable, "-c", f"import {imports}"),
        2,
        7,
    )
    yield Job(
        "first lk.compare on lists",
        lambda: child(sys.executable, "-c", FIRST_ANSWER),
        "import numpy, scipy.special",
        lambda: child(sys.executable, "-c", "import numpy, scipy.special"),
        2,
        7,
    )


def files(folder: Path, options: argparse.Namespace) -> Iterator[Job]:
    """Yield jobs of one file and of three that are joined on an id."""
    con = duckdb.connect()
    con.execute(f"SELECT setseed(0.3); {ROWS.format(rows=options.rows)}")
    for kind, how in (("json", "json"), ("csv", "csv, HEADER"), ("parquet", "parquet")):
        for name in PAIRED:
            order = "" if name == "gold" else "ORDER BY hash(i)"
            part = f"SELECT id, {name} AS label FROM t {order}"
            con.execute(f"COPY ({part}) TO '{folder}/{name}.{kind}' (FORMAT {how})")
        wide = f"{folder}/wide.{kind}"
        con.execute(f"COPY (SELECT id, gold, a, b FROM t) TO '{wide}' (FORMAT {how})")
    n = f"{options.rows:,}"
    for kind, bar, joined in (
        ("json", 2.0, 2.0),
        ("csv", 2.0, 1.8),
        ("parquet", 1.5, 1.8),
    ):
        path = f"{folder}/wide.{kind}"
        columns = PAIRED if kind == "json" else ["id", *PAIRED]
        grouped = f"SELECT gold, a, b, count(*) FROM {scan(path, columns)} GROUP BY ALL"
        if kind != "parquet":  # that is line d of speed.py
            yield Job(
                f"{kind}, {n} rows",
                timed(lambda path=path: read_files(path, **LABELS)),
                "DuckDB",
                timed(lambda sql=grouped: run(sql)),
                bar,
            )
        paths = [f"{folder}/{name}.{kind}" for name in PAIRED]
        yield Job(
            f"{kind}, 3 files of {n} rows joined",
            timed(lambda paths=paths: read_files(paths, id="id", label="label")),
            "DuckDB",
            timed(lambda paths=paths: run(join(paths))),
            joined,
        )
    path = f"{folder}/wide.parquet"
    con.execute(f"COPY (SELECT i AS id, gold, a, b FROM t) TO '{path}'")
    unique = f"SELECT count(DISTINCT id) FROM '{path}'"
    yield Job(
        f"parquet, {n} rows with --id",
        timed(lambda: read_files(path, id="id", **LABELS)),
        "count(DISTINCT id)",
        timed(lambda: run(unique)),
        1.5,
    )


def frames(folder: Path, options: argparse.Namespace) -> Iterator[Job]:
    """Yield jobs of frames that are counted in their engine."""
    path = str(folder / "wide.parquet")
    con = duckdb.connect()
    con.execute(ROWS.format(rows=options.large))
    con.execute(f"COPY (SELECT gold, a, b FROM t) TO '{path}'")
    small = {"metric": "accuracy", "seed": 0, "draws": 1_000, **LABELS}
    sql = f"SELECT gold, a, b, count(*) FROM '{path}' GROUP BY ALL"
    tables = ibis.duckdb.connect()
    engines: list[tuple[str, Callable[[], object], Callable[[], object]]] = [
        (
            "Polars",
            lambda: pl.scan_parquet(path),
            lambda: pl.scan_parquet(path).group_by(PAIRED).len().collect(),
        ),
        ("DuckDB", lambda: duckdb.sql(f"FROM '{path}'"), lambda: run(sql)),
        (
            "Ibis",
            lambda: tables.read_parquet(path),
            lambda: (
                tables.read_parquet(path)
                .group_by(PAIRED)
                .agg(n=lambda t: t.count())
                .to_pyarrow()
            ),
        ),
        (
            "Dask",
            lambda: dask.dataframe.read_parquet(path),
            lambda: dask.dataframe.read_parquet(path).groupby(PAIRED).size().compute(),
        ),
    ]
    for name, frame, grouped in engines:
        yield Job(
            f"frame of {name}, {options.large:,} rows",
            timed(lambda frame=frame: lk.compare(frame(), **small)),
            "its bare grouping",
            timed(grouped),
            1.5,
        )


def scan(path: str, columns: Sequence[str]) -> str:
    """Write how DuckDB reads some columns of a file as texts."""
    kinds = ", ".join(f"{name}: 'VARCHAR'" for name in columns)
    if path.endswith("json"):
        return f"read_json('{path}', format='newline_delimited', columns={{{kinds}}})"
    if path.endswith("csv"):
        return f"read_csv('{path}', auto_detect=false, columns={{{kinds}}})"
    return f"read_parquet('{path}')"


def join(paths: Sequence[str]) -> str:
    """Write the join of the gold file and the files of two systems."""
    g, a, b = (scan(path, ["id", "label"]) for path in paths)
    return (
        f"SELECT g.label, a.label, b.label, count(*) FROM {g} g JOIN {a} a USING (id) "
        f"JOIN {b} b USING (id) GROUP BY ALL"
    )


def run(sql: str) -> object:
    """Run a query in a database of its own."""
    with duckdb.connect() as con:
        return con.execute(sql).fetchall()


PARTS = {"start": start, "files": files, "frames": frames}


def main() -> int:
    """Measure, print the table, and return whether a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(PARTS), help="such as start,files")
    parser.add_argument("--rows", type=int, default=10**6, help="rows of files")
    parser.add_argument("--large", type=int, default=3 * 10**6, help="rows of frames")
    options = parser.parse_args()
    wanted = options.only.split(",")
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}; got {', '.join(unknown)}")
    lines = []
    for name in wanted:
        with TemporaryDirectory() as folder:
            lines += [job.line() for job in PARTS[name](Path(folder), options)]
    show(lines)
    return int(any(line.met is False for line in lines))


if __name__ == "__main__":
    sys.exit(main())
