"""How fast the exact Bayes test is beside the million draws of the paper.

Run as ``python benchmarks/bayes_test.py``; exits 1 if a bar is missed. It is about
precision, recall and F1 of two systems for Chinese word segmentation, with the counts
of six folds that Wang & Li (2019) published. All sides take turns in one process, and
their least processor times are compared.
"""

import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
from speed import Line, fastest, formatted, show

import likelier as lk
from likelier import Outcomes, laws
from likelier.designs import effective_share

# Summed over the folds: gold, predicted and correct chunks, of BMES and of BB2B3MES.
GOLD, PREDICTED, CORRECT = 3_329_841, (3_312_237, 3_314_438), (3_166_008, 3_169_828)
REPETITIONS, DRAWS = 3, 1_000_000
METRICS = ("precision", "recall", "f1")
SUMS = [
    (correct, said - correct, GOLD - correct)
    for said, correct in zip(PREDICTED, CORRECT, strict=True)
]


def spent(function: Callable[[], object]) -> Callable[[], float]:
    """Turn a function into one that gives its processor time in seconds."""

    def run() -> float:
        start = time.process_time()
        function()
        return time.process_time() - start

    return run


def exact() -> list[float]:
    """Compute P(H0) of the three metrics from exact laws."""
    share = effective_share(REPETITIONS)
    pairs = []
    for tp, fp, fn in SUMS:
        tp, fp, fn = share * tp, share * fp, share * fn
        pairs.append((laws.precision(tp, fp), laws.recall(tp, fn), laws.f1(tp, fp, fn)))
    return [
        laws.probability_not_greater(second, first)
        for first, second in zip(*pairs, strict=True)
    ]


def drawn() -> list[float]:
    """Compute P(H0) of the three metrics as Algorithm 1 does, in plain numpy."""
    share, rng = effective_share(REPETITIONS), np.random.default_rng(0)
    pairs = []
    for tp, fp, fn in SUMS:
        a, b, c = share * tp + 1, share * fp + 1, share * fn + 1
        u = rng.beta(a, b + c, DRAWS)
        draws = rng.beta(a, b, DRAWS), rng.beta(a, c, DRAWS), 2 * u / (1 + u)
        pairs.append(draws)
    return [
        float(np.mean(second <= first)) for first, second in zip(*pairs, strict=True)
    ]


def answer() -> list[float]:
    """Compute P(H0) of the three metrics through the public call."""
    columns = dict(zip(("tp", "fp", "fn"), np.array(SUMS, dtype=float).T, strict=True))
    table = Outcomes.from_statistics({name: [row] for name, row in columns.items()})
    results = [
        lk.compare_folds(table, metric=name, repetitions=REPETITIONS)
        for name in METRICS
    ]
    return [one.hypotheses.h0 for one in results if one.hypotheses is not None]


def compared() -> Iterator[Line]:
    """Measure the exact test and the public call against the draws."""
    functions = spent(exact), spent(answer), spent(drawn)
    mine, call, other = fastest(*functions, repetitions=15)
    beside = f"a million draws {formatted(other)}"
    ratio = f"{other / mine:.0f} times faster"
    met = other / mine >= 50
    yield Line(
        "exact P(H0) of P, R, F1", formatted(mine), beside, ratio, "at least 50", met
    )
    ratio = f"{other / call:.0f} times faster"
    yield Line(
        "compare_folds() of P, R, F1", formatted(call), beside, ratio, "none", True
    )


def main() -> int:
    """Print P(H0) and the table, and tell whether the bar is met."""
    for name, *found in zip(METRICS, exact(), answer(), drawn(), strict=True):
        told = "exact {:.9f}, compare_folds {:.9f}, drawn {:.6f}".format(*found)
        sys.stdout.write(f"P(H0), {name}: {told}\n")
    lines = list(compared())
    show(lines)
    return int(any(line.met is False for line in lines))


if __name__ == "__main__":
    sys.exit(main())
