"""Made scores on which likelier and baycomp answer the same questions.

Run as ``python benchmarks/baycomp_cases.py cases.json``; needs numpy only. Every case
draws from a stream of its own, named by the seed and the case, so that a case stays
the same when others are added.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

Case = dict[str, Any]

ROPE, RUNS, FOLDS = 0.01, 10, 10
SYSTEMS, DATA_SETS = 10, 30
STEP, STEPS = 1 / 1024, 10  # of the scores; in a rope with ties on its edge
VECTORS = 20
SHAPES = ((10, 1), (5, 1), (2, 5), (10, 10), (10, 3), (3, 2), (20, 5))  # folds, runs
ROPES = (0.01, 0.0, 0.002, 0.05)

# Twenty data sets with heavy tails, one of them far out: mean and standard deviation
# (ddof 0) of the differences between the folds of each.
FAR_OUT_MEANS = """
    0.007333319092468398 -0.00664313007676285 0.000707428486713777 0.006157254239703365
    0.0017846056278610722 0.011021008828277936 -0.005992162441653361
    0.001458489478843802 -0.07334310987974087 0.001530199794944026 0.004802360205172554
    0.0022711645253199286 0.018774644432571753 0.003325996116865948
    -0.004531067170935849 0.002397484766684864 -0.00011492642702984001
    0.007941753811457848 -0.0008111549923833194 0.017890454355746432
"""
FAR_OUT_SDS = """
    0.01998160712974109 0.021475662426779524 0.01871496861160642 0.019318643204979266
    0.01823395822253125 0.018132638912874536 0.01892506224316168 0.017534555917266777
    0.020884579459071278 0.020683311515165937 0.019353724892807327 0.017911905093815923
    0.022914154568789705 0.02140234806291533 0.020427513610918633 0.02075466494433411
    0.017361058502069378 0.021014136064779514 0.020571722319838413 0.020797067114474047
"""
# Means and the one standard deviation of two data sets, 20 runs of 10 folds.
TWO_DATA_SETS = {
    "two-clear": ([0.07, 0.065], 0.02),
    "two-clear-alike": ([0.07, 0.072], 0.01),
    "two-apart": ([0.015, 0.03], 0.01),
    "two-around-zero": ([0.001, -0.001], 0.004),
}


def cases(seed: int = 0) -> list[Case]:
    """Make all cases.

    Each is a dict with ``name``, ``test`` (``hierarchical``, ``correlated-t``,
    ``signed-rank`` or ``sign``), ``runs``, ``rope``, and the scores ``first`` and
    ``second``: one list of folds per data set, run after run. The tests of many data
    sets with one score each have lists of one.
    """
    return [
        *hierarchical_cases(seed),
        *exact_cases(seed),
        *correlated_cases(seed),
        *table_cases(seed),
    ]


def stream(seed: int, name: str) -> np.random.Generator:
    """Give the random numbers of one case."""
    return np.random.default_rng([seed, *name.encode()])


def case(
    rng: np.random.Generator,
    name: str,
    differences: np.ndarray,
    *,
    test: str,
    runs: int = RUNS,
    rope: float = ROPE,
) -> Case:
    """Put differences (data sets x folds) on top of scores of a first system."""
    level = rng.uniform(0.4, 0.6, (len(differences), 1))
    first = level + rng.normal(0, 0.02, differences.shape)
    second = first + differences
    return {
        "name": name,
        "test": test,
        "runs": runs,
        "rope": rope,
        "first": first.tolist(),
        "second": second.tolist(),
    }


def hierarchical_cases(seed: int) -> Iterator[Case]:
    """Make fold scores of many data sets, from few to many and from tame to wild."""
    for name, true, sd, folds, runs in situations(seed):
        rng = stream(seed, name)
        sds = sd * rng.uniform(0.5, 1.5, len(true))
        differences = correlated(rng, true, sds, folds=folds, runs=runs)
        yield case(rng, name, differences, test="hierarchical", runs=runs)


def situations(seed: int) -> Iterator[tuple[str, np.ndarray, float, int, int]]:
    """Give each case's name, true differences, fold sd, folds and runs."""
    rng = stream(seed, "situations")
    usual = (0.02, FOLDS, RUNS)
    yield "2 data sets", rng.normal(0.02, 0.01, 2), *usual
    yield "5 data sets", rng.normal(0.015, 0.01, 5), *usual
    yield "20 data sets", rng.normal(0.01, 0.01, 20), *usual
    yield "54 data sets", rng.normal(0.008, 0.015, 54), *usual
    yield "heavy tails", 0.01 + 0.008 * rng.standard_t(1.5, 20), *usual
    far = np.append(rng.normal(0.01, 0.004, 18), [-0.25, 0.35])
    yield "outlying data sets", far, *usual
    yield "tiny differences", rng.normal(0.0005, 0.0005, 20), 0.002, FOLDS, RUNS
    yield "huge differences", rng.normal(0.25, 0.04, 20), *usual
    yield "five folds, twice", rng.normal(0.01, 0.02, 10), 0.03, 5, 2


def correlated(
    rng: np.random.Generator,
    true: np.ndarray,
    sds: np.ndarray,
    *,
    folds: int,
    runs: int,
) -> np.ndarray:
    """Draw differences (data sets x folds) whose folds correlate by 1 / folds."""
    rho = 1 / folds
    shared = rng.normal(size=(len(true), 1))
    own = rng.normal(size=(len(true), folds * runs))
    noise = np.sqrt(rho) * shared + np.sqrt(1 - rho) * own
    return true[:, None] + sds[:, None] * noise


def exact_cases(seed: int) -> Iterator[Case]:
    """Make fold scores whose differences have given means and deviations exactly."""
    for name, (means, sd) in TWO_DATA_SETS.items():
        rng = stream(seed, name)
        differences = exactly(rng, means, [sd] * len(means), count=200)
        yield case(rng, name, differences, test="hierarchical", runs=20)
    name = "one far out"
    rng = stream(seed, name)
    means, sds = ([float(x) for x in t.split()] for t in (FAR_OUT_MEANS, FAR_OUT_SDS))
    differences = exactly(rng, means, sds, count=100)
    yield case(rng, name, differences, test="hierarchical")


def exactly(
    rng: np.random.Generator,
    means: Sequence[float],
    sds: Sequence[float],
    *,
    count: int,
) -> np.ndarray:
    """Draw rows that have exactly these means and standard deviations (ddof 0)."""
    rows = rng.normal(size=(len(means), count))
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= rows.std(axis=1, keepdims=True)
    return np.asarray(means)[:, None] + np.asarray(sds)[:, None] * rows


def correlated_cases(seed: int) -> Iterator[Case]:
    """Make fold scores of one data set, with other folds, runs and ropes each time."""
    for number in range(VECTORS):
        name = f"vector {number + 1}"
        rng = stream(seed, name)
        folds, runs = SHAPES[number % len(SHAPES)]
        true, sd = rng.normal(0, 0.02, 1), rng.uniform(0.005, 0.05, 1)
        differences = correlated(rng, true, sd, folds=folds, runs=runs)
        rope = ROPES[number % len(ROPES)]
        yield case(rng, name, differences, test="correlated-t", runs=runs, rope=rope)


def table_cases(seed: int) -> Iterator[Case]:
    """Make one score per data set: all pairs of systems, the first with more ropes."""
    scores = table(seed)
    for test in ("signed-rank", "sign"):
        for i, j in combinations(range(SYSTEMS), 2):
            yield pair(scores, i, j, test=test, rope=ROPE)
        for rope, j in product((0.0, STEPS * STEP), range(1, SYSTEMS)):
            yield pair(scores, 0, j, test=test, rope=rope)


def table(seed: int) -> np.ndarray:
    """Draw the scores of all systems (data sets x systems), in steps of 1/1024.

    Differences of such scores are exact, so ties are ties, at 0 and on the edge of a
    rope of whole steps, whatever the order of the arithmetic.
    """
    rng = stream(seed, "table")
    level = rng.uniform(0.5, 0.95, (DATA_SETS, 1))
    skill = rng.normal(0, 0.008, SYSTEMS)
    noise = 0.01 * rng.standard_t(3, (DATA_SETS, SYSTEMS))
    return np.round((level + skill + noise) / STEP) * STEP


def pair(scores: np.ndarray, i: int, j: int, *, test: str, rope: float) -> Case:
    """Make the case of two systems of the table."""
    return {
        "name": f"{test}, systems {i + 1} and {j + 1}, rope {rope}",
        "test": test,
        "runs": 1,
        "rope": rope,
        "first": scores[:, [i]].tolist(),
        "second": scores[:, [j]].tolist(),
    }


def main() -> None:
    """Write the cases to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="where the cases go, as JSON")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.file.write_text(json.dumps(cases(options.seed)))


if __name__ == "__main__":
    main()
