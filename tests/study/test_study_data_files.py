"""Readers of a study: tables, tagged tokens, chunks, segmented text."""

import gzip
import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from tests.conftest import QUICK

from likelier.data.tag_schemes import tags_to_spans
from likelier.errors import LikelierError
from likelier.study.study_data import (
    READERS,
    read_chunks,
    read_segmented,
    read_table,
    read_tags,
)


@pytest.fixture
def written(tmp_path):
    def write(name, content):
        path = tmp_path / name
        if isinstance(content, pa.Table):
            parquet.write_table(content, path)
        else:
            text = content if isinstance(content, bytes) else content.encode()
            path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
        return path

    return write


def refused(read, path, **settings):
    with pytest.raises(LikelierError) as caught:
        read(path, **settings)
    return str(caught.value)


ROWS = [
    {"text": "cheap, pills", "gold": "spam", "doc": "1"},
    {"text": 'she said "so"', "gold": "NA", "doc": "2"},
    {"text": "two\nlines", "gold": "007", "doc": "1"},
]
TABLES = {
    "a.csv": 'text,gold,doc\n"cheap, pills",spam,1\n"she said ""so""",NA,2\n'
    '"two\nlines",007,1\n',
    "a.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
    "a.parquet": pa.Table.from_pylist(ROWS),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_all_formats(written, name):
    data = read_table(written(name, TABLES[name]))
    assert data.inputs == [row["text"] for row in ROWS]
    assert data.gold == ["spam", "NA", "007"]
    assert (data.task, data.groups) == ("labels", None)


def test_fields_between_tabs_are_taken_as_they_are(written):
    data = read_table(written("a.tsv", 'text\tgold\nshe said "so"\tNA\n,\t007\n'))
    assert data.inputs == ['she said "so"', ","]
    assert data.gold == ["NA", "007"]


@pytest.mark.parametrize("name", TABLES)
def test_columns_by_their_names(written, name):
    path = written(name, TABLES[name])
    data = read_table(path, input=["doc", "text"], gold="doc", groups="gold")
    assert data.inputs == [[row["doc"], row["text"]] for row in ROWS]
    assert data.gold == ["1", "2", "1"]
    assert data.groups == ["spam", "NA", "007"]
    assert read_table(path, input=["text"]).inputs == [[row["text"]] for row in ROWS]


def test_numbers_in_tables_are_their_text(written):
    table = pa.table({"text": [1, 2], "gold": [True, False], "x": [0.5, 1.5]})
    data = read_table(written("n.parquet", table), input=["text", "x"])
    assert data.inputs == [["1", "0.5"], ["2", "1.5"]]
    assert data.gold == ["true", "false"]


@pytest.mark.parametrize(
    ("name", "content", "settings", "wanted"),
    [
        ("a.csv", TABLES["a.csv"], {"input": "body"}, "must have the column 'body'"),
        ("a.csv", TABLES["a.csv"], {"gold": "label"}, "must have the column 'label'"),
        ("a.csv", TABLES["a.csv"], {"groups": "d"}, "must have the column 'd'"),
        ("a.csv", TABLES["a.csv"], {"input": []}, "input"),
        ("e.csv", "", {}, "it is empty"),
        ("h.csv", "text,gold\n", {}, "at least one item"),
        ("m.csv", "text,gold\nhi,\n", {}, "m.csv:2: column 'gold' must have a value"),
        ("l.csv", b"text,gold\n\xe9,a\n", {}, "must be UTF-8"),
        ("a.jsonl", '{"text": 1}\n', {}, "gold"),
        ("n.parquet", pa.table({"text": ["x"], "gold": [None]}), {}, "have a value"),
    ],
)
def test_tables_that_are_refused(written, name, content, settings, wanted):
    message = refused(read_table, written(name, content), **settings)
    assert wanted in message


def test_missing_files_are_named(tmp_path):
    for name, read in READERS.items():
        settings = {"scheme": "iob2"} if name == "chunks" else {}
        message = refused(read, tmp_path / "none.csv", **settings)
        assert "none.csv must be a" in message
        assert str(tmp_path) in refused(read, tmp_path, **settings)


CONLLU = """\
# sent_id = 1
1-2\tThecat\t_\t_\t_\t_\t_\t_\t_\t_
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tcat\tcat\tNOUN\tNN\t_\t0\troot\t_\t_
2.1\tno\tno\tX\tX\t_\t_\t_\t_\t_

# sent_id = 2
1\tRuns\trun\tVERB\tVB\t_\t0\troot\t_\t_

"""
NER = "The DT B-NP\ncat NN I-NP\n\nruns VB O\n\n\n"


@pytest.mark.parametrize("name", ["a.conllu", "a.conllu.gz"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_tags_from_conllu(written, name, end):
    path = written(name, CONLLU.replace("\n", end))
    data = read_tags(path)
    assert data.inputs == [["The", "cat"], ["Runs"]]
    assert data.gold == [["DET", "NOUN"], ["VERB"]]
    assert data.task == "tags"
    assert read_tags(path, column="xpos").gold == [["DT", "NN"], ["VB"]]
    assert read_tags(path, column=4).gold == [["DT", "NN"], ["VB"]]


@pytest.mark.parametrize("name", ["a.conll", "a.conll.gz"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_tags_and_chunks_from_columns(written, name, end):
    path = written(name, NER.replace("\n", end))
    chunks = read_chunks(path, scheme="iob2")
    assert chunks.inputs == [["The", "cat"], ["runs"]]
    assert chunks.gold == [["B-NP", "I-NP"], ["O"]]
    assert (chunks.task, chunks.scheme) == ("chunks", "iob2")
    tags = read_tags(path, column=1)
    assert tags.gold == [["DT", "NN"], ["VB"]]
    assert read_tags(path, token=1, column=0).inputs == [["DT", "NN"], ["VB"]]


def test_tokens_of_all_alphabets(written):
    text = "été X\n共同 Y\n\u00a0a Z\n😀 X\n\n"
    data = read_tags(written("u.conll", text.replace(" ", "\t")))
    assert data.inputs == [["été", "共同", "\u00a0a", "😀"]]


@pytest.mark.parametrize(
    ("content", "settings", "wanted"),
    [
        ("", {}, "it is empty"),
        ("\n\n", {}, "it is empty"),
        ("a X\nb\n", {}, "u.conll:2"),
        ("a X\n", {"column": 9}, "column 9"),
        ("a X\n", {"column": "upos"}, "olumn"),
        (b"\xe9 X\n", {}, "UTF-8"),
        (b"a \xe9\n", {}, "UTF-8"),
    ],
)
def test_tagged_files_that_are_refused(written, content, settings, wanted):
    message = refused(read_tags, written("u.conll", content), **settings)
    assert wanted in message


def test_chunks_must_have_a_scheme_that_exists(written):
    path = written("a.conll", NER)
    assert "scheme must be one of" in refused(read_chunks, path, scheme="iob9")


# --- segmented text -----------------------------------------------------------


def test_segmented_text(written):
    data = read_segmented(written("a.txt", "ab c\n\n  \nd  efg\r\nhi\u3000j\n"))
    assert data.inputs == [list("abc"), list("defg"), list("hij")]
    assert data.gold == [list("BES"), list("SBME"), list("BES")]
    assert (data.task, data.scheme) == ("chunks", "bmes")


@QUICK
@given(st.lists(st.text("共同创a", min_size=1, max_size=4), min_size=1, max_size=5))
def test_segmented_words_come_back(tmp_path_factory, words):
    path = tmp_path_factory.mktemp("words") / "a.txt"
    path.write_text(" ".join(words), encoding="utf-8")
    (characters,), (tags,) = (
        getattr(read_segmented(path), name) for name in ("inputs", "gold")
    )
    spans = tags_to_spans(tags, "bmes")
    result = ["".join(characters[s.start : s.end]) for s in spans]
    assert result == words


def test_segmented_text_in_other_encodings(written):
    path = written("g.txt", "共同 创造".encode("gb18030"))
    assert read_segmented(path, encoding="gb18030").inputs == [list("共同创造")]
    assert "must be a text file in the encoding utf-8" in refused(read_segmented, path)
    assert "encoding zz" in refused(read_segmented, path, encoding="zz")
    assert "at least one item" in refused(read_segmented, written("e.txt", "\n"))


@pytest.mark.parametrize(
    ("read", "settings"),
    [
        (read_table, {"input": 3}),
        (read_table, {"gold": ["gold"]}),
        (read_segmented, {"encoding": 3}),
    ],
)
def test_settings_of_another_kind_are_refused(written, read, settings):
    message = refused(read, written("a.csv", TABLES["a.csv"]), **settings)
    assert next(iter(settings)) in message


def test_a_byte_order_mark_is_no_character(written):
    path = written("b.txt", "\ufeffab c\n")
    assert read_segmented(path).inputs == [list("abc")]


def test_lines_end_where_files_say_so(written):
    path = written("l.txt", "ab\x85c\u2028d e\n")
    assert len(read_segmented(path)) == 1


def test_all_readers_are_named():
    assert set(READERS) == {"table", "tags", "chunks", "segmented"}
    for name, read in READERS.items():
        assert read.__name__ == f"read_{name}"
