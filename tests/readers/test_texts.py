"""Texts of items on which systems differ: by every reader, only some, cut."""

import gzip
import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.readers.test_item_ids import FORMS, FRAMES, LAZY, written

from likelier.data.item_examples import LONGEST_TEXT, MOST_TEXTS, ItemText, in_turn
from likelier.errors import InputError
from likelier.readers import (
    describe,
    read_conll,
    read_files,
    read_frame,
    read_segmented,
    read_tagged,
)
from likelier.readers.file_items import FileItems
from likelier.readers.fold_counts import read_fold_predictions
from likelier.readers.text_files import read_texts

pytestmark = pytest.mark.usefixtures("one_database")

NAMES = ["id", "Question", "gold", "a", "b", "part"]
RNG = np.random.default_rng(11)
N = 300
ROWS = [
    (f"m{i}", f"text  {i},\n“so” it is", *labels, f"p{i % 7}")
    for i, labels in zip(
        RNG.permutation(N).tolist(),
        np.array(["x", "y", "z"])[RNG.integers(0, 3, size=(N, 3))].tolist(),
        strict=True,
    )
]
# TSV has no line ends in cells.
FLAT = [(key, text.replace("\n", " "), *rest) for key, text, *rest in ROWS]
SYSTEMS = ["a", "b"]


def seen(text, group=None):
    """Return the text as people see it, by another way."""
    return ItemText(text.replace("\n", " ").replace("  ", " "), 5, group)


def expected(ids, items, *, clustered=False):
    """Return the texts of the examples among all rows, looked up one by one."""
    rows = dict(zip(ids, FLAT, strict=True))
    examples = [key for some in items.ids for key in some]
    assert examples
    return {
        key: seen(rows[key][1], rows[key][5] if clustered else None) for key in examples
    }


@pytest.mark.parametrize("cluster", [None, "part"])
@pytest.mark.parametrize("form", FORMS)
def test_a_wide_file(tmp_path, form, cluster):
    path = written(tmp_path, form, FLAT if form == "tsv" else ROWS, NAMES)
    settings = {"systems": SYSTEMS, "cluster": cluster}
    ids = [row[0] for row in ROWS]
    items = read_files(path, id="id", **settings).items
    assert items.texts == expected(ids, items, clustered=cluster is not None)
    named = read_files(path, id="id", text="Question", **settings).items
    assert named.texts == items.texts
    numbered = read_files(path, **settings).items
    numbers = [f"row {i + 1}" for i in range(N)]
    assert numbered.texts == expected(numbers, numbered, clustered=bool(cluster))
    none = read_files(path, id="id", text="", **settings).items
    assert none.ids == items.ids
    assert {text.text for text in none.texts.values()} <= {None}


def test_packed_lines_of_json(tmp_path):
    path = tmp_path / "t.jsonl.gz"
    blank = FORMS["jsonl"](NAMES, ROWS).replace(b"\n", b"\n\n")
    path.write_bytes(gzip.compress(blank))
    items = read_files(path, id="id", systems=SYSTEMS).items
    assert items.texts == expected([row[0] for row in ROWS], items)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("holder", ["gold", "b"])
def test_joined_files(tmp_path, form, holder):
    names = ["gold", *SYSTEMS]
    for i, name in enumerate(names):
        own = ["prompt"] if name == holder else []
        rows = [(r[0], r[2 + i], *([r[1]] if own else [])) for r in FLAT]
        (tmp_path / name).write_bytes(
            FORMS[form](["id", "answer", *own], rows[:: 1 - 2 * (i % 2)])
        )
    paths = [tmp_path / name for name in names]
    items = read_files(paths, id="id").items
    assert items.texts == expected([row[0] for row in ROWS], items)
    assert read_files(paths, id="id", text="prompt").items.texts == items.texts
    assert read_files(paths, id="id", text="").items.texts == {}
    message = "column 'note'" if form == "jsonl" else "texts 'note' beside ids"
    with pytest.raises(InputError, match=message) as error:
        read_files(paths, id="id", text="note")
    assert "has 'id', 'answer'" in str(error.value)


def test_a_later_object_may_have_the_text(tmp_path):
    path = tmp_path / "t.jsonl"
    rows = [{"id": "1", "gold": "x", "a": "x", "b": "y"}]
    rows.append(rows[0] | {"id": "2", "note": ["a", 1.5, {"b": None}]})
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    texts = read_files(path, id="id", systems=SYSTEMS, text="note").items.texts
    assert texts["1"] == ItemText(None, None)
    assert texts["2"].text.startswith('["a", ')
    with pytest.raises(InputError, match="must have the column 'remark'"):
        read_files(path, id="id", systems=SYSTEMS, text="remark")


@pytest.mark.parametrize("cluster", [None, "part"])
@pytest.mark.parametrize("engine", {**FRAMES, **LAZY})
def test_frames(engine, cluster):
    frame = {**FRAMES, **LAZY}[engine](NAMES, ROWS)
    settings = {"gold": "gold", "systems": SYSTEMS, "cluster": cluster}
    by_name = engine == "pandas category"
    text = {"text": "Question"} if by_name else {}
    items = read_frame(frame, id="id", **settings, **text).items
    ids = [row[0] for row in ROWS]
    assert items.texts == expected(ids, items, clustered=bool(cluster))
    bare = read_frame(frame, **settings, **text).items
    if engine in LAZY:
        assert bare.texts == {}
    else:
        numbers = [f"row {i}" for i in range(N)]
        assert bare.texts == expected(numbers, bare, clustered=bool(cluster))
    none = read_frame(frame, text="", **settings).items
    assert {text.text for text in none.texts.values()} <= {None}


@pytest.mark.parametrize("kind", ["scores", "sets"])
def test_scores_and_sets(tmp_path, kind):
    scores = kind == "scores"
    cells = (
        {"x": "0.5", "y": "1", "z": "0.25"}
        if scores
        else {"x": "p", "y": "p|q", "z": ""}
    )
    rows = [(k, t, *(cells[c] for c in labels)) for k, t, *labels, _ in ROWS]
    names = ["id", "Question", *(["c"] if scores else ["gold"]), "a", "b"]
    path = written(tmp_path, "csv" if scores else "parquet", rows, names)
    if not scores:
        frame = pl.DataFrame(rows, schema=names, orient="row").with_columns(
            pl.col("gold", "a", "b").str.split("|")
        )
        frame.write_parquet(path)
    settings = {"kind": kind, "systems": SYSTEMS}
    for ids, items in (
        ([row[0] for row in ROWS], read_files(path, id="id", **settings).items),
        ([f"row {i + 1}" for i in range(N)], read_files(path, **settings).items),
    ):
        assert items.texts == expected(ids, items)
    gold = None if scores else "gold"
    frame = pd.read_csv(path) if scores else frame
    for lazy in (False, True):
        rows = pl.from_pandas(frame) if scores and lazy else frame
        rows = rows.lazy() if lazy else rows
        items = read_frame(rows, gold=gold, id="id", **settings).items
        assert items.texts == expected([row[0] for row in ROWS], items)


# --- which column ----------------------------------------------------------------

CHOICES = {
    "text": (["text", "gold", "a", "b"], ("one two", "x", "x", "y"), "one two"),
    "upper case": (["gold", "a", "b", "SENTENCE"], ("x", "x", "y", "né"), "né"),
    "two": (["text", "query", "gold", "a", "b"], ("t u", "q", "x", "x", "y"), None),
    "none": (["note", "gold", "a", "b"], ("t u", "x", "x", "y"), None),
    "numbers": (["input", "gold", "a", "b"], ("1.5", "x", "x", "y"), None),
    "empty": (["input", "gold", "a", "b"], ("", "x", "x", "y"), None),
}


@pytest.mark.parametrize("case", CHOICES)
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_one_obvious_column_is_chosen(tmp_path, case, form):
    names, row, text = CHOICES[case]
    path = written(tmp_path, form, [row], names)
    texts = read_files(path, systems=SYSTEMS).items.texts
    assert [one.text for one in texts.values()] == ([] if text is None else [text])


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_it_is_no_system(tmp_path, form):
    names = ["text", "gold", "a", "b"]
    path = written(
        tmp_path, form, [("hello", "x", "x", "y"), ("", "y", "y", "y")], names
    )
    read = read_files(path)
    assert read.systems == ("a", "b")
    assert read.items.texts["row 1"].text == "hello"
    assert read_files(path, text="").systems == ("a", "b")
    about = describe(path)
    assert (about.systems, about.text) == (("a", "b"), "text")
    odd = written(tmp_path, form, [("hello", "x", "x", "y")], ["note", *names[1:]])
    assert read_files(odd, text="note").systems == ("a", "b")


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_system_with_such_a_name_stays_one(tmp_path, form):
    names = ["gold", "prompt", "other"]
    path = written(tmp_path, form, [("x", "x", "y"), ("y", "z", "y")], names)
    read = read_files(path)
    assert read.systems == ("prompt", "other")
    assert read.items.texts == {}
    assert describe(path).systems == ("prompt", "other")
    # A system that is named is none either.
    assert read_files(path, systems=["prompt", "other"]).items.texts == {}
    assert read_files(path, systems="prompt").systems == ("prompt",)
    scores = written(tmp_path, form, [("1", "0.5")], ["prompt", "other"])
    assert read_files(scores, kind="scores").systems == ("prompt", "other")


def test_the_id_and_the_cluster_are_no_texts(tmp_path):
    names = ["question", "document", "gold", "a", "b"]
    path = written(tmp_path, "csv", [("q 1", "d 1", "x", "x", "y")], names)
    read = read_files(path, id="question", cluster="document", systems=SYSTEMS)
    assert read.items.texts == {"q 1": ItemText(None, None, "d 1")}
    only = read_files(path, id="question", systems=SYSTEMS)
    assert only.items.texts == {"q 1": ItemText("d 1", 2)}


def test_predictions_of_folds(tmp_path):
    names = ["text", "gold", "a", "b", "repetition", "fold"]
    rows = [(f"t {i}", "x", "x", "y", "1", str(i % 2)) for i in range(4)]
    path = written(tmp_path, "csv", rows, names)
    assert read_fold_predictions(path).outcomes.systems == ("a", "b")


def test_bad_columns(tmp_path):
    path = written(tmp_path, "csv", ROWS, NAMES)
    with pytest.raises(InputError, match="must have the column 'question'") as error:
        read_files(path, systems=SYSTEMS, text="question")
    assert "Did you mean 'Question'?" in str(error.value)
    frame = pl.DataFrame(ROWS, schema=NAMES, orient="row")
    with pytest.raises(InputError, match="must have the column 'question'"):
        read_frame(frame, gold="gold", systems=SYSTEMS, text="question")
    for part in ("id", "gold", "a"):
        with pytest.raises(InputError, match="one part only"):
            read_files(path, systems=SYSTEMS, id="id", text=part)


# --- how much is kept ------------------------------------------------------------


def test_texts_are_cut():
    long = ItemText.of("word " * 1000)
    assert len(long.text) == LONGEST_TEXT
    assert long.text.startswith("word word")
    assert long.text.endswith("…")
    assert long.words == 1000
    exact = ItemText.of("x" * LONGEST_TEXT)
    assert (exact.text, exact.words) == ("x" * LONGEST_TEXT, 1)
    for missing in (None, float("nan"), "", " \n"):
        assert ItemText.of(missing, "g") == ItemText(None, None, "g")
    assert ItemText.of(12).text == "12"


def test_rows_are_taken_in_turn():
    assert in_turn([[1, 2, 3], [], [4]], 10) == [1, 4, 2, 3]
    assert in_turn([[1, 2], [3, 4]], 3) == [1, 3, 2]
    assert in_turn([[1]], 0) == in_turn([], 5) == []


def test_only_some_texts_are_read(tmp_path, monkeypatch):
    n = 3 * MOST_TEXTS
    rows = [(str(i), f"t{i}", str(i), str(i), "no") for i in range(n)]
    path = written(tmp_path, "csv", rows, ["id", "text", "gold", "a", "b"])
    fetched = []
    fetch = FileItems._fetch
    monkeypatch.setattr(
        FileItems,
        "_fetch",
        lambda self, sql: fetched.append(fetch(self, sql)) or fetched[-1],
    )
    items = read_files(path, id="id").items
    assert len(items.counts) == n
    assert len(items.texts) == MOST_TEXTS
    first = [some[0] for some in items.ids[:MOST_TEXTS]]
    assert items.texts == {key: ItemText(f"t{key}", 1) for key in first}
    texts = [table for table in fetched if "text" in table.column_names]
    assert [table.num_rows for table in texts] == [MOST_TEXTS]


def test_texts_far_down_in_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr("likelier.readers.file_items.NUMBERED", 5)
    rows = [(str(i), f"t{i}", "x", "x", "y" if i == 90 else "x") for i in range(99)]
    path = written(tmp_path, "csv", rows, ["id", "text", "gold", "a", "b"])
    assert read_files(path, id="id").items.texts == {"90": ItemText("t90", 1)}


def test_nothing_differs(tmp_path):
    path = written(tmp_path, "csv", [("t", "x", "x", "x")], ["text", "gold", "a", "b"])
    assert read_files(path).items.texts == {}
    single = written(tmp_path, "csv", [("t", "x", "y")], ["text", "gold", "a"])
    assert read_files(single).items is None


def test_odd_texts_and_missing_ones(tmp_path):
    frame = pd.DataFrame(
        {
            "text": ["half \ud800", None, float("nan"), "<b>"],
            "gold": ["x"] * 4,
            "a": ["x"] * 4,
            "b": ["y"] * 4,
        },
        dtype=object,
    )
    texts = read_frame(frame, gold="gold", systems=SYSTEMS, text="text").items.texts
    assert [t.text for t in texts.values()] == ["half \ud800", None, None, "<b>"]
    frame["key"] = [1.0, 2.0, 3.0, 4.0]
    keyed = read_frame(frame, gold="gold", systems=SYSTEMS, id="key", text="text").items
    assert [keyed.texts[key].text for key in "1234"] == [
        "half \ud800",
        None,
        None,
        "<b>",
    ]
    numbers = pl.DataFrame(
        {"n": [3, None], "gold": ["x"] * 2, "a": ["x"] * 2, "b": ["y"] * 2}
    )
    texts = read_frame(numbers, gold="gold", systems=SYSTEMS, text="n").items.texts
    assert [t.text for t in texts.values()] == ["3", None]
    relation = duckdb.from_arrow(numbers.with_row_index("id").to_arrow())
    texts = read_frame(
        relation, gold="gold", systems=SYSTEMS, id="id", text="n"
    ).items.texts
    assert [texts[key].text for key in "01"] == ["3", None]


# --- tokens ----------------------------------------------------------------------

CHUNKS = """\
-DOCSTART- O O O

Ada B-PER B-PER O
runs O O O

she O O O

-DOCSTART- O O O

Rome B-LOC O B-LOC
"""


@pytest.mark.parametrize("several", [False, True])
def test_sentences_of_chunks(tmp_path, several):
    lines = CHUNKS.splitlines()
    paths = [tmp_path / f"{name}.conll" for name in ("gold", *SYSTEMS)]
    for i, path in enumerate(paths):
        cells = (line.split() for line in lines)
        path.write_text(
            "".join(" ".join([c[0], c[1 + i]] if c else []) + "\n" for c in cells)
        )
    whole = tmp_path / "t.conll"
    whole.write_text(CHUNKS)
    read = {"scheme": "iob2", "systems": SYSTEMS}
    path = paths if several else whole
    assert read_conll(path, **read).items.texts == {
        "sentence 1": ItemText("Ada runs", 2),
        "sentence 3": ItemText("Rome", 1),
    }
    assert read_conll(path, documents=True, **read).items.texts == {
        "sentence 1": ItemText("Ada runs", 2, "document 1"),
        "sentence 3": ItemText("Rome", 1, "document 2"),
    }


@pytest.mark.parametrize("cluster", [None, "sentence", "document"])
@pytest.mark.parametrize(
    "metric", ["token_accuracy", "sentence_accuracy", "oov_accuracy"]
)
def test_sentences_of_tags(tmp_path, cluster, metric):
    path = tmp_path / "t.tsv"
    path.write_text(
        "-DOCSTART-\tX\tX\tX\n\nAda\tN\tN\tN\nruns\tV\tV\tN\n\nShe\tP\tP\tP\nran\tV\tN\tV\n"
    )
    settings = {"systems": {"a": 2, "b": 3}, "gold": 1, "cluster": cluster}
    if metric == "oov_accuracy":
        settings["vocabulary"] = {"Ada"}
    texts = read_tagged(path, metric=metric, **settings).items.texts
    group = "document 1" if cluster == "document" else None
    suffix = "" if metric == "sentence_accuracy" else " token 2"
    assert texts == {
        f"sentence 1{suffix}": ItemText("Ada runs", 2, group),
        f"sentence 2{suffix}": ItemText("She ran", 2, group),
    }


def test_sentences_of_segmented_text(tmp_path):
    texts = {"gold": "我们 喜欢\n\n北京 好\nok\n", "a": "我们 喜 欢\n\n北京 好\nok\n"}
    texts["b"] = texts["gold"].replace("北京 好", "北京好")
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    items = read_segmented([tmp_path / name for name in texts]).items
    assert items.texts == {
        "sentence 1": ItemText("我们 喜欢", 2),
        "sentence 2": ItemText("北京 好", 2),
    }


def test_columns_of_scores_ids_and_sources_are_no_systems(tmp_path):
    path = tmp_path / "t.csv"
    rows = ("s1,d1,eins,one,one,two,0.5,0.25", "s2,d1,zwei,two,two,two,0.75,1")
    header = "item_id,doc,source,reference,a,b,comet_a,comet_b"
    path.write_text("\n".join([header, *rows, ""]))
    assert read_texts([path], metrics=["wer"]).systems == ("a", "b")
    named = read_texts([path], metrics=["wer"], systems=["a", "source"])
    assert named.systems == ("a", "source")


def test_numbers_are_outputs_where_references_are_numbers(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("reference,a,b\n42,42,41\n7,7,7\n")
    assert read_texts([path], metrics=["exact_match"]).systems == ("a", "b")


def test_a_table_of_numbers_has_no_texts_of_systems(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("reference,a,b\none,0.5,0.25\ntwo,0.5,0.5\n")
    with pytest.raises(InputError, match="a column of texts per system"):
        read_texts([path], metrics=["wer"])


@pytest.mark.parametrize("cell", ["", '""'])
def test_an_empty_cell_of_a_system_is_an_empty_output(tmp_path, cell):
    path = tmp_path / "t.csv"
    path.write_text(
        f"reference,a,b,notes\none two,one two,{cell},\none,one,one,ok\nx,x,x,\n"
    )
    table = read_texts([path], metrics=["wer"])
    assert table.systems == ("a", "b")
    assert table.sums()["wer_deletions"].ravel().tolist() == [0, 2]


def test_an_empty_reference_in_a_table_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("reference,a,b\none,one,one\n,two,two\n")
    with pytest.raises(InputError, match="reference"):
        read_texts([path], metrics=["wer"])
