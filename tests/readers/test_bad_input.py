"""Every kind of bad input is refused, with what must hold and where it does not."""

import contextlib
import gzip
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likelier.errors import InputError, SettingError
from likelier.readers import delimited, read_files

pytestmark = pytest.mark.usefixtures("one_database")


@pytest.fixture
def write(tmp_path):
    def write(data, name="t.csv"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


@pytest.fixture(params=[1 << 21, 1, 5], ids=["one-block", "bytewise", "five-bytes"])
def block(request, monkeypatch):
    monkeypatch.setattr(delimited, "_BLOCK", request.param)


BAD_TEXT = {
    "empty": (b"", r"t\.csv must hold a table; it is empty"),
    "blank": (b"\n \n", r"t\.csv must hold a table; it is empty"),
    "header-only": (b"gold,a\n", "at least one item; it has only a header"),
    "header-cut": (b"gold,a", "at least one item; it has only a header"),
    "first-line-blank": (
        b"\ngold,a\nx,y\n",
        r"t\.csv:1: the first line must be a header",
    ),
    "too-few": (b"gold,a\nx,y\nx\n", r"t\.csv:3: a row must have 2 fields.*; got 1"),
    "too-many": (b"gold,a\nx,y,z\n", r"t\.csv:2: a row must have 2 fields.*; got 3"),
    "one-comma-more": (b"gold,a\nx,y\nx,y,\n", r"t\.csv:3: .* 2 fields.*; got 3"),
    "after-long-field": (
        b'gold,a\n"x\n\n",y\nz\n',
        r"t\.csv:5: a row must have 2 fields.*; got 1",
    ),
    "open-quote": (
        b'gold,a\nx,y\nx,"y\nx,y\n',
        r"t\.csv:3: a quote that opens must be",
    ),
    "open-doubled": (b'gold,a\nx,"y""\n\n', r"t\.csv:2: a quote that opens must be"),
    "open-header": (b'"gold,a\nx,y\n', r"t\.csv:1: a quote that opens must be closed"),
    "quote-inside": (
        b'gold,a\nx,5" disk\n',
        r"t\.csv:2: a quote must stand at the edge",
    ),
    "quote-then-text": (
        b'gold,a\nx,"y"z\n',
        r"t\.csv:2: a quote must stand at the edge",
    ),
    "return-then-quote": (b'gold,a\nx,\r"y"\n', r"t\.csv:2: a quote must stand at the"),
    "blank-then-quote": (b'gold,a\nx, "y"\n', r"t\.csv:2: a quote must stand at the"),
    "mixed-ends": (b"gold,a\nx,y\r\nx,y\n", r"t\.csv:2: lines must all end in"),
    "mixed-later": (b"gold,a\r\nx,y\r\nx,y\n", r"t\.csv:3: lines must all end in"),
    "old-mac": (b"gold,a\rx,y\rx,y\r", r"t\.csv:1: lines must all end in"),
    "latin-1": (b"gold,a\nx,y\nx,\xe9\n", r"t\.csv:3: text must be UTF-8; .* 0xe9"),
    "utf-16": ("gold,a\nx,y\n".encode("utf-16"), r"t\.csv must .* is text in UTF-16"),
    "missing": (
        b"gold,a\nx,y\nx,\n,y\nx,\n",
        r"Column 'gold' of .*t\.csv must have a label .* 1 item has none: .*t\.csv:4\.",
    ),
    "missing-quoted": (b'gold,a\n"x\ny",y\n\nx,""\n', r"'a' of .* none: .*t\.csv:5\."),
    "missing-later": (b'gold,a\n"x\n\n1\ny",y\nx,\n', r"'a' of .* none: .*t\.csv:6\."),
    "missing-many": (
        b"gold,a\n" + b"x,\n" * 7,
        r"'a' of .* 7 items have none: .*:2, .*:3, .*:4, .*:5, .*:6, …",
    ),
    "one-column": (b"gold\nx\n", "must have a column for each system; it has none"),
    "no-gold": (b"Gold,a\nx,y\n", "must have the column 'gold'; it has 'Gold', 'a'"),
    "twice": (b"gold,a,a\nx,y,z\n", "different column names; 'a' stands in the header"),
    "no-name": (b",gold,a\n0,x,y\n", "must have a name for every column"),
    "tsv-few": (b"gold\ta\nx\n", r"t\.csv:2: a row must have 2 fields"),
    "tsv-missing": (b"gold\ta\nx\t\n", r"'a' of .* must have a label .*:2\."),
}


@pytest.mark.parametrize("case", BAD_TEXT)
def test_bad_text(write, case, block):
    data, match = BAD_TEXT[case]
    with pytest.raises(InputError, match=match):
        read_files(write(data))


BAD_JSON = {
    "broken": (
        b'{"gold": "x", "a": "y"}\n\n{"gold": "x"\n',
        r"t\.csv:3: a line must be",
    ),
    "surplus": (b'{"gold": "x", "a": "y"} {}\n', r"t\.csv:1: a line must be one JSON"),
    "comma": (b'{"gold": "x", "a": "y"},\n', r"t\.csv:1: a line must be one JSON"),
    "array": (b'{"gold": "x", "a": "y"}\n["x", "y"]\n', r"t\.csv:2: .* got a value"),
    "number": (b'{"gold": "x", "a": "y"}\n7\n', r"t\.csv:2: a line must be one JSON"),
    "nan": (b'{"gold": "x", "a": NaN}\n', r"t\.csv:1: a value must be JSON; got NaN"),
    "inf": (b'{"gold": "x", "a": -Infinity}\n', r"t\.csv:1: .* got -Infinity"),
    "1e400": (b'{"gold": "x", "a": 1e400}\n', r"t\.csv:1: numbers must be finite"),
    "twice": (
        b'{"gold": "x", "a": "y"}\n{"gold": "x", "a": "y", "a": "y"}\n',
        r"t\.csv:2: an object must have different keys; 'a' is given twice",
    ),
    "twice-deep": (
        b'{"gold": "x", "a": "y", "z": {"k": 1, "k": 2}}\n',
        "'k' is given twice",
    ),
    "null": (b'{"gold": "x", "a": "y"}\n\n{"gold": "x", "a": null}\n', r"none: .*:3\."),
    "absent": (b'{"gold": "x", "a": "y"}\n{"gold": "x"}\n', r"'a' of .* none: .*:2\."),
    "nested": (b'{"gold": "x", "a": ["y"]}\n', r"t\.csv:1: 'a' must be one label"),
    "object": (b'{"gold": "x", "a": {"y": 1}}\n', r"t\.csv:1: 'a' must be one label"),
    "other-key": (
        b'{"gold": "x", "a": "y"}\n{"gold": "x", "a": "y", "b": "z"}\n',
        r"t\.csv:2: an object must have the keys of the first object; got 'b'",
    ),
    "latin-1": (b'{"gold": "x", "a": "\xe9"}\n', r"t\.csv:1: text must be UTF-8"),
    "control": (b'{"gold": "x", "a": "\x01"}\n', r"t\.csv:1: a line must be one JSON"),
    "surrogate": (b'{"gold": "x", "a": "\\ud800"}\n', r":1: 'a' must be valid Unicode"),
    "deep": (b'{"a":' * 100_000 + b"\n", r"t\.csv:1: a line must be one JSON object"),
    "cut": (b'{"gold": "x", "a": "y"}\n{"gold": "x", "a": "', r"t\.csv:2: a line must"),
    "pretty": (b'{\n  "gold": "x"\n}\n', r"must hold a list of objects; it has 'gold'"),
}


@pytest.mark.parametrize("case", BAD_JSON)
def test_bad_json(write, case):
    data, match = BAD_JSON[case]
    with pytest.raises(InputError, match=match):
        read_files(write(data))


def test_no_such_key(write):
    path = write(b'{"gold": "x", "aa": "y"}\n')
    with pytest.raises(InputError, match="must have the column 'a'; it has") as error:
        read_files(path, systems=["a"])
    assert error.value.hint == "Did you mean 'aa'?"


@pytest.mark.parametrize("cell", [b'"x"', b"[null]", b"7", b"[[1]]", b'["\\ud800"]'])
def test_no_list_of_labels(write, cell):
    path = write(b'{"gold": ["x"], "a": []}\n{"gold": ["x"], "a": %s}\n' % cell)
    with pytest.raises(InputError, match=r"t\.csv:2: 'a' must be"):
        read_files(path, kind="sets")


def good_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"gold": ["x", "y"] * 50, "a": ["x", "x"] * 50}), path)
    return path


def test_every_cut_of_a_parquet_file(tmp_path):
    path = good_parquet(tmp_path)
    data = path.read_bytes()
    for end in range(4, len(data), 37):
        path.write_bytes(data[:end])
        with pytest.raises(
            InputError, match=r"t\.parquet must be a readable table.*\.$"
        ):
            read_files(path)


def test_damaged_parquet(tmp_path):
    """Whatever byte is wrong, no other error comes out."""
    path = good_parquet(tmp_path)
    data = path.read_bytes()
    for start in range(4, len(data), 29):
        path.write_bytes(data[:start] + b"\xff\x00\xff" + data[start + 3 :])
        with contextlib.suppress(InputError):
            read_files(path)


@pytest.mark.parametrize(
    ("columns", "match"),
    [
        (
            {"gold": ["x", None], "a": ["x", "x"]},
            r"'gold' of .* none: .*parquet row 2\.",
        ),
        ({"gold": [1.5], "a": ["x"]}, r"'gold' of .* must hold labels; got .* 1\.5"),
        ({"gold": [b"\xff"], "a": ["x"]}, "strings or whole numbers; its type is bin"),
        ({"gold": pa.array([], pa.string()), "a": pa.array([], pa.string())}, "none"),
        ({"b": ["x"], "a": ["x"]}, "must have the column 'gold'; it has 'b', 'a'"),
    ],
)
def test_bad_parquet(tmp_path, columns, match):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(columns), path)
    with pytest.raises(InputError, match=match):
        read_files(path)


def test_parquet_column_twice(tmp_path):
    path = tmp_path / "t.parquet"
    arrays = [pa.array(["x"])] * 3
    pq.write_table(pa.table(arrays, names=["gold", "a", "a"]), path)
    with pytest.raises(InputError, match="different column names; 'a'"):
        read_files(path)


def test_parquet_within_gzip(tmp_path):
    path = good_parquet(tmp_path)
    path.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(InputError, match="Parquet within gzip"):
        read_files(path)


@pytest.mark.parametrize("end", [3, 15, -1, -8])
def test_damaged_gzip(write, end):
    path = write(gzip.compress(b"gold,a\n" + b"x,y\n" * 100)[:end])
    with pytest.raises(InputError, match="must be a whole gzip file; it is damaged"):
        read_files(path)


def test_no_such_file(write, tmp_path):
    write(b"gold,a\nx,y\n", "predictions.csv")
    with pytest.raises(InputError, match="there is none of that name") as error:
        read_files(tmp_path / "prediction.csv")
    assert error.value.hint == "Did you mean 'predictions.csv'?"
    with pytest.raises(InputError, match="there is none of that name"):
        read_files(tmp_path / "no" / "folder.csv")
    with pytest.raises(InputError, match="there is none of that name"):
        read_files("a\0b")


def test_folder(tmp_path):
    with pytest.raises(InputError, match="must be a file; it is a folder"):
        read_files(tmp_path)


def test_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="it is a pipe or device"):
        read_files(tmp_path / "pipe")


def test_read_error(write, monkeypatch):
    def fail(self, *args, **kwargs):
        raise PermissionError(13, "Permission denied")

    path = write(b"gold,a\nx,y\n")
    monkeypatch.setattr(type(path), "open", fail)
    with pytest.raises(InputError, match=r"t\.csv must be readable; Permission denied"):
        read_files(path)


def test_no_paths():
    with pytest.raises(InputError, match="at least one file"):
        read_files([])


def test_file_that_changes(write, monkeypatch):
    path = write(b"gold,a\nx,y\n")
    load = delimited.Delimited.load

    def changed(self, *args, **kwargs):
        path.write_bytes(b"gold,a\nx,y\nx,y\n")
        load(self, *args, **kwargs)

    monkeypatch.setattr(delimited.Delimited, "load", changed)
    with pytest.raises(InputError, match="must stay as it is while it is read"):
        read_files(path)


IDS = {
    "double": (b"id,l\n7,x\n07,x\n7,x\n8,x\n8,x\n", r"'id' of .*a\.csv .*: '7', '8'\."),
    "missing": (
        b"id,l\n7,x\n",
        r"a\.csv must have the ids of .*g\.csv; 1 missing: '8'",
    ),
    "surplus": (b"id,l\n7,x\n8,x\n9,x\n", r"g\.csv must .* of .*a\.csv; 1 .*: '9'\."),
    "other": (b"id,l\n07,x\n8,x\n", r"a\.csv must .*; 1 missing: '7'\."),
    "many": (
        b"id,l\n7,x\n8,x\n" + b"".join(b"u%d,x\n" % i for i in range(9)),
        r"9 missing: 'u0', 'u1', 'u2', 'u3', 'u4' and 4 more\.",
    ),
    "null": (b"id,l\n7,x\n,x\n", r"'id' of .*a\.csv must have an id .*: .*a\.csv:3\."),
    "label": (b"id,l\n8,\n7,x\n", r"'l' of .*a\.csv must have a label .*a\.csv:2\."),
    "no-id": (b"key,l\n8,x\n7,x\n", r"a\.csv must have the column 'id'"),
    "which": (
        b"id,l,m\n8,x,x\n7,x,x\n",
        r"a\.csv must have the column 'label'; it has",
    ),
}


@pytest.mark.parametrize("case", IDS)
def test_bad_ids(write, case):
    data, match = IDS[case]
    gold = write(b"id,gold\n7,x\n8,y\n", "g.csv")
    with pytest.raises(InputError, match=match):
        read_files([gold, write(data, "a.csv")], id="id")


def test_bad_cluster(write):
    gold = write(b"id,gold,doc\n7,x,u\n8,y,\n", "g.csv")
    other = write(b"id,l\n7,x\n8,y\n", "a.csv")
    with pytest.raises(InputError, match=r"'doc' of .* none: .*g\.csv:3\."):
        read_files([gold, other], id="id", cluster="doc")


def test_files_are_never_paired_by_position(write):
    paths = [write(b"gold\nx\n", "g.csv"), write(b"gold\nx\n", "a.csv")]
    with pytest.raises(InputError, match="id must name the column that joins") as error:
        read_files(paths)
    assert "position" in error.value.hint


def test_ids_of_a_wide_file(write):
    with pytest.raises(InputError, match=r"each id once; twice: '7'\."):
        read_files(write(b"id,gold,a\n7,x,y\n7,x,y\n"), id="id")
    with pytest.raises(InputError, match=r"must have an id .*: .*t\.csv:3\."):
        read_files(write(b"id,gold,a\n7,x,y\n,x,y\n"), id="id")


@pytest.mark.parametrize("values", [[1.5, 2.0], [b"a", b"b"]])
def test_ids_are_text_or_whole_numbers(tmp_path, values):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"id": values, "gold": ["x", "y"], "a": ["x", "y"]}), path)
    with pytest.raises(InputError, match="strings or whole numbers as ids"):
        read_files(path, id="id")


def test_names_of_systems(write):
    gold = write(b"id,gold\n7,x\n", "g.csv")
    same = write(b"id,gold\n7,x\n", "a.csv")
    with pytest.raises(InputError, match="different names; got"):
        read_files([gold, same, same], id="id")
    with pytest.raises(InputError, match="systems must name the 2 files"):
        read_files([gold, same, same], id="id", systems=["one"])
    with pytest.raises(InputError, match="'one' is given twice"):
        read_files([gold, same, same], id="id", systems=["one", "one"])
    got = read_files([gold, same, same], id="id", systems=["one", "two"])
    assert got.systems == ("one", "two")


@pytest.mark.parametrize("cell", ["x", "nan", "inf", "1e999", "1,5", " 1", "0x1"])
def test_no_number(write, cell):
    path = write(f'a,b\n1,2\n1,"{cell}"\n'.encode())
    with pytest.raises(InputError, match=r"'b' of .* a finite number .* none: .*:3\."):
        read_files(path, kind="scores")


def test_sets_need_a_separator(write):
    path = write(b"gold,a\nx;y,x\n")
    with pytest.raises(SettingError, match="separator must be given"):
        read_files(path, kind="sets")
    with pytest.raises(SettingError, match="separator must not be empty"):
        read_files(path, kind="sets", separator="")


@pytest.mark.parametrize("cell", [b"x;", b";x", b"x;;y", b";"])
def test_no_label_between_separators(write, cell):
    path = write(b"gold,a\nx;y,x\nx,%s\n" % cell)
    with pytest.raises(InputError, match=r"t\.csv:3: .* labels between separators"):
        read_files(path, kind="sets", separator=";")


def test_unknown_kind(write):
    with pytest.raises(SettingError, match="kind must be one of"):
        read_files(write(b"gold,a\nx,y\n"), kind="label")
