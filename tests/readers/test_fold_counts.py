"""Counts per fold and predictions of folds: what is read, refused and remarked."""

import json
import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likelier import Outcomes
from likelier.errors import InputError
from likelier.readers.fold_counts import (
    fold_table_kind,
    read_counts,
    read_fold_predictions,
)
from likelier.readers.tables import read_columns

pytestmark = pytest.mark.usefixtures("one_database")

ERRORS = ("system", "repetition", "fold", "tp", "fp", "fn")
TOTALS = ("system", "repetition", "fold", "gold", "predicted", "correct")


def counts(*, systems=("old", "new"), m=3, gold=100):
    """Rows of ERRORS; all folds differ, and all have as much gold."""
    rows = []
    for index, system in enumerate(systems):
        for i in range(2 * m):
            right = 60 + 5 * index + i
            rows.append([system, i // 2 + 1, i % 2 + 1, right, 7 + i, gold - right])
    return rows


def totals(rows):
    return [[*row[:3], row[3] + row[5], row[3] + row[4], row[3]] for row in rows]


def delimited(rows, header=ERRORS, mark=","):
    lines = [mark.join(map(str, row)) for row in [header, *rows]]
    return "\n".join(lines) + "\n"


@pytest.fixture
def write(tmp_path):
    def write(content, name="counts.csv"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


@pytest.fixture
def read(write):
    """Write rows as a table and read the counts of it."""
    return lambda rows, header=ERRORS: read_counts(write(delimited(rows, header)))


@pytest.fixture
def refused(read):
    def refused(rows, header=ERRORS):
        with pytest.raises(InputError) as caught:
            read(rows, header)
        return str(caught.value)

    return refused


def sums(reading):
    """Sums of tp, fp, fn, system by system."""
    totals = reading.outcomes.sums()
    return [totals[name].ravel().tolist() for name in ("tp", "fp", "fn")]


def codes(reading):
    return [finding.code for finding in reading.outcomes.findings]


# --- what is read ------------------------------------------------------------


def test_counts_of_folds(read):
    reading = read(counts())
    assert reading.outcomes.systems == ("old", "new")
    assert reading.outcomes.n_items == 6
    assert reading.outcomes.unit == "folds"
    assert reading.repetitions == 3
    assert reading.outcomes.findings == ()
    old = np.array([row[3:] for row in counts() if row[0] == "old"])
    new = np.array([row[3:] for row in counts() if row[0] == "new"])
    assert sums(reading) == np.column_stack([old.sum(0), new.sum(0)]).tolist()


def test_counts_are_kept_fold_by_fold(read):
    rows = counts()
    cube = np.array([row[3:] for row in rows], dtype=float).reshape(2, 6, 3)
    wanted = Outcomes.from_statistics(
        {name: cube[:, :, i].T for i, name in enumerate(("tp", "fp", "fn"))},
        systems=["old", "new"],
    )
    assert read(rows).outcomes.same_counts(wanted)
    assert read(rows).outcomes.digest == wanted.digest


def test_gold_predicted_correct_are_the_same(read):
    rows = counts()
    ours, theirs = read(rows), read(totals(rows), TOTALS)
    assert ours.outcomes.same_counts(theirs.outcomes)
    assert ours.outcomes.digest == theirs.outcomes.digest
    assert theirs.repetitions == 3


@pytest.mark.parametrize("header", [ERRORS, TOTALS])
def test_formats(write, tmp_path, header):
    rows = counts() if header is ERRORS else totals(counts())
    lines = [json.dumps(dict(zip(header, row, strict=True))) + "\n" for row in rows]
    columns = {
        name: list(column)
        for name, column in zip(header, zip(*rows, strict=True), strict=True)
    }
    pq.write_table(pa.table(columns), tmp_path / "c.parquet")
    paths = [
        write(delimited(rows, header)),
        write(delimited(rows, header, "\t"), "c.tsv"),
        write("".join(lines), "c.jsonl"),
        tmp_path / "c.parquet",
    ]
    first, *others = [read_counts(path) for path in paths]
    for other in others:
        assert other.outcomes.systems == first.outcomes.systems
        assert other.outcomes.digest == first.outcomes.digest
        assert (other.repetitions, other.outcomes.findings) == (first.repetitions, ())


def test_order_of_columns_and_other_columns_are_irrelevant(read):
    turned = [[*row[::-1], "x"] for row in counts()]
    reading = read(turned, (*ERRORS[::-1], "note"))
    assert reading.outcomes.digest == read(counts()).outcomes.digest


def test_order_of_rows_is_irrelevant_but_for_the_first(read):
    rows = counts()
    expected = read(rows).outcomes.digest
    for seed in range(5):
        rest = rows[1:]
        random.Random(seed).shuffle(rest)
        reading = read([rows[0], *rest])
        assert reading.outcomes.systems == ("old", "new")
        assert reading.outcomes.digest == expected


def test_systems_stand_in_order_of_appearance(read):
    rows = counts(systems=("z", "a", "m"))
    assert read(rows).outcomes.systems == ("z", "a", "m")
    assert read(rows[::-1]).outcomes.systems == ("m", "a", "z")
    assert sums(read(rows[::-1])) == [part[::-1] for part in sums(read(rows))]


def test_names_are_text(read):
    rows = counts(systems=("007", "NA"))
    assert read(rows).outcomes.systems == ("007", "NA")


def test_names_of_repetitions_and_folds_may_be_any_text(read):
    rows = [[r[0], "abc"[r[1] - 1], "xy"[r[2] - 1], *r[3:]] for r in counts()]
    assert read(rows).repetitions == 3
    assert read(rows).outcomes.digest == read(counts()).outcomes.digest


@pytest.mark.parametrize("m", [1, 2, 5, 11])
def test_any_number_of_repetitions(read, m):
    reading = read(counts(m=m, gold=200))
    assert (reading.repetitions, reading.outcomes.n_items) == (m, 2 * m)


def test_hold_out(read):
    rows = [["a", 80, 20, 10], ["b", 85, 15, 5]]
    bare = read(rows, ("system", "tp", "fp", "fn"))
    assert bare.repetitions is None
    assert sums(bare) == [[80, 85], [20, 15], [10, 5]]
    one = read([[row[0], 1, 1, *row[1:]] for row in rows])
    assert (one.repetitions, one.outcomes.digest) == (None, bare.outcomes.digest)


def test_fractions_and_large_counts_are_counts(read):
    header = ("system", "tp", "fp", "fn")
    reading = read([["a", 1.5, 0, 1e12], ["b", "1e3", "0.0", 999999999999]], header)
    assert sums(reading) == [[1.5, 1000], [0, 0], [1e12, 999999999999]]


def test_zeros_are_counts(read):
    header = ("system", "tp", "fp", "fn")
    reading = read([["a", 0, 0, 0], ["b", 1, 0, 0]], header)
    assert sums(reading) == [[0, 1], [0, 0], [0, 0]]
    with pytest.raises(InputError, match="must count some items"):
        read([["a", 0, 0, 0], ["b", 0, 0, 0]], header)


def test_a_table_is_recognised_by_its_columns(write):
    assert fold_table_kind(write(delimited(counts()))) == "counts"
    rows = [["1", "1", "y", "y", "n"]]
    header = ("repetition", "fold", "gold", "a", "b")
    assert fold_table_kind(write(delimited(rows, header))) == "predictions"
    header = ("dataset", "fold", "system", "score", "note")
    assert fold_table_kind(write(delimited(rows, header))) == "scores"
    header = ("repetition", "fold", "gold", "a", "score")
    assert fold_table_kind(write(delimited(rows, header))) == "predictions"


# --- what is remarked --------------------------------------------------------


def test_folds_of_different_size(read):
    rows = counts()
    for row in rows:
        if row[1:3] == [2, 1]:
            row[5] += 3
    reading = read(rows)
    assert codes(reading) == ["LIK122"]
    (finding,) = reading.outcomes.findings
    assert finding.severity == "note"
    assert "between 100 and 103 gold items" in finding.message


def test_systems_with_different_gold_in_a_fold(read):
    rows = counts()
    rows[-1][5] += 1
    reading = read(rows)
    assert codes(reading) == ["LIK123"]
    assert reading.outcomes.findings[0].severity == "warning"
    assert "gold" in reading.outcomes.findings[0].message


def test_both_remarks(read):
    rows = counts()
    rows[0][5] += 1
    assert codes(read(rows)) == ["LIK123", "LIK122"]


def test_a_file_that_may_be_cut_off(write):
    reading = read_counts(write(delimited(counts()).rstrip("\n")))
    assert codes(reading) == ["LIK103"]


# --- what is refused ---------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "value", "name"),
    [(3, 10, "gold"), (4, 1, "predicted"), (5, 101, "gold")],
)
def test_more_right_than_there_are(refused, column, value, name):
    rows = totals(counts())
    rows[4][column] = value
    message = refused(rows, TOTALS)
    assert f"counts.csv:6: correct must be at most {name}; " in message
    assert f"got {rows[4][5]} of {rows[4][TOTALS.index(name)]}." in message


NO_COUNTS = [
    *("-1", "-0.5", "many", "nan", "NaN", "inf", "-inf", "", "1,5", "0x10"),
    *("8_0", "٨٠", "８０", '" 80 "', "+3", "1e13", "1e308", "9007199254740993"),
    *("1000000000001", ".5", "-0", "1e-3", "80 %"),
]


@pytest.mark.parametrize("column", [3, 4, 5])
@pytest.mark.parametrize("header", [ERRORS, TOTALS])
def test_what_is_no_count(refused, header, column):
    for cell in NO_COUNTS:
        rows = counts() if header is ERRORS else totals(counts())
        rows[7][column] = f'"{cell}"' if "," in cell else cell
        message = refused(rows, header)
        expected = (
            f"counts.csv:9: {header[column]} must be a count from 0 to 1e12; got "
        )
        assert expected in message


@pytest.mark.parametrize("value", [None, True, "x", [3], {"a": 1}, -2])
def test_what_is_no_count_in_json(write, value):
    rows = [dict(zip(ERRORS, row, strict=True)) for row in counts()]
    rows[3]["fp"] = value
    path = write("".join(json.dumps(row) + "\n" for row in rows), "c.jsonl")
    with pytest.raises(InputError, match=r"c\.jsonl:4: .*fp"):
        read_counts(path)


def test_large_counts_are_exact(write, tmp_path):
    cells = {"tp": 999_999_999_999, "fp": 1_000_000_000_000, "fn": 123_456_789_013}
    row = {"system": "a", **cells}
    rows = [row, row | {"system": "b", "tp": 1}]
    lines = [",".join(map(str, one.values())) for one in rows]
    tables = [
        write("\n".join([",".join(row), *lines, ""]), "c.csv"),
        write("".join(json.dumps(one) + "\n" for one in rows), "c.jsonl"),
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "c.parquet")
    for table in (*tables, tmp_path / "c.parquet"):
        sums = read_counts(table).outcomes.sums()
        assert {name: sums[name].ravel().tolist() for name in cells} == {
            name: [count, 1 if name == "tp" else count] for name, count in cells.items()
        }


@pytest.mark.parametrize("value", [1_000_000_000_001, 9007199254740993, 1e18, 1e308])
def test_too_large_counts(write, tmp_path, value):
    rows = [{"system": name, "tp": value, "fp": 1, "fn": 2} for name in "ab"]
    lines = [",".join(map(str, one.values())) for one in rows]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "c.parquet")
    for table in (
        write("\n".join([",".join(rows[0]), *lines, ""]), "c.csv"),
        write("".join(json.dumps(one) + "\n" for one in rows), "c.jsonl"),
        tmp_path / "c.parquet",
    ):
        with pytest.raises(InputError, match="tp must be a count from 0 to 1e12"):
            read_counts(table)


def test_missing_counts_in_parquet(tmp_path):
    table = {"system": ["a", "b"], "tp": [1.0, None], "fp": [1, 1], "fn": [0, 0]}
    pq.write_table(pa.table(table), tmp_path / "c.parquet")
    with pytest.raises(InputError, match="tp must be a count from 0 to 1e12"):
        read_counts(tmp_path / "c.parquet")


def test_missing_folds_are_named(refused):
    rows = counts()
    message = refused([row for i, row in enumerate(rows) if i not in (7, 10)])
    assert "counts.csv must have every fold of every system; missing: " in message
    assert "new, repetition 1, fold 2" in message
    assert "new, repetition 3, fold 1" in message


def test_many_missing_folds_are_named_in_part(refused):
    message = refused(counts(m=10)[:21])
    assert "and 14 more" in message


def test_a_repetition_with_one_fold(refused):
    message = refused([row for row in counts() if row[1:3] != [2, 2]])
    assert "two folds in every repetition" in message
    assert "repetition 2 has 1." in message


def test_three_folds(refused):
    more = [[s, 2, 3, 60, 7, 40] for s in ("old", "new")]
    message = refused([*counts(), *more])
    assert "repetition 2 has 3." in message
    assert "Hint: " in message


def test_double_rows(refused):
    message = refused([*counts(), counts()[8]])
    assert "one row per system, repetition and fold" in message
    assert "'new', repetition 2, fold 1 is given twice" in message


def test_double_rows_of_a_hold_out(refused):
    rows = [["a", 80, 20, 10], ["b", 85, 15, 5], ["a", 80, 20, 10]]
    assert "'a'" in refused(rows, ("system", "tp", "fp", "fn"))


@pytest.mark.parametrize("name", ["repetition", "fold"])
def test_repetition_and_fold_come_together(refused, name):
    column = ERRORS.index(name)
    rows = [[*row[:column], *row[column + 1 :]] for row in counts()]
    message = refused(rows, tuple(x for x in ERRORS if x != name))
    assert f"must have the column '{name}'" in message


@pytest.mark.parametrize("name", ["system", "tp", "fp", "fn"])
def test_columns_must_be_there(refused, name):
    header = tuple("other" if x == name else x for x in ERRORS)
    assert f"must have the column '{name}'" in refused(counts(), header)


@pytest.mark.parametrize("name", ["gold", "predicted"])
def test_columns_of_totals_must_be_there(refused, name):
    header = tuple("other" if x == name else x for x in TOTALS)
    assert f"must have the column '{name}'" in refused(totals(counts()), header)


def test_a_misspelt_column_gets_a_hint(refused):
    header = ("system", "repetition", "fold", "TP", "fp", "fn")
    assert "Did you mean 'TP'?" in refused(counts(), header)


@pytest.mark.parametrize("column", [0, 1, 2])
def test_empty_cells(refused, column):
    rows = counts()
    rows[4][column] = ""
    message = refused(rows)
    assert f"counts.csv:6: column '{ERRORS[column]}' must have a value" in message


def test_a_header_alone(refused):
    assert "must have at least one item" in refused([])


def test_an_empty_file(write):
    with pytest.raises(InputError, match="it is empty"):
        read_counts(write(""))


def test_no_file(tmp_path):
    with pytest.raises(InputError, match="there is none of that name"):
        read_counts(tmp_path / "counts.csv")


# --- predictions of folds ----------------------------------------------------

PREDICTED = ("id", "repetition", "fold", "gold", "a", "b")


def predictions(n=24, m=3, seed=0):
    rng = random.Random(seed)
    gold = [rng.choice("yn") for _ in range(n)]
    rows = []
    for repetition in range(1, m + 1):
        for i in range(n):
            fold = (i >> (repetition - 1)) % 2 + 1
            predicted = [rng.choice([gold[i], gold[i], "y"]) for _ in "ab"]
            rows.append([f"i{i}", repetition, fold, gold[i], *predicted])
    return rows


def read_predicted(write, rows, header=PREDICTED, **columns):
    return read_fold_predictions(write(delimited(rows, header)), **columns)


def test_joint_outcomes_of_all_folds(write):
    rows = predictions()
    reading = read_predicted(write, rows)
    wanted = Outcomes.from_labels(
        *([row[i] for row in rows] for i in (3, 4, 5)), systems=["a", "b"]
    )
    assert reading.repetitions == 3
    assert reading.outcomes.systems == ("a", "b")
    assert reading.outcomes.n_items == 72
    assert reading.outcomes.same_counts(wanted)
    assert reading.outcomes.findings == ()


def test_named_columns(write):
    rows = predictions()
    plain = read_predicted(write, rows)
    header = ("key", "run", "half", "truth", "a", "b")
    named = read_predicted(
        write,
        rows,
        header,
        gold="truth",
        systems=["b", "a"],
        repetition="run",
        fold="half",
    )
    assert named.outcomes.systems == ("b", "a")
    assert named.outcomes.swapped().same_counts(plain.outcomes)
    assert named.repetitions == 3


def test_a_hold_out_of_predictions(write):
    rows = [row for row in predictions(m=1) if row[2] == 1]
    assert read_predicted(write, rows).repetitions is None


def test_predictions_in_other_formats(write, tmp_path):
    rows = predictions()
    lines = [json.dumps(dict(zip(PREDICTED, row, strict=True))) + "\n" for row in rows]
    columns = {
        name: list(column)
        for name, column in zip(PREDICTED, zip(*rows, strict=True), strict=True)
    }
    pq.write_table(pa.table(columns), tmp_path / "p.parquet")
    plain = read_predicted(write, rows)
    for path in (write("".join(lines), "p.jsonl"), tmp_path / "p.parquet"):
        reading = read_fold_predictions(path)
        assert reading.outcomes.digest == plain.outcomes.digest
        assert reading.repetitions == 3


def test_predictions_with_a_missing_fold(write):
    rows = [row for row in predictions() if row[1:3] != [2, 1]]
    with pytest.raises(InputError, match="repetition 2 has 1"):
        read_predicted(write, rows)


@pytest.mark.parametrize("name", ["repetition", "fold", "gold"])
def test_predictions_without_a_column(write, name):
    header = tuple("other" if x == name else x for x in PREDICTED)
    with pytest.raises(InputError, match=f"must have the column '{name}'"):
        read_predicted(write, predictions(), header)


@pytest.mark.parametrize("column", [1, 2])
def test_predictions_with_an_empty_cell_are_named_by_their_line(write, column):
    rows = predictions()
    rows[41][column] = ""
    with pytest.raises(InputError) as caught:
        read_predicted(write, rows)
    # One line of header, and lines count from 1.
    assert f"counts.csv:43: column '{PREDICTED[column]}' must have" in str(caught.value)


# --- columns item by item ----------------------------------------------------


def test_columns_in_the_order_of_the_file(write):
    names = ["007", "NA", "1e3", "null", " x ", "é", "-0"]
    lines = "".join(f'"{name}",{i % 2}\n' for i, name in enumerate(names))
    columns, n = read_columns(write(f"id,y\n{lines}"), ["y", "id"])
    assert n == len(names)
    assert columns == {"y": [str(i % 2) for i in range(len(names))], "id": names}


def test_without_columns_items_are_counted(write):
    assert read_columns(write("id,y\n,\nb,\n"), []) == ({}, 2)


def test_columns_of_many_items_stay_in_order(write):
    lines = "".join(f"{i}\n" for i in range(50_000))
    columns, n = read_columns(write(f"id\n{lines}"), ["id"])
    assert n == 50_000
    assert columns["id"] == [str(i) for i in range(50_000)]


def test_an_empty_cell_is_named_by_its_line(write):
    with pytest.raises(InputError, match=r"counts\.csv:4: column 'y' must have a val"):
        read_columns(write("id,y\na,1\nb,2\nc,\nd,\n"), ["y"])
