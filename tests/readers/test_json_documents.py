"""One JSON document is a table, as strict as JSONL, in three layouts."""

import contextlib
import gzip
import json
import random

import pytest

from likelier.errors import InputError
from likelier.readers import read_files

pytestmark = pytest.mark.usefixtures("one_database")

RECORDS = [{"gold": "x", "a": "x", "b": "y"}, {"gold": "y", "a": "x", "b": "y"}] * 3
NAMES = ["gold", "a", "b"]


def split(records):
    return {"columns": NAMES, "data": [list(r.values()) for r in records]}


LAYOUTS = {
    "array": lambda records: records,
    "object": lambda records: {"meta": {"n": [1, 2]}, "names": ["u"], "rows": records},
    "split": split,
    "wandb": lambda r: split(r) | {"ncols": 3, "nrows": len(r), "column_types": {}},
}


@pytest.fixture
def write(tmp_path):
    def write(text, name="t.json"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("indent", [None, 2])
def test_every_layout_is_the_table_of_its_records(write, layout, indent):
    lines = "".join(json.dumps(record) + "\n" for record in RECORDS)
    expected = read_files(write(lines, "t.jsonl"))
    text = json.dumps(LAYOUTS[layout](RECORDS), indent=indent)
    for data in (text, text + "\n", gzip.compress(text.encode())):
        got = read_files(write(data))
        assert got.digest == expected.digest
        assert got.findings == ()


def test_numbers_keep_their_text(write):
    text = '[{"gold": 1.50, "a": 1.5}, {"gold": 10000000000000000001, "a": "x"}]'
    classes = read_files(write(text)).classes
    assert set(classes) == {"1.50", "1.5", "10000000000000000001", "x"}


def test_ids_and_sets_and_scores(write):
    text = '[{"id": 1, "gold": ["x"], "a": []}, {"id": 2, "gold": ["x"], "a": ["x"]}]'
    assert read_files(write(text), kind="sets", id="id").n_items == 2
    text = '{"columns": ["a", "b"], "data": [[1, 0.5], [true, 2]]}'
    with pytest.raises(InputError, match="record 2"):
        read_files(write(text), kind="scores")


def test_lines_stay_lines(write):
    """One line with a list of objects is a record where the ending says so."""
    line = '{"gold": "x", "a": "y", "messages": [{"role": "user"}]}\n'
    systems = {"systems": ["a"]}
    assert read_files(write(line, "t.jsonl"), **systems).n_items == 1
    assert read_files(write(line * 2), **systems).n_items == 2
    assert read_files(write('{"gold": "x", "a": "y"}'), **systems).n_items == 1


BAD = {
    "twice": ('[{"gold": 1, "a": 1}, {"gold": 1, "a": 1, "a": 2}]', r"record 2: .*'a'"),
    "nan": ('{"r": [{"gold": 1, "a": NaN}]}', r"record 1: .* got NaN"),
    "infinite": ('{"columns": ["g", "a"], "data": [[1, 1], [1, 1e999]]}', "record 2"),
    "no-object": ('[{"gold": 1, "a": 1}, 7]', r"record 2: a record must be one"),
    "short": ('{"columns": ["g", "a"], "data": [[1, 1], [1]]}', "record 2: .* got 1"),
    "no-row": ('{"columns": ["g", "a"], "data": [[1, 1], 5]}', "record 2: .* no list"),
    "no-names": ('{"columns": ["gold", null], "data": [[1, 1]]}', "names as columns"),
    "name-twice": ('{"columns": ["a", "a"], "data": [[1, 1]]}', "different column"),
    "several": ('{"one": [{"a": 1}], "two": [{"a": 1}]}', "it has 'one', 'two'"),
    "none": ('{\n"a": 1,\n"b": []\n}', "must hold a list of objects; it has 'a', 'b'"),
    "empty": ("[]", "at least one item"),
    "empty-split": ('{"columns": ["gold", "a"], "data": []}', "at least one item"),
    "cut": ('[{"gold": 1, "a": 1}, {"gold": 1', "record 2: a record must be JSON"),
    "cut-after": ('[{"gold": 1, "a": 1}', "ends too early"),
    "comma": ('[{"gold": 1, "a": 1} {"gold": 1, "a": 1}]', "record 2: .* comma"),
    "surplus": ('[{"gold": 1, "a": 1}]]', "something follows"),
    "two": ('[{"gold": 1, "a": 1}]\n[{"gold": 1, "a": 1}]', "something follows"),
    "key": ('{\n"meta": 1,\n2: 3}', "a key is missing"),
    "colon": ('{\n"meta" 1}', "a colon is missing after 'meta'"),
    "key-twice": ('{\n"m": 1, "m": 1}', "'m' is given twice"),
    "missing": ('[{"gold": 1, "a": 1}, {"gold": 1}]', "'a' of .* none: .*record 2"),
    "nested": ('[{"gold": 1, "a": {"k": 1}}]', "record 1: 'a' must be one label"),
    "deep": ('[{"a": ' + "[" * 100_000, "record 1: .* too deeply nested"),
    "latin-1": (b'[{"gold": 1,\n "a": "\xe9"}]', r"t\.json:2: text must be UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_documents_are_refused_with_file_and_record(write, case):
    text, match = BAD[case]
    with pytest.raises(InputError, match=match) as error:
        read_files(write(text))
    assert "t.json" in error.value.message


def test_damaged_documents_never_make_a_traceback(write):
    rng = random.Random(1)
    for layout in LAYOUTS.values():
        text = json.dumps(layout(RECORDS), indent=1)
        for _ in range(80):
            start = rng.randrange(len(text))
            other = rng.choice(
                ["", "[", "]", "{", "}", ",", '"', "NaN", "0", "\\ud800"]
            )
            damaged = text[:start] + other + text[start + rng.choice([0, 1, 20]) :]
            with contextlib.suppress(InputError):
                assert read_files(write(damaged)).n_items <= len(RECORDS)


DOTTED = [
    {"id": 1, "doc": {"answer": "x", "n": ["u", "v"]}, "a": {"k.l": "x"}, "b": ["x"]},
    {"id": 2, "doc": {"answer": "y", "n": ["u", "w"]}, "a": {"k.l": "x"}, "b": ["y"]},
]


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_dotted_names_reach_into_objects_and_lists(write, form):
    lines = "".join(json.dumps(record) + "\n" for record in DOTTED)
    path = write(json.dumps(DOTTED) if form == "json" else lines, f"t.{form}")
    got = read_files(path, gold="doc.answer", systems=["a.k.l", "b.0"], id="id")
    assert got.systems == ("a.k.l", "b.0")
    assert (got.classes, got.n_items) == (("x", "y"), 2)
    assert read_files(path, gold="doc.n.1", systems=["b.0"]).classes == (
        *("v", "w", "x", "y"),
    )
    with pytest.raises(InputError, match=r"must have the column 'doc\.no'"):
        read_files(path, gold="doc.no", systems=["b.0"])
    for name in ("b.7", "b.²", "b." + "9" * 5_000, "b..", ".", "doc.", "id.x"):
        with pytest.raises(InputError):
            read_files(path, gold="doc.answer", systems=[name])


def test_a_column_of_that_very_name_comes_first(write):
    record = {"doc.answer": "x", "doc": {"answer": "z"}, "a": "x"}
    text = json.dumps([record] * 2)
    assert read_files(write(text), gold="doc.answer", systems=["a"]).classes == ("x",)


def test_the_other_columns_are_systems_but_for_those_with_a_field_in_use(write):
    record = {"doc": {"answer": "x", "id": 1}, "a": "x", "b": "y"}
    other = {"doc": {"answer": "y", "id": 2}, "a": "x", "b": "y"}
    got = read_files(write(json.dumps([record, other])), gold="doc.answer", id="doc.id")
    assert got.systems == ("a", "b")


def test_texts_within_objects(write):
    records = [
        {"id": i, "doc": {"q": f"text {i}"}, "gold": "x", "a": "x", "b": "y"}
        for i in range(4)
    ]
    got = read_files(
        write(json.dumps(records)), systems=["a", "b"], id="id", text="doc.q"
    )
    assert got.n_items == 4
