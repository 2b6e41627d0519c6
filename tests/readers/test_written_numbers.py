"""Labels and ids that are numbers written differently, in files and frames."""

import gzip
import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likelier as lk
from likelier.errors import InputError
from likelier.readers import read_files, read_frame

pytestmark = pytest.mark.usefixtures("one_database")

GOLD = [1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0]
FIRST = [1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1]
SECOND = [1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0]
LARGE = 9007199254740993  # no float


def codes(outcomes):
    return [finding.code for finding in outcomes.findings]


def rows(*columns):
    return zip(*columns, strict=True)


@pytest.fixture
def write(tmp_path):
    def write(name, names, *columns):
        """Write columns of text as they are."""
        path = tmp_path / name
        cells = list(rows(*columns))
        if ".csv" in name:
            lines = [",".join(row) for row in [names, *cells]]
        else:
            pairs = [zip(names, row, strict=True) for row in cells]
            lines = ["{" + ", ".join(f'"{n}": {c}' for n, c in p) + "}" for p in pairs]
            if ".jsonl" not in name:
                lines = ["[" + ",\n".join(lines) + "]"]
        data = "".join(f"{line}\n" for line in lines).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


NAMES = ["gold", "a", "b"]
WHOLE = [str(v) for v in GOLD]
POINT = [f"{v}.0" for v in FIRST]
PADDED = [f"{v}.00" for v in SECOND]


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.json", "t.csv.gz"])
def test_labels_of_text_files(write, name):
    got = read_files(write(name, NAMES, WHOLE, POINT, PADDED))
    assert codes(got) == ["LIK158"]
    plain = [[str(v) for v in column] for column in (GOLD, FIRST, SECOND)]
    expected = read_files(write("e.csv", NAMES, *plain))
    assert got.digest == expected.digest
    result = lk.compare(got, metric="f1", positive="1")
    assert "LIK158" in codes(result)


def test_minus_zero_of_json_is_zero_however_it_is_read(write):
    """DuckDB reads lines with -0 as 0; documents are read by Python."""
    labels = ["-0", '"x"', "1"] * 4
    lines, document = (
        read_files(write(name, NAMES, labels, labels[::-1], labels))
        for name in ("t.jsonl", "t.json")
    )
    assert lines.digest == document.digest
    assert lines.classes == ("0", "1", "x")


def test_typed_columns_need_no_remark(write, tmp_path):
    """Whole numbers have one writing, whatever their type."""
    expected = read_files(write("t.csv", NAMES, WHOLE, POINT, PADDED))
    table = pa.table({"gold": GOLD, "a": pa.array(FIRST, pa.float64()), "b": SECOND})
    pq.write_table(table, tmp_path / "t.parquet")
    got = [read_files(tmp_path / "t.parquet")]
    frames = [
        table,
        table.to_pandas(),
        pl.from_arrow(table),
        pl.from_arrow(table).lazy(),
    ]
    got += [read_frame(f, gold="gold", systems=["a", "b"]) for f in frames]
    for outcomes in got:
        assert outcomes.digest == expected.digest
        assert codes(outcomes) == []


def test_strings_of_frames_are_written_numbers(write):
    expected = read_files(write("t.csv", NAMES, WHOLE, POINT, PADDED))
    columns = {"gold": GOLD, "a": POINT, "b": PADDED}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        got = read_frame(frame, gold="gold", systems=["a", "b"])
        assert got.digest == expected.digest
        assert codes(got) == ["LIK158"]


def test_labels_of_two_formats(write, tmp_path):
    ids = [str(i) for i in range(12)]
    table = pa.table({"id": range(12), "label": pa.array(GOLD, pa.int8())})
    pq.write_table(table, tmp_path / "truth.parquet")
    first = write("a.csv", ["id", "label"], ids, POINT)
    second = write("b.jsonl", ["id", "label"], ids, PADDED)
    got = read_files([tmp_path / "truth.parquet", first, second], id="id")
    assert got.digest == read_files(write("t.csv", NAMES, WHOLE, POINT, PADDED)).digest
    assert codes(got) == ["LIK158"]


def test_one_other_label_keeps_the_error(write):
    other = [*POINT[:-1], "none"]
    got = read_files(write("t.csv", NAMES, WHOLE, other, WHOLE))
    with pytest.raises(InputError, match="The same numbers are written differently"):
        lk.compare(got, metric="accuracy")


def test_long_tables_take_numbers_too(write):
    ids = [str(i) for i in range(12)] * 2
    names = ["m", "id", "gold", "label"]
    path = write(
        "t.csv", names, ["a"] * 12 + ["b"] * 12, ids, WHOLE * 2, POINT + PADDED
    )
    items = lk.read(path, system="m", id="id", gold="gold", label="label")
    result = lk.compare(items, metric="accuracy")
    values = [value for _, value, _ in result.per_system]
    expected = [sum(map(int.__eq__, GOLD, own)) / 12 for own in (FIRST, SECOND)]
    assert values == pytest.approx(expected)


# --- ids -----------------------------------------------------------------------------


IDS = [str(LARGE + i) for i in range(12)]
TEXTS = [f'"question {i}"' for i in range(12)]


@pytest.mark.parametrize("form", ["csv", "jsonl", "json", "csv.gz"])
def test_ids_are_joined_as_exact_numbers(write, form):
    """Also numbers of which two are one float, whatever the order of rows."""
    gold = write(f"truth.{form}", ["id", "label", "text"], IDS, WHOLE, TEXTS)
    late = [f"{i}.0" for i in reversed(IDS)]
    first = write("a.csv", ["id", "label"], late, list(reversed(POINT)))
    second = write("b.jsonl", ["id", "label"], [f"0.{i}e16" for i in IDS], PADDED)
    got = read_files([gold, first, second], id="id")
    assert got.digest == read_files(write("t.csv", NAMES, WHOLE, POINT, PADDED)).digest
    assert codes(got) == ["LIK158", "LIK158"]
    assert "ids in column 'id'" in got.findings[0].message
    changes = lk.compare(got, metric="accuracy").items.changes.listed().items
    assert {item.id for item in changes} <= set(IDS)
    by_id = {i: t.strip('"') for i, t in rows(IDS, TEXTS)}
    assert all(item.text.strip('"') == by_id[item.id] for item in changes)


def test_the_number_of_each_part_of_an_id(write):
    names = ["task", "doc", "label"]
    tasks = [f"x/{i % 2}\\" for i in range(12)]
    docs = [str(i) for i in range(12)]
    gold = write("truth.csv", names, tasks, docs, WHOLE)
    late = [f"{i}.0" for i in docs]
    first = write("a.csv", names, tasks, late, POINT)
    got = read_files([gold, first], id="task,doc")
    assert got.n_items == 12
    assert "ids in column 'doc'" in got.findings[0].message
    with pytest.raises(InputError, match="12 missing"):
        read_files([gold, write("b.csv", names, docs, late, POINT)], id="task,doc")


@pytest.mark.parametrize(
    ("ids", "others"),
    [
        (["1", "2", "x"], ["1.0", "2.0", "x"]),  # not all are numbers
        (["1", "2", "3"], ["01", "02", "03"]),  # codes
        (["1", "1.0", "2"], ["1.0", "1.00", "2"]),  # zeros mean something
        (["1.1", "2", "3"], ["1.10", "2", "3"]),  # sections
        (["1", "2", "3"], ["1.0", "2.0", "4.0"]),  # another item
        (["1", "2", "3"], ["1", "2", "4"]),
    ],
)
def test_other_ids_stay_text(write, ids, others):
    paths = [
        write(name, ["id", "label"], own, WHOLE[:3])
        for name, own in (("truth.csv", ids), ("a.csv", others))
    ]
    with pytest.raises(InputError, match="must have the ids of"):
        read_files(paths, id="id")


def test_json_ids_that_pandas_wrote(tmp_path):
    """A column of ids that once had a gap holds floats."""
    gold = pd.DataFrame({"id": range(12), "label": WHOLE})
    gold.to_csv(tmp_path / "truth.csv", index=False)
    first = pd.DataFrame({"id": [*range(12), None], "label": [*WHOLE, "0"]}).dropna()
    first.to_csv(tmp_path / "a.csv", index=False)
    first.to_parquet(tmp_path / "b.parquet")
    (tmp_path / "c.json").write_text(json.dumps(first.to_dict("records")))
    paths = [tmp_path / n for n in ("truth.csv", "a.csv", "b.parquet", "c.json")]
    got = read_files(paths, id="id")
    assert got.n_items == 12
    assert codes(got) == ["LIK158"]
