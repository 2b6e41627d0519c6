"""Contract of readers: each format is recognised, described and read by its reader."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likelier import Outcomes
from likelier.errors import InputError, SettingError
from likelier.readers import Description, describe
from likelier.readers.file import find_file, find_files
from likelier.readers.reader import (
    ReadRequest,
    all_readers,
    find_reader,
    read_outcomes,
)

pytestmark = pytest.mark.usefixtures("one_database")

ROWS = [("1", "x", "x", "y"), ("2", "y", "y", "y"), ("3", "x", "y", "x")]
NAMES = ("id", "gold", "a", "b")
CONLLU_ROW = "1\t{}\t_\t{}\tX\t_\t_\t_\t_\t_\n\n"
CONLLU_COLUMNS = (
    "id",
    "form",
    "lemma",
    "upos",
    "xpos",
    "feats",
    "head",
    "deprel",
    "deps",
    "misc",
)
CHUNKS = "-DOCSTART- O O\n\nAda B-PER B-PER\nran O O\n\n-DOCSTART- O O\n\nShe O O\n"


def delimited(mark):
    return "".join(mark.join(row) + "\n" for row in (NAMES, *ROWS)).encode()


def jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def parquet(columns):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue().to_pybytes()


RECORDS = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
LABELS = {
    "items": 3,
    "kind": "labels",
    "columns": NAMES,
    "systems": ("a", "b"),
    "gold": "gold",
    "id": "id",
}
CONLLU = {"kind": "tags", "unit": "tokens", "columns": CONLLU_COLUMNS}
# Name of the file, its bytes, and what is expected of its description.
FILES = {
    "csv": ("t", delimited(","), LABELS),
    "csv-quoted": ("t", b'id,gold,"a,b"\n1,x,x\n', LABELS | {
        "items": 1, "columns": ("id", "gold", "a,b"), "systems": ("a,b",),
    }),
    "csv-one-column": ("t", b"my score\n0.5\n1e3\n", {
        "items": 2, "kind": "scores", "systems": ("my score",), "gold": None,
    }),
    "csv-scores": ("t", b"id,a,b\n1,0.5,1\n2,2,0.25\n", {
        "items": 2, "kind": "scores", "systems": ("a", "b"), "gold": None, "id": "id",
    }),
    "csv-texts": ("t", b"a,b\n0.5x,1\n2,high\n", {
        "items": 2, "kind": "labels", "systems": ("a", "b"), "gold": None, "id": None,
    }),
    "csv-mixed": ("t", b"a,b,c\n0.5,1,x\n2,3,high\n", {
        "items": 2, "kind": "scores", "systems": ("a", "b"), "gold": None, "id": None,
    }),
    "csv-y-true": ("t", b"y_true,a,length\nx,y,5\ny,y,9\n", {
        "items": 2, "kind": "labels", "systems": ("a",), "gold": "y_true",
    }),
    "csv-digits": ("t", b"gold,a\n1,0\n0,0\n", {"kind": "labels", "systems": ("a",)}),
    "csv-no-systems": ("t", b"id,gold\n1,x\n", {"kind": "labels", "systems": ()}),
    "csv-fold-scores": ("t", b"fold,system,score\n1,b,0.8\n1,a,0.9\n", {
        "items": 2, "kind": "scores", "systems": ("b", "a"), "gold": None,
    }),
    "csv-fold-counts": ("t", b"system,tp,fp,fn\na,8,1,1\nb,8,1,1\n", {
        "items": 2, "kind": "counts", "systems": ("a", "b"),
    }),
    "csv-fold-totals": ("t", b"system,gold,predicted,correct\na,8,9,1\n", {
        "kind": "counts", "systems": ("a",),
    }),
    "csv-long": ("t", b"system,id,gold,label\na,1,x,x\nb,1,x,y\n", {
        "items": 2, "kind": "labels", "systems": ("a", "b"), "id": "id",
    }),
    "csv-fold-predictions": ("t", b"id,repetition,fold,gold,a\n1,1,1,x,y\n", {
        "kind": "labels", "systems": ("a",), "gold": "gold",
    }),
    "tsv": ("t", delimited("\t"), LABELS),
    "tsv-blank-lines": ("t", delimited("\t").replace(b"\n", b"\n\n"), LABELS),
    "jsonl": ("t", jsonl(RECORDS), LABELS),
    "jsonl-sets": ("t", jsonl([{"gold": ["x"], "a": ["x", "y"]}] * 2), {
        "items": 2, "kind": "sets", "gold": "gold", "systems": ("a",),
    }),
    "jsonl-objects": ("t", jsonl([{"doc": {"x": 1}, "acc": 1.0}]), {
        "items": 1, "kind": "objects", "columns": ("doc", "acc"),
    }),
    "jsonl-scores": ("t", jsonl([{"a": 1, "b": 0.5}]), {
        "kind": "scores", "systems": ("a", "b"),
    }),
    "json": ("t", json.dumps(RECORDS, indent=1).encode(), LABELS),
    "json-line": ("t", json.dumps(RECORDS).encode(), LABELS),
    "json-list": ("t", json.dumps({"n": 3, "tags": ["u"], "all": RECORDS}).encode(),
                  LABELS),
    "json-split": ("t", json.dumps({"columns": NAMES, "data": ROWS}).encode(), LABELS),
    "parquet": ("t", parquet({n: [r[n] for r in RECORDS] for n in NAMES}), LABELS),
    "parquet-sets": ("t", parquet({"gold": [["x"], []], "a": [["x"], ["y"]]}), {
        "items": 2, "kind": "sets", "gold": "gold", "systems": ("a",),
    }),
    "parquet-scores": ("t", parquet({"a": [1, 2], "b": [0.5, 0.25]}), {
        "items": 2, "kind": "scores", "systems": ("a", "b"),
    }),
    "conll": ("t", CHUNKS.encode(), {
        "items": 2, "kind": "chunks", "unit": "sentences", "columns": ("0", "1", "2"),
        "gold": "1", "systems": ("2",), "clusters": 2,
    }),
    "conll-one-sentence": ("t.conll", b"Ada B-PER\nran O\n", {
        "items": 1, "gold": "1", "systems": (), "clusters": None,
    }),
    "columns": ("t", b"Ada\tN\tN\nran\tV\tN\n\n# x\nshe\tP\tP\n", {
        "items": 3, "kind": "tags", "unit": "tokens", "gold": "1", "systems": ("2",),
    }),
    "conllu": ("t", 2 * ("# newdoc\n" + CONLLU_ROW.format("a", "X")).encode(),
               CONLLU | {"items": 2, "gold": "upos", "systems": (), "clusters": 2}),
    "conllu-ending": ("t.conllu", b"1\ta\t_\tX\n\n2\tb\t_\tO\n", {"kind": "tags"}),
    "segmented": ("t", "我们 喜欢\u3000北京\n\n你 好\n好\n".encode(), {
        "items": 3, "kind": "words", "unit": "sentences", "gold": "t", "systems": (),
    }),
    "segmented-commas": ("t", b"we like it , too\nso do they\n", {"kind": "words"}),
}  # fmt: skip


@pytest.fixture
def write(tmp_path):
    def write(name, data):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


@pytest.mark.parametrize("case", FILES)
def test_every_format_is_recognised_and_described(write, case):
    name, data, expected = FILES[case]
    ending = ".gz" if name == "t" else f"{name[1:]}.gz"
    paths = [write(name, data)]
    if case in (
        "csv",
        "tsv",
        "json",
        "jsonl",
        "conll",
        "conllu",
        "columns",
        "segmented",
    ):
        paths.append(write(f"t{ending}", gzip.compress(data)))
    for path in paths:
        about = describe(path)
        assert isinstance(about, Description)
        assert about.format == case.partition("-")[0]
        assert {key: getattr(about, key) for key in expected} == expected
        assert about.findings == ()


def test_formats_are_those_of_the_readers():
    names = [reader.name for reader in all_readers()]
    assert sorted(names) == sorted({case.partition("-")[0] for case in FILES})


def test_the_first_reader_that_recognises_a_file_reads_it(write):
    for case, (name, data, _) in FILES.items():
        file = find_file(write(name, data))
        names = [reader.name for reader in all_readers() if reader.sniff(file)]
        assert names[0] == find_reader(file).name == case.partition("-")[0]


SEVERAL = {
    "labels": (
        {"g": b"id,label\n1,x\n", "a": b"id,label\n1,x", "b": b'{"id": 1}\n'},
        {"format": "csv", "kind": "labels", "gold": "g", "systems": ("a", "b")},
    ),
    "scores": (
        {"a.tsv": b"key\tscore\n1\t2\n", "b.tsv": b"score\tkey\n1\t2\n"},
        {"format": "tsv", "kind": "scores", "systems": ("a", "b"), "id": "key"},
    ),
    "no-id": (
        {"a.csv": b"gold\nx\n", "b.csv": b"label\nx\n"},
        {"kind": "labels", "gold": "a", "systems": ("b",), "id": None},
    ),
    "conll": (
        {"g.conll": b"a O\n\nb B-X\n", "a.conll": b"a O\n\nb O"},
        {"format": "conll", "gold": "g", "systems": ("a",), "items": 2},
    ),
    "conllu": (
        {"g.conllu": CONLLU_ROW.format("a", "X").encode(), "a.txt": b"a Y\n"},
        {"format": "conllu", "gold": "g", "systems": ("a",), "items": 1},
    ),
    "segmented": (
        {"g.txt": b"a b\nc d\n", "a.txt": b"ab\nc d"},
        {"format": "segmented", "gold": "g", "systems": ("a",), "items": 2},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SEVERAL)
def test_several_files_are_described_together(write, case):
    files, expected = SEVERAL[case]
    about = describe([write(name, data) for name, data in files.items()])
    assert {key: getattr(about, key) for key in expected} == expected
    cut = [name for name, data in files.items() if not data.endswith(b"\n")]
    assert [f.message.split(" ")[0].split("/")[-1] for f in about.findings] == cut


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is empty"),
        (b'[{"a": 1}, {"a": ]', "record 2: a record must be JSON"),
        (b"gold,a\nx\n", ":2: a row must have 2 fields"),
        (b'{"a": 1}\n{"a"\n', ":2: a line must be one JSON object"),
        (b"a O O\n\nb O\xff O\n", ":3: text must be UTF-8"),
        (b"a b\n\xff\n", ":2: text must be UTF-8"),
    ],
)
def test_broken_files_are_refused_with_their_line(write, data, message):
    with pytest.raises(InputError, match=message):
        describe(write("t", data))


REQUESTS = {
    "conll": ReadRequest(),
    "columns": ReadRequest(),
    "conllu": ReadRequest(gold=3, systems={"a": "xpos"}),
    "segmented": ReadRequest(systems=["a"]),
}


def test_every_reader_opens_items_that_are_counted(write):
    """Reading by the reader that recognises a file needs no name of a format."""
    for case in ("csv", "tsv", "json", "jsonl", "parquet", *REQUESTS):
        name, data, about = FILES[case]
        paths = [write(name, data)] * (2 if case == "segmented" else 1)
        request = REQUESTS.get(case, ReadRequest(gold="gold", id="id"))
        files = find_files(paths)
        reader = find_reader(files[0])
        with reader.items(files, request) as items:
            assert items.findings == ()
            outcomes = items.count(None)
        assert isinstance(outcomes, Outcomes)
        assert outcomes.n_items == about["items"]
        (again,) = read_outcomes(reader, paths, request)
        assert again.digest == outcomes.digest


def test_findings_reach_every_table_that_is_counted(write):
    path = write("t.tsv", b"Ada\tN\tN\nran\tV\tN")
    reader = find_reader(find_file(write("u", FILES["columns"][1])))
    metrics = ["token_accuracy", "sentence_accuracy"]
    tables = read_outcomes(reader, path, ReadRequest(), metrics)
    assert [table.unit for table in tables] == ["tokens", "sentences"]
    assert [[f.code for f in table.findings] for table in tables] == [["LIK103"]] * 2


@pytest.mark.parametrize(
    ("name", "data", "format_", "kind"),
    [
        (
            "t",
            b'\n {"gold": "New York", "a": "x y"}\n\n{"gold": "x", "a": "x"}\n',
            "jsonl",
            "labels",
        ),
        ("t", b"gold , a , b\nx , x , y\ny , y , y\n", "csv", "scores"),
        ("t", b"gold\nNew York\nNew York\n", "csv", "labels"),
        ("t", b'{"gold": {"k": 1}, "a": "x"}\n', "jsonl", "objects"),
        ("t", b"# one\nAda NNP B-PER\nruns V O\n\nx y O\n", "conll", "chunks"),
    ],
)
def test_files_that_look_like_others_are_described_as_what_they_are(
    write, name, data, format_, kind
):
    about = describe(write(name, data))
    assert about.format == format_
    assert about.kind == kind or format_ == "csv"


def test_a_ragged_conll_file_is_not_taken_for_another_format(write):
    with pytest.raises(InputError, match=r"ragged\.conll:2"):
        describe(write("ragged.conll", b"Ada B-PER\nruns V O\n\nx O\n"))


def test_readers_of_tags_check_what_is_requested(write):
    file = find_file(write("t.conllu", CONLLU_ROW.format("Ada", "N").encode()))
    reader = find_reader(file)
    with (
        pytest.raises(SettingError, match="cluster must be one of"),
        reader.items([file, file], ReadRequest(cluster="page")),
    ):
        pass
    with reader.items([file, file], ReadRequest()) as items:
        for metric, message in (
            ("nonsense", "metric must be one of"),
            ("oov_accuracy", "must know which forms were seen"),
        ):
            with pytest.raises(SettingError, match=message):
                items.count(metric)


@pytest.mark.parametrize("count", [1, 2])
def test_tables_need_a_gold_column(write, count):
    paths = [write(f"t{i}.csv", b"id,gold,a\n1,x,x\n2,y,x\n") for i in range(count)]
    with pytest.raises(InputError, match="gold must name the column"):
        read_outcomes(find_reader(find_file(paths[0])), paths, ReadRequest(id="id"))
