"""Calibration of comparisons: run the whole study, write its page, hold its bars."""

import os

import pytest
from tests.slow.calibration import figures
from tests.slow.calibration.bars import BARS, NOT_MET
from tests.slow.calibration.figures import rates, simulate
from tests.slow.calibration.page import PAGE, markdown
from tests.slow.calibration.picture import PICTURE, svg

CHECKED = [
    pytest.param(bar, marks=pytest.mark.xfail(reason=NOT_MET[bar]))
    if bar in NOT_MET
    else bar
    for bar in BARS
]


@pytest.fixture(scope="module")
def study():
    found = simulate(workers=os.cpu_count() or 1)
    figures.store(found)
    PAGE.write_text(markdown(found), encoding="utf-8")
    PICTURE.write_text(svg(found), encoding="utf-8")
    return found


@pytest.mark.parametrize("bar", CHECKED, ids=lambda bar: bar.__name__)
def test_the_bar_holds(bar, study, show):
    failures = list(bar(rates(study)))
    show(bar.__doc__, [[failure] for failure in failures])
    assert failures == []
