"""Table 3 of Zhang et al. (2016), doi:10.1145/2911451.2911547: power by simulation.

Setting: two classifiers on the same items, half of them positive; F1 of the positive
class, rope ±0.05, 95 % HDI, rule hdi-rope, uniform prior. The paper's A is our second
system, so that its goal A >> B is our better. Its figures come from few replications
(its column .26 .41 .70 .79 jumps), ours from 8,000: tests/slow makes them again.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import likelier as lk

FILE = Path(__file__).with_name("zhang_table3.json")
TABLE = json.loads(FILE.read_text(encoding="utf-8"))
SIZES, ROWS = TABLE["sizes"], TABLE["rows"]
# Predictions of A and B (11, 10, 01, 00), for positive and negative items.
SCENARIOS = {
    "a": ((0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3)),
    "b": ((0.3, 0.2, 0.2, 0.3), (0.3, 0.2, 0.2, 0.3)),
}
NEAR = 0.06

by_row = pytest.mark.parametrize(
    "row", ROWS, ids=[f"{row['scenario']}-{row['model']}" for row in ROWS]
)


def assumed(scenario):
    """Put B first and A second, so that a positive difference is A's."""
    pairs = (("+", "+"), ("-", "+"), ("+", "-"), ("-", "-"))
    positive, negative = SCENARIOS[scenario]
    cells = {("+", *pair): p / 2 for pair, p in zip(pairs, positive, strict=True)}
    cells |= {("-", *pair): p / 2 for pair, p in zip(pairs, negative, strict=True)}
    return lk.Assumed.cells(cells, systems=("B", "A"))


def powers(row, **settings):
    """Simulate one column of the table."""
    plan = lk.plan(
        assumed(row["scenario"]),
        metric="f1",
        positive="+",
        rope=0.05,
        method=row["model"],
        seed=0,
        workers=2,
        **settings,
    )
    result = plan.chances(SIZES)
    return result, np.array([result.chance(row["goal"], n) for n in SIZES])


def test_the_scenarios_are_those_of_the_paper():
    for scenario, expected in (("a", [0.5, 0.6]), ("b", [0.5, 0.5])):
        table = assumed(scenario).outcomes.binary("+")
        assert lk.metrics.f1.observed(table) == pytest.approx(expected)


def test_our_precise_figures_are_those_of_the_paper():
    gaps = [np.abs(np.subtract(row["ours"], row["paper"])) for row in ROWS]

    assert np.size(gaps) == 28
    assert (np.ravel(gaps) <= NEAR).sum() >= 25
    assert np.max(gaps) < 0.075


@by_row
def test_power_with_few_replications(row):
    replications = 400
    result, actual = powers(row, replications=replications, draws=400)
    ours = np.array(row["ours"])
    error = np.sqrt(np.clip(ours * (1 - ours), 0.002, 1) / replications)

    text = f"f1 positive=+ | {row['model']} prior=uniform strength=1 | replications 400"
    assert text in result.recipe
    assert "items same | rope ±0.05 | mass 0.95 | rule hdi-rope" in result.recipe
    assert (np.abs(actual - ours) <= 3.5 * error).all(), (actual, ours)
    assert (np.abs(actual - row["paper"]) <= NEAR + 3.5 * error).all(), actual
