"""How fast scores of many data sets with folds are compared and ranked.

Run as ``python benchmarks/folds.py``; exits 1 if a bar is missed. Each job is measured
beside ten million Student variables drawn by numpy, which take .28 s of the machine on
which the bars were set; both by processor time. Tables of densities are built anew in
each run, as in a fresh process; imports are left out.
"""

import argparse
import sys
from collections.abc import Callable, Iterator

import numpy as np
from bayes_test import spent
from speed import Line, fastest, formatted, show

import likelier as lk
from likelier.methods.folds.density_table import density_table

DRAWN = 10_000_000
ROPE = 0.01


def scores(
    sets: int, folds: int, *, systems: int = 2, heavy: bool = False
) -> lk.Scores:
    """Draw scores of systems, each a little better; heavy: data sets differ widely."""
    rng = np.random.default_rng(0)
    shape = (sets, systems)
    gaps = rng.standard_t(1.5, shape) if heavy else rng.normal(size=shape)
    means = 0.01 * gaps + 0.005 * np.arange(systems)
    sds = 0.02 * np.exp(rng.normal(0, 0.4, sets))[:, None]
    base = 0.8 + rng.normal(0, 0.02, (sets, folds))
    rows = [
        base + means[:, [i]] + sds * rng.normal(size=(sets, folds))
        for i in range(systems)
    ]
    return lk.Scores.from_arrays(*rows, systems=[f"s{i}" for i in range(systems)])


def drawn() -> object:
    """Draw what is measured beside every job."""
    return np.random.default_rng(0).standard_t(8, DRAWN)


def compared(table: lk.Scores) -> Callable[[], object]:
    """Compare two systems, and say what is printed."""

    def run() -> object:
        density_table.cache_clear()
        result = lk.compare_folds(table, rope=ROPE)
        return result.sentence(), result.lines()

    return run


def ranked(table: lk.Scores) -> Callable[[], object]:
    """Rank systems, and make the tables that are printed."""

    def run() -> object:
        density_table.cache_clear()
        result = lk.rank(table, rope=ROPE, seed=0)
        return result.sentence(), result.screen_tables(), result.lines()

    return run


def page(table: lk.Scores) -> Callable[[], object]:
    """Make the page of one ranking, which is ranked before."""
    result = lk.rank(table, rope=ROPE, seed=0)
    result.lines()
    return result.report


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """Measure every job."""
    six = scores(10, 100, systems=6)
    jobs: list[tuple[str, Callable[[], object], float, int]] = [
        ("compare 54 data sets x 100 folds", compared(scores(54, 100)), 1.8, 5),
        (
            "the same with heavy tails",
            compared(scores(54, 100, heavy=True)),
            3.6,
            3,
        ),
        ("compare 200 data sets x 10 folds", compared(scores(200, 10)), 2.9, 3),
        ("rank 6 systems on 10 data sets x 100 folds", ranked(six), 7.0, 3),
        ("the page of that", page(six), 3.6, 3),
    ]
    if not options.short:
        twenty = scores(10, 100, systems=20)
        name = "rank 20 systems on 10 data sets x 100 folds"
        jobs.append((name, ranked(twenty), 54.0, 1))
    for name, job, bar, repetitions in jobs:
        mine, other = fastest(spent(job), spent(drawn), repetitions=repetitions)
        yield Line(
            name,
            formatted(mine),
            f"{DRAWN:,} Student variables {formatted(other)}",
            f"{mine / other:.2f}",
            f"at most {bar:g}",
            mine / other <= bar,
        )


def main() -> int:
    """Print the table, and tell whether all bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="not the 20 systems")
    told = list(lines(parser.parse_args()))
    show(told)
    return int(any(line.met is False for line in told))


if __name__ == "__main__":
    sys.exit(main())
