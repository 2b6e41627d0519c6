"""Small files that would fill the memory: refused wherever a file can come in."""

import gzip
import json
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likelier.readers import file, unpacking

COMPARED = ("compare", "bomb", "--systems", "a,b", "--metric", "acc")
LONG = ("compare", "bomb", "--system", "m", "--id", "i", "--score", "s")
LM_EVAL = {
    "doc_id": 0,
    "doc": {},
    "target": "",
    "arguments": {},
    "resps": [["a"]],
    "filtered_resps": ["a"],
    "filter": "none",
    "metrics": ["acc"],
    "acc": 1.0,
    "doc_hash": "a" * 64,
    "prompt_hash": "b" * 64,
    "target_hash": "c" * 64,
}
# How a file starts, what follows again and again, and the command that reads it.
GZIPPED = {
    "csv": ("gold,a,b\n", "1,1,1\n", COMPARED),
    "tsv": ("gold\ta\tb\n", "1\t1\t1\n", COMPARED),
    "jsonl": ("", '{"gold":1,"a":1,"b":1}\n', COMPARED),
    "json": ("[", '{"gold":1,"a":1,"b":1},', COMPARED),
    "one line": ("gold,a,b\n1,1,", "1", COMPARED),
    "zeros": ("", "\0", COMPARED),
    "long csv": ("m,i,s\n", "a,1,1\n", LONG),
    "long jsonl": ("", '{"m":"a","i":1,"s":1}\n', LONG),
    "lm_eval": ("", json.dumps(LM_EVAL) + "\n", ("compare", "bomb", "bomb")),
    "conll": ("", "w O O O\n", ("chunks", "bomb", "--scheme", "iob2")),
    "segmented": ("", "a b\n", ("chunks", "bomb", "bomb", "--segmented")),
    "conllu": ("", "1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n", ("tags", "bomb", "bomb")),
    "text": ("", "a b c\n", ("text", "bomb", "bomb", "--metric", "wer")),
    "qrels": ("", "q1 0 d1 1\n", ("compare", "bomb", "a.run", "--metric", "AP")),
}


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Let little be free, so that small files are bombs."""
    monkeypatch.setattr(unpacking, "_FREE", 20_000)


@pytest.mark.parametrize("kind", GZIPPED)
@pytest.mark.parametrize("command", ["doctor", "compare"])
def test_gzip(folder, refused, kind, command):
    start, more, words = GZIPPED[kind]
    data = (start + more * (400_000 // len(more))).encode()
    (folder / "bomb").write_bytes(gzip.compress(data))
    message = refused(*(("doctor", "bomb") if command == "doctor" else words))
    assert "bomb must unpack to at most" in message
    assert "gunzip bomb" in message


def test_gzip_within_gzip(folder, refused):
    data = gzip.compress(gzip.compress(b"gold,a,b\n1,1,1\n"))
    (folder / "bomb").write_bytes(data)
    for words in (COMPARED, ("doctor", "bomb")):
        assert "gzip twice" in refused(*words)


@pytest.mark.parametrize("member", ["header.json", "summaries.json"])
def test_archives(folder, refused, member):
    header = {"eval": {"task": "t", "model": "m", "dataset": {}}, "status": "success"}
    contents = {"header.json": json.dumps(header), "summaries.json": "[]"}
    contents[member] = contents[member][:1] + " " * 400_000 + contents[member][1:]
    with zipfile.ZipFile(folder / "bomb", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    for words in (("compare", "bomb", "bomb"), ("doctor", "bomb")):
        message = refused(*words)
        assert "bomb must unpack to at most" in message
        assert "inspect log convert" in message


@pytest.mark.parametrize("start", ["gold,a,b\n", 'gold,a,b\n1,1,"'])
def test_a_line_without_end(folder, refused, monkeypatch, start):
    monkeypatch.setattr(file, "_LONGEST_ROW", 1_000_000)
    row = "1,1,1\n" if start.endswith('"') else "1"
    (folder / "bomb").write_text(start + row * 1_600_000)
    message = refused(*COMPARED)
    assert "bomb must have no line of more than 1,000,000 bytes" in message


# --- Parquet --------------------------------------------------------------------------


def same(value, n):
    """A column of one value, which stands in the file once."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int32()), [value])


def lists(column):
    return pa.ListArray.from_arrays(range(len(column) + 1), column.cast(pa.string()))


def maps(column):
    texts = column.cast(pa.string())
    return pa.MapArray.from_arrays(range(len(texts) + 1), texts, texts)


LONG_TEXT = "x" * 10_000
TEXTS = same(LONG_TEXT, 500)
PARQUET = {
    "equal numbers": (pa.array([1] * 400_000), COMPARED),
    "texts": (TEXTS, COMPARED),
    "binary": (same(LONG_TEXT.encode(), 500), COMPARED),
    "sets": (lists(TEXTS), (*COMPARED[:-1], "jaccard", "--sets")),
    "maps": (maps(TEXTS), (*COMPARED[:-1], "jaccard", "--sets")),
}


@pytest.mark.parametrize("kind", PARQUET)
@pytest.mark.parametrize("command", ["doctor", "compare"])
def test_parquet(folder, refused, kind, command):
    column, words = PARQUET[kind]
    table = pa.table(dict.fromkeys(["gold", "a", "b"], column))
    pq.write_table(table, folder / "bomb", compression="zstd")
    message = refused(*(("doctor", "bomb") if command == "doctor" else words))
    assert "bomb must unpack to at most" in message
    assert "give the data frame" in message


@pytest.mark.parametrize("field", ["id", "query"])
def test_fields_within_parquet(folder, refused, field):
    doc = pa.StructArray.from_arrays([TEXTS.cast(pa.string())], [field])
    table = {"doc": doc, "metric": doc, "model_response": doc}
    pq.write_table(pa.table(table), folder / "bomb", compression="zstd")
    for words in (("compare", "bomb", "bomb"), ("doctor", "bomb")):
        assert "bomb must unpack to at most" in refused(*words)


def test_many_rows_of_few_labels_are_no_bomb(folder, call, monkeypatch):
    monkeypatch.setattr(unpacking, "_FREE", 2_000_000)
    labels = pa.array(["spam", *["ham"] * 199_999])
    table = pa.table(dict.fromkeys(["gold", "a", "b"], labels))
    pq.write_table(table, folder / "t.parquet", compression="zstd")
    ended = call("compare", "t.parquet", *COMPARED[2:])
    assert ended.code == 0, ended
    assert "200,000 items" in ended.out
