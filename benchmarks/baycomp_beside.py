"""How close and how fast the tests on scores are beside baycomp, which uses Stan.

Run as ``python benchmarks/baycomp_beside.py`` in likelier's environment; exits 1 if a
bar is missed. baycomp gets an environment of its own, ``.venv-baycomp``, made at the
first run; its model is built once (a minute or two, not counted). With ``--answers
FILE`` the answers of an earlier run are compared again, and only likelier runs.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from baycomp_cases import ROPE, cases, table

import likelier as lk

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv-baycomp"
NEEDS = ("baycomp==1.0.3", "pystan==3.10.0", "setuptools")

# Bars: exact tests, the hierarchical model, and how much faster.
EXACT, CLOSE, STANDARD_ERRORS = 1e-12, 0.01, 4
HIERARCHICAL_RATIO, RANK_RATIO = 100, 20
REGIONS = ("worse", "equivalent", "better")


def main() -> None:
    """Compare, print one line per case, and exit 1 if a bar is missed."""
    options = options_given()
    every = {case["name"]: case for case in cases()}
    document = (
        asked_of_baycomp()
        if options.answers is None
        else json.loads(options.answers.read_text())
    )
    missed = list(compared(every, document["answers"], close=CLOSE))
    if document.get("long"):
        print("\nlong runs of Stan")
        missed += compared(every, document["long"], close=CLOSE)
    for line in missed:
        print(f"missed: {line}")
    sys.exit(bool(missed))


def options_given() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=Path, help="answers of an earlier run")
    return parser.parse_args()


def asked_of_baycomp() -> dict[str, Any]:
    """Let baycomp answer every case, in its own environment."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "-q", *NEEDS], check=True)
    with TemporaryDirectory() as folder:
        given, found = Path(folder, "cases.json"), Path(folder, "answers.json")
        given.write_text(json.dumps(cases()))
        script = ROOT / "benchmarks" / "baycomp_run.py"
        subprocess.run([str(python), str(script), str(given), str(found)], check=True)
        return json.loads(found.read_text())


def compared(
    every: dict[str, Any], answers: list[dict[str, Any]], *, close: float
) -> Iterator[str]:
    """Print how far the answers are apart, and yield the bars that are missed."""
    by_test: dict[str, list[tuple[Any, Any, Any, float]]] = {}
    for answer in answers:
        if answer.get("probability") is None:
            continue
        case = every[answer["name"]]
        ours, seconds = timed(lambda case=case: probabilities(case))
        by_test.setdefault(answer["test"], []).append((case, answer, ours, seconds))
    for test, rows in by_test.items():
        if test == "hierarchical":
            yield from hierarchical(rows, close)
        else:
            yield from (exact if test == "correlated-t" else drawn)(test, rows)


def probabilities(case: dict[str, Any]) -> np.ndarray:
    """Answer a case with likelier: worse, equivalent, better."""
    scores = lk.Scores.from_arrays(case["first"], case["second"], runs=case["runs"])
    result = lk.compare_folds(
        scores, rope=case["rope"] or None, method=case["test"], seed=0
    )
    p = result.probability
    return np.array([p.worse, p.equivalent, p.better])


def timed(call: Callable[[], np.ndarray]) -> tuple[np.ndarray, float]:
    """Give the result of a call and its seconds."""
    start = time.perf_counter()
    found = call()
    return found, time.perf_counter() - start


def theirs_of(answer: dict[str, Any]) -> np.ndarray:
    """Give baycomp's probabilities; those of two numbers have no rope."""
    p = answer["probability"]
    return np.array([p["worse"], p.get("equivalent") or 0.0, p["better"]])


def exact(test: str, rows: list[Any]) -> Iterator[str]:
    """Judge a test in closed form."""
    gap = max(np.abs(theirs_of(a) - ours).max() for _, a, ours, _ in rows)
    print(f"{test}: {len(rows)} cases, largest difference {gap:.1e}")
    if gap > EXACT:
        yield f"{test} within {EXACT:g}: {gap:.1e}"


def drawn(test: str, rows: list[Any]) -> Iterator[str]:
    """Judge a test by draws on both sides: standard errors, and the time of all."""
    worst = 0.0
    for _, answer, ours, _ in rows:
        theirs = theirs_of(answer)
        share = np.clip(0.5 * (theirs + ours), 1e-5, 1 - 1e-5)
        error = np.sqrt(share * (1 - share) * (1 / 50_000 + 1 / 50_000))
        worst = max(worst, float((np.abs(theirs - ours) / error).max()))
    slow = sum(answer["seconds"] for _, answer, _, _ in rows)
    print(
        f"{test}: {len(rows)} cases, largest difference {worst:.1f} standard errors, "
        f"one by one {slow / sum(row[3] for row in rows):.0f} times faster"
    )
    # Of so many numbers, the largest is beyond 4 by chance once in a hundred tries.
    if worst > STANDARD_ERRORS + 0.5:
        yield f"{test} within Monte-Carlo error: {worst:.1f}"
    if test == "signed-rank":
        pairs = [row for row in rows if row[0]["rope"] == ROPE]
        yield from together(sum(answer["seconds"] for _, answer, _, _ in pairs))


def together(slow: float) -> Iterator[str]:
    """Judge the time of all pairs of ten systems at once, with ranks and tests."""
    columns = table(0).T
    scores = lk.Scores.from_arrays(
        *columns,
        systems=[f"system {i}" for i in range(len(columns))],
        datasets=[f"data {i}" for i in range(len(columns[0]))],
    )

    def better() -> np.ndarray:
        ranking = lk.rank(scores, rope=ROPE, seed=0)
        return np.array([c.probability.better for c in ranking.comparisons])

    found, seconds = timed(better)
    ratio = slow / seconds
    print(
        f"signed-rank, all {len(found)} pairs of {len(columns)} systems: {seconds:.2f} "
        f"s against {slow:.1f} s, {ratio:.0f} times faster"
    )
    if ratio < RANK_RATIO:
        yield f"signed-rank {RANK_RATIO} times faster: {ratio:.0f}"


def hierarchical(rows: list[Any], close: float) -> Iterator[str]:
    """Judge the hierarchical model: distance, standard errors, ratio of times."""
    print(f"{'case':28} {'likelier':>22} {'baycomp':>22}  gap   s.e.  seconds  ratio")
    for case, answer, ours, seconds in rows:
        theirs = theirs_of(answer)
        errors = answer["mcse"]["probability"]
        scale = np.array([errors[name] or 1e-3 for name in REGIONS])
        gap = np.abs(theirs - ours)
        ratio = answer["seconds"] / seconds
        told = " ".join(f"{p:.4f}" for p in ours), " ".join(f"{p:.4f}" for p in theirs)
        print(
            f"{case['name']:28} {told[0]:>22} {told[1]:>22}  {gap.max():.4f}"
            f" {(gap / scale).max():4.1f} {seconds:7.2f} {ratio:6.0f}"
        )
        if gap.max() > close:
            yield f"{case['name']} within {close}: {gap.max():.4f}"
        if ratio < HIERARCHICAL_RATIO:
            yield f"{case['name']} {HIERARCHICAL_RATIO} times faster: {ratio:.0f}"


if __name__ == "__main__":
    main()
