"""Scores of cross-validation in files and frames: what is read and refused."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.data.score_tables import HEADER, delimited, rows, scores_of

from likelier import LikelierError
from likelier.readers.fold_scores import ScoreColumns, read_scores, score_frame

pytestmark = pytest.mark.usefixtures("one_database")

TABLE = rows(sets=2, runs=2, folds=3)


def columns(table, header=HEADER):
    return {
        name: list(column)
        for name, column in zip(header, zip(*table, strict=True), strict=True)
    }


@pytest.fixture
def write(tmp_path):
    def write(content, name="s.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def read(write):
    """Write rows as a table and read the scores of it."""

    def read(table, header=HEADER, **settings):
        return read_scores(write(delimited(table, header)), **settings)

    return read


@pytest.fixture
def refused(read):
    def refused(table, header=HEADER, **settings):
        with pytest.raises(LikelierError) as caught:
            read(table, header, **settings)
        return str(caught.value)

    return refused


# --- what is read ------------------------------------------------------------


def test_table(read):
    assert read(TABLE).digest == scores_of(TABLE).digest


def test_formats(write, tmp_path):
    lines = [json.dumps(dict(zip(HEADER, row, strict=True))) + "\n" for row in TABLE]
    pq.write_table(pa.table(columns(TABLE)), tmp_path / "s.parquet")
    paths = [
        write(delimited(TABLE)),
        write(delimited(TABLE, mark="\t"), "s.tsv"),
        write("".join(lines), "s.jsonl"),
        tmp_path / "s.parquet",
    ]
    for path in paths:
        scores = read_scores(path)
        assert scores.digest == scores_of(TABLE).digest
        assert scores.findings == ()


FRAMES = {
    "pandas": pd.DataFrame,
    "pandas-index": lambda c: pd.DataFrame(c, index=range(len(TABLE), 0, -1)),
    "categories": lambda c: pd.DataFrame(c).astype({"system": "category"}),
    "polars": pl.DataFrame,
    "lazy": lambda c: pl.DataFrame(c).lazy(),
    "pyarrow": pa.table,
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames(kind):
    frame = FRAMES[kind](columns(TABLE))
    assert score_frame(frame).digest == scores_of(TABLE).digest


def test_columns_may_be_absent(read):
    bare = [row[3:] for row in rows(folds=1)]
    assert (
        repr(read(bare, HEADER[3:])) == "<Scores of a, b: 1 data set, one score each>"
    )
    folds = [row[2:] for row in rows(folds=4)]
    assert read(folds, HEADER[2:]).datasets[0].test_share == 0.25
    sets = [[row[0], *row[3:]] for row in rows(sets=3, folds=1)]
    assert len(read(sets, ("dataset", "system", "score")).datasets) == 3


def test_columns_have_other_names(read):
    names = ScoreColumns("corpus", "rep", "part", "model", "f1")
    scores = read(TABLE, ("corpus", "rep", "part", "model", "f1"), columns=names)
    assert scores.digest == scores_of(TABLE).digest


def test_order_of_columns_and_other_columns_are_irrelevant(read):
    turned = [[*row[::-1], "note"] for row in TABLE]
    assert read(turned, (*HEADER[::-1], "text")).digest == scores_of(TABLE).digest


def test_settings_are_passed_on(read):
    scores = read(TABLE, test_share=0.4, metric="loss", higher_is_better=False)
    assert (scores.metric, scores.higher_is_better) == ("loss", False)
    assert scores.datasets[0].test_share == 0.4


def test_systems_stand_in_order_of_appearance(read):
    assert read(rows(systems="zam")).systems == ("z", "a", "m")
    assert read(rows(systems="zam")[::-1]).systems == ("m", "a", "z")


def test_names_are_text(read):
    table = [["NA", "01", "1e3", s, 0.5] for s in ("007", "None")]
    scores = read(table)
    assert scores.systems == ("007", "None")
    assert scores.datasets[0].name == "NA"


def test_scores_are_any_finite_number(read):
    cells = ["1e-3", "-0.5", "+1", "0", "1e12", "12.50"]
    table = rows(folds=len(cells))
    for row, cell in zip(table[::2], cells, strict=True):
        row[4] = cell
    values = read(table).datasets[0].values
    assert values[:, 0].tolist() == [float(cell) for cell in cells]


def test_a_file_that_may_be_cut_off(write):
    scores = read_scores(write(delimited(TABLE).rstrip("\n")))
    assert [finding.code for finding in scores.findings] == ["LIK103"]


# --- what is refused ---------------------------------------------------------


@pytest.mark.parametrize(
    "cell", ["nan", "NaN", "inf", "-inf", "1e999", "good", "", "0,8", "0x10"]
)
def test_cells_that_are_no_scores(refused, cell):
    table = [[*row] for row in TABLE]
    table[4][4] = cell
    message = refused(table)
    assert "Column 'score'" in message
    assert "must have a finite number in every row; 1 of 24 have none" in message
    assert "s.csv:6" in message
    if cell:
        assert repr(cell) in message


def test_a_column_of_text_names_the_first_lines(refused):
    message = refused([[*row[:4], "high"] for row in TABLE])
    assert "24 of 24 have none: " in message
    assert "s.csv:2, " in message
    assert "s.csv:6, …" in message
    assert "s.csv:7" not in message


@pytest.mark.parametrize("column", range(4))
def test_empty_names(refused, column):
    table = [[*row] for row in TABLE]
    table[4][column] = ""
    message = refused(table)
    assert f"Column '{HEADER[column]}'" in message
    assert "must have a value in every row; 1 of 24 have none" in message
    assert "s.csv:6" in message


@pytest.mark.parametrize("value", [None, "x", [1], {"a": 1}])
def test_cells_of_json_that_are_no_scores(write, value):
    lines = [dict(zip(HEADER, row, strict=True)) for row in TABLE]
    lines[3]["score"] = value
    path = write("".join(json.dumps(line) + "\n" for line in lines), "s.jsonl")
    with pytest.raises(LikelierError, match=r"s\.jsonl:4"):
        read_scores(path)


@pytest.mark.parametrize("name", ["system", "score"])
def test_columns_that_must_be_there(refused, name):
    header = tuple(x if x != name else "other" for x in HEADER)
    message = refused(TABLE, header)
    assert f"s.csv must have the column '{name}'; it has 'dataset', 'run'" in message


@pytest.mark.parametrize(("name", "near"), [("system", "sytem"), ("score", "Score")])
def test_a_misspelt_column_gets_a_hint(refused, name, near):
    header = tuple(x if x != name else near for x in HEADER)
    assert f"Did you mean '{near}'?" in refused(TABLE, header)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("dataset", "Dataset"),
        ("dataset", "data_set"),
        ("dataset", "corpus"),
        ("run", "repetition"),
        ("fold", "Folds"),
    ],
)
def test_a_column_that_is_probably_meant_is_not_passed_over(refused, name, other):
    header = tuple(x if x != name else other for x in HEADER)
    message = refused(TABLE, header)
    assert f"s.csv must have the column '{name}'; it has '{other}'." in message
    assert message.endswith(f"--{name} {other}")


def test_the_hint_of_such_a_column_works(read):
    header = ("corpus", *HEADER[1:])
    scores = read(TABLE, header, columns=ScoreColumns(dataset="corpus"))
    assert scores.digest == scores_of(TABLE).digest


@pytest.mark.parametrize("name", ["dataset", "run", "fold", "system", "score"])
def test_columns_that_are_named_must_be_there(refused, name):
    message = refused(TABLE, columns=ScoreColumns(**{name: "nope"}))
    assert "must have the column 'nope'" in message


def test_missing_and_double_folds_are_named(refused):
    message = refused([row for i, row in enumerate(TABLE) if i != 3])
    assert "s.csv must have every fold of every system; missing: " in message
    assert "'b on d0, run 1, fold 2'" in message
    message = refused([*TABLE, TABLE[3]])
    assert "'b' on 'd0', run 1, fold 2 is given twice" in message


def test_one_system(refused):
    assert "There must be two systems; got a." in refused(rows(systems="a"))


BAD_FILES = {
    "empty": ("", "s.csv must hold a table; it is empty."),
    "blank": ("\n\n", "s.csv must hold a table; it is empty."),
    "header": ("dataset,run,fold,system,score\n", "it has only a header"),
    "ragged": ("system,score\na,1\nb\n", "s.csv:3: "),
    "double-column": ("system,score,score\na,1,2\nb,1,2\n", "different column names"),
    "not-utf8": (b"system,score\na,1\n\xff,2\n", "s.csv:3: text must be UTF-8"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files(write, name):
    content, message = BAD_FILES[name]
    with pytest.raises(LikelierError) as caught:
        read_scores(write(content))
    assert message in str(caught.value)


# --- frames that are refused --------------------------------------------------


@pytest.mark.parametrize("data", [None, [1, 2], "s.csv", 3.0, np.zeros((2, 2))])
def test_what_is_no_frame(data):
    with pytest.raises(LikelierError, match="must be Scores, or a data frame"):
        score_frame(data)


BAD_CELLS = {
    "nan": ({"score": [0.8, float("nan"), 0.7, 0.9]}, "row 1"),
    "text": ({"score": [0.8, "x", 0.7, 0.9]}, "'score'"),
    "no-system": ({"system": ["a", None, "a", "b"]}, "row 1"),
    "double": ({"fold": [1, 1, 1, 1]}, "is given twice"),
    "none": ({"score": [None] * 4}, "finite number"),
}


@pytest.mark.parametrize("name", BAD_CELLS)
def test_bad_frames(name):
    changed, message = BAD_CELLS[name]
    good = {"fold": [1, 1, 2, 2], "system": list("abab"), "score": [0.8, 0.9, 0.7, 0.9]}
    with pytest.raises(LikelierError, match=message):
        score_frame(pd.DataFrame(good | changed))


def test_frames_with_double_columns():
    frame = pd.DataFrame([["a", 1.0, 1.0]] * 2, columns=["system", "score", "score"])
    with pytest.raises(LikelierError, match="different column names"):
        score_frame(frame)


def test_frames_without_rows():
    with pytest.raises(LikelierError, match="at least one score"):
        score_frame(pl.DataFrame({"system": [], "score": []}))


def test_frames_with_names_of_mixed_types():
    table = {"run": [1, "1", 2, "2"], "system": list("abab"), "score": [1, 2, 3, 4]}
    scores = score_frame(pd.DataFrame(table), test_share=0.2)
    assert (scores.folds, scores.datasets[0].runs) == (2, 2)
