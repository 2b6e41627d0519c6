"""Long and wide tables of items become logs, against plain loops over their rows."""

import contextlib
import gzip
import io
import json
import random
from collections import defaultdict

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likelier.errors import InputError
from likelier.readers.long_table import read_long, read_wide

pytestmark = pytest.mark.usefixtures("one_database")

NAMES = ("model", "task", "item", "seed", "epoch", "f1", "gold", "said", "doc")
RANDOM = random.Random(5)
ROWS = [
    (
        model,
        task,
        f"{task}-{i}",
        seed,
        epoch,
        None if RANDOM.random() < 0.1 else RANDOM.randint(0, 8) / 8,
        RANDOM.choice("xy"),
        None if RANDOM.random() < 0.1 else RANDOM.choice("xyz"),
        f"d{i // 2}",
    )
    for model in ("a", "b", "c d")
    for task in ("t1", "t2")
    for i in range(4)
    for seed in (1, 2)
    for epoch in (1, 2)
]
RANDOM.shuffle(ROWS)
PARTS = {"system": "model", "id": "item", "group": "task", "run": "seed"}
PARTS |= {"repeat": "epoch", "score": "f1", "gold": "gold", "label": "said"}


def delimited(mark):
    lines = [NAMES, *(["" if v is None else str(v) for v in row] for row in ROWS)]
    return "".join(mark.join(line) + "\n" for line in lines).encode()


def records():
    return [dict(zip(NAMES, row, strict=True)) for row in ROWS]


def columns():
    return dict(zip(NAMES, map(list, zip(*ROWS, strict=True)), strict=True))


def parquet():
    sink = io.BytesIO()
    pq.write_table(pa.table(columns()), sink)
    return sink.getvalue()


FILES = {
    "t.csv": lambda: delimited(","),
    "t.tsv": lambda: delimited("\t"),
    "t.csv.gz": lambda: gzip.compress(delimited(",")),
    "t.jsonl": lambda: b"".join(json.dumps(r).encode() + b"\n" for r in records()),
    "t.parquet": parquet,
}
FRAMES = {
    "pandas": lambda: pd.DataFrame(columns()),
    "pandas categories": lambda: pd.DataFrame(columns()).astype({"model": "category"}),
    "polars": lambda: pl.DataFrame(columns()),
    "polars lazy": lambda: pl.DataFrame(columns()).lazy(),
    "arrow": lambda: pa.table(columns()),
    "duckdb": lambda: duckdb.from_arrow(pa.table(columns())),
}


def looped():
    logs = defaultdict(list)
    for row in ROWS:
        logs[row[0], row[1], str(row[3])].append(row)
    return logs


@pytest.fixture(params=[*FILES, *FRAMES])
def table(request, tmp_path):
    if request.param in FRAMES:
        return FRAMES[request.param]()
    (tmp_path / request.param).write_bytes(FILES[request.param]())
    return tmp_path / request.param


def test_logs_are_those_of_a_plain_loop(table):
    logs = read_long(table, **PARTS, cluster="doc")
    expected = looped()
    assert [(log.system, log.task, log.run) for log in logs] == list(expected)
    for log, rows in zip(logs, expected.values(), strict=True):
        assert log.items == [row[2] for row in rows]
        assert log.repeats == [row[4] for row in rows]
        scores = [np.nan if row[5] is None else row[5] for row in rows]
        np.testing.assert_array_equal(log.scores["f1"], scores)
        assert list(log.labels["labels"].gold) == [row[6] for row in rows]
        assert list(log.labels["labels"].predicted) == [row[7] for row in rows]
        missing = [i for i, r in enumerate(rows) if r[5] is None and r[7] is None]
        assert log.errors == dict.fromkeys(missing, "no value")
        assert log.metrics == ("f1", "labels")
        assert log.cluster == "doc"
        assert log.look_up("doc", None) == [row[8] for row in rows]
        assert log.look_up("doc", [2, 0]) == [rows[2][8], rows[0][8]]
        assert ROWS.index(rows[1]) == int(log.locate(1).split(":")[-1].split()[-1]) - (
            0 if log.format == "frame" else 1 if log.format == "parquet" else
            1 if log.format == "jsonl" else 2
        )  # fmt: skip


def test_format_and_task_of_files(tmp_path):
    (tmp_path / "mine.csv.gz").write_bytes(gzip.compress(b"m,i,s\na,1,0\nb,1,1\n"))
    logs = read_long(tmp_path / "mine.csv.gz", system="m", id="i", score="s")
    assert [(log.format, log.task, log.run) for log in logs] == [
        ("csv", "mine", None)
    ] * 2


@pytest.mark.parametrize("true", ["true", "True", "TRUE"])
def test_truth_values_are_numbers(tmp_path, true):
    path = tmp_path / "t.csv"
    false = {"true": "false", "True": "False", "TRUE": "FALSE"}[true]
    path.write_text(f"m,i,s\na,1,{true}\na,2,{false}\na,3,\n")
    (log,) = read_long(path, system="m", id="i", score="s")
    np.testing.assert_array_equal(log.scores["s"], [1, 0, np.nan])
    frame = pa.table({"m": ["a"] * 3, "i": [1, 2, 3], "s": [True, False, None]})
    (log,) = read_long(frame, system="m", id="i", score="s")
    np.testing.assert_array_equal(log.scores["s"], [1, 0, np.nan])


def test_composite_ids_stay_apart():
    frame = pa.table(
        {
            "m": ["a"] * 4,
            "t": ["u", "u/v", "u\\", "u"],
            "i": ["v/w", "w", "w", "\\/w"],
            "s": [1, 2, 3, 4],
        }
    )
    (log,) = read_long(frame, system="m", id="t,i", score="s")
    assert len(set(log.items)) == 4
    assert log.items[1] == "u/v/w"
    (again,) = read_long(frame, system="m", id=["t", "i"], score="s")
    assert again.items == log.items


def test_a_column_may_have_a_comma_in_its_name():
    frame = pa.table({"m": ["a", "a"], "t,i": ["u", "v"], "s": [1, 2]})
    (log,) = read_long(frame, system="m", id="t,i", score="s")
    assert log.items == ["u", "v"]


def test_numbers_are_ids_and_runs_by_their_digits():
    frame = pd.DataFrame({"m": ["a", "a"], "i": [1.0, 2.0], "s": [1, 2], "r": [7, 8]})
    logs = read_long(frame, system="m", id="i", score="s", run="r")
    assert [(log.run, log.items) for log in logs] == [("7", ["1"]), ("8", ["2"])]


def test_several_scores():
    frame = pa.table({"m": ["a"], "i": [1], "f1": [0.5], "acc": [1]})
    (log,) = read_long(frame, system="m", id="i", score=["f1", "acc"])
    assert log.metrics == ("f1", "acc")


BAD = {
    "double": ("m,i,s\na,1,0\na,2,0\nb,1,1\na,1,1\n", {}, r"t\.csv:2, .*t\.csv:5"),
    "double-in-run": (
        "m,i,s,r\na,1,0,1\na,1,0,2\na,1,0,1\n",
        {"run": "r"},
        r"t\.csv:2, .*t\.csv:4",
    ),
    "double-repeat": (
        "m,i,s,r\na,1,0,1\na,1,0,2\na,1,0,2\n",
        {"repeat": "r"},
        r"t\.csv:3, .*t\.csv:4",
    ),
    "no-system": ("m,i,s\na,1,0\n,1,0\n", {}, r"'m' of .* in every row; .*t\.csv:3"),
    "no-id": ("m,i,s\na,,0\nb,1,0\n", {}, r"'i' of .* in every row; .*t\.csv:2"),
    "word": ("m,i,s\na,1,x\nb,1,0\n", {}, r"finite numbers; .*t\.csv:2 .*'x'"),
    "infinite": ("m,i,s\na,1,0\nb,1,inf\n", {}, r"finite numbers; .*t\.csv:3"),
    "nan": ("m,i,s\na,1,0\nb,1,nan\n", {}, r"finite numbers; .*t\.csv:3"),
    "mixed-truth": ("m,i,s\na,1,true\nb,1,1\n", {}, r"finite numbers; .*t\.csv:2"),
    "repeat": ("m,i,s,r\na,1,0,1\nb,1,0,one\n", {"repeat": "r"}, r"whole .*t\.csv:3"),
    "repeat-long": (f"m,i,s,r\na,1,0,{'9' * 30}\n", {"repeat": "r"}, "whole numbers"),
    "no-column": ("m,i,s\na,1,0\n", {"run": "seed"}, "must have the column 'seed'"),
    "no-cluster": ("m,i,s\na,1,0\n", {"cluster": "d"}, "must have the column 'd'"),
    "one-part": ("m,i,s\na,1,0\n", {"run": "i"}, "one part only"),
    "no-score": ("m,i,s\na,1,0\n", {"score": None}, "score must name a column"),
    "gold-only": ("m,i,s\na,1,0\n", {"gold": "s"}, "given together; label"),
    "no-id-part": ("m,i,s\na,1,0\n", {"id": "i,"}, "id must name columns"),
    "id-twice": ("m,i,s\na,1,0\n", {"id": ["i", "i"]}, "each column once"),
    "no-id-given": ("m,i,s\na,1,0\n", {"id": None}, "id must name"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables_are_refused_with_their_rows(tmp_path, case):
    text, parts, match = BAD[case]
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=match):
        read_long(path, **({"system": "m", "id": "i", "score": "s"} | parts))


def test_doubles_hint_at_what_tells_them_apart():
    frame = pa.table({"m": ["a", "a"], "i": [1, 1], "s": [0, 1]})
    with pytest.raises(InputError, match="row 0, row 1") as error:
        read_long(frame, system="m", id="i", score="s")
    assert "--repeat" in error.value.hint
    assert "--run" in error.value.hint


@pytest.mark.parametrize(
    "frame",
    [
        pa.table({"m": [["a"]], "i": [1], "s": [1]}),
        pa.table({"m": [{"k": 1}], "i": [1], "s": [1]}),
        pa.table({"m": [1.5], "i": [1], "s": [1]}),
        pa.table({"m": ["a"], "i": [b"\xff"], "s": [1]}),
        pa.table({"m": ["a"], "i": [1], "s": [[1]]}),
        pa.table({"m": ["a"], "i": [1], "s": [{"k": 1}]}),
        pa.table({"m": ["a"], "i": [1], "s": [np.inf]}),
        pa.table({"m": pa.array([], pa.string()), "i": [], "s": []}),
        pa.table({"m": [None], "i": [1], "s": [1]}),
        pa.table([["a"], ["a"], [1], [1]], names=["m", "m", "i", "s"]),
        pd.DataFrame({"m": ["a", "b"], "i": [1, "x"], "s": [1, 2]}),
        pd.DataFrame({"m": ["a"], "i": [1], "s": [object()]}),
        [1, 2],
        None,
        np.zeros((2, 2)),
    ],
)
def test_bad_frames_are_refused(frame):
    with pytest.raises(InputError):
        read_long(frame, system="m", id="i", score="s")


def test_scores_that_are_all_missing():
    frame = pa.table({"m": ["a"], "i": [1], "s": pa.array([None])})
    (log,) = read_long(frame, system="m", id="i", score="s")
    assert log.errors == {0: "no value"}


def test_wide_tables_have_a_log_per_system_and_group(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("dataset,id,a,b\nu,1,0.5,1\nv,1,0.25,\nu,2,0,1\n")
    logs = read_wide(path, group="dataset", id="id")
    assert [(log.system, log.task, log.items) for log in logs] == [
        ("a", "u", ["1", "2"]),
        ("a", "v", ["1"]),
        ("b", "u", ["1", "2"]),
        ("b", "v", ["1"]),
    ]
    assert [log.scores["score"].tolist() for log in logs[:3]] == [
        [0.5, 0],
        [0.25],
        [1, 1],
    ]
    assert logs[3].errors == {0: "no value"}
    assert logs[3].locate(0).endswith("wide.csv:3")


def test_wide_labels():
    frame = pl.DataFrame({"g": ["x", "y"], "a": ["x", "x"], "b": ["y", None]})
    a, b = read_wide(frame, gold="g")
    assert a.labels["labels"] == (["x", "y"], ["x", "x"])
    assert b.labels["labels"] == (["x", "y"], ["y", None])
    assert (a.items, b.errors) == (["1", "2"], {1: "no value"})
    (only,) = read_wide(frame, gold="g", systems=["b"])
    assert only.system == "b"


def test_wide_tables_are_checked():
    frame = pa.table({"id": [1, 1], "a": [1, 2]})
    with pytest.raises(InputError, match="row 0, row 1"):
        read_wide(frame, id="id")
    with pytest.raises(InputError, match="column per system"):
        read_wide(frame, id="id", text="a")


def test_hostile_files_never_make_a_traceback(tmp_path):
    """Bytes are lost, doubled and changed: an error with a message, or logs."""
    path, rng = tmp_path / "t", random.Random(3)
    for make in (FILES["t.csv"], FILES["t.jsonl"], FILES["t.parquet"]):
        data = make()
        for _ in range(60):
            start = rng.randrange(len(data))
            end = start + rng.choice([0, 1, 9])
            path.write_bytes(
                data[:start] + rng.randbytes(rng.choice([0, 2])) + data[end:]
            )
            with contextlib.suppress(InputError):
                logs = read_long(path, **PARTS)
                assert sum(len(log.items) for log in logs) <= len(ROWS) + 1
