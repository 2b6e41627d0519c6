"""Records: what is written comes back, and what cannot be counted is refused."""

import json
import zlib

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from tests.conftest import QUICK

from likelier.designs import k_fold
from likelier.errors import InputError, LikelierError
from likelier.study import Study, StudyData
from likelier.study.record_bytes import RecordBytes
from likelier.study.records import GoldAnswers


def recorded(data, *, seen, predictions):
    """Return the record of what a system predicted."""
    return GoldAnswers.of(data, seen).record(predictions)


COLUMNS = ("lengths", "gold", "predicted", "unseen", "scores")
HOSTILE = [
    "", " ", "NA", "None", "nan", "null", "true", "1", "1.0", "1e3", "007", "\n", "\t",
    "\r\n", "\x00", "a\x00", "\x1b[31m", '"', "\\", "'", "[]", "\ud800", "\udc00x",
    "é", "e\u0301", "\u2028", "\ufeff", "😀", "a" * 500,
]  # fmt: skip
# Two halves of a pair that stand side by side are one character, in JSON at least.
TEXTS = st.sampled_from(HOSTILE) | st.text(max_size=4)


def labels(gold):
    return StudyData(["x"] * len(gold), gold)


def sets(gold):
    n = gold.shape[0] if hasattr(gold, "shape") else len(gold)
    return StudyData(["x"] * n, gold, "sets")


def tags(gold, task="tags", **settings):
    return StudyData([["w"] * len(item) for item in gold], gold, task, **settings)


def read_record(content):
    return RecordBytes(len(content)).read(content)


def back(data, predictions, seen=()):
    """Write down and read again."""
    made = recorded(data, seen=seen, predictions=predictions)
    result = read_record(made.to_bytes())
    assert result.task == made.task == data.task
    assert result.names == made.names
    for name in COLUMNS:
        one, other = getattr(made, name), getattr(result, name)
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()
    assert len(result.gold) == len(result.predicted)
    assert result.to_bytes() == made.to_bytes()
    return result


def spelt(record, name="predicted"):
    return [record.names[code] for code in getattr(record, name)]


def predicted_labels(gold, predictions):
    """Give what is written down of plain labels."""
    return spelt(back(labels(gold), predictions))


def refused(data, predictions, kind=LikelierError):
    with pytest.raises(kind) as caught:
        recorded(data, seen=data.inputs, predictions=predictions)
    return str(caught.value)


# --- labels -------------------------------------------------------------------


@QUICK
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=12))
def test_labels_come_back(pairs):
    gold, predictions = map(list, zip(*pairs, strict=True))
    record = back(labels(gold), predictions)
    assert spelt(record, "gold") == gold
    assert spelt(record) == predictions
    assert record.lengths.tolist() == [1] * len(gold)
    assert len(set(record.names)) == len(record.names)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_labels(text):
    assert predicted_labels(["x", text], [text, "y"]) == [text, "y"]


@pytest.mark.parametrize("classes", [1, 2, 255, 256, 257, 65_535, 65_536, 65_537])
def test_any_number_of_classes(classes):
    gold = [str(i) for i in range(classes)]
    record = back(labels(gold), gold[::-1])
    assert spelt(record, "gold") == gold
    assert spelt(record) == gold[::-1]
    small = np.dtype("<u2") if classes > 256 else np.dtype("u1")
    assert record.gold.dtype == (np.dtype("<u4") if classes > 65_536 else small)


@pytest.mark.parametrize(
    ("predictions", "wanted"),
    [
        ([1, 2], ["1", "2"]),
        ([1.0, 2.0], ["1", "2"]),
        ([True, False], ["true", "false"]),
        ([np.int8(1), np.float32(2)], ["1", "2"]),
        ([np.True_, np.str_("a")], ["true", "a"]),
        ([10**30, -1], [str(10**30), "-1"]),
        (np.array([1, 2]), ["1", "2"]),
        (np.array([1.0, 2.0]), ["1", "2"]),
        (np.array([True, False]), ["true", "false"]),
        (np.array(["a", "bc"]), ["a", "bc"]),
        (np.array(["a", "b\x00"], dtype=object), ["a", "b\x00"]),
        (np.array(["a", "bc"], dtype=np.dtypes.StringDType()), ["a", "bc"]),
        (pd.Series(["a", "b"], index=[7, 3]), ["a", "b"]),
        (pd.Series(["a", "b"], dtype="category"), ["a", "b"]),
        (pd.Series(["a", "b"], dtype="string"), ["a", "b"]),
        (pd.Series([1, 2], dtype="Int64"), ["1", "2"]),
        (pd.Index(["a", "b"]), ["a", "b"]),
        (pd.Categorical(["a", "b"]), ["a", "b"]),
        (pl.Series(["a", "b"]), ["a", "b"]),
        (pl.Series(["a", "b"], dtype=pl.Categorical), ["a", "b"]),
        (("a", "b"), ["a", "b"]),
    ],
    ids=str,
)
def test_predictions_of_many_kinds(predictions, wanted):
    assert predicted_labels(["x", "y"], predictions) == wanted
    assert spelt(back(labels(predictions), ["x", "y"]), "gold") == wanted


def test_numbers_and_their_text_are_one_label():
    record = back(labels([0, 1, 2]), np.array([0.0, 2.0, 1.0]))
    assert record.names == ("0", "1", "2")


@pytest.mark.parametrize("n", [0, 1, 3, 40])
def test_the_number_of_predictions_must_be_that_of_items(n):
    message = refused(labels(["a", "b"]), ["a"] * n, InputError)
    assert message == f"predict must give one prediction per item: 2; got {n}."


MISSING = {
    "None": None,
    "NaN": float("nan"),
    "numpy": np.float64("nan"),
    "pandas": pd.NA,
    "time": pd.NaT,
}


@pytest.mark.parametrize("value", MISSING.values(), ids=list(MISSING))
def test_missing_labels_are_refused(value):
    assert "item 1" in refused(labels(["a", "b"]), ["a", value], InputError)
    assert "item 1" in refused(labels(["a", value]), ["a", "b"], InputError)


@pytest.mark.parametrize(
    "value",
    [0.5, b"a", ["a"], ("a",), {"a"}, {"a": 1}, 1j, np.array(["a"])],
)
def test_what_is_no_label_is_refused(value):
    message = refused(labels(["a", "b"]), ["a", value], InputError)
    assert "item 1" in message


def test_arrays_for_labels_are_refused():
    refused(labels(["a"]), [np.array(["a", "b"])], InputError)
    refused(labels(["a", "b"]), np.array([["a"], ["b"]]), InputError)
    refused(labels(["a", "b"]), np.eye(2), InputError)


NO_LIST = {
    "nothing": lambda: None,
    "a number": lambda: 2,
    "an iterator": lambda: iter("ab"),
    "a text": lambda: "ab",
    "a mapping": lambda: {"a": 1, "b": 2},
    "a set": lambda: {"a", "b"},
    "one value": lambda: np.array("a"),
    "a pandas frame": lambda: pd.DataFrame({"label": ["a", "b"]}),
    "a polars frame": lambda: pl.DataFrame({"label": ["a", "b"]}),
    "a sparse matrix": lambda: sparse.eye_array(2, format="csr"),
}


@pytest.mark.parametrize("make", NO_LIST.values(), ids=list(NO_LIST))
def test_predictions_that_are_no_list_are_refused(make):
    assert "predict" in refused(labels(["a", "b"]), make())


def test_messages_say_whose_labels_are_bad():
    assert "predict" in refused(labels(["a", "b"]), ["a", None])
    assert "gold" in refused(labels(["a", None]), ["a", "b"])


# --- sets ---------------------------------------------------------------------


def set_pairs(gold, predictions):
    record = back(sets(gold), predictions)
    return [
        [set(json.loads(t)) for t in spelt(record, n)] for n in ("gold", "predicted")
    ]


INDICATORS = np.array([[1, 0, 0], [0, 1, 1], [0, 0, 0]])
AS_SETS = [{"0"}, {"1", "2"}, set()]


@pytest.mark.parametrize(
    "form",
    [
        lambda m: m,
        lambda m: m.astype(bool),
        lambda m: m.astype(float),
        lambda m: m.tolist(),
        lambda m: m.astype(bool).tolist(),
        lambda m: np.asfortranarray(m),
        lambda m: pd.DataFrame(m, columns=list("xyz")),
        lambda m: pl.DataFrame(m),
        sparse.csr_array,
        sparse.csr_matrix,
        sparse.csc_array,
        sparse.coo_array,
        sparse.lil_array,
    ],
    ids=[
        "int", "bool", "float", "lists", "lists of bool", "turned", "pandas", "polars",
        "csr", "csr matrix", "csc", "coo", "lil",
    ],
)  # fmt: skip
def test_indicators_of_many_kinds(form):
    gold, result = set_pairs(INDICATORS, form(INDICATORS))
    assert gold == result == AS_SETS
    gold, result = set_pairs(form(INDICATORS), INDICATORS)
    assert gold == result == AS_SETS


@QUICK
@given(
    st.lists(
        st.tuples(*[st.frozensets(st.sampled_from(HOSTILE), max_size=4)] * 2),
        min_size=1,
        max_size=6,
    )
)
def test_sets_come_back(pairs):
    gold, predictions = map(list, zip(*pairs, strict=True))
    assert set_pairs(gold, predictions) == [
        list(map(set, gold)),
        [*map(set, predictions)],
    ]


def test_the_order_within_a_set_is_irrelevant():
    one = back(sets([{"a", "b"}]), [["b", "a"]])
    assert one.names == ('["a", "b"]',)
    other = back(sets([["b", "a"]]), [("a", "b")])
    assert one.to_bytes() == other.to_bytes()


@pytest.mark.parametrize(
    ("gold", "predictions"),
    [
        ([{1}, {2, 3}], [{1.0}, {2.0, 3.0}]),
        ([{"1"}], [[1]]),
        ([{True}], [{"true"}]),
        ([{np.int64(1)}], [np.array([1])]),
        ([{"a"}], [np.array(["a"])]),
        ([{"a"}, set()], pd.Series([["a"], []])),
    ],
    ids=str,
)
def test_labels_of_sets_are_written_as_any_label(gold, predictions):
    one, other = set_pairs(gold, predictions)
    assert one == other


@pytest.mark.parametrize(
    "item", ["ab", None, 1, [None], [float("nan")], [["a"]], [0.5]], ids=str
)
def test_what_is_no_set_of_labels_is_refused(item):
    refused(sets([{"ab"}, {"c"}]), [{"ab"}, item], InputError)


@pytest.mark.parametrize(
    ("gold", "predictions"),
    [
        ([{"a"}, {"b"}], np.eye(2)),
        (np.eye(2), [{"a"}, {"b"}]),
        (np.eye(2), np.ones((2, 5))),
        (np.eye(2), np.full((2, 2), 0.3)),
        (np.eye(2), np.full((2, 2), -1)),
        (np.eye(2), np.full((2, 2), np.nan)),
        (np.eye(2), np.ones(2)),
    ],
    ids=["names", "gold", "width", "shares", "negative", "missing", "one column"],
)
def test_matrices_that_cannot_be_compared_are_refused(gold, predictions):
    refused(sets(gold), predictions, InputError)


def test_parts_of_sets_are_read_as_the_whole():
    whole = Study(
        data=StudyData(["x"] * 6, [[0, 1], [0, 1], [1], [0], [], [1]], "sets"),
        systems={"a": "sklearn.svm:SVC"},
        design=k_fold(6, seed=0),
        seed=0,
    )
    for planned in whole.schedule.folds:
        test = whole.job(planned).test
        (gold,) = test.gold
        result = set_pairs(test.gold, test.gold)
        assert result == [[{str(label) for label in gold}]] * 2


# --- tags and chunks ----------------------------------------------------------


@QUICK
@given(
    st.lists(
        st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5),
        min_size=1,
        max_size=6,
    )
)
def test_tags_come_back(items):
    gold = [[pair[0] for pair in item] for item in items]
    predictions = [[pair[1] for pair in item] for item in items]
    record = back(tags(gold), predictions)
    assert record.lengths.tolist() == [len(item) for item in items]
    assert spelt(record, "gold") == [tag for item in gold for tag in item]
    assert spelt(record) == [tag for item in predictions for tag in item]
    assert len(record.unseen) == len(record.gold)


@pytest.mark.parametrize("length", [1, 255, 256, 257, 70_000])
def test_sequences_of_any_length(length):
    gold = [["a"] * length, ["b", "c"]]
    record = back(tags(gold), gold)
    assert record.lengths.tolist() == [length, 2]


@pytest.mark.parametrize(
    "form", [list, tuple, np.array, lambda t: np.array(t, dtype=object)]
)
def test_tags_of_many_kinds(form):
    gold = [["X", "Y"], ["Z"]]
    assert spelt(back(tags(gold), [form(t) for t in gold])) == ["X", "Y", "Z"]
    assert spelt(back(tags(gold), pd.Series([form(t) for t in gold]))) == list("XYZ")


def test_unseen_tokens_are_those_that_no_training_item_has():
    data = StudyData([["a", "b"], ["c", "a"]], [["X", "X"], ["X", "X"]], "tags")
    record = back(data, data.gold, seen=[["a"], [], ["d", "c"]])
    assert record.unseen.tolist() == [0, 1, 0, 0]
    assert back(data, data.gold, seen=[]).unseen.tolist() == [1, 1, 1, 1]
    text = StudyData(["ab", "cA"], [["X", "X"], ["X", "X"]], "tags")
    assert back(text, text.gold, seen=["bc"]).unseen.tolist() == [1, 0, 0, 1]


def test_chunks_have_no_unseen_tokens():
    record = back(
        tags([["B-x", "I-x"], ["O"]], "chunks", scheme="iob2"), [["O"] * 2, ["O"]]
    )
    assert record.task == "chunks"
    assert record.unseen.tolist() == []
    assert spelt(record) == ["O"] * 3


@pytest.mark.parametrize(
    ("item", "got"),
    [(["X"], "got 1"), (["X"] * 3, "got 3"), ([], "got 0"), (np.array(["X"]), "got 1")],
    ids=str,
)
@pytest.mark.parametrize("task", ["tags", "chunks"])
def test_too_few_and_too_many_tags_are_refused(item, got, task):
    settings = {"scheme": "iob2"} if task == "chunks" else {}
    data = tags([["O"], ["O", "O"]], task, **settings)
    message = refused(data, [["O"], item], InputError)
    assert "item 1 of the test items" in message
    assert got in message


@pytest.mark.parametrize(
    "item", ["XY", None, 2, iter("XY"), {"X": 1, "Y": 2}, {"X", "Y"}]
)
def test_what_is_no_list_of_tags_is_refused(item):
    message = refused(tags([["X", "Y"]]), [item], InputError)
    assert "item 0" in message
    assert "got 2 tags" not in message


def test_missing_tags_are_refused():
    assert "item 0" in refused(tags([["X", "Y"]]), [["X", None]], InputError)
    refused(tags([["X", float("nan")]]), [["X", "Y"]], InputError)


def test_tokens_may_be_features():
    tokens = [[{"word": "a"}, {"word": "b"}], [{"word": "a"}]]
    data = StudyData(tokens, [["X", "Y"], ["X"]], "tags")
    record = back(data, [["X", "Y"], ["Z"]], seen=[[{"word": "a"}]])
    assert spelt(record) == ["X", "Y", "Z"]


# --- scores -------------------------------------------------------------------


def scored(score, gold=("g",), predictions=("p",)):
    data = StudyData(["x"] * len(gold), list(gold), "scores", score=score)
    return back(data, list(predictions)).scores


@QUICK
@given(st.lists(st.floats(-1e99, 1e99), min_size=1, max_size=9))
def test_scores_come_back_to_the_last_digit(numbers):
    result = scored(
        lambda gold, predicted_labels: gold - predicted_labels,
        numbers,
        [0.0] * len(numbers),
    )
    assert result.tolist() == numbers


def test_scores_see_gold_and_prediction():
    result = scored(
        lambda gold, predicted_labels: len(gold) - len(predicted_labels),
        ["abc", ""],
        ["a", "bb"],
    )
    assert result.tolist() == [2.0, -2.0]
    assert scored(lambda *_: True).tolist() == [1.0]
    assert scored(lambda *_: np.float32(0.5)).tolist() == [0.5]
    assert scored(lambda *_: 3).dtype == np.dtype("<f8")


@pytest.mark.parametrize(
    "value",
    [None, float("nan"), float("inf"), "q", [1], [1, 2], 1j, {}, 1e200],
    ids=str,
)
def test_what_is_no_score_is_refused(value):
    data = StudyData(["x"], ["g"], "scores", score=lambda *_: value)
    assert "score" in refused(data, ["p"], InputError)


def test_scores_of_other_lengths_are_refused():
    data = StudyData(["x"] * 2, ["g"] * 2, "scores", score=lambda g, p: [1] * len(p))
    assert "score" in refused(data, ["p", "pp"], InputError)


# --- bytes --------------------------------------------------------------------


def test_equal_content_gives_equal_bytes():
    one = recorded(labels(["a", "b"]), seen=[], predictions=["b", "b"])
    other = recorded(
        labels(np.array(["a", "b"])), seen=["z"], predictions=pl.Series(["b", "b"])
    )
    assert one.to_bytes() == other.to_bytes()
    third = recorded(labels(["a", "b"]), seen=[], predictions=["b", "a"])
    assert third.to_bytes() != one.to_bytes()


def test_a_record_is_small():
    gold = ["ham", "spam"] * 5_000
    content = recorded(labels(gold), seen=[], predictions=gold).to_bytes()
    assert len(content) < 1_000


WHOLE = recorded(labels(list("abcab")), seen=[], predictions=list("aacbb")).to_bytes()


@QUICK
@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_damaged_bytes_are_an_error(index, change):
    bad = bytearray(WHOLE)
    bad[index] ^= change
    try:
        result = read_record(bytes(bad))
    except (zlib.error, ValueError, KeyError):
        return
    # Some bits of the stream's head and of its last byte mean nothing.
    assert spelt(result) == list("aacbb")


@pytest.mark.parametrize("length", [0, 1, 10, len(WHOLE) // 2, len(WHOLE) - 1])
def test_bytes_cut_short_are_an_error(length):
    with pytest.raises((zlib.error, ValueError)):
        read_record(WHOLE[:length])


def test_content_cut_short_is_an_error():
    text = zlib.decompress(WHOLE)
    with pytest.raises((ValueError, KeyError)):
        read_record(zlib.compress(text[:-1]))
    with pytest.raises((ValueError, KeyError)):
        read_record(zlib.compress(b"{}\n"))
