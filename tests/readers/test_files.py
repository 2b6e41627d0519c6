"""Formats, joins and names that are hard on an engine."""

import gzip
import json

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likelier import Outcomes
from likelier.data.constructors import from_labels, from_scores, from_sets
from likelier.readers import read_files
from likelier.readers.engine import connected
from likelier.readers.file import find_file

GOLD, FIRST, SECOND = ["x", "y", "x"], ["x", "x", "x"], ["y", "y", "x"]
EXPECTED = from_labels(GOLD, FIRST, SECOND, systems=["a", "b"]).digest
ROWS = list(zip(GOLD, FIRST, SECOND, strict=True))


def delimited(names, rows, mark=","):
    return "".join(mark.join(row) + "\n" for row in [names, *rows]).encode()


def jsonl(names, rows):
    lines = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
    return "".join(line + "\n" for line in lines).encode()


def parquet(names, rows):
    sink = pa.BufferOutputStream()
    columns = list(zip(*rows, strict=True))
    pq.write_table(pa.table([pa.array(c) for c in columns], names=list(names)), sink)
    return sink.getvalue().to_pybytes()


FORMATS = {
    "csv": delimited,
    "tsv": lambda names, rows: delimited(names, rows, "\t"),
    "jsonl": jsonl,
    "parquet": parquet,
}


@pytest.fixture(params=FORMATS)
def form(request):
    return FORMATS[request.param]


@pytest.fixture
def write(tmp_path):
    def write(data, name="table.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    return write


def test_wide(write, form):
    got = read_files(write(form(["gold", "a", "b"], ROWS)))
    assert isinstance(got, Outcomes)
    assert got.digest == EXPECTED
    assert got.findings == ()


def test_columns_are_chosen_in_the_order_of_the_systems(write, form):
    rows = [(b, "junk", a, g) for g, a, b in ROWS]
    path = write(form(["b", "note", "a", "Gold"], rows))
    got = read_files(str(path), gold="Gold", systems=["a", "b"])
    assert got.digest == EXPECTED


def test_all_other_columns_are_systems(write, form):
    rows = [(str(i), *row, "u") for i, row in enumerate(ROWS)]
    path = write(form(["id", "gold", "a", "b", "doc"], rows))
    got = read_files([path], id="id", cluster="doc")
    expected = from_labels(GOLD, FIRST, SECOND, systems=["a", "b"], cluster=list("uuu"))
    assert got.digest == expected.digest


@pytest.mark.parametrize("form", ["csv", "tsv"])
@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        gzip.compress,
        lambda data: gzip.compress(data[:20]) + gzip.compress(data[20:]),
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") + b"\r\n\r\n",
        lambda data: gzip.compress(b"\xef\xbb\xbf" + data),
    ],
    ids=["crlf", "bom", "gzip", "gzip-twice", "bom-crlf-blank", "gzip-bom"],
)
def test_dress_of_text(write, form, change):
    path = write(change(FORMATS[form](["gold", "a", "b"], ROWS)), "t.parquet")
    assert read_files(path).digest == EXPECTED


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: b"\n \n" + data.replace(b"\n", b"\n\n"),
        gzip.compress,
    ],
)
def test_dress_of_jsonl(write, change):
    path = write(change(jsonl(["gold", "a", "b"], ROWS)), "t.csv")
    assert read_files(path).digest == EXPECTED


def test_quotes_in_csv(write):
    data = b'gold,"a, ""b"""\n"x\r\ny","x\ny"\n"q""","x\ny"\n'
    got = read_files(write(data))
    expected = from_labels(["x\r\ny", 'q"'], ["x\ny", "x\ny"], systems=['a, "b"'])
    assert got.digest == expected.digest


def test_quotes_are_data_in_tsv(write):
    data = b'gold\ta\n"x\t"x"\n\'y\t"\n'
    got = read_files(write(data))
    assert got.digest == from_labels(['"x', "'y"], ['"x"', '"'], systems=["a"]).digest


def test_large_csv_over_many_blocks(write):
    cells = ["x", 'a"b', "c\nd", "e,f", "g\r\nh"]
    gold = [cells[i % 5] for i in range(60_000)]
    first = [cells[i % 3] for i in range(60_000)]
    quoted = {cell: '"' + cell.replace('"', '""') + '"' for cell in cells}
    body = "".join(
        f"{quoted[g]},{quoted[a]},{'pad' * 20}\n"
        for g, a in zip(gold, first, strict=True)
    )
    path = write(f"gold,a,pad\n{body}".encode())
    got = read_files(path, systems=["a"])
    assert got.digest == from_labels(gold, first, systems=["a"]).digest


def test_a_cell_of_several_megabytes(write):
    data = b"gold,a,note\nx,x," + b"n" * 5_000_000 + b"\ny,x,n\n"
    assert read_files(write(data), systems=["a"]).n_items == 2


HOSTILE = [
    "'; DROP TABLE wide; --",
    'q"x',
    "c0",
    "ünï ç",
    "a b",
    "*",
    "GOLD",
    "n",
    "%s",
]


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_hostile_columns(write, form):
    names = ["gold", *HOSTILE]
    if form == "csv":
        quoted = ['"' + name.replace('"', '""') + '"' for name in names]
        data = delimited(quoted, [["x"] * len(names), ["y"] * len(names)])
    else:
        data = FORMATS[form](names, [["x"] * len(names), ["y"] * len(names)])
    got = read_files(write(data))
    assert got.systems == tuple(HOSTILE)
    assert got.n_items == 2


PATHS = [
    "'; DROP.csv",
    'q".csv',
    "ünï ç.csv",
    "a*b.csv",
    "[a].csv",
    "what?.csv",
    "{a,b}.csv",
    "**/x.csv",
    "k=v/x.csv",
    "dir[1]*/x.csv",
    "back\\slash.csv",
    "new\nline.csv",
    "no-suffix",
    ".hidden",
    "http:/x.csv",
]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_hostile_paths(write, form):
    """Each path is read as it is: a wildcard in it would find the wrong file too."""
    for name in ("aXb.csv", "a.csv", "whatX.csv", "dir1X/x.csv", "y/x.csv"):
        write(FORMATS[form](["gold", "z"], [("wrong", "file")]), name)
    path = write(FORMATS[form](["gold", "a", "b"], ROWS), PATHS[0])
    assert read_files(path).digest == EXPECTED
    labels = [[f"{k} {i}" for i in range(3)] for k in range(len(PATHS))]
    ids = ["1", "2", "3"]
    paths = [
        write(FORMATS[form](["id", "label"], list(zip(ids, some, strict=True))), name)
        for name, some in zip(PATHS, labels, strict=True)
    ]
    got = read_files(paths, id="id", systems=PATHS[1:])
    assert got.digest == from_labels(*labels, systems=PATHS[1:]).digest


def test_relative_path(write, monkeypatch, tmp_path):
    write(FORMATS["csv"](["gold", "a", "b"], ROWS), "t.csv")
    monkeypatch.chdir(tmp_path)
    assert read_files("t.csv").digest == EXPECTED


def three_files(write, form, *, column="label", suffix="txt"):
    ids = ["9007199254740993", "9007199254740992", "007"]
    shuffled = {0: (0, 1, 2), 1: (2, 0, 1), 2: (1, 2, 0)}
    paths = []
    for k, (name, cells) in enumerate(zip("gab", (GOLD, FIRST, SECOND), strict=True)):
        rows = [(cells[i], ids[i]) for i in shuffled[k]]
        paths.append(write(form([column, "id"], rows), f"{name}.{suffix}"))
    return paths


def test_join(write, form):
    assert read_files(three_files(write, form), id="id").digest == EXPECTED


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("column", ["gold", "whatever"])
def test_join_finds_the_label(write, form, column):
    paths = three_files(write, FORMATS[form], column=column)
    assert read_files(paths, id="id").digest == EXPECTED


def test_join_of_several_formats(write):
    gold = three_files(write, FORMATS["csv"], suffix="csv")[0]
    first = three_files(write, FORMATS["jsonl"], suffix="jsonl")[1]
    second = three_files(write, FORMATS["parquet"], suffix="parquet")[2]
    got = read_files([gold, first, second], id="id", label="label")
    assert got.digest == EXPECTED


def test_gold_file_may_have_its_own_name(write):
    gold = write(b"id,gold,label_of_somebody\n1,x,q\n2,y,q\n", "g.csv")
    first = write(b"id,prediction,note\n2,y,q\n1,y,q\n", "a.csv")
    got = read_files([gold, first], id="id", label="prediction")
    assert got.digest == from_labels("xy", "yy", systems=["a"]).digest


def test_typed_ids_join_with_text(write):
    gold = write(b"id,gold\n1,x\n2,y\n", "g.csv")
    for values in ([2, 1], [2.0, 1.0]):
        table = pa.table({"id": values, "label": ["y", "x"]})
        path = gold.parent / "a.parquet"
        pq.write_table(table, path)
        got = read_files([gold, path], id="id")
        assert got.digest == from_labels("xy", "xy", systems=["a"]).digest


def test_names_of_systems(write):
    paths = three_files(write, FORMATS["csv"])
    assert read_files(paths, id="id").systems == ("a", "b")
    got = read_files(paths, id="id", systems=["old", "new"])
    assert got.systems == ("old", "new")


def test_equal_file_names_take_the_folder(write):
    gold, first, second = three_files(write, FORMATS["csv"])
    first = write(first.read_bytes(), "one/predictions.csv")
    second = write(gzip.compress(second.read_bytes()), "two/predictions.csv.gz")
    got = read_files([gold, first, second], id="id")
    assert got.systems == ("one/predictions", "two/predictions")


def test_join_with_clusters(write):
    gold = write(b"id,gold,doc\n1,x,u\n2,y,u\n3,x,v\n", "g.csv")
    first = write(b"id,label\n3,x\n2,x\n1,x\n", "a.csv")
    got = read_files([gold, first], id="id", cluster="doc")
    expected = from_labels(GOLD, FIRST, systems=["a"], cluster=list("uuv"))
    assert got.digest == expected.digest


def test_scores_wide(write, form):
    rows = [("0.5", "1"), ("1e-1", "2"), ("0.50", "1.0")]
    got = read_files(write(form(["a", "b"], rows)), kind="scores")
    expected = from_scores([0.5, 0.1, 0.5], [1, 2, 1], systems=["a", "b"])
    assert got.digest == expected.digest


def test_json_numbers_as_scores(write):
    data = b'{"a": 0.5, "b": 1}\n{"a": 1e-1, "b": 2}\n'
    got = read_files(write(data), kind="scores")
    assert got.digest == from_scores([0.5, 0.1], [1, 2], systems=["a", "b"]).digest


def test_scores_joined_have_no_gold_file(write):
    first = write(b"id,score\n1,0.5\n2,0.25\n", "a.csv")
    second = write(b'{"id": 2, "score": 3}\n{"id": 1, "score": 4}\n', "b.jsonl")
    got = read_files([first, second], id="id", kind="scores")
    expected = from_scores([0.5, 0.25], [4, 3], systems=["a", "b"])
    assert got.digest == expected.digest


SETS = ([["x"], ["x", "y"], []], [["y "], ["x"], ["z"]])


@pytest.mark.parametrize("mark", [",", "\t"])
def test_sets_in_text(write, mark):
    rows = [(";;".join(g), ";;".join(a)) for g, a in zip(*SETS, strict=True)]
    path = write(delimited(["gold", "a"], rows, mark))
    got = read_files(path, kind="sets", separator=";;")
    assert got.digest == from_sets(*SETS, systems=["a"]).digest


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_sets_as_lists(write, form):
    rows = list(zip(*SETS, strict=True))
    got = read_files(write(FORMATS[form](["gold", "a"], rows)), kind="sets")
    assert got.digest == from_sets(*SETS, systems=["a"]).digest


def test_sets_joined(write):
    gold = write(b"id,gold,doc\n1,x;y,u\n2,,u\n", "g.csv")
    first = write(b'{"id": "2", "label": ["x"]}\n{"id": 1, "label": [7, true]}\n', "a")
    got = read_files([gold, first], id="id", kind="sets", separator=";", cluster="doc")
    expected = from_sets(
        [["x", "y"], []], [["7", "true"], ["x"]], systems=["a"], cluster=["u", "u"]
    )
    assert got.digest == expected.digest


def test_typed_parquet(write, tmp_path):
    table = pa.table(
        {
            "gold": [True, False],
            "a": pa.array(["true", "false"]).dictionary_encode(),
            "b": pa.array([1, 2], pa.int8()),
            "c": [1.0, 2.0],
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    got = read_files(tmp_path / "t.parquet")
    expected = from_labels(
        [True, False], [True, False], "12", "12", systems=list("abc")
    )
    assert got.digest == expected.digest


def test_columns_that_differ_in_case_only(write, form):
    rows = [(g, a, b) for g, a, b in ROWS]
    got = read_files(write(form(["gold", "A", "a"], rows)))
    expected = from_labels(GOLD, FIRST, SECOND, systems=["A", "a"])
    assert got.digest == expected.digest


def test_the_database_reaches_nothing_else(write, tmp_path):
    file = find_file(write(b"gold,a\nx,y\n"))
    other = write(b"gold,a\nx,y\n", "other.csv")
    with connected([file]) as engine:
        for sql in (
            f"SELECT * FROM read_csv('{other}')",
            f"COPY (SELECT 1) TO '{tmp_path / 'out.csv'}'",
            "INSTALL httpfs",
            "LOAD httpfs",
            "SET enable_external_access = true",
            f"SET allowed_paths = ['{other}']",
            "SET threads = 1",
        ):
            with pytest.raises(duckdb.Error):
                engine.con.execute(sql)


def test_order_of_rows_and_threads_do_not_matter(write):
    rows = [ROWS[i * i % 3] for i in range(3000)]
    digests = {
        read_files(write(delimited(["gold", "a", "b"], some))).digest
        for some in (rows, rows[::-1], sorted(rows))
    }
    assert len(digests) == 1
