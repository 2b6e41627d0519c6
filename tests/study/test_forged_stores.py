"""Stores that strangers made are data, whatever they hold with right checksums."""

import json
import os
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing

import numpy as np
import pytest
from tests.study.conftest import MAIN

from likelier.study import Store
from likelier.study.stored_rows import COLUMNS, checksum

FOLDS = 12
DEEP = "[" * 100_000


def shown(call, path):
    """Show a store: the findings, or a message and exit code 2, never a traceback."""
    ended = call("study", "show", path)
    assert "Traceback" not in ended.out + ended.err
    assert ended.code in (0, 2)
    if ended.code == 2:
        assert ended.out == ""
        assert ended.err.startswith("likelier: ")
        assert len(ended.err) < 2_000
    return ended


# --- the schema ---------------------------------------------------------------

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
ALL = ", ".join(f"i AS {name}" for name in COLUMNS.split(", "))
SCHEMAS = {
    "endless view": (
        "DROP TABLE results",
        f"CREATE VIEW results AS {ENDLESS} {ALL} FROM n",
    ),
    "view of the plan": (
        "DROP TABLE plan",
        "CREATE VIEW plan AS SELECT '{}' AS content, '' AS checksum",
    ),
    "trigger": (
        "CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM results; END",
    ),
    "index": ("CREATE INDEX i ON results (system)",),
    "other table": ("CREATE TABLE other (a)",),
    "no plan": ("DROP TABLE plan",),
    "no results": ("DROP TABLE results",),
    "no failures": ("DROP TABLE failures",),
    "other columns": ("DROP TABLE results", "CREATE TABLE results (key, record)"),
    "computed column": (
        "DROP TABLE plan",
        "CREATE TABLE plan (content AS (zeroblob(9999)), checksum TEXT, one)",
    ),
    "names that are no text": (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET name = CAST(x'ff41' AS TEXT) WHERE name = 'plan'",
    ),
    "sql that is no text": (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = CAST(x'435245415445205441424c4520ff2828' AS "
        "TEXT) WHERE name = 'plan'",
    ),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_other_tables_are_refused(done, call, name):
    with closing(sqlite3.connect(done.db, isolation_level=None)) as connection:
        for statement in SCHEMAS[name]:
            connection.execute(statement)
    before = done.db.read_bytes()
    words = ("study", "run", done.toml, "--workers", 1, "--engine", "threads")
    for ended in (shown(call, done.db), call(*words)):
        assert ended.code == 2, ended
        assert "must " in ended.err
        assert "disk is full" not in ended.err
        assert "Is the disk" not in ended.err
    assert done.db.read_bytes() == before


def pages_of(path):
    content = path.read_bytes()
    return [bytearray(content[i : i + 4096]) for i in range(0, len(content), 4096)]


@pytest.mark.parametrize("child", ["first leaf", "itself"])
def test_pages_that_lead_in_circles(done, call, child):
    """The root of the results has one page below it, many times over."""
    pages = pages_of(done.db)
    ((root,),) = done.do("SELECT rootpage FROM sqlite_master WHERE name = 'results'")
    page = pages[root - 1]
    assert page[0] == 5
    cells = [int.from_bytes(page[i : i + 2], "big") for i in range(12, 4096, 2)]
    cells = cells[: int.from_bytes(page[3:5], "big")]
    leaf = bytes(page[cells[0] : cells[0] + 4])
    target = leaf if child == "first leaf" else root.to_bytes(4, "big")
    for position in [8, *cells]:
        page[position : position + 4] = target
    done.db.write_bytes(b"".join(pages))
    assert shown(call, done.db).code == 2


# --- the plan -----------------------------------------------------------------


def other(**changes):
    return lambda plan: plan | changes


def other_fold(index, value):
    """Change a part of the key of the first fold."""

    def changed(plan):
        plan["folds"][0][0][index] = value
        return plan

    return changed


def without_last_fold(plan):
    return plan | {"folds": plan["folds"][:-1]}


def first_fold_twice(plan):
    return plan | {"folds": [*plan["folds"], plan["folds"][0]]}


def without_mass(plan):
    del plan["mass"]
    return plan


FINDING = {"code": "LIK101", "message": "m", "severity": "note", "blocks": []}
PLANS = {
    "no JSON": lambda plan: "{",
    "deep": lambda plan: DEEP,
    "long number": lambda plan: json.dumps(plan).replace("0.95", "9" * 5000),
    "list": lambda plan: [plan],
    "number": lambda plan: 3,
    "no format": other(format=None),
    "no mass": without_mass,
    "mass": other(mass=2),
    "no number": other(mass=float("nan")),
    "text for mass": other(mass="0.95"),
    "rope": other(rope=[0.1, -0.1]),
    "rope of three": other(rope=[-0.1, 0, 0.1]),
    "endless rope": other(rope=[float("-inf"), 0]),
    "share": other(test_share=0),
    "endless share": other(test_share=float("inf")),
    "text for share": other(test_share="half"),
    "task": other(task="walk"),
    "task of another": other(task="scores", metrics=["mean"]),
    "task of chunks": other(task="chunks", metrics=["f1"]),
    "metrics": other(metrics=["speed"]),
    "no metrics": other(metrics=[]),
    "metrics twice": other(metrics=["accuracy", "accuracy"]),
    "metric as text": other(metrics="accuracy"),
    "positive": other(positive=3),
    "seed": other(seed=-1),
    "text for seed": other(seed="1"),
    "name": other(name=3),
    "design": other(design=None),
    "repetitions": other(repetitions=2),
    "many repetitions": other(repetitions=10**15),
    "no repetitions": other(repetitions=0),
    "scheme of data": other(datasets={"mail": ["iob9", []]}),
    "scheme of system": other(systems={"a": "iob2", "b": None}),
    "finding": other(datasets={"mail": [None, [FINDING | {"severity": "loud"}]]}),
    "finding of other parts": other(datasets={"mail": [None, [{"x": 1}]]}),
    "no systems": other(systems={}),
    "no data": other(datasets={}),
    "empty name": other(systems={"": None}),
    "more systems": other(systems={"a": None, "b": None, "c": None}),
    "more data": other(datasets={"mail": [None, []], "post": [None, []]}),
    "no folds": other(folds=[]),
    "folds": other(folds=[1]),
    "unknown system": other_fold(1, "z"),
    "unknown data": other_fold(0, "z"),
    "fold 0": other_fold(3, 0),
    "fold of a half": other_fold(3, 1.5),
    "fold as text": other_fold(3, "1"),
    "endless fold": other_fold(2, 10**400),
    "fold twice": first_fold_twice,
    "fold missing": without_last_fold,
}


@pytest.mark.parametrize("name", PLANS)
def test_plans_of_strangers_are_refused(done, call, name):
    ((text,),) = done.do("SELECT content FROM plan")
    forged = PLANS[name](json.loads(text))
    content = forged if isinstance(forged, str) else json.dumps(forged)
    done.do("UPDATE plan SET content = ?, checksum = ?", content, checksum(content))
    assert shown(call, done.db).code == 2


def test_a_plan_of_bytes_is_refused(done, call):
    done.do("UPDATE plan SET content = x'7b7d', checksum = ?", checksum(b"{}"))
    assert shown(call, done.db).code == 2


# --- rows ---------------------------------------------------------------------


def forge(toy, index=0, **changes):
    """Change a row of results, and make its checksum right."""
    names = COLUMNS.split(", ")
    row = dict(zip(names, toy.rows(COLUMNS)[index], strict=True)) | changes
    marks = ", ".join(f"{name} = ?" for name in changes)
    toy.do(f"UPDATE results SET {marks} WHERE key = ?", *changes.values(), row["key"])
    key = row["key"]
    # As SQLite gives it back.
    (back,) = (found for found in toy.rows(COLUMNS) if found[0] == key)
    toy.do("UPDATE results SET checksum = ? WHERE key = ?", checksum(*back[:-1]), key)
    return row


ROWS = {
    "origin": ["[]", "3", "{", '{"a": 1}', '{"a": {}}', DEEP, b"{}", "null"],
    "versions": ["[]", "3", "{", '{"python": 3}', DEEP, b"{}", '{"python": null}'],
    "fit_seconds": [float("inf"), -1.0, "soon", b"1"],
    "predict_seconds": [float("-inf"), -0.5, "late"],
    "repetition": [0, -3, "first", 1.5],
    "fold": [0, "x"],
    "dataset": [b"mail"],
    "system": [b"a"],
    "record": ["text", b"", b"x"],
}


@pytest.mark.parametrize("column", ROWS)
def test_rows_of_strangers_are_damaged(done, call, column):
    """One row for every value that a column cannot have."""
    content = "key, dataset, system, repetition, fold, origin, record"
    before, values = done.rows(content), ROWS[column]
    for index, value in enumerate(values):
        forge(done, index, **{column: value})
    ended = shown(call, done.db)
    assert ended.code == 0
    assert "LIK140" in ended.out
    assert f"{FOLDS - len(values)} of {FOLDS} folds finished" in ended.out
    heard = done.run()
    assert heard.report.damaged == len(heard.finished) == len(values)
    assert done.rows(content) == before


@pytest.mark.parametrize(
    ("error", "details", "seconds"),
    [(b"e", "d", 0.0), ("e", b"d", 0.0), ("e", "d", "s"), ("e", "d", float("inf"))],
)
def test_failures_of_strangers_are_left_out(done, call, error, details, seconds):
    ((key,),) = done.do("DELETE FROM results WHERE rowid = 1 RETURNING key")
    row = (key, "mail", "a", 1, 1, error, details, seconds)
    done.do("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row)
    ended = shown(call, done.db)
    assert ended.code == 0
    assert f"{FOLDS - 1} of {FOLDS} folds finished" in ended.out


def test_long_failures_are_cut(done):
    ((key,),) = done.do("DELETE FROM results WHERE rowid = 1 RETURNING key")
    row = (key, "mail", "a", 1, 1, "e" * 9_000_000, "d" * 9_000_000, 0.0)
    done.do("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row)
    with Store(done.db, readonly=True) as store:
        (failure,) = store.failures(store.schedule().folds)
    assert len(failure.error) + len(failure.details) < 500_000


# --- records ------------------------------------------------------------------


def parts_of(record):
    line, _, body = zlib.decompress(record).partition(b"\n")
    return json.loads(line), body


def packed(head, body):
    line = head if isinstance(head, bytes) else json.dumps(head).encode()
    return zlib.compress(line + b"\n" + body)


def column(name, *, kind=None, length=None):
    """Change what the head says of a column."""

    def changed(head, body):
        columns = [
            [n, kind or k, size if length is None else length]
            if n == name
            else [n, k, size]
            for n, k, size in head["columns"]
        ]
        return head | {"columns": columns}, body

    return changed


def code_too_high(head, body):
    content = bytearray(body)
    content[head["columns"][0][2]] = 200
    return head, bytes(content)


def lengths_of_two(head, body):
    n = head["columns"][0][2]
    return head, bytes([2] * n) + body[n:]


def with_scores(values):
    def changed(head, body):
        columns = [
            [n, "<f8", len(values)] if n == "scores" else [n, "|u1", 0]
            for n, _, _ in head["columns"]
        ]
        forged = {"task": "scores", "words": [], "columns": columns}
        return forged, np.array(values, "<f8").tobytes()

    return changed


RECORDS = {
    "no head": lambda head, body: (b"", body),
    "no JSON": lambda head, body: (b"{", body),
    "deep": lambda head, body: (DEEP.encode(), body),
    "list": lambda head, body: ([], body),
    "task": lambda head, body: (head | {"task": "walk"}, body),
    "words": lambda head, body: (head | {"words": [1, 2]}, body),
    "few words": lambda head, body: (head | {"words": ["ham"]}, body),
    "words twice": lambda head, body: (head | {"words": ["ham", "ham"]}, body),
    "unknown column": lambda head, body: (
        head | {"columns": [["x", "|u1", 0], *head["columns"][1:]]},
        body,
    ),
    "column twice": lambda head, body: (
        head | {"columns": [*head["columns"], head["columns"][0]]},
        body,
    ),
    "columns missing": lambda head, body: (head | {"columns": []}, body),
    "objects": column("gold", kind="|O"),
    "strings": column("gold", kind="|S1"),
    "small floats": column("scores", kind="<f4"),
    "floats as codes": column("gold", kind="<f8"),
    "unknown kind": column("gold", kind="?!"),
    "negative": column("gold", length=-1),
    "beyond": column("gold", length=10**15),
    "shorter": column("gold", length=3),
    "as text": column("gold", length="3"),
    "more bytes": lambda head, body: (head, body + b"x"),
    "fewer bytes": lambda head, body: (head, body[:-1]),
    "code": code_too_high,
    "lengths": lengths_of_two,
    "no score": with_scores([float("nan")] * 20),
    "endless score": with_scores([float("inf")] * 20),
}


@pytest.mark.parametrize("part", range(3))
def test_records_of_strangers_are_damaged(done, call, part):
    """One row for every kind of record that there cannot be."""
    changes = list(RECORDS.values())[part::3]
    rows = done.rows("record")
    for index, change in enumerate(changes):
        forge(done, index, record=packed(*change(*parts_of(rows[index][0]))))
    ended = shown(call, done.db)
    assert (ended.code, "LIK140" in ended.out) == (0, True), ended
    heard = done.run()
    assert heard.report.damaged == len(heard.finished) == len(changes)


def of_other_length(head, body):
    """One item less, in all columns."""
    n = head["columns"][0][2]
    parts = [body[i * n : (i + 1) * n - 1] for i in range(3)]
    columns = [
        [c, k, size - 1 if size == n else size] for c, k, size in head["columns"]
    ]
    return head | {"columns": columns}, b"".join(parts) + body[3 * n :]


def of_other_gold(head, body):
    """The gold labels and the predictions change places."""
    n = head["columns"][0][2]
    return head, body[:n] + body[2 * n : 3 * n] + body[n : 2 * n] + body[3 * n :]


@pytest.mark.parametrize(
    "change", [of_other_length, of_other_gold, with_scores([0.5] * 20)]
)
def test_systems_have_the_same_items(done, call, change):
    head, body = parts_of(done.rows("record")[0][0])
    forge(done, record=packed(*change(head, body)))
    ended = shown(call, done.db)
    assert ended.code == 2
    assert "mail, repetition" in ended.err


BOUNDED = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, ({4 << 30}, {4 << 30}))
{MAIN}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of memory")
def test_a_record_that_fills_the_memory(done):
    """A thousand times as large as it is stored."""
    stream = zlib.compressobj()
    parts = [stream.compress(b"[" * 10_000_000) for _ in range(40)]
    forge(done, record=b"".join([*parts, stream.flush()]))
    words = ["study", "show", str(done.db)]
    ended = subprocess.run(
        [sys.executable, "-c", BOUNDED, *words],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    assert ended.returncode == 2, ended.stderr
    assert "The records of a store must unpack to at most" in ended.stderr
    assert "Traceback" not in ended.stderr
