"""The page on calibration is what its figures say, and the figures can be had again."""

import numpy as np
import pytest
from tests.slow.calibration.bars import BARS, NOT_MET
from tests.slow.calibration.figures import rates, stored
from tests.slow.calibration.grid import CELLS
from tests.slow.calibration.measure import run
from tests.slow.calibration.page import PAGE, markdown
from tests.slow.calibration.picture import PICTURE, svg
from tests.slow.calibration.populations import Table, Tasks, grouped

from likelier import metrics

STUDY = stored()
BY_NAME = {cell.name: cell for cell in CELLS}
CHECKED = [
    pytest.param(bar, marks=pytest.mark.xfail(reason=NOT_MET[bar]))
    if bar in NOT_MET
    else bar
    for bar in BARS
]


def test_the_page_is_what_the_figures_say():
    assert PAGE.read_text(encoding="utf-8") == markdown(STUDY)


def test_the_picture_is_what_the_figures_say():
    assert PICTURE.read_text(encoding="utf-8") == svg(STUDY)


def test_every_cell_has_figures():
    assert {name: tuple(truths) for name, truths in STUDY.items()} == {
        cell.name: cell.truths for cell in CELLS
    }


@pytest.mark.parametrize(
    ("name", "truth"), [("mean01/0.15/20", "equal"), ("f1-5/0.15/50", "apart")]
)
def test_a_cell_gives_the_same_figures_again(name, truth):
    assert run(BY_NAME[name], truth) == STUDY[name][truth]


@pytest.mark.parametrize("bar", CHECKED, ids=lambda bar: bar.__name__)
def test_the_bar_holds(bar):
    assert list(bar(rates(STUDY))) == []


@pytest.mark.parametrize("truth", ["equal", "crossed", "apart"])
def test_true_values_are_those_of_the_metric(truth):
    """The peers' formulas, which are not likelier's, give the same metrics."""
    for cell in CELLS:
        population = cell.population(truth) if truth in cell.truths else None
        if isinstance(population, Table):
            table = population.outcomes(population.patterns, population.shares)
            positive = cell.kind.positive
            table = table if positive is None else table.binary(positive)
            observed = metrics.named(cell.kind.metric).observed(table)
            np.testing.assert_allclose(population.values, observed, rtol=1e-9)
        elif isinstance(population, Tasks):
            table = grouped(population, population.whole.shares)
            observed = cell.kind.metric.observed(table)
            np.testing.assert_allclose(population.values, observed, rtol=1e-9)


def test_equal_systems_are_equal():
    for cell in CELLS:
        for truth in set(cell.truths) - {"apart"}:
            first, second = cell.population(truth).values
            assert first == pytest.approx(second, abs=1e-12), cell.name
