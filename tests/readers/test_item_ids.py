"""Examples of items that differ, by every reader, against a plain loop over rows."""

import csv
import io
import json
from itertools import pairwise

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.data.test_differing_items import ODD, looped
from tests.data.test_differing_items import as_dict as examples

from likelier.data.item_examples import EXAMPLES
from likelier.readers import (
    file_items,
    frame_examples,
    read_conll,
    read_files,
    read_frame,
    read_tagged,
)

pytestmark = pytest.mark.usefixtures("one_database")

NAMES = ["id", "gold", "a", "b", "c", "part"]
RNG = np.random.default_rng(4)
N = 400
LABELS = np.array(["x", "y", " z", "NA"])[RNG.integers(0, 4, size=(4, N))]
ROWS = [
    (f"m{i}", *labels, f"p{i % 7}")
    for i, labels in zip(RNG.permutation(N).tolist(), LABELS.T.tolist(), strict=True)
]
MIXED = [ROWS[i] for i in RNG.permutation(N)]
SYSTEMS = ["a", "b", "c"]


def as_csv(names, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, *rows])
    return text.getvalue().encode()


def as_tsv(names, rows):
    return "".join("\t".join(row) + "\n" for row in [names, *rows]).encode()


def as_jsonl(names, rows):
    lines = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
    return "".join(line + "\n" for line in lines).encode()


def as_parquet(names, rows):
    sink = pa.BufferOutputStream()
    pq.write_table(arrow(names, rows), sink)
    return sink.getvalue().to_pybytes()


def arrow(names, rows):
    columns = [pa.array(column) for column in zip(*rows, strict=True)]
    return pa.table(columns, names=list(names))


FORMS = {"csv": as_csv, "tsv": as_tsv, "jsonl": as_jsonl, "parquet": as_parquet}
FRAMES = {
    "pandas": lambda names, rows: pd.DataFrame(rows, columns=names),
    "pandas category": lambda names, rows: pd.DataFrame(
        rows, columns=names, dtype="category"
    ),
    "polars": lambda names, rows: pl.DataFrame(rows, schema=names, orient="row"),
    "arrow": arrow,
}
LAZY = {
    "polars lazy": lambda names, rows: FRAMES["polars"](names, rows).lazy(),
    "duckdb": lambda names, rows: duckdb.from_arrow(arrow(names, rows)),
}


def expected(rows, ids):
    return looped([row[1:5] for row in rows], ids, gold=True)


def written(folder, form, rows, names=NAMES):
    path = folder / f"table.{form}"
    path.write_bytes(FORMS[form](names, rows))
    return path


@pytest.mark.parametrize("cluster", [None, "part"])
@pytest.mark.parametrize("form", FORMS)
def test_a_wide_file(tmp_path, form, cluster):
    settings = {"systems": SYSTEMS, "cluster": cluster}
    rows = ROWS if cluster else MIXED
    path = written(tmp_path, form, rows)
    items = read_files(path, id="id", **settings).items
    assert examples(items) == expected(ROWS, [row[0] for row in ROWS])
    numbered = read_files(path, **settings).items
    assert examples(numbered) == expected(rows, [f"row {i + 1}" for i in range(N)])


@pytest.mark.parametrize("cluster", [None, "part"])
def test_joined_files(tmp_path, cluster):
    paths = [tmp_path / f"{name}.csv" for name in ("gold", *SYSTEMS)]
    for i, path in enumerate(paths):
        rows = [(row[0], row[1 + i], row[5]) for row in (ROWS, MIXED)[i % 2]]
        path.write_bytes(as_csv(["id", "label", "part"], rows))
    read = read_files(paths, id="id", label="label", cluster=cluster)
    assert examples(read.items) == expected(ROWS, [row[0] for row in ROWS])


@pytest.mark.parametrize("cluster", [None, "part"])
@pytest.mark.parametrize("engine", {**FRAMES, **LAZY})
def test_frames(engine, cluster):
    make = {**FRAMES, **LAZY}[engine]
    settings = {"gold": "gold", "systems": SYSTEMS, "cluster": cluster}
    for rows in (ROWS, MIXED):
        frame = make(NAMES, rows)
        items = read_frame(frame, id="id", **settings).items
        assert examples(items) == expected(ROWS, [row[0] for row in ROWS])
        numbered = read_frame(frame, **settings).items
        if engine in LAZY:
            assert numbered.ids == ()
            assert len(numbered.counts) == len(items.counts)
        else:
            assert examples(numbered) == expected(rows, [f"row {i}" for i in range(N)])


SCORES = RNG.integers(0, 5, size=(N, 2)) / 4
SCORED = [
    (row[0], *map(str, values.tolist()))
    for row, values in zip(ROWS, SCORES, strict=True)
]


def scored(rows, ids):
    texts = [tuple(f"{float(v):g}" for v in row[1:]) for row in rows]
    return looped(texts, ids, gold=False)


@pytest.mark.parametrize("form", FORMS)
def test_scores_of_files(tmp_path, form):
    names = ["id", "a", "b"]
    ids = [row[0] for row in SCORED]
    path = written(tmp_path, form, SCORED, names)
    items = read_files(path, kind="scores", id="id").items
    assert examples(items) == scored(SCORED, ids)
    numbers = [f"row {i + 1}" for i in range(N)]
    bare = read_files(path, kind="scores", systems=["a", "b"]).items
    assert examples(bare) == scored(SCORED, numbers)
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for i, one in enumerate(paths):
        one.write_bytes(as_csv(["id", "score"], [(r[0], r[1 + i]) for r in SCORED]))
    joined = read_files(paths, kind="scores", id="id").items
    assert examples(joined) == scored(SCORED, ids)


@pytest.mark.parametrize("engine", ["pandas", "polars", "arrow", *LAZY])
def test_scores_of_frames(engine):
    rows = [(key, float(a), float(b)) for key, a, b in SCORED]
    frame = {**FRAMES, **LAZY}[engine](["id", "a", "b"], rows)
    read = read_frame(frame, gold=None, systems=["a", "b"], kind="scores", id="id")
    assert examples(read.items) == scored(SCORED, [row[0] for row in SCORED])


def test_sets(tmp_path):
    rows = [
        (key, *("|".join({*cells}) for cells in (r[1:3], r[2:4], r[3:5])))
        for key, *r in ROWS
    ]
    sets = [
        tuple(", ".join(sorted(cell.split("|"))) for cell in row[1:]) for row in rows
    ]
    path = written(tmp_path, "csv", rows, ["id", "gold", "a", "b"])
    settings = {"kind": "sets", "separator": "|", "systems": ["a", "b"]}
    named = read_files(path, id="id", **settings).items
    assert examples(named) == looped(sets, [row[0] for row in rows], gold=True)
    bare = read_files(path, **settings).items
    assert examples(bare) == looped(sets, [f"row {i + 1}" for i in range(N)], gold=True)
    columns = [
        [cell.split("|") for cell in column] for column in zip(*rows, strict=True)
    ][1:]
    frame = pl.DataFrame(
        {"id": [row[0] for row in rows]}
        | dict(zip(["gold", "a", "b"], columns, strict=True))
    )
    settings = {"gold": "gold", "systems": ["a", "b"], "kind": "sets"}
    assert examples(read_frame(frame, id="id", **settings).items) == examples(named)
    numbers = [f"row {i}" for i in range(N)]
    assert examples(read_frame(frame, **settings).items) == looped(
        sets, numbers, gold=True
    )


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_odd_ids_and_labels(tmp_path, form):
    odd = [text for text in ODD if text and "\0" not in text] + ["x" * 7000]
    rows = [(key, f"{key}!", f"{key}!", "n") for key in odd]
    path = written(tmp_path, form, rows, ["id", "gold", "a", "b"])
    items = read_files(path, id="id").items
    assert examples(items) == looped([row[1:] for row in rows], odd, gold=True)
    alike = [(key, "g", "g", "n") for key in odd]
    path = written(tmp_path, form, alike, ["id", "gold", "a", "b"])
    least = sorted(odd, key=lambda key: (len(key), key))
    assert read_files(path, id="id").items.ids == (tuple(least),)


def test_columns_of_different_types(tmp_path):
    table = pa.table(
        {"id": [10, 9, 8], "gold": [1, 2, 3], "a": ["1", "x", "3"], "b": [1, 2, 2]}
    )
    path = tmp_path / "t.parquet"
    pq.write_table(table, path)
    want = {("2", "x", "2"): (1, ("9",)), ("3", "3", "2"): (1, ("8",))}
    assert examples(read_files(path, id="id").items) == want
    for frame in (table, table.to_pandas(), pl.from_arrow(table)):
        read = read_frame(frame, gold="gold", systems=["a", "b"], id="id")
        assert examples(read.items) == want


def test_many_rows(tmp_path, monkeypatch):
    n = 3000
    for module in (file_items, frame_examples):
        monkeypatch.setattr(module, "NUMBERED", n // 3)
    codes = np.random.default_rng(5).integers(0, 3, size=(n, 3)).astype(str)
    rows = [tuple(row) for row in codes.tolist()]
    late = ("late", "0", "1")
    rows[-1] = late
    names = ["id", "gold", "a", "b"]
    path = written(tmp_path, "csv", [(f"m{i}", *r) for i, r in enumerate(rows)], names)
    named = read_files(path, systems=["a", "b"], id="id").items
    assert examples(named) == looped(rows, [f"m{i}" for i in range(n)], gold=True)
    # Examples without ids come from the first rows only.
    numbered = read_files(path, systems=["a", "b"]).items
    of_file = looped(rows, [f"row {i + 1}" for i in range(n)], gold=True)
    assert examples(numbered) == of_file | {late: (1, ())}
    frame = FRAMES["polars"](names[1:], rows)
    numbered = read_frame(frame, gold="gold", systems=["a", "b"]).items
    of_frame = looped(rows, [f"row {i}" for i in range(n)], gold=True)
    assert examples(numbered) == of_frame | {late: (1, ())}
    full = [len(some) == EXAMPLES for _, some in of_frame.values()]
    assert sum(full) == len(full) - 1


def test_rows_are_numbered_far_enough():
    assert file_items.NUMBERED == frame_examples.NUMBERED == 50_000


def test_one_system_has_no_items_that_differ(tmp_path):
    path = written(tmp_path, "csv", [("1", "x", "y")], ["id", "gold", "a"])
    assert read_files(path, id="id").items is None
    assert read_files(path, systems=["a"]).items is None


TAGGED = "Ada\tN\tN\tV\nruns\tV\tN\tV\n\nShe\tP\tP\tP\nran\tV\tV\tN\n"


@pytest.mark.parametrize("cluster", [None, "sentence"])
def test_tags_name_sentence_and_token(tmp_path, cluster):
    path = tmp_path / "tags.tsv"
    path.write_text(2 * (TAGGED + "\n"))
    settings = {"systems": {"a": 2, "b": 3}, "gold": 1, "cluster": cluster}
    items = read_tagged(path, **settings).items
    assert examples(items) == {
        ("N", "N", "V"): (2, ("sentence 1 token 1", "sentence 3 token 1")),
        ("V", "N", "V"): (2, ("sentence 1 token 2", "sentence 3 token 2")),
        ("V", "V", "N"): (2, ("sentence 2 token 2", "sentence 4 token 2")),
    }
    settings |= {"metric": "oov_accuracy", "vocabulary": {"Ada", "She"}}
    unseen = read_tagged(path, **settings).items
    assert sorted(key for some in unseen.ids for key in some) == [
        f"sentence {i} token 2" for i in (1, 2, 3, 4)
    ]
    settings = {"systems": {"a": 2, "b": 3}, "gold": 1}
    whole = read_tagged(path, metric="sentence_accuracy", **settings).items
    assert examples(whole) == {
        ("right", "right", "wrong"): (2, ("sentence 2", "sentence 4"))
    }


def test_sentences_of_files_are_numbered_from_1(tmp_path):
    path = tmp_path / "chunks.conll"
    path.write_text("Ada B-PER B-PER O\n\nruns O O O\n\nRome B-LOC O B-LOC\n")
    items = read_conll(path, scheme="iob2", systems=["a", "b"]).items
    assert examples(items) == {
        ("PER 1 right", "PER 1 missing"): (1, ("sentence 1",)),
        ("LOC 1 missing", "LOC 1 right"): (1, ("sentence 3",)),
    }
    assert all(a >= b for a, b in pairwise(items.counts))
