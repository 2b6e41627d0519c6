"""Frames of every engine give the same outcomes as plain lists."""

import subprocess
import sys

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likelier.data.constructors import from_labels, from_scores, from_sets
from likelier.errors import InputError, SettingError
from likelier.readers import looks_like_frame, read_frame

GOLD = ["x", "y", "x", "NA", "", "007", "x", "ü"]
FIRST = ["x", "x", "x", "NA", "y", "7", "x", "u\u0308"]
SECOND = ["y", "y", "x", "None", "", "007", "x", "ü"]
DATA = {"gold": GOLD, "a b": FIRST, "'; DROP \"": SECOND}
SYSTEMS = ["a b", "'; DROP \""]


def duck(data):
    table = pa.table(data)
    return duckdb.connect().from_arrow(table)


ENGINES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars-lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": duck,
    "narwhals": lambda data: nw.from_native(pl.DataFrame(data)),
}
EAGER = ["pandas", "polars", "pyarrow", "narwhals"]


@pytest.fixture(params=ENGINES)
def engine(request):
    return ENGINES[request.param]


def test_labels_as_from_lists(engine):
    got = read_frame(engine(DATA), gold="gold", systems=SYSTEMS)
    assert got.digest == from_labels(GOLD, FIRST, SECOND, systems=SYSTEMS).digest


def test_counts_are_whole(engine):
    got = read_frame(engine(DATA), gold="gold", systems=SYSTEMS)
    assert got.n_items == 8
    assert got.n_patterns == 7


def test_clusters(engine):
    cluster = [1, 1, 2, 2, 2, 3, 3, 3]
    got = read_frame(
        engine(DATA | {"doc": cluster}), gold="gold", systems=SYSTEMS, cluster="doc"
    )
    expected = from_labels(GOLD, FIRST, SECOND, systems=SYSTEMS, cluster=cluster)
    assert got.digest == expected.digest


def test_classes_are_kept(engine):
    data = {"gold": ["x", "y"], "a": ["x", "x"]}
    got = read_frame(engine(data), gold="gold", systems=["a"], classes=["x", "y", "z"])
    assert got.classes == ("x", "y", "z")


@pytest.mark.parametrize(
    ("gold", "first", "classes"),
    [
        ([True, False, True], [True, True, False], ("false", "true")),
        ([10, 2, 10], [2, 2, 2], ("10", "2")),
        ([2**60 + 1, 2**60, 1], [1, 1, 1], ("1", str(2**60), str(2**60 + 1))),
        ([1.0, 2.0, -0.0], [1.0, 1.0, 1.0], ("0", "1", "2")),
    ],
)
def test_typed_columns(engine, gold, first, classes):
    got = read_frame(engine({"gold": gold, "a": first}), gold="gold", systems=["a"])
    assert got.classes == classes
    assert got.n_items == 3


def test_fractions_are_no_labels(engine):
    frame = engine({"gold": [1.0, 2.5], "a": [1.0, 1.0]})
    with pytest.raises(InputError, match=r"'gold' must hold labels; got .* 2\.5") as e:
        read_frame(frame, gold="gold", systems=["a"])
    assert "strings" in e.value.hint


def test_floats_that_stand_for_two_whole_numbers_are_no_labels():
    frame = pa.table({"gold": [2.0**53, 2.0**53 + 2], "a": ["x", "y"]})
    with pytest.raises(InputError, match="'gold' must hold labels; got the number 900"):
        read_frame(frame, gold="gold", systems=["a"])
    exact = pa.table({"gold": [2.0**53, 1.0], "a": ["x", "y"]})
    got = read_frame(exact, gold="gold", systems=["a"])
    assert got.classes == ("1", str(2**53), "x", "y")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"gold": pd.Categorical(["b", "a"]), "a": pd.Categorical([1, 2])}),
        pl.DataFrame(
            {"gold": ["b", "a"], "a": ["1", "2"]},
            schema={"gold": pl.Categorical, "a": pl.Enum(["1", "2", "3"])},
        ),
        pa.table(
            {
                "gold": pa.chunked_array(
                    [pa.array([v]).dictionary_encode() for v in ("b", "a")]
                ),
                "a": pa.array(["1", "2"]).dictionary_encode(),
            }
        ),
        duckdb.connect().sql(
            "SELECT g::ENUM('a', 'b') AS gold, a FROM (VALUES ('b', 1), ('a', 2)) "
            "t(g, a)"
        ),
    ],
    ids=["pandas", "polars", "pyarrow", "duckdb"],
)
def test_categories_are_their_strings(frame):
    got = read_frame(frame, gold="gold", systems=["a"])
    assert got.digest == from_labels("ba", "12", systems=["a"]).digest


def test_mixed_objects_of_pandas_stay_apart():
    frame = pd.DataFrame(
        {
            "gold": pd.Series([1, True, "1", 1.0, np.int64(2)], dtype=object),
            "a": pd.Series(list("xxxxx")),
        }
    )
    got = read_frame(frame, gold="gold", systems=["a"])
    assert got.classes == ("1", "2", "true", "x")
    assert sorted(got.counts.tolist()) == [1, 1, 3]


def test_other_objects_are_refused():
    frame = pd.DataFrame({"gold": pd.Series([1j, "a"], dtype=object), "a": ["x", "y"]})
    with pytest.raises(InputError, match="string or a whole number; got 1j"):
        read_frame(frame, gold="gold", systems=["a"])


def test_dates_are_refused():
    frame = pl.DataFrame({"gold": ["2020-01-01"], "a": ["x"]}).with_columns(
        pl.col("gold").str.to_date()
    )
    with pytest.raises(InputError, match="strings or whole numbers; its type is date"):
        read_frame(frame, gold="gold", systems=["a"])


@pytest.mark.parametrize("name", EAGER)
@pytest.mark.parametrize("missing", [[None, "x", None], [None, None, None]])
def test_missing_labels_by_row(name, missing):
    frame = ENGINES[name]({"gold": list("xyx"), "a": missing})
    with pytest.raises(InputError, match=r"'a' must have a label .* row 0, row"):
        read_frame(frame, gold="gold", systems=["a"])


@pytest.mark.parametrize("name", ["polars-lazy", "duckdb"])
def test_missing_labels_counted_where_rows_have_no_order(name):
    frame = ENGINES[name]({"gold": list("xyx"), "a": ["x", None, None]})
    with pytest.raises(InputError, match=r"'a' must have a label .*; 2 items have"):
        read_frame(frame, gold="gold", systems=["a"])


def test_missing_numbers_are_missing_labels(engine):
    frame = engine({"gold": [1.0, float("nan")], "a": [1.0, 1.0]})
    with pytest.raises(
        InputError, match=r"'gold' must have a label .*; 1 item has none"
    ):
        read_frame(frame, gold="gold", systems=["a"])


def test_no_more_than_five_rows_are_named():
    frame = pl.DataFrame(
        {"gold": ["x"] * 9, "a": [None] * 9}, schema_overrides={"a": pl.String}
    )
    with pytest.raises(InputError, match=r"9 items have none: row 0, .* row 4, …"):
        read_frame(frame, gold="gold", systems=["a"])


def test_scores(engine):
    a, b = [0.5, 1.0, 0.5, -0.0], [1, 2, 1, 0]
    got = read_frame(
        engine({"a": a, "b": b}), gold=None, systems=["a", "b"], kind="scores"
    )
    assert got.digest == from_scores(a, b, systems=["a", "b"]).digest


def test_scores_with_clusters(engine):
    data = {"a": [0.5, 1.0, 0.5], "b": [True, False, True], "q": ["u", "v", "u"]}
    got = read_frame(
        engine(data), gold="gold", systems=["a", "b"], kind="scores", cluster="q"
    )
    expected = from_scores(
        [0.5, 1, 0.5], [1, 0, 1], systems=["a", "b"], cluster=list("uvu")
    )
    assert got.digest == expected.digest


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), None])
def test_scores_must_be_finite(engine, bad):
    frame = engine({"a": [1.0, bad, 2.0]})
    with pytest.raises(
        InputError, match=r"'a' must have a finite number .*; 1 item has"
    ):
        read_frame(frame, gold=None, systems=["a"], kind="scores")


def test_text_is_no_score(engine):
    frame = engine({"a": ["1.5", "high"]})
    with pytest.raises(InputError, match=r"finite number .* 1 item has none"):
        read_frame(frame, gold=None, systems=["a"], kind="scores")


def test_lists_are_no_scores(engine):
    frame = engine({"a": [["x"]]})
    # pandas does not tell lists from other objects.
    message = "must hold one value per item; got lists|must hold a string or a whole"
    with pytest.raises(InputError, match=message):
        read_frame(frame, gold=None, systems=["a"], kind="scores")


def test_bytes_are_no_scores():
    frame = pa.table({"a": pa.array([b"x"]).cast(pa.binary(1))})
    with pytest.raises(InputError, match="must hold numbers; its type is fixed_size"):
        read_frame(frame, gold=None, systems=["a"], kind="scores")


def test_sets(engine):
    gold, a = [["x"], ["x", "y"], []], [["y"], ["x"], ["z"]]
    cluster = ["u", "u", "v"]
    got = read_frame(
        engine({"gold": gold, "a": a, "c": cluster}),
        gold="gold",
        systems=["a"],
        kind="sets",
        cluster="c",
    )
    expected = from_sets(gold, a, systems=["a"], cluster=cluster)
    assert got.digest == expected.digest


def test_missing_sets(engine):
    frame = engine({"gold": [["x"], None], "a": [["x"], ["x"]]})
    with pytest.raises(InputError, match=r"'gold' must have a label .*: row 1\."):
        read_frame(frame, gold="gold", systems=["a"], kind="sets")


def test_labels_are_no_sets(engine):
    frame = engine({"gold": ["x"], "a": ["y"]})
    with pytest.raises(InputError, match="'gold' must hold lists of labels; row 0"):
        read_frame(frame, gold="gold", systems=["a"], kind="sets")


@pytest.mark.parametrize("kind", ["labels", "sets"])
def test_no_items(engine, kind):
    text = pa.schema({"gold": pa.string(), "a": pa.string()})
    table = text.empty_table()
    frame = {
        pd.DataFrame: table.to_pandas,
        pl.DataFrame: lambda: pl.from_arrow(table),
        pl.LazyFrame: lambda: pl.from_arrow(table).lazy(),
        pa.table: lambda: table,
    }.get(engine, lambda: duckdb.connect().from_arrow(table))()
    with pytest.raises(InputError, match="at least one item"):
        read_frame(frame, gold="gold", systems=["a"], kind=kind)


def test_unknown_column_has_a_hint(engine):
    with pytest.raises(InputError, match="column 'Glod'; it has 'gold', 'a'") as error:
        read_frame(engine({"gold": ["x"], "a": ["x"]}), gold="Glod", systems=["a"])
    assert error.value.hint == "Did you mean 'gold'?"


def test_double_ids(engine):
    data = {"gold": list("xxxx"), "a": list("xyxy"), "id": ["7", "07", "7", "8"]}
    with pytest.raises(InputError, match="'id' must have different ids; '7' more"):
        read_frame(engine(data), gold="gold", systems=["a"], id="id")


def test_missing_ids(engine):
    data = {"gold": list("xx"), "a": list("xy"), "id": ["7", None]}
    with pytest.raises(InputError, match=r"'id' must have an id .*; 1 have none"):
        read_frame(engine(data), gold="gold", systems=["a"], id="id")


def test_good_ids(engine):
    data = {"gold": list("xx"), "a": list("xy"), "id": ["7", "07"]}
    assert read_frame(engine(data), gold="gold", systems=["a"], id="id").n_items == 2


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"gold": "g", "systems": ["a", "a"]}, "'a' is given twice"),
        ({"gold": "g", "systems": []}, "at least one system"),
        ({"gold": "g", "systems": ["g"]}, "one part only; 'g'"),
        ({"gold": None, "systems": ["a"]}, "gold must name the column"),
    ],
)
def test_parts(settings, match):
    with pytest.raises(InputError, match=match):
        read_frame(pa.table({"g": ["x"], "a": ["x"]}), **settings)


def test_unknown_kind():
    with pytest.raises(SettingError, match="kind must be one of labels, numbers"):
        read_frame(pa.table({"g": ["x"]}), gold="g", systems=["a"], kind="spans")


def test_column_twice():
    frame = pd.DataFrame([["x", "y", "z"]], columns=["gold", "a", "a"])
    with pytest.raises(InputError, match="different column names"):
        read_frame(frame, gold="gold", systems=["a"])


def test_half_a_surrogate_pair_is_refused():
    frame = pd.DataFrame({"gold": pd.Series(["\ud800"], dtype=object), "a": ["x"]})
    with pytest.raises(InputError, match="valid Unicode"):
        read_frame(frame, gold="gold", systems=["a"])


def test_no_frame():
    with pytest.raises(InputError, match="must be a data frame"):
        read_frame([1, 2], gold="gold", systems=["a"])


def test_lazy_stays_lazy(monkeypatch):
    """Only the patterns are collected, never the rows."""
    heights = []
    collect = pl.LazyFrame.collect

    def spy(self, *args, **kwargs):
        got = collect(self, *args, **kwargs)
        heights.append(got.height)
        return got

    monkeypatch.setattr(pl.LazyFrame, "collect", spy)
    frame = pl.LazyFrame({"gold": ["x", "y"] * 5000, "a": ["x", "x"] * 5000})
    got = read_frame(frame, gold="gold", systems=["a"])
    assert got.n_items == 10_000
    assert heights == [2]


@pytest.mark.parametrize(
    ("obj", "is_frame"),
    [
        (pd.DataFrame({"a": [1]}), True),
        (pl.LazyFrame({"a": [1]}), True),
        (pa.table({"a": [1]}), True),
        (duckdb.connect().sql("SELECT 1"), True),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), True),
        (pd.Series([1]), False),
        (pl.Series([1]), False),
        (np.zeros((2, 2)), False),
        ([1], False),
        ("text", False),
        (None, False),
    ],
)
def test_looks_like_frame(obj, is_frame):
    assert looks_like_frame(obj) is is_frame


def test_duckdb_is_not_needed_for_frames():
    code = "import sys, likelier.readers.frames; print('duckdb' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("xyz"), st.sampled_from("xyz"), st.sampled_from("xy")
        ),
        min_size=1,
        max_size=40,
    ),
    st.randoms(use_true_random=False),
)
def test_order_of_rows_does_not_matter(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    digests = {
        read_frame(
            pl.DataFrame(some, schema=["gold", "a", "b"], orient="row"),
            gold="gold",
            systems=["a", "b"],
        ).digest
        for some in (rows, shuffled)
    }
    expected = from_labels(*zip(*rows, strict=True), systems=["a", "b"]).digest
    assert digests == {expected}
