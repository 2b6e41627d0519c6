"""Whether the paired posterior is right as often as it says, under its own prior.

Parameters are drawn from the prior and data from the parameters; then probabilities,
intervals and verdicts must hold as often as they claim, whatever the metric.
"""

from typing import NamedTuple

import numpy as np
import pytest

from likelier import metrics
from likelier.decision import Probabilities, Rope, decide
from likelier.methods import Paired
from likelier.streams import Streams

SIMULATIONS, DRAWS, MASS = 8_000, 4_000, 0.95
ROPE = Rope.of(0.05)
ERRORS = 3.0


class Answers(NamedTuple):
    """What the posterior said of each simulation, and what was true."""

    truth: np.ndarray
    better: np.ndarray
    held: dict[str, np.ndarray]
    verdict: np.ndarray
    roped: np.ndarray


def drawn_cells(rng: np.random.Generator) -> np.ndarray:
    """Draw the probabilities of the eight cells from the uniform prior."""
    gold = rng.dirichlet([1, 1])
    return (gold[:, np.newaxis] * rng.dirichlet(np.ones(4), size=2)).ravel()


@pytest.fixture(scope="module", params=["f1", "accuracy"])
def answers(request, table_of) -> Answers:
    metric, rng = metrics.named(request.param), np.random.default_rng(0)
    rows = [_one(metric, rng, table_of) for _ in range(SIMULATIONS)]
    return Answers(*map(_joined, zip(*rows, strict=True)))


def _one(metric, rng, table_of):
    cells = drawn_cells(rng)
    n = round(float(np.exp(rng.uniform(np.log(20), np.log(1000)))))
    truth = float(metric.differences(metric.observed(table_of(cells))))
    table = table_of(rng.multinomial(n, cells))
    streams = Streams.of(rng, draws=DRAWS)
    difference = Paired().posterior(table, metric, streams).difference
    hdi, equal = difference.hdi(MASS), difference.interval(MASS)
    held = {i.kind: i.low <= truth <= i.high for i in (hdi, equal)}
    chances = [Probabilities.of(difference, rope) for rope in (None, ROPE)]
    verdicts = [
        decide("hdi-rope", hdi=hdi, rope=rope, probabilities=chance).name
        for rope, chance in zip((None, ROPE), chances, strict=True)
    ]
    return truth, chances[0].better, held, *verdicts


def _joined(column):
    if isinstance(column[0], dict):
        return {kind: np.array([one[kind] for one in column]) for kind in column[0]}
    return np.array(column)


def error_of(share: float, n: int) -> float:
    """Give the standard error of a share of n."""
    return float(np.sqrt(share * (1 - share) / n))


@pytest.mark.parametrize("kind", ["hdi", "equal-tailed"])
def test_intervals_hold_the_truth_as_often_as_they_say(answers, kind, show):
    held = answers.held[kind]
    share, error = float(held.mean()), error_of(MASS, len(held))
    show(f"coverage, {kind}", [("mass", "held", "error"), (MASS, share, error)])
    assert abs(share - MASS) <= ERRORS * error


def test_probability_of_better_is_calibrated(answers, show):
    tenth = np.minimum((answers.better * 10).astype(int), 9)
    rows = [("said", "came true", "error", "simulations")]
    for one in range(10):
        said, true = answers.better[tenth == one], answers.truth[tenth == one] > 0
        mean = float(said.mean())
        rows.append((mean, float(true.mean()), error_of(mean, len(said)), len(said)))
    show("P(better) in ten bins", rows)
    for said, true, error, _ in rows[1:]:
        assert abs(true - said) <= ERRORS * error


def test_verdicts_are_wrong_no_more_often_than_stated(answers, show):
    wrong = {
        "better": answers.truth[answers.verdict == "better"] <= 0,
        "worse": answers.truth[answers.verdict == "worse"] >= 0,
        "better, rope": answers.truth[answers.roped == "better"] <= ROPE.high,
        "worse, rope": answers.truth[answers.roped == "worse"] >= ROPE.low,
        "equivalent": np.abs(answers.truth[answers.roped == "equivalent"]) > ROPE.high,
    }
    rows = [(name, float(cases.mean()), len(cases)) for name, cases in wrong.items()]
    show("wrong verdicts", [("verdict", "wrong", "verdicts"), *rows])
    for _, share, cases in rows:
        assert share <= 1 - MASS + ERRORS * error_of(1 - MASS, cases)


@pytest.mark.parametrize(("verdict", "turn"), [("better", 1), ("worse", -1)])
def test_verdicts_are_wrong_as_often_as_their_probability_says(
    answers, verdict, turn, show
):
    """Most verdicts are far surer than 95 %; their own probability tells how sure."""
    chosen = answers.verdict == verdict
    said = answers.better[chosen] if turn < 0 else 1 - answers.better[chosen]
    wrong = float((turn * answers.truth[chosen] <= 0).mean())
    error = float(np.sqrt((said * (1 - said)).sum())) / len(said)
    rows = [("said", "wrong", "error"), (float(said.mean()), wrong, error)]
    show(f"verdict {verdict}, without a rope", rows)
    assert abs(wrong - said.mean()) <= ERRORS * error
