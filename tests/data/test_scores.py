"""Means, differences, parts and digest of a table of scores."""

import numpy as np
import pytest
from tests.data.score_tables import drawn, rows, scores_of

from likelier import Scores
from likelier.errors import SettingError


def test_means_and_observed():
    scores = Scores.from_arrays([[1, 2], [3, 6]], [[2, 2], [4, 4]])
    assert scores.means.tolist() == [[1.5, 2], [4.5, 4]]
    assert scores.observed.tolist() == [3, 3]
    assert scores.size == "2 data sets, 4 folds"


def test_means_of_equal_scores_are_those_scores():
    scores = Scores.from_arrays([0.1] * 10, [0.7] * 10)
    assert scores.means.tolist() == [[0.1, 0.7]]


def test_differences_are_second_minus_first():
    table = ([0.5, 0.25], [0.75, 0.25])
    higher = Scores.from_arrays(*table)
    lower = Scores.from_arrays(*table, higher_is_better=False)
    assert higher.differences()[0].tolist() == [0.25, 0]
    assert lower.differences()[0].tolist() == [-0.25, 0]


def test_rounding_is_no_difference():
    scores = Scores.from_arrays([0.3, 0.5], [0.1 + 0.2, 0.6])
    assert scores.differences()[0][0] == 0
    assert scores.differences()[0][1] == pytest.approx(0.1)


def test_keep_selects_and_orders():
    scores = drawn(sets=2, systems="abc")
    kept = scores.keep("c", "a")
    assert kept.systems == ("c", "a")
    for one, other in zip(kept.datasets, scores.datasets, strict=True):
        assert one.values.tolist() == other.values[:, [2, 0]].tolist()
    assert scores.keep("a", "b", "c").digest == scores.digest


def test_keep_refuses_what_is_not_there():
    scores = drawn(systems=["base", "large"])
    with pytest.raises(SettingError, match="system must be one of base, large"):
        scores.keep("base", "lagre")
    with pytest.raises(SettingError, match="Did you mean large"):
        scores.keep("base", "lagre")
    with pytest.raises(SettingError, match="systems must be different; got a"):
        drawn().keep("a", "a")


def test_only_one_data_set():
    scores = drawn(sets=3)
    assert [d.name for d in scores.only("d1").datasets] == ["d1"]
    with pytest.raises(SettingError, match="dataset must be one of d0, d1, d2"):
        scores.only("d3")


def resolution(first, second):
    return Scores.from_arrays(first, second).datasets[0].resolution


def test_resolution_is_the_last_decimal_that_is_written():
    assert resolution([0.80, 0.85], [0.82, 0.95]) == pytest.approx(0.01)
    assert resolution([80.0, 85.0], [82.0, 95.0]) == pytest.approx(1)
    assert resolution([0.3, 0.4], [0.1 + 0.2, 0.4]) == pytest.approx(0.1)


def test_resolution_is_the_part_that_all_scores_are_made_of():
    thirds = [1 / 3, 2 / 3]
    assert resolution(thirds, [1 / 7, 1.0]) == pytest.approx(1 / 21)
    assert resolution([3 / 64, 5 / 64], [9 / 64, 0.5]) == pytest.approx(1 / 64)


def test_scores_that_are_no_parts_of_items_have_no_resolution():
    assert resolution(np.random.default_rng(0).random(4), [0.1, 0.2, 0.3, 0.4]) == 0


def test_equal_scores_have_no_resolution():
    assert resolution([0.8, 0.8], [0.8, 0.8]) == 0


def test_different_tables_have_different_digests():
    table = rows(sets=2)
    digest = scores_of(table).digest
    assert scores_of(table).digest == digest
    assert scores_of(table, higher_is_better=False).digest != digest
    assert scores_of(table, test_share=0.3).digest != digest
    changed = [[*row] for row in table]
    changed[3][4] = np.nextafter(changed[3][4], 1)
    assert scores_of(changed).digest != digest
    renamed = [["x" if c == "d1" else c for c in row] for row in table]
    assert scores_of(renamed).digest != digest
    other = [["z" if c == "b" else c for c in row] for row in table]
    assert scores_of(other).digest != digest
