"""Data of a study: what is taken, what is refused, and how parts are taken out."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from tests.conftest import QUICK

from likelier.errors import InputError, LikelierError, SettingError
from likelier.study import StudyData
from likelier.study.study_data import TASKS, as_study_data, count_items, take_items


def refused(*args, kind=LikelierError, **settings):
    with pytest.raises(kind) as caught:
        StudyData(*args, **settings)
    return str(caught.value)


def score(gold, predicted):
    return float(gold == predicted)


FULL = {
    "labels": StudyData(["x", "y"], ["a", "b"]),
    "sets": StudyData(["x", "y"], [{"a"}, set()], "sets"),
    "tags": StudyData([["x"], ["y"]], [["A"], ["B"]], "tags"),
    "chunks": StudyData(
        [["x"], ["y", "z"]], [["O"], ["B", "I"]], "chunks", scheme="iob2"
    ),
    "scores": StudyData(["x", "y"], ["a", "b"], "scores", score=score),
}


def test_there_is_an_example_of_each_task():
    assert set(FULL) == set(TASKS)
    for task, data in FULL.items():
        assert len(data) == 2
        assert repr(data) == f"<StudyData of 2 items: {task}>"
        assert as_study_data(data) is data


@pytest.mark.parametrize("task", ["label", "", None, 3, ["labels"], "Labels"], ids=str)
def test_unknown_tasks(task):
    assert "task must be one of chunks, labels" in refused(["x"], ["a"], task)


def test_scheme_and_score_belong_to_their_tasks():
    assert "scheme" in refused([["x"]], [["O"]], "chunks", kind=SettingError)
    assert "scheme" in refused([["x"]], [["O"]], "tags", scheme="iob2")
    assert "scheme" in refused([["x"]], [["O"]], "chunks", scheme="iob9")
    assert "scheme" in refused([["x"]], [["O"]], "chunks", scheme=3)
    assert "score" in refused(["x"], ["a"], "scores", kind=SettingError)
    assert "score" in refused(["x"], ["a"], "labels", score=score)
    assert "score" in refused(["x"], ["a"], "scores", score=3)


@pytest.mark.parametrize("name", ["inputs", "groups", "units"])
@pytest.mark.parametrize("n", [0, 1, 3])
def test_columns_must_have_one_entry_per_item(name, n):
    settings = {"inputs": ["x", "y"]} | {name: ["q"] * n}
    inputs = settings.pop("inputs")
    message = refused(inputs, ["a", "b"], kind=InputError, **settings)
    assert message == f"{name} must have one entry per item: 2; got {n}."


def test_there_must_be_items():
    for empty in ([], np.zeros(0), pd.Series([], dtype=str), np.zeros((0, 3))):
        assert "at least one item" in refused(empty, empty, kind=InputError)


@pytest.mark.parametrize("value", [None, 3, iter("ab"), np.array(1)])
def test_inputs_and_gold_must_be_columns(value):
    assert "must be in a list" in refused(value, ["a", "b"])
    assert "must be in a list" in refused(["x", "y"], value)


@pytest.mark.parametrize(
    ("tokens", "tags"),
    [
        (["x", "y"], ["A"]),
        (["x"], ["A", "B"]),
        (["x", "y"], "AB"),
        (["x"], None),
        (None, ["A"]),
        (3, ["A"]),
        (["x"], 3),
    ],
    ids=str,
)
@pytest.mark.parametrize("task", ["tags", "chunks"])
def test_items_must_have_one_tag_per_token(tokens, tags, task):
    settings = {"scheme": "iob2"} if task == "chunks" else {}
    message = refused([["x"], tokens], [["O"], tags], task, kind=InputError, **settings)
    assert message.startswith("Item 1 must have one tag per token")


@pytest.mark.parametrize("task", ["tags", "chunks"])
def test_items_must_have_tokens(task):
    settings = {"scheme": "iob2"} if task == "chunks" else {}
    for tokens, tags in (([], []), ("", []), ([], ["O"])):
        message = refused([["x"], tokens], [["O"], tags], task, **settings)
        assert message.startswith("Item 1 must have ")


def test_tokens_may_be_the_characters_of_a_text():
    data = StudyData(["ab", "c"], [["B", "E"], ["S"]], "chunks", scheme="bmes")
    assert data.bags() == [{"chunk": 1}, {"chunk": 1}]


@pytest.mark.parametrize(
    "data",
    [3, None, "ab", [["x"], ["a"]], (["x"],), (["x"], ["a"], "labels"), {}],
    ids=str,
)
def test_what_is_no_data_is_refused(data):
    with pytest.raises(SettingError, match="must be a StudyData, or inputs and labels"):
        as_study_data(data)


def test_inputs_and_labels_are_data():
    made = as_study_data((np.eye(3), ["a", "b", "a"]))
    assert (len(made), made.task) == (3, "labels")


# --- what folds are even in ---------------------------------------------------


def test_labels_are_classes_and_have_no_bags():
    data = FULL["labels"]
    assert data.classes() == ["a", "b"]
    assert data.bags() is None
    for task in set(TASKS) - {"labels"}:
        assert FULL[task].classes() is None


def test_bags_are_what_the_gold_holds():
    assert FULL["sets"].bags() == [{"a": 1}, {}]
    assert FULL["tags"].bags() == [{"A": 1}, {"B": 1}]
    assert FULL["scores"].bags() is None
    gold = [["B-x", "I-x", "B-y"], ["O"], ["B-x", "B-x"]]
    tokens = [["w"] * len(tags) for tags in gold]
    chunks = StudyData(tokens, gold, "chunks", scheme="iob2")
    assert chunks.bags() == [{"x": 1, "y": 1}, {}, {"x": 2}]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, pd.DataFrame])
def test_a_matrix_of_indicators_is_its_own_bags(form):
    gold = form(np.eye(3))
    assert StudyData(["x"] * 3, gold, "sets").bags() is gold


@pytest.mark.parametrize("task", TASKS)
def test_units_that_are_given_come_first(task):
    units = [{"u": 1}, {"v": 2}]
    old = FULL[task]
    made = StudyData(
        old.inputs, old.gold, task, scheme=old.scheme, score=old.score, units=units
    )
    assert made.bags() == units


# --- parts --------------------------------------------------------------------

POSITIONS = np.array([2, 0])
COLUMNS = {
    "list": [1, 2, 3],
    "tuple": (1, 2, 3),
    "range": range(1, 4),
    "text": "123",
    "array": np.array([1, 2, 3]),
    "matrix": np.arange(6).reshape(3, 2),
    "object array": np.array([1, "a", None], dtype=object),
    "series": pd.Series([1, 2, 3], index=[0, 2, 1]),
    "frame": pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]}, index=[0, 2, 1]),
    "index": pd.Index([1, 2, 3]),
    "categories": pd.Categorical(["a", "b", "c"]),
    "polars series": pl.Series([1, 2, 3]),
    "polars frame": pl.DataFrame({"a": [1, 2, 3]}),
}


def listed(column):
    if hasattr(column, "rows"):
        return column.rows()
    if hasattr(column, "to_numpy"):
        column = column.to_numpy()
    return np.asarray(column, dtype=object).tolist()


@pytest.mark.parametrize("column", COLUMNS.values(), ids=list(COLUMNS))
def test_parts_are_taken_by_position(column):
    result = take_items(column, POSITIONS)
    whole = listed(list(column) if isinstance(column, str | range) else column)
    assert listed(result) == [whole[2], whole[0]]
    assert count_items(result) == 2
    assert count_items(column) == 3
    if not isinstance(column, str | range):
        assert type(result) is type(column)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix])
def test_parts_of_sparse_matrices(form, kind):
    matrix = kind(np.arange(6).reshape(3, 2)).asformat(form)
    result = take_items(matrix, POSITIONS)
    assert result.toarray().tolist() == [[4, 5], [0, 1]]
    assert count_items(matrix) == 3


def test_a_part_of_nothing_is_nothing():
    assert take_items(None, POSITIONS) is None


@QUICK
@given(st.lists(st.integers(), min_size=1, max_size=9), st.data())
def test_parts_of_all_kinds_agree(numbers, data):
    position = st.integers(0, len(numbers) - 1)
    positions = np.array(data.draw(st.lists(position, max_size=9)), dtype=np.int64)
    wanted = [numbers[i] for i in positions]
    array = np.array(numbers, dtype=object)
    for column in (numbers, tuple(numbers), array, pd.Series(array)):
        assert list(take_items(column, positions)) == wanted
