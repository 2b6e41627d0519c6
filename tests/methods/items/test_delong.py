"""DeLong's test against the plain definition: all pairs of positives and negatives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.conftest import QUICK

import likelier as lk
from likelier.errors import NotDefinedError


def plain(gold, first, second):
    """Return the difference of the areas and its standard error, pair by pair."""
    positive = np.asarray(gold) == 1
    above, below = [], []
    for scores in map(np.asarray, (first, second)):
        gaps = scores[positive][:, np.newaxis] - scores[~positive]
        kernel = (gaps > 0) + 0.5 * (gaps == 0)
        above.append(kernel.mean(axis=1))
        below.append(kernel.mean(axis=0))
    covariance = np.cov(above) / positive.sum() + np.cov(below) / (~positive).sum()
    sign = np.array([-1, 1])
    areas = np.mean(above, axis=1)
    return areas[1] - areas[0], np.sqrt(sign @ covariance @ sign)


def delong(gold, first, second, **settings):
    return lk.null_test(
        gold, first, second, metric="roc_auc", method="delong", **settings
    )


@QUICK
@given(seed=st.integers(0, 999), positives=st.integers(2, 9), ties=st.integers(3, 30))
def test_equal_to_the_plain_definition(seed, positives, ties):
    rng = np.random.default_rng(seed)
    gold = np.repeat([1, 0], [positives, 12])
    first, second = rng.integers(0, ties, (2, len(gold))) + gold
    difference, error = plain(gold, first, second)
    if error < 1e-9:
        return
    test = delong(gold, first, second)

    assert test.difference == pytest.approx(difference, abs=1e-12)
    assert test.null.details["standard error"] == pytest.approx(error, abs=1e-12)
    z = difference / error
    assert test.null.statistic == pytest.approx(z)
    assert test.p_value == pytest.approx(2 * stats.norm.sf(abs(z)))


def test_equal_systems_have_a_p_value_of_one():
    assert delong([0, 1, 0, 1], [1, 2, 3, 4], [10, 20, 30, 40]).p_value == 1


def test_the_interval_is_in_the_details():
    details = delong([0, 0, 1, 1, 0, 1], [1, 4, 3, 6, 2, 5], [6, 1, 2, 4, 3, 5])
    low, high = (details.null.details[name] for name in ("95 % interval from", "to"))

    assert low < details.difference < high


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"metric": "average_precision"}, "ROC AUC of one class"),
        ({"cluster": list("aabbcc")}, "independent items"),
    ],
)
def test_what_it_is_not_made_for_is_refused(settings, message):
    gold, scores = [0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 6]
    settings = {"metric": "roc_auc", "method": "delong"} | settings
    with pytest.raises(NotDefinedError, match=message):
        lk.null_test(gold, scores, scores[::-1], **settings)


def test_one_positive_is_too_few():
    with pytest.raises(NotDefinedError, match="two positives"):
        delong([0, 0, 1], [1, 2, 3], [3, 1, 2])
