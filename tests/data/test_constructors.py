"""Labels, sets, scores and counts become patterns with counts."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from tests.conftest import QUICK, bad_scores, label_tables, score_columns, set_tables

from likelier import LikelierError, metrics
from likelier.data.constructors import (
    from_labels,
    from_patterns,
    from_scores,
    from_sets,
)
from likelier.data.named_statistics import from_statistics

TEXT = ["b", "a", "b", "NA"]
HOLDERS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "object array": lambda x: np.array(x, dtype=object),
    "pandas": pd.Series,
    "pandas index": lambda x: pd.Series(x, index=[9, 3, 3, 1][: len(x)]),
    "pandas string": lambda x: pd.Series(x, dtype="string"),
    "pandas category": lambda x: pd.Series(x, dtype="category"),
    "polars": pl.Series,
    "pyarrow": pa.array,
}
by_holder = pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS.keys())


@by_holder
def test_labels_come_in_any_sequence(hold):
    expected = from_labels(TEXT, TEXT[::-1])
    result = from_labels(hold(TEXT), hold(TEXT[::-1]))

    assert result.digest == expected.digest
    assert result.classes == ("NA", "a", "b")


@pytest.mark.parametrize(
    ("column", "classes"),
    [
        ([1, 0, 2], ("0", "1", "2")),
        (np.array([1, 0, 2], dtype=np.int8), ("0", "1", "2")),
        (np.array([1.0, 0.0, 2.0]), ("0", "1", "2")),
        ([1.0, 0.0, 2.0], ("0", "1", "2")),
        (np.array([1, 0, 2], dtype=np.float32), ("0", "1", "2")),
        ([np.int64(1), np.float64(0), 2], ("0", "1", "2")),
        ([True, False, True], ("false", "true")),
        (np.array([True, False, True]), ("false", "true")),
        ([np.True_, False, True], ("false", "true")),
        (pd.Series([1, 0, 2], dtype="Int64"), ("0", "1", "2")),
        (["1", 1, "01"], ("01", "1")),
        (["a", 1, True], ("1", "a", "true")),
        ([2**60 + 1, 2**60, 0], ("0", str(2**60), str(2**60 + 1))),
        (["a", "a\0", "A"], ("A", "a", "a\0")),
        (["NA", "None", ""], ("", "NA", "None")),
        (["007", "7", "1e3"], ("007", "1e3", "7")),
        (["é", "e\u0301", "日本"], ("e\u0301", "é", "日本")),
    ],
)
def test_labels_differ_byte_by_byte(column, classes):
    table = from_labels(column, column)

    assert table.classes == classes
    assert metrics.accuracy.observed(table) == 1


@pytest.mark.parametrize(
    "column",
    [
        ["a", None],
        ["a", float("nan")],
        [1.0, float("nan")],
        np.array([1.0, np.nan]),
        np.array(["a", None], dtype=object),
        pd.Series(["a", None]),
        pd.Series(["a", pd.NA], dtype="string"),
        pd.Series([1, pd.NA], dtype="Int64"),
        pl.Series(["a", None]),
        [pd.NaT, "a"],
    ],
)
def test_a_missing_label_is_refused(column):
    with pytest.raises(LikelierError, match=r"first must have a label for every item"):
        from_labels(["a", "a"], column)


@pytest.mark.parametrize(
    "column",
    [
        [0.5, 1.0],
        np.array([0.5, 1.0]),
        np.array([2.0**53 + 2, 1.0]),
        [float("inf"), 1.0],
        np.array([np.inf, 1.0]),
        [b"a", b"b"],
        [("a",), ("b",)],
        [["a"], ["b", "c"]],
        [{"a"}, {"b"}],
        [object(), "a"],
        np.array([["a", "b"], ["a", "b"]]),
    ],
)
def test_what_is_no_label_is_refused(column):
    with pytest.raises(LikelierError, match="first must hold"):
        from_labels(["a", "b"], column)


@QUICK
@given(table=label_tables(systems=3))
def test_counting_loses_nothing(table):
    outcomes = table.outcomes()
    names = np.array(outcomes.classes)
    rows = sorted(
        row
        for codes, count in zip(outcomes.labels, outcomes.counts, strict=True)
        for row in [tuple(names[codes].tolist())] * int(count)
    )

    assert rows == sorted(zip(*table.columns, strict=True))
    assert outcomes.n_items == outcomes.n_units == len(table.gold)
    assert outcomes.n_patterns == len(set(rows))


@QUICK
@given(columns=score_columns())
def test_counting_scores_loses_nothing(columns):
    table = from_scores(*columns)
    rows = [
        tuple(row)
        for row, n in zip(table.rows.toarray(), table.counts, strict=True)
        for _ in range(int(n))
    ]

    assert sorted(rows) == sorted(zip(*columns, strict=True))


@QUICK
@given(table=set_tables())
def test_sets_are_indicator_matrices(table):
    classes = sorted({label for column in table.columns for s in column for label in s})
    matrices = [
        np.array([[label in s for label in classes] for s in column])
        for column in table.columns
    ]
    outcomes = from_sets(*table.columns, classes=classes)

    assert outcomes.digest == from_sets(*matrices, classes=classes).digest
    assert (
        outcomes.digest == from_sets(*map(list, table.columns), classes=classes).digest
    )


@pytest.mark.parametrize("make", [from_labels, from_sets])
def test_systems_are_named_and_counted(make):
    columns = ["a", "b"], ["a", "b"], ["b", "a"]
    if make is from_sets:
        columns = [[{x} for x in column] for column in columns]
    assert make(*columns).systems == ("first", "second")
    assert make(*columns, systems=["x", "y"]).systems == ("x", "y")
    for names in (["x"], ["x", "x"], ["x", "y", "z"]):
        with pytest.raises(LikelierError, match="systems must be 2 different names"):
            make(*columns, systems=names)
    with pytest.raises(LikelierError, match="at least one system"):
        make(columns[0])


def test_six_systems_have_names():
    names = from_scores(*[[1.0]] * 7).systems

    assert len(set(names)) == 7


@pytest.mark.parametrize(
    ("columns", "message"),
    [((["a"], ["a", "b"]), "gold has 1, first has 2"), (([], []), "at least one item")],
)
def test_lengths_must_agree(columns, message):
    with pytest.raises(LikelierError, match=message):
        from_labels(*columns)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([{"a"}], [{"a"}, {"b"}]), "gold has 1, first has 2"),
        (([], []), "at least one item"),
        (([set()], [set()]), "at least one label"),
        (([{"a"}], ["ab"]), "first must hold a set of labels per item; item 0 is 'ab'"),
        (([{"a"}], [None]), "first must hold a set"),
        (([{"a"}], [{None}]), "first must have a label"),
        ((np.eye(2), np.ones((2, 3))), "first must be a matrix of 0 and 1"),
        ((np.eye(2), np.full((2, 2), 0.5)), "first must be a matrix of 0 and 1"),
        ((np.eye(2), [{"0"}, {"1"}]), "matri"),
    ],
)
def test_bad_sets_are_refused(columns, message):
    with pytest.raises(LikelierError, match=message):
        from_sets(*columns)


@QUICK
@given(bad=bad_scores())
def test_scores_are_finite(bad):
    with pytest.raises(LikelierError, match=r"scores of second must be finite.*item 1"):
        from_scores([1.0, 2.0, 3.0], [1.0, bad, 2.0])


@pytest.mark.parametrize("huge", [1e100, -1e308])
def test_scores_can_be_added_up(huge):
    with pytest.raises(LikelierError, match="scores of second must be finite"):
        from_scores([1.0, 2.0], [1.0, huge])


@pytest.mark.parametrize(
    "column", [["x", "y"], [None, 1.0], [[1.0], [2.0]], [1 + 2j, 1.0], [1.0]]
)
def test_scores_are_one_number_per_item(column):
    with pytest.raises(LikelierError, match=r"scores of second must be|same number"):
        from_scores([1.0, 2.0], column)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1], "counts must be 2"),
        ([1, -1], "counts must be 2"),
        ([1, float("nan")], "counts must be 2"),
        ([1, float("inf")], "counts must be 2"),
        ([0, 0], "all counts are 0"),
    ],
)
def test_counts_are_checked(counts, message):
    with pytest.raises(LikelierError, match=message):
        from_patterns([["a", "b"], ["a", "b"]], counts, systems=["s"])


def test_counted_rows_are_items():
    gold, predicted = ["a", "b", "a"], ["a", "a", "a"]
    table = from_patterns([gold, predicted], [2, 3, 1], systems=["s"])

    expected = from_labels("aaabbb", "aaaaaa", systems=["s"])
    assert table.digest == expected.digest


@pytest.mark.parametrize("systems", [["x"], ["x", "y", "z"], ["x", "x"]])
def test_counted_rows_have_one_name_per_system(systems):
    with pytest.raises(LikelierError, match="systems must be 2 different names"):
        from_patterns([["a"], ["a"], ["b"]], [3], systems=systems)


def test_classes_hold_every_label_once():
    with pytest.raises(LikelierError, match="missing 'b'"):
        from_labels("ab", "ab", classes=["a"])
    with pytest.raises(LikelierError, match="classes must"):
        from_labels("ab", "ab", classes=["a", "b", "b"])
    with pytest.raises(LikelierError, match="classes must"):
        from_sets(np.eye(2), np.eye(2), classes=["a"])


@pytest.mark.parametrize(
    ("statistics", "message"),
    [
        ({}, "mapping per system"),
        ({"tp": [[1]], "fp": [[1, 2]]}, "one shape"),
        ({"tp": [[-1]]}, "tp must hold counts from 0 to 1e12"),
        ({"tp": [[float("nan")]]}, "tp must hold counts from 0 to 1e12"),
        ({"tp": np.zeros((0, 1))}, "at least one item"),
    ],
)
def test_bad_statistics_are_refused(statistics, message):
    with pytest.raises(LikelierError, match=message):
        from_statistics(statistics)


def test_statistics_have_one_class_name_per_column():
    with pytest.raises(LikelierError, match="classes must"):
        from_statistics({"tp": [[[1, 2]]]}, classes=["a"])


def test_statistics_of_items_are_summed():
    table = from_statistics(
        {"tp": [[1, 2], [3, 0], [1, 2]], "fp": np.ones((3, 2)), "fn": np.zeros((3, 2))},
        systems=["x", "y"],
    )

    assert table.n_patterns == 2
    assert metrics.precision.observed(table) == pytest.approx([5 / 8, 4 / 7])


def test_clusters_sum_their_items():
    table = from_labels("aabb", "abbb", cluster=["d1", "d1", "d2", "d2"])

    assert (table.n_items, table.n_units, table.clustered) == (4, 2, True)
    assert metrics.accuracy.observed(table)[0] == 0.75
    with pytest.raises(LikelierError, match="cluster has 1, the table has 4"):
        from_labels("aabb", "abbb", cluster=["d1"])


def test_minus_zero_is_zero():
    table = from_scores([0.0, -0.0, 1.0], [-0.0, 0.0, -0.0])

    assert table.n_patterns == 2
    assert [table.items.text(cell) for cell in table.items.cells[0]] == ["1", "0"]


def test_negative_scores_are_different_rows():
    table = from_scores([-1.0, 0.0], [1.0, -1.0])

    assert table.n_patterns == 2


def test_lists_of_one_number_are_sets_of_one_label():
    table = from_sets([[1], [0]], [[0], [0]])

    assert table.classes == ("0", "1")
    assert metrics.accuracy.observed(table) == 0.5


def test_sets_of_very_many_labels_stay_sparse():
    rng = np.random.default_rng(0)
    columns = rng.integers(40_000, size=(3, 2000, 3))
    sets = [[{f"label {i}" for i in row} for row in column] for column in columns]

    table = from_sets(*sets)

    assert table.n_items == 2000
    assert table.rows.nnz < 30_000
    sums = table.sums()
    gold, first, _ = sets
    right = sum(len(a & b) for a, b in zip(gold, first, strict=True))
    assert sums["tp"][0].sum() == right
    assert sums["fp"][0].sum() == sum(map(len, first)) - right
    assert sums["fn"][0].sum() == sum(map(len, gold)) - right


def test_sets_are_counted_as_their_indicators_are():
    rng = np.random.default_rng(1)
    matrices = rng.integers(2, size=(3, 400, 4))
    sets = [[set(map(str, np.flatnonzero(row))) for row in m] for m in matrices]

    one = from_sets(*sets, classes=list("0123"))
    other = from_sets(*matrices)

    assert one.digest == other.digest
    assert (one.rows != other.rows).nnz == 0
    order = np.lexsort(np.concatenate(matrices, axis=1).T[::-1])
    rows = np.unique(np.concatenate(matrices, axis=1)[order], axis=0)
    assert len(one.counts) == len(rows)


@pytest.mark.parametrize("kind", ["bool", "int8", "uint8", "int64", "float", "U", "O"])
def test_labels_of_any_type_are_counted_alike(kind):
    rng = np.random.default_rng(2)
    codes = rng.integers(2 if kind == "bool" else 7, size=(3, 500))
    codes = codes if kind in ("bool", "uint8") else codes - 3

    table = from_labels(*(column.astype(kind) for column in codes))

    names = {str(x).lower() for x in codes.astype(kind if kind == "bool" else int).flat}
    assert set(table.classes) == names
    expected = from_labels(*[[table_name(x, kind) for x in column] for column in codes])
    assert table.digest == expected.digest
    assert table.labels.dtype == np.int64


def table_name(code, kind):
    return str(bool(code)).lower() if kind == "bool" else str(code)
