"""Ids of several columns, in files and frames: the pair is the id."""

import json

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likelier.errors import InputError
from likelier.readers import read_files, read_frame

pytestmark = pytest.mark.usefixtures("one_database")

ROWS = [
    ("u", 1, "x", "x", "y"),
    ("u", 2, "x", "y", "x"),
    ("v", 1, "y", "y", "y"),
    ("v/1", 2, "y", "x", "y"),
]
NAMES = ("task", "doc", "gold", "a", "b")


def arrow(rows=ROWS, names=NAMES):
    return pa.table([list(c) for c in zip(*rows, strict=True)], names=list(names))


def text(rows, names):
    return "".join(",".join(map(str, row)) + "\n" for row in (names, *rows))


def lines(rows, names):
    records = (dict(zip(names, row, strict=True)) for row in rows)
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def write(tmp_path):
    def write(name, rows=ROWS, names=NAMES):
        path = tmp_path / name
        if path.suffix == ".parquet":
            pq.write_table(arrow(rows, names), path)
        else:
            path.write_text((lines if path.suffix == ".jsonl" else text)(rows, names))
        return path

    return write


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet"])
@pytest.mark.parametrize("ids", ["task,doc", "task, doc", ["task", "doc"]])
def test_wide_files(write, name, ids):
    got = read_files(write(name), id=ids)
    assert got.systems == ("a", "b")
    assert got.n_items == 4


def test_doubles_of_wide_files(write):
    rows = [*ROWS, ROWS[0]]
    for name in ("t.csv", "t.parquet"):
        with pytest.raises(InputError, match=r"'task/doc' of .*; twice: 'u/1'\."):
            read_files(write(name, rows), id="task,doc")
    with pytest.raises(InputError, match=r"'task' of .* twice"):
        read_files(write("t.csv"), id="task", systems=["a", "b"])


def test_missing_parts(write):
    rows = [*ROWS, ("", 9, "x", "x", "x")]
    with pytest.raises(InputError, match=r"'task/doc' .* 1 missing: .*t\.csv:6"):
        read_files(write("t.csv", rows), id="task,doc")


def test_files_are_joined_on_all_columns(write):
    wide = read_files(write("t.csv"), id="task,doc")
    label = [(t, d, g) for t, d, g, _, _ in ROWS]
    a = [(d, a, t) for t, d, _, a, _ in reversed(ROWS)]
    b = [(t, d, b) for t, d, _, _, b in ROWS]
    paths = [
        write("gold.csv", label, ("task", "doc", "label")),
        write("a.jsonl", a, ("doc", "label", "task")),
        write("b.parquet", b, ("task", "doc", "label")),
    ]
    for ids in ("task,doc", ("task", "doc")):
        assert read_files(paths, id=ids).digest == wide.digest
    short = write("b.parquet", b[1:], ("task", "doc", "label"))
    with pytest.raises(InputError, match=r"1 missing: 'u/1'\."):
        read_files([*paths[:2], short], id="task,doc")


def test_different_pairs_are_never_one_id(write):
    """Joined by a plain stroke, these two files would match."""
    gold = write("gold.csv", [("u", "v/w", "x"), ("u", "z", "y")], ("s", "t", "label"))
    other = write("a.csv", [("u/v", "w", "x"), ("u", "z", "y")], ("s", "t", "label"))
    with pytest.raises(InputError, match="must have the ids"):
        read_files([gold, other], id="s,t")


def test_a_column_with_a_comma_in_its_name(write):
    path = write("t.jsonl", [("k", "x", "y"), ("l", "x", "y")], ("s,t", "gold", "a"))
    got = read_files(path, id="s,t")
    assert (got.systems, got.n_items) == (("a",), 2)


@pytest.mark.parametrize("ids", ["task,", ",", ["task", "task"], [], [1, 2]])
def test_bad_settings(write, ids):
    for read in (
        lambda: read_files(write("t.csv"), id=ids),
        lambda: read_files([write("g.csv"), write("a.csv")], id=ids),
        lambda: read_frame(arrow(), gold="gold", systems=["a"], id=ids),
    ):
        with pytest.raises(InputError):
            read()


def test_a_column_that_is_not_there(write):
    with pytest.raises(InputError, match="must have the column 'no'"):
        read_files(write("t.csv"), id="task,no")
    with pytest.raises(InputError, match="must have the column 'no'"):
        read_files([write("g.csv"), write("a.csv")], id="task,no")


FRAMES = {
    "arrow": arrow,
    "pandas": lambda rows=ROWS: pd.DataFrame(rows, columns=NAMES),
    "pandas category": lambda rows=ROWS: pd.DataFrame(
        rows, columns=NAMES, dtype="category"
    ),
    "polars": lambda rows=ROWS: pl.DataFrame(rows, schema=NAMES, orient="row"),
    "lazy": lambda rows=ROWS: pl.DataFrame(rows, schema=NAMES, orient="row").lazy(),
    "duckdb": lambda rows=ROWS: duckdb.from_arrow(arrow(rows)),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames(kind, write):
    make, parts = FRAMES[kind], {"gold": "gold", "systems": ["a", "b"]}
    expected = read_files(write("t.csv"), id="task,doc")
    for ids in ("task,doc", ["task", "doc"]):
        assert read_frame(make(), **parts, id=ids).digest == expected.digest
    with pytest.raises(InputError, match=r"'task/doc' must .* 'u/1' more than once"):
        read_frame(make([*ROWS, ROWS[0]]), **parts, id="task,doc")
    with pytest.raises(InputError, match="an id for every item; 1 have none"):
        read_frame(make([*ROWS, (None, 7, "x", "x", "x")]), **parts, id="task,doc")


def test_floats_of_frames_are_no_parts():
    frame = pl.DataFrame({"s": ["u"], "t": [1.5], "gold": ["x"], "a": ["x"]})
    with pytest.raises(InputError, match="strings or whole numbers"):
        read_frame(frame, gold="gold", systems=["a"], id="s,t")


NESTED = pa.table(
    {
        "doc": [
            {"answer": "x", "in": {"k.l": "x"}},
            {"answer": "y", "in": {"k.l": "x"}},
        ],
        "id": [1, 2],
        "Up": [{"a": "x", "A": "y"}, {"a": "x", "A": "y"}],
        "b": ["y", "x"],
        "list": [["x"], ["y"]],
    }
)


def test_dotted_fields_of_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(NESTED, path)
    got = read_files(path, gold="doc.answer", systems=["doc.in.k.l", "b"], id="id")
    assert got.systems == ("doc.in.k.l", "b")
    assert (got.classes, got.n_items) == (("x", "y"), 2)
    with pytest.raises(InputError):
        read_files(path, gold="doc.answer", systems=["doc.in"])
    assert read_files(path, gold="doc.answer", systems=["Up.a"]).n_items == 2
    names = ("doc.no", "b.x", "list.0", "doc.answer.x", "Up.A", "doc.", "no.x")
    for name in names:
        with pytest.raises(InputError, match="must have the column"):
            read_files(path, gold="doc.answer", systems=[name])
    gold = read_files(
        [path, path], gold="b", label="doc.answer", id="id", systems=["s"]
    )
    assert gold.n_items == 2


def test_a_dot_in_the_name_of_a_csv_column(write):
    got = read_files(
        write("t.csv", [("x", "y")], ("gold.label", "a")), gold="gold.label"
    )
    assert got.systems == ("a",)
    with pytest.raises(InputError, match=r"must have the column 'gold\.x'"):
        read_files(write("t.csv", [("x", "y")], ("gold", "a")), gold="gold.x")
