"""The plot of an estimate shows its interval and value."""

import matplotlib as mpl
import numpy as np
import pytest

import likelier as lk
from likelier.plots import style

mpl.use("Agg")
GOLD, SAID = [1, 1, 0, 0] * 25, [1, 0, 0, 0] * 25


@pytest.mark.parametrize("metric", ["recall", "f1", "macro_f1", "mcc"])
@pytest.mark.parametrize("method", [None, "bootstrap"])
def test_bar_and_line_stand_where_the_numbers_are(metric, method):
    result = lk.estimate(GOLD, SAID, metric=metric, method=method, seed=0, draws=500)
    _, axes = style.new_figure()
    assert result.plot(ax=axes) is axes

    dotted, bar = axes.lines
    assert dotted.get_xdata()[0] == result.value
    assert list(bar.get_xdata()) == list(result.interval)
    assert axes.get_title().startswith("95 %")


def test_a_constant_has_a_plot():
    result = lk.estimate(np.ones(9), metric="mean", seed=0, draws=50)
    _, axes = style.new_figure()
    assert result.plot(ax=axes).get_xlabel() == "mean score of first"
