"""Table 3 of Zhang et al. (2016), doi:10.1145/2911451.2911547: power by simulation.

Setting: two classifiers on the same items, half of them positive; F1 of the positive
class, rope ±0.05, 95 % HDI, rule hdi-rope, uniform prior. The paper's A is our second
system, so that its goal A >> B is our better. Our figures come from 8,000
replications: tests/slow makes them again.

The paper does not state its number of replications. It prints shares in hundredths,
which 100 replications give exactly, so that is assumed here: a printed share p then
has the standard error sqrt(p (1 - p) / 100), .05 in the middle.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import likelier as lk

FILE = Path(__file__).with_name("zhang_table3.json")
TABLE = json.loads(FILE.read_text(encoding="utf-8"))
SIZES, ROWS = TABLE["sizes"], TABLE["rows"]
# Shares of answers of A and B (11, 10, 01, 00), for positive and negative items.
SCENARIOS = {
    "a": ((0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3)),
    "b": ((0.3, 0.2, 0.2, 0.3), (0.3, 0.2, 0.2, 0.3)),
}
PAPER_REPLICATIONS, ROUNDING = 100, 0.005
# All cells of the table are within this multiple of their errors with 99 %
# (Bonferroni).
CELLS, LEVEL = len(SIZES) * len(ROWS), 0.01
MULTIPLE = stats.norm.isf(LEVEL / 2 / CELLS)

by_row = pytest.mark.parametrize(
    "row", ROWS, ids=[f"{row['scenario']}-{row['model']}" for row in ROWS]
)


def assumed(scenario):
    """Put B first and A second, so that a positive difference is A's."""
    labels = (("+", "+"), ("-", "+"), ("+", "-"), ("-", "-"))
    positive, negative = SCENARIOS[scenario]
    cells = {("+", *pair): p / 2 for pair, p in zip(labels, positive, strict=True)}
    cells |= {("-", *pair): p / 2 for pair, p in zip(labels, negative, strict=True)}
    return lk.Assumed.cells(cells, systems=("B", "A"))


def powers(row, **settings):
    """Simulate one column of the table."""
    plan = lk.plan(
        assumed(row["scenario"]),
        metric="f1",
        positive="+",
        rope=0.05,
        method=row["model"],
        prior="uniform",
        seed=0,
        workers=2,
        **settings,
    )
    chances = plan.chances(SIZES)
    return chances, np.array([chances.chance(row["goal"], n) for n in SIZES])


def error_beside_paper(shares, *, replications):
    """Return the standard error of a share of ours less that of the paper.

    Shares within one of the paper's replications of 0 or 1 have the error of that one.
    """
    least = 1 / PAPER_REPLICATIONS
    p = np.clip(shares, least, 1 - least)
    return np.sqrt(p * (1 - p) * (1 / PAPER_REPLICATIONS + 1 / replications))


def assert_as_in_paper(shares, *, replications):
    """Check all cells (row, size): each by itself, and together by a chi-square."""
    shares, paper = np.array(shares), np.array([row["paper"] for row in ROWS])
    gaps = np.abs(shares - paper)
    errors = error_beside_paper(shares, replications=replications)
    assert gaps.size == CELLS == 28
    assert (gaps <= ROUNDING + MULTIPLE * errors).all(), (gaps / errors).round(1)
    assert ((gaps / errors) ** 2).sum() <= stats.chi2.isf(LEVEL, CELLS)


def test_the_scenarios_are_those_of_the_paper():
    for scenario, expected in (("a", [0.5, 0.6]), ("b", [0.5, 0.5])):
        table = assumed(scenario).outcomes.binary("+")
        assert lk.metrics.f1.observed(table) == pytest.approx(expected)


def test_our_precise_figures_are_those_of_the_paper():
    assert_as_in_paper([row["ours"] for row in ROWS], replications=8000)


@by_row
def test_power_with_few_replications(row):
    replications = 400
    chances, shares = powers(row, replications=replications, draws=400)
    ours, paper = np.array(row["ours"]), np.array(row["paper"])
    error = np.sqrt(np.clip(ours * (1 - ours), 0.002, 1) / replications)
    beside_paper = error_beside_paper(shares, replications=replications)

    text = f"f1 positive=+ | {row['model']} prior=uniform strength=1 | replications 400"
    assert text in chances.recipe
    assert "items same | rope ±0.05 | mass 0.95 | rule hdi-rope" in chances.recipe
    assert (np.abs(shares - ours) <= 3.5 * error).all(), (shares, ours)
    assert (np.abs(shares - paper) <= ROUNDING + MULTIPLE * beside_paper).all(), shares
