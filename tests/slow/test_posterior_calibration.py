"""Calibration of the paired posterior under its own prior.

Parameters are drawn from the prior and data from the parameters; then probabilities,
intervals and verdicts must hold as often as they claim, whatever the metric.
"""

import os
from typing import NamedTuple

import numpy as np
import pytest

from likelier import metrics
from likelier.distribution import shortest
from likelier.interval import Rope
from likelier.methods.items.dirichlet import Paired
from likelier.streams import Streams

SIMULATIONS = {"f1": 1_000_000, "accuracy": 100_000, "recall": 100_000}
# With this many draws the shortest window holds .9496 of a posterior on average.
DRAWS, MASS = 2_000, 0.95
CLOSE = 0.0015
ROPE = Rope.of(0.05)
ERRORS = 3.5


class Answers(NamedTuple):
    """Truth of each simulation, and ends and probability of its posterior."""

    truth: np.ndarray
    low: np.ndarray
    high: np.ndarray
    left: np.ndarray
    right: np.ndarray
    better: np.ndarray


def drawn_cells(rng: np.random.Generator, n: int) -> np.ndarray:
    """Draw the probabilities of the eight cells from the uniform prior."""
    gold = rng.dirichlet([1, 1], size=n)
    predicted = rng.dirichlet(np.ones(4), size=(n, 2))
    return (gold[..., np.newaxis] * predicted).reshape(n, 8)


@pytest.fixture(scope="module", params=list(SIMULATIONS))
def answers(request, table_of) -> Answers:
    metric, table = metrics.named(request.param), table_of(np.ones(8))
    view = metric.view(table)

    def block(rng: np.random.Generator, n: int) -> np.ndarray:
        cells = drawn_cells(rng, n)
        sizes = np.exp(rng.uniform(np.log(20), np.log(1000), size=n)).round()
        counts = rng.multinomial(sizes.astype(np.int64), cells).astype(float)
        values = Paired().draw_tables(table, metric, counts, rng, draws=DRAWS)
        ordered = np.sort(metric.differences(values), axis=1)
        tails = np.quantile(ordered, [(1 - MASS) / 2, (1 + MASS) / 2], axis=1)
        better = (ordered > 0).mean(axis=1)
        truth = metric.differences(metric.values(view, cells))
        return np.column_stack([truth, *shortest(ordered, MASS), *tails, better])

    streams = Streams.of(0, draws=SIMULATIONS[request.param], workers=os.cpu_count())
    rows = streams.run(block, width=DRAWS * 8, purpose=0)
    return Answers(*rows.T)


def error_of(share: float, n: int) -> float:
    """Compute the standard error of a share of n."""
    return float(np.sqrt(share * (1 - share) / n))


def test_the_hdi_holds_the_truth_as_often_as_it_says(answers, show):
    covered = (answers.low <= answers.truth) & (answers.truth <= answers.high)
    share, error = float(covered.mean()), error_of(MASS, len(covered))
    show("coverage of the HDI", [("mass", "coverage", "error"), (MASS, share, error)])
    assert abs(share - MASS) <= max(CLOSE, ERRORS * error)


def test_equal_tails_hold_the_truth_as_often_as_they_say(answers, show):
    covered = (answers.left <= answers.truth) & (answers.truth <= answers.right)
    share, error = float(covered.mean()), error_of(MASS, len(covered))
    show("coverage, equal tails", [("mass", "coverage", "error"), (MASS, share, error)])
    assert abs(share - MASS) <= max(CLOSE, ERRORS * error)


def test_probability_of_better_is_calibrated(answers, show):
    tenth = np.minimum((answers.better * 10).astype(int), 9)
    rows = [("probability", "came true", "error", "simulations")]
    for one in range(10):
        probability, true = (
            answers.better[tenth == one],
            answers.truth[tenth == one] > 0,
        )
        mean = float(probability.mean())
        rows.append(
            (
                mean,
                float(true.mean()),
                error_of(mean, len(probability)),
                len(probability),
            )
        )
    show("P(better) in ten bins", rows)
    # Shares of 2,000 draws scatter by .01, which blurs the bins a little.
    for probability, true, error, _ in rows[1:]:
        assert abs(true - probability) <= ERRORS * error + 0.002


def test_verdicts_are_wrong_no_more_often_than_stated(answers, show):
    truth, low, high = answers.truth, answers.low, answers.high
    wrong = {
        "better": truth[low > 0] <= 0,
        "worse": truth[high < 0] >= 0,
        "better, rope": truth[low > ROPE.high] <= ROPE.high,
        "worse, rope": truth[high < ROPE.low] >= ROPE.low,
        "equivalent": np.abs(truth[(low >= ROPE.low) & (high <= ROPE.high)])
        > ROPE.high,
    }
    rows = [(name, float(cases.mean()), len(cases)) for name, cases in wrong.items()]
    show("wrong verdicts", [("verdict", "wrong", "verdicts"), *rows])
    for _, share, cases in rows:
        assert share <= 1 - MASS + ERRORS * error_of(1 - MASS, cases)


@pytest.mark.parametrize(("verdict", "turn"), [("better", 1), ("worse", -1)])
def test_verdicts_are_wrong_as_often_as_their_probability_says(
    answers, verdict, turn, show
):
    """Most verdicts are far surer than 95 %: as sure as their own probability."""
    chosen = answers.low > 0 if turn > 0 else answers.high < 0
    probability = answers.better[chosen] if turn < 0 else 1 - answers.better[chosen]
    wrong = float((turn * answers.truth[chosen] <= 0).mean())
    error = float(np.sqrt((probability * (1 - probability)).sum())) / len(probability)
    rows = [
        ("probability", "wrong", "error"),
        (float(probability.mean()), wrong, error),
    ]
    show(f"verdict {verdict}, without a rope", rows)
    assert abs(wrong - probability.mean()) <= ERRORS * error + 0.0003
