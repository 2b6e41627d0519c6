"""Scores from rows and from arrays, and the errors for bad ones."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK, bad_scores
from tests.data.score_tables import drawn, rows, scores_of

from likelier import LikelierError, Scores
from likelier.errors import InputError, SettingError


def refused(build, *args, kind=LikelierError, **settings):
    with pytest.raises(kind) as caught:
        build(*args, **settings)
    return str(caught.value)


# --- rows --------------------------------------------------------------------


def test_rows_of_several_data_sets():
    scores = drawn(sets=3, runs=2, folds=4, systems="abc")
    assert scores.systems == ("a", "b", "c")
    assert [d.name for d in scores.datasets] == ["d0", "d1", "d2"]
    assert [(d.folds, d.runs, d.test_share) for d in scores.datasets] == [
        (8, 2, 0.25)
    ] * 3
    expected = np.array(
        [row[4] for row in rows(sets=3, runs=2, folds=4, systems="abc")]
    )
    values = np.concatenate([d.values for d in scores.datasets])
    assert values.tolist() == expected.reshape(24, 3).tolist()


def test_without_runs_and_folds_each_data_set_has_one_score():
    scores = Scores.from_rows(["x", "x", "y", "y"], ["a", "b"] * 2, [1, 2, 3, 4])
    assert [(d.folds, d.test_share) for d in scores.datasets] == [(1, 0.0)] * 2
    assert scores.means.tolist() == [[1, 2], [3, 4]]
    assert repr(scores) == "<Scores of a, b: 2 data sets, one score each>"


@pytest.mark.parametrize(
    ("runs", "folds", "share"),
    [(1, 10, 0.1), (10, 10, 0.1), (5, 2, 0.5), (1, 3, 1 / 3)],
)
def test_share_tested_is_one_part_of_a_run(runs, folds, share):
    (dataset,) = drawn(runs=runs, folds=folds).datasets
    assert dataset.test_share == share
    assert dataset.test_per_train == pytest.approx(1 / (folds - 1))


def test_share_tested_can_be_set():
    scores = scores_of(rows(runs=6, folds=1), test_share=0.2)
    assert scores.datasets[0].test_per_train == pytest.approx(0.25)
    assert (scores.datasets[0].folds, scores.datasets[0].runs) == (6, 6)
    uneven = [row for row in rows(runs=3, folds=4) if row[1:3] != [2, 4]]
    assert scores_of(uneven, test_share=0.25).folds == 11


def test_data_sets_may_have_different_numbers_of_folds():
    table = rows(folds=10) + [["e", *row[1:]] for row in rows(runs=2, folds=3)]
    scores = scores_of(table)
    assert [(d.folds, d.test_share) for d in scores.datasets] == [(10, 0.1), (6, 1 / 3)]
    assert scores.folds == 16


@pytest.mark.parametrize("seed", range(5))
def test_order_of_rows_is_irrelevant_but_for_the_names(seed):
    table = rows(sets=2, runs=2, folds=3)
    first, *rest = table
    random.Random(seed).shuffle(rest)
    one, other = scores_of(table), scores_of([first, *rest])
    assert other.systems == one.systems
    for dataset in one.datasets:
        (same,) = other.only(dataset.name).datasets
        assert (same.test_share, same.runs) == (dataset.test_share, dataset.runs)
        assert sorted(same.values.tolist()) == sorted(dataset.values.tolist())
        assert same.means == pytest.approx(dataset.means, rel=1e-14)


def test_folds_are_ordered_by_their_numbers():
    table = rows(folds=12)
    values = scores_of(table[::-1]).keep("a", "b").datasets[0].values
    assert values.ravel().tolist() == [row[4] for row in table]


def test_names_are_text():
    names = ["007", "NA", "007", "NA"]
    scores = Scores.from_rows([1, 1, 1, 1], names, [1, 2, 3, 4], fold=[1, 1, 2, 2])
    assert scores.systems == ("007", "NA")
    assert scores.datasets[0].name == "1"


def test_missing_folds_are_named():
    table = [
        row
        for row in rows(sets=2, runs=2)
        if row[:4] not in (["d0", 1, 2, "b"], ["d1", 2, 5, "a"])
    ]
    message = refused(scores_of, table, kind=InputError, where="s.csv")
    assert message == (
        "s.csv must have every fold of every system; missing: "
        "'b on d0, run 1, fold 2', 'a on d1, run 2, fold 5'."
    )


def test_many_missing_folds_are_named_in_part():
    table = [row for row in rows(folds=10) if row[3] == "a" or row[2] < 2]
    assert "and 4 more." in refused(scores_of, table)


def test_a_system_that_misses_a_data_set():
    table = [row for row in rows(sets=2) if row[:4:3] != ["d1", "b"]]
    assert "'b on d1, run 1, fold 1'" in refused(scores_of, table)


def test_double_rows_are_named():
    table = rows(sets=2)
    message = refused(scores_of, [*table, table[13]], kind=InputError)
    assert "one score per data set, run, fold and system" in message
    assert "'b' on 'd1', run 1, fold 2 is given twice" in message


def test_runs_with_unequal_numbers_of_folds():
    table = [row for row in rows(runs=3, folds=4) if row[1:3] != [2, 4]]
    message = refused(scores_of, table, kind=InputError)
    assert "Every run on 'd0' must have the same number of folds" in message
    assert "run 2 has 3, others up to 4" in message
    assert "Hint: " in message
    assert "test" in message.partition("Hint: ")[2]


@pytest.mark.parametrize("runs", [2, 5])
def test_runs_of_one_fold_need_the_share_tested(runs):
    message = refused(scores_of, rows(runs=runs, folds=1), kind=LikelierError)
    assert "Runs of one fold must come with the share of items tested" in message
    assert f"'d0' has {runs} of them" in message
    assert "--test-share" in message


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.5, float("nan"), float("inf"), True])
def test_shares_out_of_range(share):
    message = refused(scores_of, rows(), kind=SettingError, test_share=share)
    assert "test_share must lie strictly between 0 and 1; got " in message


def test_only_one_system():
    message = refused(scores_of, rows(systems="a"))
    assert message.startswith("There must be two systems; got a.")


def test_no_rows():
    assert "at least one score" in refused(Scores.from_rows, [], [], [])


def test_columns_of_different_length():
    message = refused(Scores.from_rows, ["d"], ["a", "b"], [1.0, 2.0])
    assert "columns of one length; got [1, 2]" in message


@given(bad_scores())
@QUICK
def test_scores_that_are_not_finite(bad):
    message = refused(Scores.from_rows, ["d"] * 2, ["a", "b"], [1.0, bad])
    assert "finite number as every score; row 1 has " in message
    message = refused(Scores.from_arrays, [1.0, 2.0], [bad, 2.0])
    assert "'second'" in message
    assert "row 0" in message


# --- arrays ------------------------------------------------------------------


def test_arrays_of_one_data_set():
    scores = Scores.from_arrays([0.8, 0.7, 0.9], [0.9, 0.8, 0.9])
    assert repr(scores) == "<Scores of first, second: 1 data set, 3 folds>"
    assert scores.datasets[0].values.tolist() == [[0.8, 0.9], [0.7, 0.8], [0.9, 0.9]]
    assert scores.datasets[0].test_share == 1 / 3


def test_arrays_of_many_data_sets():
    table = np.arange(12.0).reshape(2, 6)
    scores = Scores.from_arrays(table, table + 1, table + 2, runs=2, metric="bleu")
    assert scores.systems == ("first", "second", "third")
    assert [d.name for d in scores.datasets] == ["data 1", "data 2"]
    assert [(d.runs, d.test_share) for d in scores.datasets] == [(2, 1 / 3)] * 2
    assert scores.metric == "bleu"
    assert scores.means.tolist() == [[2.5, 3.5, 4.5], [8.5, 9.5, 10.5]]


def test_arrays_with_rows_of_different_length():
    scores = Scores.from_arrays([[1, 2, 3], [4, 5]], [[1, 2, 3], [4, 5]])
    assert [d.folds for d in scores.datasets] == [3, 2]


def test_names_of_data_sets_make_a_row_one_score_each():
    scores = Scores.from_arrays([1, 2, 3], [2, 3, 4], datasets=["x", "y", "z"])
    assert [(d.name, d.folds) for d in scores.datasets] == [
        ("x", 1),
        ("y", 1),
        ("z", 1),
    ]
    one = Scores.from_arrays([1, 2, 3], [2, 3, 4], datasets=["x"])
    assert [(d.name, d.folds) for d in one.datasets] == [("x", 3)]


@given(st.integers(1, 4), st.integers(1, 5), st.integers(2, 4))
@QUICK
def test_rows_and_arrays_are_the_same(sets, folds, systems):
    names = "abcd"[:systems]
    table = rows(sets=sets, folds=folds, systems=names)
    one = scores_of(table)
    values = np.array([row[4] for row in table]).reshape(sets, folds, systems)
    other = Scores.from_arrays(
        *np.moveaxis(values, -1, 0),
        systems=names,
        datasets=[d.name for d in one.datasets],
    )
    assert other.digest == one.digest


BAD_ARRAYS = {
    "one-system": (([1, 2],), {}, "There must be two systems; got first"),
    "no-scores": (([], []), {}, "System 'first' must have at least one score"),
    "text": ((["x", 1], [1, 2]), {}, "System 'first' must have numbers as scores"),
    "missing": (([1, None], [1, 2]), {}, "'first' must have a finite number"),
    "number": ((1.0, 2.0), {}, "'first'"),
    "none": ((), {}, "one array of scores per system; got none"),
    "share-text": (([1, 2],) * 2, {"test_share": "x"}, "test_share must"),
    "data-sets": (([[1, 2]] * 2, [[1, 2]]), {}, "must have the same data sets"),
    "folds": (([1, 2, 3], [1, 2]), {}, "every fold of 'data'; got first 3, second 2"),
    "double": (([1, 2],) * 2, {"systems": "aa"}, "systems must be 2 different names"),
    "names": (([1, 2],) * 2, {"systems": "abc"}, "systems must be 2 different names"),
    "double-set": (([1, 2],) * 2, {"datasets": "xx"}, "datasets must be 2 different"),
    "no-names": (([1, 2],) * 9, {}, "systems must name the 9 systems"),
    "runs": (([1, 2, 3],) * 2, {"runs": 2}, "divides the 3 folds of 'data'; got 2"),
    "runs-0": (([1, 2, 3],) * 2, {"runs": 0}, "runs must "),
    "runs-half": (([1, 2, 3],) * 2, {"runs": 1.5}, "runs must be a whole number"),
    "runs-share": (([1, 2, 3],) * 2, {"runs": -1, "test_share": 0.1}, "runs must "),
    "one-fold": (([1, 2, 3],) * 2, {"runs": 3}, "Runs of one fold must come with"),
    "share": (([1, 2],) * 2, {"test_share": 1}, "test_share must lie strictly"),
}


@pytest.mark.parametrize("name", BAD_ARRAYS)
def test_bad_arrays(name):
    arrays, settings, message = BAD_ARRAYS[name]
    assert message in refused(Scores.from_arrays, *arrays, **settings)
